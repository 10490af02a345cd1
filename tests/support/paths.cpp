// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/paths.h"

namespace backlash {

std::string source_folder() { return BACKLASH_SOURCE_DIR; }
std::string data_folder() { return BACKLASH_SOURCE_DIR "/tests/data"; }
std::string program_file() { return BACKLASH_PROGRAM; }
std::string kill_at_write_file() { return KILL_AT_WRITE; }

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace backlash {

// Where things are, known to one source: the others are compiled alike wherever the tree lies.

std::string source_folder();       ///< of the repository
std::string data_folder();         ///< tests/data
std::string program_file();        ///< the program `backlash`
std::string kill_at_write_file();  ///< what is preloaded to kill a program while it writes

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace backlash {

/// SHA-256 of the bytes (FIPS 180-4) in hexadecimal, as `sha256sum` prints it.
std::string sha256(std::string_view bytes);

}  // namespace backlash

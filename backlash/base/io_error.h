// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace backlash {

/// A file or folder cannot be opened, read, written or renamed: permission is missing, the disk is
/// full. The message names it and the cause. A name that belongs to no file, and a file that holds
/// the wrong things, are an InputError.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace backlash

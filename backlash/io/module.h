// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// A part of Backlash that needs large libraries is a module: a file NAME.so that is loaded when it
/// is first needed, so that nobody else waits for these libraries. It exports one object, under its
/// own name, of a type whose first member is the version that it belongs to:
///
///     struct PngModule { const char* version; std::string (*render)(…); };
///     extern "C" const PngModule backlash_png;
namespace backlash {

/// What the module exports. `purpose` says in messages what it is for: "STEP files cannot be read".
/// Throws IoError where the module or a library that it needs is missing, or is one of another
/// version.
const void* load_module(const std::string& name, const std::string& purpose);

}  // namespace backlash

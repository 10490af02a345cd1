// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/module.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "backlash/base/io_error.h"
#include "backlash/base/version.h"

namespace backlash {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& purpose,
                         std::string_view cause) {
  throw IoError(fmt::format(
      "{}: the module {}.so of Backlash cannot be used: {}; install Backlash again with "
      "the libraries that it was built with, or name the folder of the module in "
      "LD_LIBRARY_PATH",
      purpose, name, cause));
}

std::string last_error() {
  const char* error = dlerror();
  return error ? error : "unknown trouble";
}

}  // namespace

// The folder is in the run path of the program, where cmake/modules.cmake puts it. Never closed:
// what a module threw or allocated may outlive its last call.
const void* load_module(const std::string& name, const std::string& purpose) {
  void* const module = dlopen((name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) refuse(name, purpose, last_error());
  const void* const exported = dlsym(module, name.c_str());
  if (!exported) refuse(name, purpose, last_error());
  const std::string_view found = *static_cast<const char* const*>(exported);
  if (found != version())
    refuse(name, purpose, fmt::format("it is of version {}, this is {}", found, version()));
  return exported;
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

/// Scripts that let a shell complete the program's command line.
namespace backlash::cli {

/// What may stand for a value.
struct Values {
  enum class Kind { anything, file, folder, words };
  Kind kind = Kind::anything;
  std::vector<std::string> words{};  ///< with Kind::words
};

struct CommandOption {
  std::vector<std::string> names{};  ///< "-o", "--output"; of an argument by position: "MODEL"
  std::string help{};                ///< one line
  bool takes_value = false;
  bool repeatable = false;
  Values values{};
};

struct CommandInfo {
  std::string name{};  ///< empty: the program itself
  std::string help{};  ///< one line
  std::vector<CommandOption> options{};
  std::vector<CommandOption> arguments{};  ///< by position
};

/// The shells that there are.
const std::vector<std::string>& shells();

/// The script for a shell. Throws InputError if there is none. The first command is the program.
std::string completion_script(const std::string& shell, std::span<const CommandInfo> commands);

}  // namespace backlash::cli

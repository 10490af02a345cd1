// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands.h"
#include "completions.h"

/// How the arguments of the commands are written. CLI11 stays in the files that include this: it
/// takes long to compile.
namespace backlash::cli {

/// The tree of commands, and what to do once the command line is parsed.
struct CommandLine {
  CLI::App app{"Backlash simulates mechanisms whose parts touch.", "backlash"};
  std::string call{};                             ///< what was typed, as it can be typed again
  std::function<int()> run{};                     ///< gives the exit code
  std::map<const CLI::Option*, Values> values{};  ///< what may follow an option, where it is known
};

/// All commands. `command_line` must not move after this.
void add_commands(CommandLine& command_line);

/// Those that take a model or a built-in mechanism: run, check, demo.
void add_model_commands(CommandLine& command_line);

/// Those that look at results, and at several runs: plot, compare, converge.
void add_result_commands(CommandLine& command_line);

/// Those that stand beside: solve, examples, new, schema, completions, doctor.
void add_tool_commands(CommandLine& command_line);

/// What was too much on a command line: an option that does not exist, with the name that it may
/// have, or what CLI11 says.
std::string describe_extras(const CommandLine& command_line, const CLI::ExtrasError& error);

/// For completions.
std::vector<CommandInfo> describe(const CommandLine& command_line);

/// Arguments that several commands take: a model file, parameters and laws in the place of its own;
/// the method with all options of all methods; when a run ends and is recorded.
void add_model(CommandLine& command_line, CLI::App& command, ModelArguments& model);
void add_overrides(CLI::App& command, ModelArguments& model);
void add_method(CommandLine& command_line, CLI::App& command, SimulationArguments& arguments);
void add_times(CLI::App& command, SimulationArguments& arguments);
std::vector<std::string> method_names();

/// The help of an option `--solver`, after its first words; and the names that the option takes.
std::string solver_help(std::string_view start = "Which solver:");
std::vector<std::string> solver_names();

}  // namespace backlash::cli

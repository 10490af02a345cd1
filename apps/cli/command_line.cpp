// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <fmt/format.h>

#include "backlash/base/nearest_name.h"
#include "backlash/base/version.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/option_text.h"
#include "backlash/solvers/solver_table.h"

namespace backlash::cli {
namespace {

/// The first line, without what would introduce the next ones.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  while (!line.empty() && (line.back() == ':' || line.back() == ' ')) line.pop_back();
  return line;
}

CommandOption describe_option(const CLI::Option& option, const CommandLine& command_line) {
  CommandOption info{
      .help = first_line(option.get_description()),
      .takes_value = option.get_items_expected_max() > 0,
      .repeatable = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll};
  for (const std::string& name : option.get_snames()) info.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
  if (info.names.empty()) info.names.push_back(option.get_name());
  const auto known = command_line.values.find(&option);
  if (known != command_line.values.end()) info.values = known->second;
  return info;
}

CommandInfo describe_command(const CLI::App& app, const CommandLine& command_line) {
  CommandInfo command{.name = app.get_name(), .help = first_line(app.get_description())};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // not for everybody's eyes
    (option->get_positional() ? command.arguments : command.options)
        .push_back(describe_option(*option, command_line));
  }
  return command;
}

/// The name that an option of a method has now, if it was called `word` before; else nothing.
std::string present_name(const std::string& word) {
  for (const IntegratorEntry& method : integrator_table())
    for (const OptionInfo& option : method.options)
      if (!option.formerly.empty() && command_line_name(option.formerly) == word)
        return command_line_name(option.key);
  return {};
}

}  // namespace

std::string describe_extras(const CommandLine& command_line, const CLI::ExtrasError& error) {
  std::string program = "backlash", complaint = error.what();
  std::vector<std::string> names;
  for (const CLI::App* command : command_line.app.get_subcommands()) {
    program += " " + command->get_name();
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& argument : command_line.app.remaining(true)) {
    if (!argument.starts_with("--")) continue;
    const std::string word = argument.substr(0, argument.find('=')), now = present_name(word);
    complaint = now.empty()
                    ? fmt::format("there is no option '{}'{}", word, did_you_mean(word, names))
                    : fmt::format("'{}' is now '{}'", word, now);
    break;
  }
  return fmt::format("{} (see '{} --help')", complaint, program);
}

void add_commands(CommandLine& command_line) {
  command_line.app.set_version_flag("-V,-v,--version", fmt::format("backlash {}", version()));
  command_line.app.require_subcommand(1);
  command_line.app.footer("'backlash COMMAND --help' says more about a command.");
  add_model_commands(command_line);
  add_result_commands(command_line);
  add_tool_commands(command_line);
}

std::vector<CommandInfo> describe(const CommandLine& command_line) {
  std::vector<CommandInfo> commands{describe_command(command_line.app, command_line)};
  for (const CLI::App* command : command_line.app.get_subcommands(nullptr))
    commands.push_back(describe_command(*command, command_line));
  return commands;
}

std::string solver_help(std::string_view start) {
  std::string text(start);
  for (const SolverEntry& solver : solver_table())
    text += fmt::format("\n  {}: {}", solver.name, solver.summary);
  return text;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverEntry& solver : solver_table()) names.emplace_back(solver.name);
  return names;
}

}  // namespace backlash::cli

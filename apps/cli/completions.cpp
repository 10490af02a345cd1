// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "completions.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::cli {
namespace {

using Commands = std::span<const CommandInfo>;

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

/// A text with some characters marked by a backslash.
std::string escaped(const std::string& text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result.push_back('\\');
    result.push_back(c);
  }
  return result;
}

/// As one word of sh and zsh.
std::string quoted(const std::string& text) {
  std::string result(1, '\'');
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else
      result.push_back(c);
  }
  result.push_back('\'');
  return result;
}

std::string all_names(const std::vector<CommandOption>& options) {
  std::string text;
  for (const CommandOption& option : options)
    text += fmt::format("{}{}", text.empty() ? "" : " ", joined(option.names));
  return text;
}

// --- bash: an empty answer means names of files, by `complete -o default`.

std::string bash_answer(const Values& values) {
  switch (values.kind) {
    case Values::Kind::words:
      return fmt::format("COMPREPLY=($(compgen -W {} -- \"$current\"))",
                         quoted(joined(values.words)));
    case Values::Kind::folder:
      return "compopt -o dirnames";
    default:
      return ":";
  }
}

std::string bash_values(const CommandInfo& command) {
  std::string text;
  for (const CommandOption& option : command.options) {
    if (!option.takes_value) continue;
    std::string pattern;
    for (const std::string& name : option.names)
      pattern += fmt::format("{}{},{}", pattern.empty() ? "" : "|", command.name, name);
    text += fmt::format("    {}) {}; return ;;\n", pattern, bash_answer(option.values));
  }
  return text;
}

std::string bash_command(const CommandInfo& command) {
  const std::string answer =
      command.arguments.empty() ? ":" : bash_answer(command.arguments.front().values);
  return fmt::format(
      "    {})\n      if [[ $current == -* ]]; then COMPREPLY=($(compgen -W {} -- \"$current\"))\n"
      "      else {}; fi ;;\n",
      command.name, quoted(all_names(command.options)), answer);
}

std::string bash_script(Commands commands) {
  std::vector<std::string> names;
  std::string values, cases;
  for (const CommandInfo& command : commands.subspan(1)) {
    names.push_back(command.name);
    values += bash_values(command);
    cases += bash_command(command);
  }
  return fmt::format(
      R"(# Completion for bash. To use it: source <(backlash completions bash)
_backlash() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= i
  if [[ $current == = ]]; then current=; fi
  if [[ $previous == = ]]; then previous=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
      {}) command=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  COMPREPLY=()
  case $command,$previous in
{}  esac
  case $command in
    '') COMPREPLY=($(compgen -W {} -- "$current")) ;;
{}  esac
}}
complete -o default -F _backlash backlash
)",
      joined(names, "|"), values, quoted(joined(names) + " " + all_names(commands.front().options)),
      cases);
}

// --- zsh

std::string zsh_values(const Values& values) {
  switch (values.kind) {
    case Values::Kind::words:
      return fmt::format("({})", joined(values.words));
    case Values::Kind::folder:
      return "_files -/";
    case Values::Kind::file:
      return "_files";
    default:
      return " ";
  }
}

std::string zsh_option(const CommandOption& option) {
  std::string spec = fmt::format("[{}]", escaped(option.help, "[]:\\"));
  if (option.takes_value) spec += fmt::format(":value:{}", zsh_values(option.values));
  std::string text;
  for (const std::string& name : option.names) {
    const std::string others = option.repeatable ? "*" : fmt::format("({})", joined(option.names));
    text += fmt::format(" {}", quoted(others + name + spec));
  }
  return text;
}

std::string zsh_arguments(const CommandInfo& command) {
  std::string text = "_arguments -s";
  for (const CommandOption& option : command.options)
    text += fmt::format(" \\\n       {}", zsh_option(option));
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    text += fmt::format(" \\\n        '{}:{}:{}'", i + 1, command.arguments[i].names.front(),
                        zsh_values(command.arguments[i].values));
  return text;
}

std::string zsh_script(Commands commands) {
  std::string list, cases;
  for (const CommandInfo& command : commands.subspan(1)) {
    list += fmt::format("\n    {}",
                        quoted(fmt::format("{}:{}", command.name, escaped(command.help, "\\"))));
    cases += fmt::format("      {}) {} ;;\n", command.name, zsh_arguments(command));
  }
  std::string own;
  for (const CommandOption& option : commands.front().options) own += zsh_option(option);
  return fmt::format(
      R"(#compdef backlash
# Completion for zsh. To use it: source <(backlash completions zsh), or write it to a file _backlash in
# a folder of $fpath.
_backlash() {{
  local context state line
  typeset -A opt_args
  local -a commands=({}
  )
  _arguments -C{} '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
{}      esac ;;
  esac
}}
if [[ ${{funcstack[1]}} == _backlash ]]; then _backlash "$@"; else compdef _backlash backlash; fi
)",
      list, own, cases);
}

// --- fish

std::string fish_quoted(const std::string& text) {
  return fmt::format("'{}'", escaped(text, "'\\"));
}

std::string fish_values(const Values& values) {
  switch (values.kind) {
    case Values::Kind::words:
      return " -x -a " + fish_quoted(joined(values.words));
    case Values::Kind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Values::Kind::file:
      return " -r -F";
    default:
      return " -x";
  }
}

std::string fish_option(const CommandOption& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                   : fmt::format(" -s {}", name.substr(1));
  if (option.takes_value) text += fish_values(option.values);
  return text + " -d " + fish_quoted(option.help);
}

std::string fish_script(Commands commands) {
  std::string text =
      "# Completion for fish. To use it: backlash completions fish | source\n"
      "complete -c backlash -e\ncomplete -c backlash -f\n";
  for (const CommandOption& option : commands.front().options)
    text += "complete -c backlash -n __fish_use_subcommand" + fish_option(option) + "\n";
  for (const CommandInfo& command : commands.subspan(1)) {
    text += fmt::format("complete -c backlash -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.help));
    const std::string start =
        fmt::format("complete -c backlash -n '__fish_seen_subcommand_from {}'", command.name);
    for (const CommandOption& option : command.options) text += start + fish_option(option) + "\n";
    if (command.arguments.empty()) continue;
    const Values& values = command.arguments.front().values;
    if (values.kind == Values::Kind::file) text += start + " -F\n";
    if (values.kind == Values::Kind::words)
      text += start + " -a " + fish_quoted(joined(values.words)) + "\n";
  }
  return text;
}

struct Shell {
  const char* name;
  std::string (*script)(Commands);
};
constexpr Shell known[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

const std::vector<std::string>& shells() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Shell& shell : known) list.emplace_back(shell.name);
    return list;
  }();
  return names;
}

std::string completion_script(const std::string& shell, Commands commands) {
  for (const Shell& candidate : known)
    if (shell == candidate.name) return candidate.script(commands);
  throw InputError(
      fmt::format("shell '{}' is not known; there are: {}", shell, joined(shells(), ", ")));
}

}  // namespace backlash::cli

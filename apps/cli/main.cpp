// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/base/printable.h"
#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/io/model/model_reader.h"
#include "command_line.h"
#include "commands.h"
#include "messages.h"

/// The program `backlash`. How a command is written is said in model_commands.cpp and
/// tool_commands.cpp; what it does, in the file of its name.
namespace backlash::cli {
namespace {

int report(std::string_view complaint, ExitCode code) {
  std::fflush(stdout);
  print_message(complaint);
  return code;
}

int report_all(const ModelFileError& error) {
  for (const std::string& line : error.lines()) report(line, exit_wrong_input);
  return exit_wrong_input;
}

int report_lost_output() {
  return report("what it has to say cannot be written to standard output", exit_failed);
}

/// CLI11 would only say that a subcommand is missing.
void require_known_command(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (std::ranges::find(names, word) != names.end()) return;
  const std::string meant = did_you_mean(word, names);
  const std::string file = std::filesystem::exists(word)
                               ? fmt::format("; to run a model: backlash run {}", word)
                               : std::string();
  if (!meant.empty()) throw InputError(fmt::format("there is no command '{}'{}", word, meant));
  throw InputError(
      fmt::format("there is no command '{}'{}; there are: {}", word, file, fmt::join(names, ", ")));
}

/// A word as a shell takes it for one.
std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
    return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string call_of(int argc, char** argv) {
  std::string call = "backlash";
  for (int i = 1; i < argc; ++i) call += " " + shell_word(argv[i]);
  return call;
}

/// Arguments become names of files, titles and notes of who wrote a result: what is no text would
/// reach terminals and files by many ways.
void require_text(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (find_not_text(argv[i]) != std::string_view::npos)
      throw InputError(
          fmt::format("argument {}, '{}', holds a control character or a byte that is no text in "
                      "UTF-8",
                      i, printable(argv[i])));
}

int run_program(int argc, char** argv) {
  require_text(argc, argv);
  CommandLine command_line{.call = call_of(argc, argv)};
  add_commands(command_line);
  CLI::App& app = command_line.app;
  if (argc > 1 && argv[1][0] != '-') require_known_command(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    app.exit(asked);
    return std::cout.flush() ? exit_done : report_lost_output();
  } catch (const CLI::ExtrasError& error) {
    return report(describe_extras(command_line, error), exit_wrong_input);
  } catch (const CLI::ParseError& error) {
    return report(fmt::format("{} (see 'backlash --help')", error.what()), exit_wrong_input);
  }
  const int code = command_line.run();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? code : report_lost_output();
}

}  // namespace
}  // namespace backlash::cli

int main(int argc, char** argv) {
  using namespace backlash;
  cli::open_standard_streams();
  leave_hdf5_at_exit();
  try {
    return cli::run_program(argc, argv);
  } catch (const ModelFileError& error) {
    return cli::report_all(error);
  } catch (const InputError& error) {
    return cli::report(error.what(), cli::exit_wrong_input);
  } catch (const IoError& error) {  // before a run, for a run sees to its own
    return cli::report(error.what(), cli::exit_wrong_input);
  } catch (const std::bad_alloc&) {
    return cli::report("there is not enough memory for this", cli::exit_failed);
  } catch (const std::exception& error) {
    return cli::report(error.what(), cli::exit_failed);
  }
}

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backlash/base/version.h"
#include "backlash/io/model/model_reader.h"
#include "cli/bad_call.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace backlash::test_tools {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;
using Path = std::filesystem::path;

ProgramResult backlash_program(const std::vector<std::string>& arguments) {
  return run_program(program_file(), arguments);
}

/// The first word of each line.
std::vector<std::string> first_words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream lines(text);
  for (std::string line, word; std::getline(lines, line);)
    if (std::istringstream(line) >> word) words.push_back(word);
  return words;
}

TEST(Examples, AreListedWithTheirTitles) {
  const ProgramResult result = backlash_program({"examples"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/examples"))
    if (std::filesystem::exists(entry.path() / "model.yaml"))
      folders.push_back(entry.path().filename());
  EXPECT_THAT(first_words(result.out), ::testing::UnorderedElementsAreArray(folders));
  EXPECT_THAT(result.out, HasSubstr("Slider-crank with a translational clearance joint\n"));
}

TEST(Examples, AreCopiedAsTheyAreAndRun) {
  const TemporaryFolder folder;
  for (const std::string& name : first_words(backlash_program({"examples"}).out)) {
    SCOPED_TRACE(name);
    const Path to = folder / name, from = Path(source_folder()) / "examples" / name;
    const ProgramResult result = backlash_program({"examples", name, "-o", to.string()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, StartsWith(to.string() + "\n"));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(from)) {
      if (entry.is_directory()) continue;
      const Path copy = to / entry.path().lexically_relative(from);
      EXPECT_EQ(file_text(copy), file_text(entry.path())) << copy;
    }
    EXPECT_EQ(file_text(to / "model.yaml").find('\r'), std::string::npos);
  }
  const ProgramResult run = backlash_program({"run", (folder / "slider_crank/model.yaml").string(),
                                              "--until", "1e-3", "-o", (folder / "out").string()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(Examples, DoNotReplaceFilesUnlessForced) {
  const TemporaryFolder folder;
  write_file(folder / "model.yaml", "mine");
  const std::string to = folder.path().string();
  const ProgramResult refused = backlash_program({"examples", "four_bar", "-o", to});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(file_text(folder / "model.yaml"), "mine");
  EXPECT_EQ(backlash_program({"examples", "four_bar", "-o", to, "--force"}).exit_code, 0);
  EXPECT_THAT(file_text(folder / "model.yaml"), HasSubstr("Four-bar"));
}

TEST(New, EveryTemplateRunsForAsLongAsItSays) {
  const TemporaryFolder folder;
  const std::vector<std::string> names = first_words(backlash_program({"new"}).out);
  EXPECT_THAT(names, IsSupersetOf({"pendulum", "slider_crank", "four_bar", "cam", "contact"}));
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const std::string file = folder / (name + ".yaml");
    const ProgramResult made = backlash_program({"new", "--template", name, "-o", file});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.out, StartsWith(file + "\n"));
    EXPECT_THAT(file_text(file), StartsWith("# "));
    EXPECT_EQ(backlash_program({"new", "--template", name, "-o", "-"}).out, file_text(file));
    const ProgramResult run = backlash_program({"run", file, "-o", folder / name, "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(nlohmann::json::parse(run.out)["status"], "done");
  }
}

TEST(New, DoesNotReplaceAModelUnlessForced) {
  const TemporaryFolder folder;
  const std::string file = folder / "mine.yaml";
  write_file(file, "mine");
  const ProgramResult refused = backlash_program({"new", "--template", "cam", "-o", file});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(file_text(file), "mine");
  EXPECT_EQ(backlash_program({"new", "--template", "cam", "-o", file, "--force"}).exit_code, 0);
  EXPECT_THAT(file_text(file), HasSubstr("backlash: 1"));
}

TEST(Schema, IsThatOfTheReader) {
  const ProgramResult result = backlash_program({"schema"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(result.out), nlohmann::json::parse(model_schema()));
}

/// What bash offers for a line that ends where the user pressed the key.
std::vector<std::string> offered(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  std::string list;
  for (const std::string& word : words) list += " '" + word + "'";
  write_file(folder / "complete.sh",
             "source <('" + program_file() +
                 "' completions bash)\n"
                 "compopt() { :; }\n"  // works only inside a completion
                 "COMP_WORDS=(backlash" +
                 list + ")\nCOMP_CWORD=" + std::to_string(words.size()) +
                 "\n_backlash\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  const ProgramResult result = run_program("/bin/bash", {(folder / "complete.sh").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return first_words(result.out);
}

TEST(Completions, OfBashKnowCommandsOptionsAndValues) {
  EXPECT_THAT(offered({"r"}), UnorderedElementsAre("run", "report"));
  EXPECT_THAT(offered({"run", "--un"}), UnorderedElementsAre("--until"));
  EXPECT_THAT(offered({"run", "--relat"}), UnorderedElementsAre("--relative-tolerance"));
  EXPECT_THAT(offered({"run", "--onset", "p"}), UnorderedElementsAre("procedure-1", "procedure-2"));
  EXPECT_THAT(offered({"run", "model.yaml", "--solver", "l"}), UnorderedElementsAre("lemke"));
  EXPECT_THAT(offered({"run", "--solver", "=", "l"}), UnorderedElementsAre("lemke"));
  EXPECT_THAT(offered({"solve", "--solver", "al"}), UnorderedElementsAre("all"));
  EXPECT_THAT(offered({"examples", "four"}), UnorderedElementsAre("four_bar"));
  EXPECT_THAT(offered({"new", "--template", "pend"}), UnorderedElementsAre("pendulum"));
  EXPECT_THAT(offered({"completions", ""}), UnorderedElementsAre("bash", "zsh", "fish"));
  EXPECT_TRUE(offered({"run", "mod"}).empty());  // names of files, which bash adds itself
}

/// Words of a help text that begin with "--".
std::set<std::string> long_options(const std::string& help) {
  std::set<std::string> options;
  for (std::size_t at = help.find("--"); at != std::string::npos; at = help.find("--", at + 2)) {
    if (at > 0 && std::string(" ,\n").find(help[at - 1]) == std::string::npos) continue;
    options.insert(help.substr(at, help.find_first_of(" ,\n=)'", at) - at));
  }
  return options;
}

TEST(Completions, HoldEveryCommandAndOptionOfTheHelp) {
  const std::vector<std::string> commands = offered({""});
  EXPECT_GE(commands.size(), 8u);
  for (const std::string& shell : offered({"completions", ""})) {
    const std::string script = backlash_program({"completions", shell}).out;
    for (const std::string& command : commands) {
      if (command.front() == '-') continue;
      SCOPED_TRACE(shell + " " + command);
      const std::string help = backlash_program({command, "--help"}).out;
      const std::string options = help.substr(0, help.find("\n\n", help.find("Options:")));
      EXPECT_THAT(script, HasSubstr(command));
      ASSERT_THAT(long_options(options), Contains("--help"));
      for (const std::string& option : long_options(options))
        EXPECT_THAT(script, HasSubstr(shell == "fish" ? "-l " + option.substr(2) : option));
    }
  }
}

TEST(Doctor, FindsThatAllIsWell) {
  const ProgramResult table = backlash_program({"doctor"});
  EXPECT_EQ(table.exit_code, 0) << table.out;
  EXPECT_THAT(table.out, StartsWith("backlash " + std::string(version()) + "\n"));
  EXPECT_THAT(table.out, HasSubstr("first hit"));
  const ProgramResult result = backlash_program({"doctor", "--json"});
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["version"], version());
  EXPECT_EQ(json["libraries"].size(), 7u);
  EXPECT_EQ(json["optional_libraries"].size(), 4u);
  for (const auto& [name, number] : json["libraries"].items()) EXPECT_NE(number, "") << name;
  for (const auto& trial : json["trials"]) EXPECT_TRUE(trial["well"]) << trial;
}

TEST(Doctor, SaysWhatIsNotWell) {
  const ProgramResult result = run_shell("cd /proc && exec '" + program_file() + "' doctor");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("WRONG"));
}

class ToolsBadInput : public ::testing::TestWithParam<BadCall> {};

TEST_P(ToolsBadInput, EndsWithCodeTwoAndASentenceThatNamesTheTrouble) {
  const ProgramResult result = backlash_program(GetParam().arguments);
  expect_refused(result, GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All, ToolsBadInput,
    ::testing::Values(
        BadCall{"no_command", {}, "subcommand"},
        BadCall{"unknown_command", {"simulate"}, "there is no command 'simulate'"},
        BadCall{"unknown_example", {"examples", "four_bars"}, "did you mean 'four_bar'?"},
        BadCall{"unknown_template", {"new", "--template", "pendelum"}, "did you mean 'pendulum'?"},
        BadCall{"unwritable_example", {"examples", "four_bar", "-o", "/dev/null/x"}, "/dev/null/x"},
        BadCall{"unwritable_model",
                {"new", "--template", "cam", "-o", "/dev/null/x.yaml"},
                "/dev/null"},
        BadCall{"model_is_a_folder", {"new", "--template", "cam", "-o", "/", "--force"}, "/"},
        BadCall{"unknown_shell", {"completions", "csh"}, "there are: bash, zsh, fish"},
        BadCall{"no_shell", {"completions"}, "SHELL"}),
    name_of);

}  // namespace
}  // namespace backlash::test_tools

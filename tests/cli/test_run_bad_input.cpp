// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/bad_call.h"
#include "cli/run_call.h"
#include "support/files.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash::test_run {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunBadInput : public ::testing::TestWithParam<BadCall> {};

TEST_P(RunBadInput, EndsWithCodeTwoAndASentenceThatNamesTheTrouble) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = GetParam().arguments;
  arguments.insert(arguments.end(), {"--until", "1e-3"});
  if (std::string(GetParam().name).find("folder") == std::string::npos)
    arguments.insert(arguments.end(), {"-o", folder.path().string()});
  const ProgramResult result = run(arguments);
  expect_refused(result, GetParam());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

INSTANTIATE_TEST_SUITE_P(
    All, RunBadInput,
    ::testing::Values(
        BadCall{"no_model", {"no_such_model.yaml"}, "no_such_model.yaml"},
        BadCall{"model_is_a_directory", {source_folder()}, source_folder()},
        BadCall{"model_is_no_text",
                {source_folder() + "/tests/data/fclib/fclib-blocks-plane.hdf5"},
                "which is no text"},
        BadCall{"unknown_parameter", {slider_crank, "--set", "gap=1"}, "gap"},
        BadCall{"parameter_of_another_unit", {slider_crank, "--set", "c=1 kg"}, "kg"},
        BadCall{"parameter_without_unit", {slider_crank, "--set", "c=1"}, "with its unit"},
        BadCall{"parameter_without_value", {slider_crank, "--set", "c"}, "name=value"},
        BadCall{"unknown_solver", {slider_crank, "--solver", "magic"}, "--solver: expected one of"},
        BadCall{"unknown_method", {slider_crank, "--method", "euler"}, "'euler' does not exist"},
        BadCall{"unknown_format", {slider_crank, "--format", "xml"}, "'xml' does not exist"},
        BadCall{"negative_step", {slider_crank, "--step", "-1"}, "--step"},
        BadCall{"step_not_a_number", {slider_crank, "--step", "nan"}, "--step"},
        BadCall{"step_of_zero", {slider_crank, "--step", "0"}, "--step: must be positive"},
        BadCall{"step_that_is_a_length", {slider_crank, "--step", "1 mm"}, "--step: "},
        BadCall{"step_lost_in_rounding",
                {slider_crank, "--step", "1e-20"},
                "step of 1e-20 s is too short: at t = 0.001 s it is lost in rounding"},
        BadCall{"every_longer_than_the_run",
                {slider_crank, "--every", "0.2"},
                "--every: every is 0.2 s, longer than the run, which ends at 0.001 s"},
        BadCall{"option_of_the_other_method",
                {slider_crank, "--onset", "procedure-1"},
                "--onset: an option of the method compliant, and the method is moreau"},
        BadCall{"option_of_the_other_scheme",
                {slider_crank, "--theta", "0.6"},
                "--theta: it has a use only with scheme: theta, and scheme is midpoint"},
        BadCall{"unknown_law", {slider_crank, "--law", "steel=brass"}, "no law 'brass'"},
        BadCall{"law_of_no_name", {slider_crank, "--law", "steel"}, "name=law"},
        BadCall{"law_with_a_wrong_key",
                {slider_crank, "--law", "steel={frction: 1}"},
                "--law steel={frction: 1}: laws.steel"},
        BadCall{"step_for_variable_steps",
                {slider_crank, "--method", "compliant", "--law",
                 "steel={model: calibrated, stiffness: 1e9 N/m}", "--step", "1e-6"},
                "--step: it has a use only with integrator: rk4, and integrator is adams"},
        BadCall{"solver_for_compliant",
                {slider_crank, "--method", "compliant", "--law",
                 "steel={model: calibrated, stiffness: 1e9 N/m}", "--solver", "lemke"},
                "--solver: an option of the method moreau, and the method is compliant; leave it "
                "out, or choose --method moreau"},
        BadCall{"compliant_law_for_moreau",
                {slider_crank, "--law", "steel={model: calibrated, stiffness: 1e9 N/m}"},
                "--method compliant"},
        BadCall{"unknown_option", {slider_crank, "--fast"}, "there is no option '--fast'"},
        BadCall{
            "misspelt_option",
            {slider_crank, "--metod=moreau"},
            "there is no option '--metod'; did you mean '--method'? (see 'backlash run --help')"},
        BadCall{"renamed_max_step",
                {slider_crank, "--longest-step", "1e-3"},
                "'--longest-step' is now '--max-step'"},
        BadCall{"renamed_min_step",
                {slider_crank, "--shortest-step", "1e-9"},
                "'--shortest-step' is now '--min-step'"},
        BadCall{"renamed_smoothing_length",
                {slider_crank, "--smoothing-way", "1e-6"},
                "'--smoothing-way' is now '--smoothing-length'"},
        BadCall{"renamed_max_onset_penetration",
                {slider_crank, "--depth-limit", "1e-7"},
                "'--depth-limit' is now '--max-onset-penetration'"},
        BadCall{"folder_cannot_be_made", {slider_crank, "-o", "/proc/results"}, "/proc/results"},
        BadCall{"folder_is_a_file", {slider_crank, "-o", program_file()}, "results folder"},
        BadCall{"folder_below_a_file", {slider_crank, "-o", "/dev/null/x"}, "results folder"}),
    name_of);

}  // namespace
}  // namespace backlash::test_run

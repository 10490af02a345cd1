// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/io/model/option_text.h"
#include "support/temporary_folder.h"

namespace backlash::test_simulation_options {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Model model_with(const std::string& simulation) {
  return parse_model("backlash: 1\nbodies: {b: {mass: 1, inertia: 1}}\nsimulation:\n" + simulation,
                     "m.yaml");
}

std::string error_of(const std::string& simulation) {
  try {
    model_with(simulation);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SimulationOptions, OfTheOtherMethodAreRefusedWhereTheyStand) {
  for (const char* key : {"onset: root", "integrator: adams", "alpha: 5"}) {
    const std::string name(key, std::string(key).find(':'));
    EXPECT_EQ(error_of("  method: moreau\n  " + std::string(key) + "\n"),
              "m.yaml:5:3: simulation: '" + name +
                  "' is an option of the method compliant, and the method is moreau; remove it, or "
                  "choose method: compliant");
    EXPECT_THAT(error_of("  " + std::string(key) + "\n"), HasSubstr("the method is moreau"));
  }
  EXPECT_THAT(error_of("  solver: lemke\n  method: compliant\n"),
              HasSubstr("m.yaml:4:3: simulation: 'solver' is an option of the method moreau"));
}

TEST(SimulationOptions, WithoutAUseForTheChoiceOfAnotherAreRefusedWhereTheyStand) {
  EXPECT_EQ(error_of("  theta: 0.6\n"),
            "m.yaml:4:10: simulation.theta: it has a use only with scheme: theta, and scheme is "
            "midpoint; remove it, or choose scheme: theta");
  EXPECT_THAT(error_of("  method: compliant\n  step: 1e-3\n"),
              HasSubstr("m.yaml:5:9: simulation.step: it has a use only with integrator: rk4"));
  EXPECT_THAT(error_of("  method: compliant\n  max_onset_penetration: 1e-6\n"),
              HasSubstr("only with onset: procedure-2, and onset is root"));
  EXPECT_EQ(error_of("  scheme: theta\n  theta: 0.6\n"), "accepted");
}

TEST(SimulationOptions, ThatChangedTheirNameAreNamedByTheNewOne) {
  const char* renamed[][2] = {{"longest_step", "max_step"},
                              {"shortest_step", "min_step"},
                              {"smoothing_way", "smoothing_length"},
                              {"depth_limit", "max_onset_penetration"}};
  for (const auto& [old_name, new_name] : renamed)
    EXPECT_EQ(error_of("  method: compliant\n  " + std::string(old_name) + ": 1e-3\n"),
              "m.yaml:5:3: simulation: '" + std::string(old_name) + "' is now '" + new_name + "'");
}

TEST(SimulationOptions, AreReadWithUnitsAndFormulas) {
  const Model model = model_with(
      "  {method: compliant, integrator: rk4, step: 2*10 us, smoothing_speed: 1 mm/s, alpha: 3, "
      "projection: false, until: 20 ms}\n");
  const CompliantOptions o = compliant_options(model.simulation.options, SystemInfo{});
  EXPECT_DOUBLE_EQ(o.step, 2e-5);
  EXPECT_DOUBLE_EQ(o.smoothing.speed, 1e-3);
  EXPECT_EQ(o.stabilisation.alpha, 3);
  EXPECT_FALSE(o.projection);
  EXPECT_DOUBLE_EQ(model.simulation.until, 0.02);
}

TEST(SimulationOptions, OutOfRangeAreRefused) {
  EXPECT_THAT(error_of("  step: 0\n"), HasSubstr("m.yaml:4:9: simulation.step: "));
  EXPECT_THAT(error_of("  step: -1e-3\n"), HasSubstr("m.yaml:4:9: simulation.step: "));
  EXPECT_THAT(error_of("  {scheme: theta, theta: 1.2}\n"), HasSubstr("simulation.theta: "));
  EXPECT_THAT(error_of("  max_iterations: 0\n"), HasSubstr("simulation.max_iterations: "));
  EXPECT_THAT(error_of("  method: euler\n"), HasSubstr("m.yaml:4:11: simulation.method: "));
}

TEST(SimulationOptions, OfAnIncludedFileAreForTheMethodThatItChose) {
  const TemporaryFolder folder;
  std::ofstream(folder / "base.yaml") << "backlash: 1\nbodies: {b: {mass: 1, inertia: 1}}\n"
                                         "simulation: {solver: lemke, step: 1e-3, until: 2}\n";
  std::ofstream(folder / "model.yaml")
      << "backlash: 1\ninclude: base.yaml\nsimulation: {method: compliant}\n";
  const Model model = read_model(folder / "model.yaml");
  EXPECT_EQ(model.simulation.method, "compliant");
  EXPECT_TRUE(model.simulation.options.empty());
  EXPECT_EQ(model.simulation.until, 2);
}

TEST(CommandLineOptions, AreWrittenAsInTheFile) {
  const auto parsed = [](const char* key, const std::string& text) {
    for (const IntegratorEntry& method : integrator_table())
      if (const OptionInfo* info = find_option(method.options, key))
        return parse_option(*info, text).value;
    return OptionValue("there is none");
  };
  EXPECT_EQ(parsed("step", "10 us"), OptionValue(10e-6));
  EXPECT_EQ(parsed("step", "auto"), OptionValue("auto"));
  EXPECT_EQ(parsed("max_iterations", "50"), OptionValue(std::int64_t{50}));
  EXPECT_EQ(parsed("onset", "procedure-1"), OptionValue("procedure-1"));
  EXPECT_EQ(parsed("projection", "false"), OptionValue(false));
  EXPECT_THAT([&] { parsed("relative_tolerance", "-1"); },
              ThrowsMessage<InputError>(HasSubstr("--relative-tolerance: ")));
  EXPECT_THAT([&] { parsed("step", "10 mm"); }, ThrowsMessage<InputError>(HasSubstr("--step: ")));
  EXPECT_THAT([&] { parsed("onset", "rot"); }, ThrowsMessage<InputError>(HasSubstr("--onset: ")));
}

}  // namespace
}  // namespace backlash::test_simulation_options

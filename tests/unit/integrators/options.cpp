// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/moreau/moreau_options.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(IntegratorTable, FindsEveryMethodByItsNameAndSaysWhichThereAre) {
  for (const IntegratorEntry& entry : integrator_table())
    EXPECT_EQ(&find_integrator(entry.name), &entry);
  EXPECT_THAT(
      [] { find_integrator("euler"); },
      ThrowsMessage<InputError>("method 'euler' does not exist; there are: moreau, compliant, "
                                "optimisation"));
}

TEST(IntegratorTable, SaysOfEveryOptionWhatItMeansAndWhatHoldsWithoutIt) {
  for (const IntegratorEntry& entry : integrator_table())
    for (const OptionInfo& option : entry.options) {
      SCOPED_TRACE(entry.name + "." + option.key);
      EXPECT_FALSE(option.meaning.empty());
      EXPECT_FALSE(option.fallback.empty());
      if (option.kind != OptionInfo::Kind::number) {  // which may have words in its place
        EXPECT_EQ(option.kind == OptionInfo::Kind::choice, !option.choices.empty());
      }
      if (option.only_with.key.empty()) continue;
      const OptionInfo* other = find_option(entry.options, option.only_with.key);
      ASSERT_NE(other, nullptr);
      EXPECT_THAT(other->choices, ::testing::Contains(option.only_with.choice));
    }
}

TEST(Options, ThatAreNotChosenAreThoseOfTheStruct) {
  const MoreauOptions moreau = moreau_options({});
  EXPECT_EQ(moreau.step, MoreauOptions{}.step);
  EXPECT_EQ(moreau.solver, MoreauOptions{}.solver);
  EXPECT_EQ(moreau.penetration_limit, MoreauOptions{}.penetration_limit);
  const CompliantOptions compliant = compliant_options({}, SystemInfo{});
  EXPECT_EQ(compliant.relative_tolerance, CompliantOptions{}.relative_tolerance);
  EXPECT_EQ(compliant.smoothing.length, CompliantOptions{}.smoothing.length);
}

TEST(Options, ReachTheStructAndComeBackFromIt) {
  const Options chosen{{.key = "step", .value = 2e-5},
                       {.key = "solver", .value = "lemke"},
                       {.key = "scheme", .value = "theta"},
                       {.key = "theta", .value = 0.75},
                       {.key = "max_iterations", .value = std::int64_t{77}}};
  const MoreauOptions o = moreau_options(chosen);
  EXPECT_EQ(o.step, 2e-5);
  EXPECT_EQ(o.solver, "lemke");
  EXPECT_EQ(o.scheme, Scheme::theta);
  EXPECT_EQ(o.theta, 0.75);
  EXPECT_EQ(o.solver_options.max_iterations, 77);
  const Options all = find_integrator("moreau").all_options(SystemInfo{}, chosen);
  for (const Option& option : chosen) {
    ASSERT_NE(find_option(all, option.key), nullptr) << option.key;
    EXPECT_EQ(find_option(all, option.key)->value, option.value) << option.key;
  }
  EXPECT_NE(find_option(all, "tolerance"), nullptr);          // a default
  EXPECT_EQ(find_option(all, "penetration_limit"), nullptr);  // there is none
  EXPECT_EQ(find_option(all, "force_velocity"), nullptr);     // of no use in this scheme
}

TEST(Options, OfAStepMayBeAWordAndThenHaveATolerance) {
  const Options chosen{{.key = "step", .value = "auto"},
                       {.key = "step_tolerance", .value = 1e-5},
                       {.key = "max_step", .value = 1e-2}};
  const MoreauOptions o = moreau_options(chosen);
  EXPECT_TRUE(o.automatic_step);
  EXPECT_EQ(o.step_tolerance, 1e-5);
  EXPECT_DOUBLE_EQ(o.min_step, 1e-7);  // from tolerance and longest step
  const Options all = find_integrator("moreau").all_options(SystemInfo{}, chosen);
  EXPECT_EQ(find_option(all, "step")->value, OptionValue("auto"));
  EXPECT_EQ(find_option(all, "max_step")->value, OptionValue(1e-2));
  EXPECT_FALSE(moreau_options({{.key = "step", .value = 1e-4}}).automatic_step);
  EXPECT_THAT([] { moreau_options({{.key = "step_tolerance", .value = 1e-5}}); },
              ThrowsMessage<InputError>(HasSubstr("only with step: auto, and step is 0.0001")));
  EXPECT_THAT(
      [] {
        moreau_options({{.key = "step", .value = "auto"}, {.key = "scheme", .value = "theta"}});
      },
      ThrowsMessage<InputError>(HasSubstr("step: auto is for scheme: midpoint")));
  EXPECT_THAT(
      [] {
        moreau_options({{.key = "step", .value = "auto"}, {.key = "min_step", .value = 1e-2}});
      },
      ThrowsMessage<InputError>(HasSubstr("shortest step")));
}

TEST(Options, OfAbsoluteTolerancesFollowFromTheRelativeOneUnlessChosen) {
  SystemInfo info;
  info.length = 3;
  const CompliantOptions o = compliant_options(
      {{.key = "relative_tolerance", .value = 1e-6}, {.key = "angle_tolerance", .value = 1e-3}},
      info);
  EXPECT_DOUBLE_EQ(o.position_tolerance, 0.01 * 1e-6 * 3);
  EXPECT_DOUBLE_EQ(o.angle_tolerance, 1e-3);
  EXPECT_DOUBLE_EQ(o.speed_tolerance, 1e-6 * 3);
  EXPECT_DOUBLE_EQ(o.angular_speed_tolerance, 1e-6);
}

TEST(BadInput, OfOptionsThatAMethodHasNoUseForIsNamed) {
  const auto refused = [](const Options& chosen) { return [=] { moreau_options(chosen); }; };
  EXPECT_THAT(refused({{.key = "onset", .value = "root"}}),
              ThrowsMessage<InputError>(HasSubstr("the method moreau has no option 'onset'")));
  EXPECT_THAT(refused({{.key = "stp", .value = 1e-3}}),
              ThrowsMessage<InputError>(HasSubstr("did you mean 'step'")));
  EXPECT_THAT(refused({{.key = "theta", .value = 0.6}}),
              ThrowsMessage<InputError>(
                  "option 'theta': it has a use only with scheme: theta, and scheme is midpoint; "
                  "remove it, or choose scheme: theta"));
  EXPECT_THAT(refused({{.key = "step", .value = "fast"}}),
              ThrowsMessage<InputError>("option 'step' cannot be fast"));
  EXPECT_THAT(
      refused({{.key = "scheme", .value = "euler"}}),
      ThrowsMessage<InputError>("option 'scheme' must be one of midpoint, theta, is 'euler'"));
  EXPECT_THAT(refused({{.key = "step", .value = -1.0}}),
              ThrowsMessage<InputError>(HasSubstr("step")));
  EXPECT_THAT(
      [] { compliant_options({{.key = "step", .value = 1e-3}}, SystemInfo{}); },
      ThrowsMessage<InputError>(HasSubstr("only with integrator: rk4, and integrator is adams")));
}

TEST(Options, OfAnotherMethodAreLeftOutOfThoseThatApply) {
  const IntegratorEntry& compliant = find_integrator("compliant");
  const Options kept =
      applicable(compliant.options, {{.key = "solver", .value = "lemke"},
                                     {.key = "step", .value = 1e-3},
                                     {.key = "relative_tolerance", .value = 1e-6}});
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].key, "relative_tolerance");
}

TEST(EqualStep, IsThatOfMethodsWhoseStepsAreEqual) {
  SimulationOptions s{.options = {{.key = "step", .value = 3e-4}}};
  EXPECT_EQ(equal_step(s), 3e-4);
  s.options = {{.key = "step", .value = "auto"}};
  EXPECT_EQ(equal_step(s), 0);
  s = {.method = "compliant"};
  EXPECT_EQ(equal_step(s), 0);
  s.options = {{.key = "integrator", .value = "rk4"}, {.key = "step", .value = 2e-4}};
  EXPECT_EQ(equal_step(s), 2e-4);
}

}  // namespace
}  // namespace backlash

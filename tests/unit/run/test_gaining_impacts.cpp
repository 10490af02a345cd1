// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backlash/io/model/model_reader.h"
#include "backlash/run/run.h"
#include "support/built_methods.h"

namespace backlash::test::gaining_impacts {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A slanted rod whose lower end hits the floor and slides: Newton's law makes 0.26 J of 3.75 J.
RunReport fall(std::string_view impact, std::string_view method = "moreau") {
  RunObserver nobody;
  const std::string text = fmt::format(R"(backlash: 1
bodies:
  ground: {{shapes: {{floor: {{line: {{normal: [0, 1]}}}}}}}}
  rod: {{mass: 1.2, inertia: 0.1, shapes: {{tip: {{point: [-0.5, 0]}}}},
        initial: {{position: [0, 0.5*sin(0.9) + 1e-3], angle: 0.9, velocity: [1.5, -2]}}}}
contacts: {{hit: {{between: [rod.tip, ground.floor], law: hard}}}}
laws: {{hard: {{restitution: 0.9, friction: 0.3, impact: {}}}}}
simulation: {{method: {}, step: 1e-5, until: 1e-2}}
)",
                                       impact, method);
  return run(parse_model(text, "fall.yaml"), {}, nobody).report;
}

TEST(GainingImpacts, OfNewtonsLawAreCountedAndAWarningWithTimePlaceAndRemedy) {
  const RunReport report = fall("newton");
  EXPECT_EQ(report.run.gaining.count, 1);
  EXPECT_NEAR(report.run.gaining.t, 5e-4, 2e-5);  // 1 mm at 2 m/s
  const double made = report.end.mechanical() - report.start.mechanical();
  EXPECT_NEAR(report.run.gaining.largest.energy, made, 1e-6);
  EXPECT_GT(made, 0.2);
  EXPECT_THAT(
      report.run_warnings,
      Contains(AllOf(HasSubstr("1 impact made energy"), HasSubstr("0.26"), HasSubstr("t = 0.0005"),
                     HasSubstr("hit"), HasSubstr("Newton's law"), HasSubstr("impact: stronge"))));
}

TEST(GainingImpacts, AreCountedByTheMethodOptimisationToo) {
  if (!is_built(find_integrator("optimisation"))) GTEST_SKIP() << "built without Ipopt";
  const RunReport by_moreau = fall("newton"), report = fall("newton", "optimisation");
  EXPECT_EQ(report.run.gaining.count, 1);
  EXPECT_NEAR(report.run.gaining.t, 5e-4, 2e-5);
  EXPECT_NEAR(report.run.gaining.largest.energy, by_moreau.run.gaining.largest.energy, 1e-3);
  EXPECT_THAT(report.run_warnings, Contains(HasSubstr("1 impact made energy")));
}

TEST(GainingImpacts, AreNoneUnderStrongesLaw) {
  const RunReport report = fall("stronge");
  EXPECT_EQ(report.run.impacts, 1);
  EXPECT_EQ(report.run.gaining.count, 0);
  EXPECT_LT(report.end.mechanical(), report.start.mechanical());
  EXPECT_THAT(report.run_warnings, IsEmpty());
}

}  // namespace
}  // namespace backlash::test::gaining_impacts

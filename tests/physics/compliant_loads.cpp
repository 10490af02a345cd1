// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Largest loads of runs of the compliant method, and works of mechanisms that are driven, whose
// motion does not limit the step (theory 10.8).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/recorded_run.h"

namespace backlash::test::compliant_loads {
namespace {

constexpr double pi = std::numbers::pi;

double peak_force(const RunReport& report, std::string_view joint) {
  const auto found = std::ranges::find(report.loads.joints, joint, &JointLoad::joint);
  return found == report.loads.joints.end() ? NAN : found->force.value;
}

/// An arm that turns at a constant speed against its weight, one turn and a half: the torque of the
/// drive is m g c cos φ, and the pin holds the weight and m c ω².
TEST(CompliantLoads, OfAnArmThatIsDrivenAreThoseOfItsWeight) {
  const double m = 1, c = 0.2, g = 10;
  for (const double rpm : {5.0, 60.0, 3000.0})
    for (const char* tolerance : {"1e-6", "1e-8", "1e-10"}) {
      SCOPED_TRACE(fmt::format("{} rpm, relative tolerance {}", rpm, tolerance));
      const double w = rpm * 2 * pi / 60, turns = 1.5, until = turns * 2 * pi / w;
      const RunReport report = report_of(fmt::format(R"(
backlash: 1
gravity: [0, {}]
bodies: {{arm: {{mass: {}, inertia: 0.01, com: [{}, 0]}}}}
joints: {{A: {{type: revolute, between: [ground, arm], drive: {{speed: {}}}}}}}
simulation: {{method: compliant, relative_tolerance: {}, until: {}}}
)",
                                                     -g, m, c, w, tolerance, until));
      const double at_hand = 0.5 * (0.01 + m * c * c) * w * w + m * g * c;
      EXPECT_NEAR(report.made_by_method(), 0, 1e-5 * at_hand);
      const DriveLoad& drive = report.loads.drives.at(0);
      EXPECT_NEAR(std::abs(drive.load.value), m * g * c, 1e-9);
      EXPECT_NEAR(drive.work, 0, 1e-5 * at_hand);  // as high at the end as at the start
      EXPECT_NEAR(peak_force(report, "A"), m * (g + c * w * w), 1e-3 * m * g);
    }
}

/// A whole mechanism that is driven, and whose links are of equal length: it folds twice a turn.
TEST(CompliantLoads, OfASliderCrankThatFoldsBalance) {
  for (const char* tolerance : {"1e-6", "1e-8"}) {
    SCOPED_TRACE(tolerance);
    const RunReport report = report_of(fmt::format(R"(
backlash: 1
bodies:
  crank: {{mass: 0.3, inertia: 2.5e-4, com: [0.05, 0]}}
  rod: {{mass: 0.3, inertia: 2.5e-4, com: [0.05, 0]}}
  slider: {{mass: 0.5, inertia: 1e-4}}
joints:
  A: {{type: revolute, between: [ground, crank], drive: {{speed: 120 rpm}}, initial: {{angle: 20 deg}}}}
  B: {{type: revolute, between: [crank, rod], at: [[0.1, 0], [0, 0]]}}
  C: {{type: revolute, between: [rod, slider], at: [[0.1, 0], [0, 0]]}}
  G: {{type: prismatic, between: [ground, slider], initial: {{guess: 0.2}}}}
simulation: {{method: compliant, coordinates: joint, relative_tolerance: {}, until: 2}}
)",
                                                   tolerance));
    EXPECT_NEAR(report.made_by_method(), 0, 1e-3 * report.energy_at_hand);
    // x_C = 2 L cos θ and the rod turns by −θ: the crank's centre goes on a circle, the rod's at
    // (1.5 L cos θ, L/2 sin θ), and T = dE/dθ.
    const double L = 0.1, w = 4 * pi;
    double greatest = 0;
    for (double angle = 0; angle < pi; angle += 1e-3)
      greatest = std::max(greatest, std::abs(w * w * L * L * std::sin(2 * angle) *
                                             (0.5 * 0.3 * (1.5 * 1.5 - 0.25) + 0.5 * 0.5 * 4)));
    EXPECT_NEAR(std::abs(report.loads.drives.at(0).load.value), greatest, 2e-3 * greatest);
  }
}

/// The pin between rod and slide of a driven slider-crank, whose slide rubs with F: from what moves
/// the slide along, and from the moments about the other end of the rod.
struct SliderCrank {
  double r = 0.1, l = 0.25, c = 0.1, w = 4 * pi, friction = 5;
  double rod = 0.3, rod_inertia = 1e-3, slider = 0.5;

  double lean(double angle) const { return std::asin(-r * std::sin(angle) / l); }
  double place(double angle) const { return r * std::cos(angle) + l * std::cos(lean(angle)); }

  template <class Function>
  double acceleration(double angle, Function&& f) const {
    constexpr double d = 1e-3;
    return w * w * (f(angle + d) - 2 * f(angle) + f(angle - d)) / (d * d);
  }

  double pin_force(double angle) const {
    const double phi = lean(angle);
    const double along = slider * acceleration(angle, [&](double a) { return place(a); }) +
                         (std::sin(angle) > 0 ? -friction : friction);
    const double ax =
        acceleration(angle, [&](double a) { return r * std::cos(a) + c * std::cos(lean(a)); });
    const double ay =
        acceleration(angle, [&](double a) { return r * std::sin(a) + c * std::sin(lean(a)); });
    const double turning = rod_inertia * acceleration(angle, [&](double a) { return lean(a); });
    const double across = (along * l * std::sin(phi) -
                           c * rod * (std::cos(phi) * ay - std::sin(phi) * ax) - turning) /
                          (l * std::cos(phi));
    return std::hypot(along, across);
  }

  double greatest_pin_force() const {
    double greatest = 0;
    for (double angle = 1e-4; angle < 2 * pi; angle += 1e-3)
      greatest = std::max(greatest, pin_force(angle));
    return greatest;
  }
};

/// Friction turns round at both dead centres: the peak is no more than what acts there.
TEST(CompliantLoads, OfASlideThatRubsArePeaksOfForcesThatAct) {
  const SliderCrank crank;
  const double exact = crank.greatest_pin_force();
  for (const char* friction :
       {"friction: {strength: 5}", "forces: {gas: {type: torque_limiter, joint: G, limit: 5}}"})
    for (const char* coordinates : {"joint", "absolute"})
      for (const char* tolerance : {"1e-6", "1e-9"}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", friction, coordinates, tolerance));
        const bool in_joint = std::string_view(friction).starts_with("friction");
        const RunReport report =
            report_of(fmt::format(R"(
backlash: 1
bodies:
  crank: {{mass: 0.3, inertia: 2.5e-4, com: [0.05, 0]}}
  rod: {{mass: {}, inertia: {}, com: [{}, 0]}}
  slider: {{mass: {}, inertia: 1e-4}}
joints:
  A: {{type: revolute, between: [ground, crank], drive: {{speed: {}}}, initial: {{angle: 20 deg}}}}
  B: {{type: revolute, between: [crank, rod], at: [[{}, 0], [0, 0]]}}
  C: {{type: revolute, between: [rod, slider], at: [[{}, 0], [0, 0]]}}
  G: {{type: prismatic, between: [ground, slider], {}initial: {{guess: 0.3}}}}
{}
simulation: {{method: compliant, coordinates: {}, relative_tolerance: {}, until: 1.1}}
)",
                                  crank.rod, crank.rod_inertia, crank.c, crank.slider, crank.w,
                                  crank.r, crank.l, in_joint ? fmt::format("{}, ", friction) : "",
                                  in_joint ? "" : friction, coordinates, tolerance));
        EXPECT_NEAR(peak_force(report, "C"), exact, 5e-3 * exact);
      }
}

/// A force that jumps within a run: what joints and drives do jumps with it, and no higher.
TEST(CompliantLoads, WhereAForceJumpsAreNotMoreThanTheForce) {
  const auto model = [](const char* joints, const char* integrator) {
    return fmt::format(R"(
backlash: 1
bodies: {{a: {{mass: 1, inertia: 0.1}}, b: {{mass: 2, inertia: 0.1}}}}
joints:
{}
simulation: {{method: compliant, integrator: {}, until: 0.2}}
)",
                       joints, integrator);
  };
  for (const char* integrator : {"adams", "bdf"}) {
    SCOPED_TRACE(integrator);
    // Two masses that move as one: the second takes two thirds of the force on the first.
    const RunReport coupled = report_of(model(R"yaml(
  A: {type: prismatic, between: [ground, a]}
  B: {type: prismatic, between: [ground, b]}
  K: {type: coupling, coordinates: [A.q, B.q], ratio: 1}
forces: {f: {type: joint_force, joint: A, force: "if(t < 0.10005, 0, 12)"}})yaml",
                                              integrator));
    EXPECT_NEAR(peak_force(coupled, "K"), 8, 1e-6);
    const RunReport driven = report_of(model(R"yaml(
  A: {type: prismatic, between: [ground, a],
      drive: {position: "if(t < 0.10005 s, 0, 5*(t - 0.10005 s)^2)"}}
  B: {type: prismatic, between: [ground, b]})yaml",
                                             integrator));
    EXPECT_NEAR(driven.loads.drives.at(0).load.value, 10, 1e-6);
  }
}

}  // namespace
}  // namespace backlash::test::compliant_loads

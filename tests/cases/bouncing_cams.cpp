// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases/example.h"
#include "support/paths.h"

// Paper 003: two cams of arbitrary form. The reference states are those of an independent program.

namespace backlash::test::bouncing_cams {
namespace {

const char* const file = "bouncing_cams/model.yaml";

const Vec3 at_half(-0.046453263564, 0.181666723025, 1.682100710286);
const Vec3 at_end(-0.3173867195, -0.5207599039, 2.1066333424);

TEST(BouncingCams, StartAsFarApartAsTheyShould) {
  const Example cams(file);
  std::vector<ContactFrame> frames;
  cams.system().find_contacts(configuration(cams.system(), cams.assembly.start), INFINITY, {},
                              frames);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_NEAR(frames[0].gap, 0.0636189172272948, 1e-15);
  EXPECT_NEAR(frames[0].parameters[0], 3.12400277, 1e-8);  // the reference counts from 3
  EXPECT_NEAR(frames[0].parameters[1], 1.08368099, 1e-8);
}

TEST(BouncingCams, BounceThreeTimesAndAreWhereTheyShouldBe) {
  const Example cams(file);
  Vec3 half = Vec3::Zero();
  const auto due = [](double t) { return t < 0.5 ? 0.5 : INFINITY; };
  const ExampleRun run =
      attempt(cams, compliant_options(cams), 1, due, [&](const State& state, const StepResult&) {
        if (state.t == 0.5) half = state.q;
      });
  EXPECT_EQ(run.summary.status, StepStatus::done);
  EXPECT_LT((half - at_half).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((Vec3(run.end.q) - at_end).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_EQ(run.times(EventKind::impact, cams.contact("cams")).size(), 3u);
  EXPECT_LT(run.imbalance(), 1e-8);
}

TEST(BouncingCams, ConvergeCleanlyBecauseTheKinksOfTheForceAreLocated) {
  const Example cams(file);
  CompliantOptions options = compliant_options(cams);
  double before = 1;
  for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
    options.relative_tolerance = tolerance;
    options.position_tolerance = options.angle_tolerance = 1e-2 * tolerance;
    options.speed_tolerance = options.angular_speed_tolerance = tolerance;
    const ExampleRun end = run(cams, options, 1, [](const State&, const StepResult&) {});
    const double error = (Vec3(end.end.q) - at_end).norm();
    EXPECT_LT(error, 0.2 * before);
    before = error;
  }
  EXPECT_LT(before, 2e-10);
}

/// A flight under gravity, in closed form.
struct Flight {
  Vec3 q, v;

  Vec3 at(double t) const { return q + t * v + Vec3(0, -0.5 * gravity * t * t, 0); }
  Vec3 velocity(double t) const { return v + Vec3(0, -gravity * t, 0); }
  static constexpr double gravity = 9.81;
};

/// The motion with Newton's law of impact, without time steps: flights in closed form, impacts
/// where the gap vanishes, by bisection, and impulses by hand.
struct ExactCams {
  const Example& cams;
  double restitution;
  std::vector<double> impacts{};

  ContactFrame frame(const Vec3& q) const {
    std::vector<ContactFrame> frames;
    cams.system().find_contacts(configuration(cams.system(), 0.0, q), INFINITY, {}, frames);
    return *std::ranges::min_element(frames, {}, &ContactFrame::gap);
  }

  Vec3 end(double until) {
    Flight flight{cams.assembly.start.q, cams.assembly.start.u};
    double t = 0;
    while (const std::optional<double> impact = first_contact(flight, until - t)) {
      t += *impact;
      impacts.push_back(t);
      flight = {flight.at(*impact), after_impact(flight.at(*impact), flight.velocity(*impact))};
    }
    return flight.at(until - t);
  }

  std::optional<double> first_contact(const Flight& flight, double within) const {
    constexpr double look = 1e-3;
    for (double b = look; b < within; b += look) {
      if (frame(flight.at(b)).gap > 0) continue;
      double open = b == look ? 1e-7 : b - look, closed = b;
      if (frame(flight.at(open)).gap <= 0) continue;  // it has just left
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (open + closed);
        (frame(flight.at(middle)).gap > 0 ? open : closed) = middle;
      }
      return closed;
    }
    return std::nullopt;
  }

  /// Λ = −(1 + ε) γ/(wᵀM⁻¹w), w = (n, r × n).
  Vec3 after_impact(const Vec3& q, const Vec3& v) const {
    constexpr double mass = 1, inertia = 1.8e-3;
    const ContactFrame at = frame(q);
    const Vec3 n = -at.n_W;  // from the fixed cam into the free one
    const Vec3 r = at.p_WA - Vec3(q.x(), q.y(), 0);
    const Vec3 w(n.x(), n.y(), r.x() * n.y() - r.y() * n.x());
    const Vec3 mobility(w.x() / mass, w.y() / mass, w.z() / inertia);
    return v - (1 + restitution) * w.dot(v) / w.dot(mobility) * mobility;
  }
};

Example rigid_cams(double restitution) {
  Model model =
      read_model(source_folder() + "/examples/" + std::string(file), {},
                 {{parse_law_override(fmt::format("rubber={{restitution: {}}}", restitution))}});
  model.simulation.method = "moreau";
  model.simulation.options = {};
  return Example(model);
}

TEST(BouncingCams, BounceWithRestitutionAsFlightsAndImpactsByHand) {
  for (const double restitution : {0.9, 1.0}) {
    SCOPED_TRACE(restitution);
    const Example cams = rigid_cams(restitution);
    ExactCams exact{cams, restitution};
    const Vec3 should = exact.end(1);
    const auto error = [&](double step) {
      const ExampleRun run = test::run(cams, step, 1);
      const std::vector<double> times = run.times(EventKind::impact, cams.contact("cams"));
      EXPECT_EQ(times.size(), exact.impacts.size());
      for (std::size_t i = 0; i < std::min(times.size(), exact.impacts.size()); ++i)
        EXPECT_NEAR(times[i], exact.impacts[i], 20 * step) << i;
      EXPECT_LT(run.imbalance(), 1e-9);
      return (Vec3(run.end.q) - should).cwiseAbs().maxCoeff();
    };
    EXPECT_LT(error(1e-4), 2e-3);
    EXPECT_LT(error(1e-5), 3e-4);
    EXPECT_LT(error(1e-6), 4e-5);
  }
}

TEST(BouncingCams, BounceWithRestitutionToo) {
  const Example cams = rigid_cams(0.9);
  const auto rest = [&](double step) {
    const ExampleRun end = run(cams, step, 0.5);
    EXPECT_EQ(end.times(EventKind::impact, cams.contact("cams")).size(), 2u);
    EXPECT_LT(end.imbalance(), 1e-9);
    // What impacts take is ½ (1 − ε²) of the energy of the normal velocity, and nothing else is
    // lost.
    double lost = 0;
    for (const Event& event : end.events) lost += event.energy_loss;
    EXPECT_NEAR(end.before.mechanical() - end.after.mechanical(), lost, 1e-9);
    return Vec3(end.end.q);
  };
  const Vec3 fine = rest(1e-5);
  EXPECT_LT((rest(4e-5) - fine).norm(), 5e-4);
  EXPECT_LT((rest(4e-4) - fine).norm(), 5e-3);
}

}  // namespace
}  // namespace backlash::test::bouncing_cams

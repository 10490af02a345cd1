// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/moreau.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "support/runs.h"
#include "support/systems/ball_on_table.h"
#include "support/systems/pinned_crank.h"
#include "support/systems/planar_body.h"

namespace backlash::test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A particle above the floor y = 0 whose data go wrong at a given time.
struct Trouble {
  double from = 0;             ///< [s]
  double mass_after = 1;       ///< M(1,1) from then on
  double force_after = 0;      ///< h[1] from then on
  double gap_after = 0;        ///< added to the gap from then on
  double direction_after = 1;  ///< W(1,0) from then on
  bool pinned = false;         ///< a bilateral row holds x = 0
};

class TroubledParticle : public System {
 public:
  explicit TroubledParticle(const Trouble& trouble) : System(info_of(trouble)), trouble_(trouble) {}

  void mass(const Configuration& c, MatrixRef M) const override {
    M.setIdentity();
    if (c.t >= trouble_.from) M(1, 1) = trouble_.mass_after;
  }
  void force(const Configuration& c, const Vector&, VectorRef h) const override {
    h << 0, c.t >= trouble_.from ? trouble_.force_after : -9.81;
  }
  void gaps(const Configuration& c, VectorRef g) const override {
    g[0] = c.q[1] + (c.t >= trouble_.from ? trouble_.gap_after : 0);
  }
  void contact_rows(const Configuration& c, int, MatrixRef W, VectorRef w) const override {
    W(1, 0) = c.t >= trouble_.from ? trouble_.direction_after : 1;
    w[0] = 0;
  }
  void bilateral_errors(const Configuration& c, VectorRef g) const override { g[0] = c.q[0]; }
  void bilateral_rows(const Configuration&, MatrixRef W, VectorRef w) const override {
    W(0, 0) = 1;
    w[0] = 0;
  }

 private:
  static SystemInfo info_of(const Trouble& trouble) {
    SystemInfo info{.name = "troubled", .positions = 2, .velocities = 2};
    info.contacts = {{"floor", {}, 0}};
    if (trouble.pinned) info.bilaterals = {{"pin"}};
    return info;
  }
  Trouble trouble_;
};

/// The status of the step that meets the trouble; the state must stay as it was before it.
StepResult step_into(const Trouble& trouble, double height, const MoreauOptions& options = {}) {
  const TroubledParticle particle(trouble);
  Moreau integrator(particle, options);
  State state = initial_state(particle, 0, Vec2(0, height), Vec2(0, 0));
  while (state.t < trouble.from - 0.6e-3)
    EXPECT_EQ(integrator.step(state, 1e-3).status, StepStatus::done);
  const State before = state;
  const StepResult result = integrator.step(state, 1e-3);
  EXPECT_EQ(state.t, before.t);
  EXPECT_TRUE(state.q == before.q);
  EXPECT_TRUE(state.u == before.u);
  EXPECT_TRUE(state.z == before.z);
  return result;
}

TEST(FailedStep, NamesTheVelocityThatAForceMadeNotFinite) {
  for (const bool pinned : {false, true})
    for (const double height : {1.0, -hair})  // in flight and in contact
      for (const double force : {nan, infinity, -infinity})
        for (const Scheme scheme : {Scheme::midpoint, Scheme::theta})
          for_every_solver([&](const MoreauOptions& options) {
            SCOPED_TRACE(::testing::Message()
                         << "pinned " << pinned << ", height " << height << ", force " << force
                         << ", scheme " << static_cast<int>(scheme));
            const StepResult result =
                step_into({.from = 0.01, .force_after = force, .pinned = pinned}, height,
                          {.solver = options.solver, .scheme = scheme});
            EXPECT_EQ(result.status, StepStatus::not_finite);
            EXPECT_EQ(result.element, 1);
          });
}

TEST(FailedStep, SaysThatTheMassMatrixIsNotPositiveDefinite) {
  for (const double mass : {0.0, -1.0, nan})
    for (const Scheme scheme : {Scheme::midpoint, Scheme::theta})
      for (const double height : {1.0, -hair}) {
        SCOPED_TRACE(::testing::Message() << "mass " << mass << ", height " << height);
        EXPECT_EQ(step_into({.from = 0.01, .mass_after = mass}, height, {.scheme = scheme}).status,
                  StepStatus::mass_not_positive);
      }
}

TEST(FailedStep, IsOneWhoseGapIsNotANumber) {
  const StepResult result = step_into({.from = 0.01, .gap_after = nan}, 1.0);
  EXPECT_EQ(result.status, StepStatus::not_finite);
  EXPECT_EQ(result.contact, ContactKey{});
}

TEST(FailedStep, IsOneWhoseContactDirectionIsNotANumber) {
  for_every_solver([&](const MoreauOptions& options) {
    const StepResult result = step_into({.from = 0.01, .direction_after = nan}, -hair, options);
    EXPECT_NE(result.status, StepStatus::done);
  });
}

TEST(FailedStep, DoesNotKeepTheIntegratorFromTheNextOne) {
  const TroubledParticle particle({.from = 0.01, .force_after = nan});
  Moreau integrator(particle, {});
  State state = initial_state(particle, 0.02, Vec2(0, 1), Vec2(0, 0));
  EXPECT_EQ(integrator.step(state, 1e-3).status, StepStatus::not_finite);
  state.t = 0;
  EXPECT_EQ(integrator.step(state, 1e-3).status, StepStatus::done);
  EXPECT_EQ(integrator.last_result().element, -1);
}

TEST(FailedStep, EndsARunWithTheStateBeforeIt) {
  const TroubledParticle particle({.from = 0.01, .force_after = nan});
  Moreau integrator(particle, {.step = 1e-3});
  State state = initial_state(particle, 0, Vec2(0, 1), Vec2(0, 0));
  const RunSummary summary = simulate(integrator, state, 1);
  EXPECT_EQ(summary.status, StepStatus::not_finite);
  EXPECT_EQ(summary.steps, 10);  // the tenth has its middle at 9.5 ms, the eleventh at 10.5 ms
  EXPECT_TRUE(state.q.allFinite());
}

TEST(Run, EndsExactlyAtItsEndWithAShorterLastStep) {
  const BallOnTable ball({});
  State state = initial_state(ball, 0, Vector::Constant(1, 10), Vector::Zero(1));
  Moreau integrator(ball, {.step = 0.03});
  const RunSummary summary = simulate(integrator, state, 1);
  EXPECT_EQ(summary.steps, 34);
  EXPECT_DOUBLE_EQ(state.t, 1);
  EXPECT_NEAR(state.q[0], 10 - 9.81 / 2, 1e-13);
}

TEST(Run, EndsWhenItsObserverSaysSo) {
  const BallOnTable ball({});
  State state = initial_state(ball, 0, Vector::Constant(1, 10), Vector::Zero(1));
  Moreau integrator(ball, {.step = 0.01});
  const RunSummary summary =
      simulate(integrator, state, 1, [](const State& s, const StepResult&) { return s.t < 0.3; });
  EXPECT_EQ(summary.steps, 30);
  EXPECT_EQ(summary.status, StepStatus::done);
}

TEST(Run, OfManyEqualStepsIsAfterEachWhereItShouldBeRoundedOnce) {
  const BallOnTable ball({});
  const double start = 0.3, step = 1e-3;  // no multiple of which is a number of the machine's
  State state = initial_state(ball, start, Vector::Constant(1, 10), Vector::Zero(1));
  Moreau integrator(ball, {.step = step});
  long k = 0;
  simulate(integrator, state, 1.3, [&](const State& now, const StepResult& result) {
    ++k;
    EXPECT_EQ(now.t, k < 1000 ? std::fma(double(k), step, start) : 1.3);
    EXPECT_NEAR(result.step, step, 1e-15);
    EXPECT_EQ(result.step == step, k < 1000);
  });
  EXPECT_EQ(k, 1000);
}

TEST(Run, ThatGoesOnFromASavedStateIsAtTheSameTimesToTheBit) {
  const BallOnTable ball({});
  State state = initial_state(ball, 0.1, Vector::Constant(1, 10), Vector::Zero(1)), other = state;
  Moreau integrator(ball, {.step = 1e-3});
  for (int k = 0; k < 300; ++k) {
    Moreau fresh(ball, {.step = 1e-3});
    integrator.step(state, {});
    fresh.step(other, {});
    ASSERT_EQ(state.t, other.t);
  }
  integrator.step(state, 7e-4);  // from where it is counted anew
  const double origin = state.t;
  integrator.step(state, {});
  integrator.step(state, {});
  EXPECT_EQ(state.t, std::fma(2, 1e-3, origin));
}

TEST(Run, OfNoLengthTakesNoStep) {
  const BallOnTable ball({});
  State state = initial_state(ball, 0.5, Vector::Constant(1, 10), Vector::Zero(1));
  Moreau integrator(ball, {.step = 0.01});
  EXPECT_EQ(simulate(integrator, state, 0.5).steps, 0);
}

TEST(BadInput, OfARunIsNamed) {
  const BallOnTable ball({});
  const auto run = [&](double t, double step, double until) {
    return [&ball, t, step, until] { validate_run(Moreau(ball, {.step = step}), t, until); };
  };
  for (const double step : {0.0, -1e-3, nan})
    EXPECT_THAT(run(0, step, 1), ThrowsMessage<InputError>(HasSubstr("step")));
  for (const double until : {infinity, nan})
    EXPECT_THAT(run(0, 1e-3, until), ThrowsMessage<InputError>(HasSubstr("end of the run")));
  EXPECT_THAT(run(2, 1e-3, 1),
              ThrowsMessage<InputError>(HasSubstr("must end at or after its start at 2 s")));
}

TEST(BadInput, OfAStepThatIsLostInRoundingAtSomeTimeOfTheRunIsNamed) {
  const BallOnTable ball({});
  const Moreau integrator(ball, {.step = 1e-12});
  validate_run(integrator, 0, 1);
  EXPECT_THAT([&] { validate_run(integrator, 0, 1e5); },
              ThrowsMessage<InputError>(
                  "step of 1e-12 s is too short: at t = 100000 s it is lost in rounding"));
  EXPECT_THAT([&] { validate_run(integrator, -1e5, 0); }, ThrowsMessage<InputError>(HasSubstr("")));
}

TEST(BadInput, OfTheIntegratorsOptionsIsNamed) {
  const auto message = [](const MoreauOptions& options) -> std::string {
    try {
      validate(options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({}), "accepted");
  EXPECT_THAT(message({.solver = "simplex"}), HasSubstr("solver 'simplex' does not exist"));
  EXPECT_THAT(message({.solver = "simplex"}), HasSubstr("lemke"));
  EXPECT_THAT(message({.solver_options = {.tolerance = 0}}), HasSubstr("solver tolerance"));
  EXPECT_THAT(message({.solver_options = {.tolerance = nan}}), HasSubstr("solver tolerance"));
  EXPECT_THAT(message({.solver_options = {.max_iterations = 0}}), HasSubstr("iterations"));
  EXPECT_THAT(message({.solver_options = {.facets = 2}}), HasSubstr("facets"));
  EXPECT_THAT(message({.theta = 0.49}), HasSubstr("theta"));
  EXPECT_THAT(message({.theta = 1.01}), HasSubstr("theta"));
  EXPECT_THAT(message({.theta = nan}), HasSubstr("theta"));
  EXPECT_THAT(message({.penetration_limit = 0}), HasSubstr("penetration limit"));
  EXPECT_THAT(message({.penetration_limit = nan}), HasSubstr("penetration limit"));
  EXPECT_THAT(message({.drift_tolerance = -1}), HasSubstr("drift tolerance"));
  for (const double relaxation : {0.0, 2.0, nan})
    EXPECT_THAT(message({.solver_options = {.relaxation = relaxation}}), HasSubstr("relaxation"));
  const BallOnTable ball({});
  EXPECT_THAT([&] { Moreau(ball, {.solver = "simplex"}); },
              ThrowsMessage<InputError>(HasSubstr("simplex")));
}

class CompliantBall : public System {
 public:
  CompliantBall()
      : System({.name = "ball",
                .positions = 1,
                .velocities = 1,
                .contacts = {{"free", {}, 0},
                             {"floor", {}, 0, {}, CompliantLaw{HystereticForce{1e9}}}}}) {}
  void mass(const Configuration&, MatrixRef M) const override { M(0, 0) = 1; }
  void force(const Configuration&, const Vector&, VectorRef h) const override { h[0] = -9.81; }
};

TEST(BadInput, OfMoreausStepsIsACompliantContact) {
  const CompliantBall ball;
  EXPECT_THAT([&] { Moreau(ball, {}); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("contact 'floor': its law is compliant"),
                                              HasSubstr("--method compliant"))));
}

TEST(BadInput, OfAStateThatDoesNotFitIsNamed) {
  const BallOnTable ball({});
  Moreau integrator(ball, {});
  State state{0, Vector::Zero(1), Vector::Zero(1), Vector::Zero(3)};
  EXPECT_THAT([&] { integrator.step(state, 1e-3); },
              ThrowsMessage<InputError>(HasSubstr("memory")));
  State wrong{0, Vector::Zero(2), Vector::Zero(1), {}};
  EXPECT_THAT([&] { integrator.step(wrong, 1e-3); },
              ThrowsMessage<InputError>(HasSubstr("positions")));
}

TEST(Events, AreImpactStickSlipAndReleaseInTheirOrder) {
  // A block dropped onto a slope that it slides down, stopped by friction, then lifted.
  const double friction = 0.5;
  PlanarBodyData data = block_on_incline(1, 0, {.friction = friction});
  const PlanarBody falling(data);
  data.applied = {0, 20};
  const PlanarBody lifted(data);
  State state = initial_state(falling, 0, Vec3(0, 0.01, 0), Vec3(1, 0, 0));
  std::vector<ContactState> states{ContactState::open};
  const auto note = [&](const State&, const StepResult& result) {
    const ContactState now =
        result.contacts.empty() ? ContactState::open : result.contacts[0].state;
    if (now != states.back()) states.push_back(now);
  };
  Moreau integrator(falling, {.step = 1e-3});
  simulate(integrator, state, 0.5, note);
  Moreau lifting(lifted, {.step = 1e-3});
  int released = 0;
  simulate(lifting, state, 0.7, [&](const State& s, const StepResult& result) {
    note(s, result);
    released += static_cast<int>(result.released.size());
  });
  using enum ContactState;
  EXPECT_EQ(states, (std::vector{open, impact, slip, stick, open}));
  EXPECT_LE(released, 1);  // it may first stop pushing and only then be apart
}

}  // namespace
}  // namespace backlash::test

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/system.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/energy.h"
#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "backlash/dynamics/state.h"
#include "support/systems/oscillator.h"
#include "support/systems/pinned_crank.h"
#include "support/systems/planar_body.h"
#include "support/systems/space_body.h"

namespace backlash::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Differences, GiveTheJacobiansOfANonlinearOscillator) {
  for (const double length : {0.01, 1.0, 100.0}) {
    const OscillatorData data{.stiffness = 30, .hardening = 80, .damping = 0.4, .length = length};
    const Oscillator oscillator(data);
    const double x = 0.7;
    const Configuration c = configuration(oscillator, 0, Vector::Constant(1, x));
    Matrix dh_du(1, 1), dh_dq(1, 1);
    oscillator.force_velocity_jacobian(c, Vector::Constant(1, 3), dh_du);
    oscillator.force_position_jacobian(c, Vector::Constant(1, 3), dh_dq);
    const double exact = -data.stiffness - 3 * data.hardening * x * x;
    EXPECT_NEAR(dh_du(0, 0), -data.damping, 1e-8);
    EXPECT_NEAR(dh_dq(0, 0), exact, 1e-5 * std::abs(exact)) << "length " << length;
  }
}

TEST(Differences, GiveTheJacobiansOfTheSliderCrank) {
  const SliderCrank crank;
  const SliderCrankData d;
  const double m12 = (d.mass[1] / 2 + d.mass[2]) * d.crank_length * d.rod_length;
  const Vec3 q(0.7, -0.3, 0.1), u(120, -40, 3);
  const Configuration c = configuration(crank, 0, q);
  Matrix dh_du(3, 3), dh_dq(3, 3), exact = Matrix::Zero(3, 3);
  crank.force_velocity_jacobian(c, u, dh_du);
  const double s = std::sin(q[1] - q[0]), cosine = std::cos(q[1] - q[0]);
  exact(0, 1) = 2 * m12 * s * u[1];
  exact(1, 0) = -2 * m12 * s * u[0];
  EXPECT_LT((dh_du - exact).cwiseAbs().maxCoeff(), 1e-8 * exact.cwiseAbs().maxCoeff());
  crank.force_position_jacobian(c, u, dh_dq);
  const double g = d.gravity;
  const double weight1 = (d.mass[0] / 2 + d.mass[1] + d.mass[2]) * g * d.crank_length;
  const double weight2 = (d.mass[1] / 2 + d.mass[2]) * g * d.rod_length;
  exact.setZero();
  exact(0, 0) = -m12 * cosine * u[1] * u[1] + weight1 * std::sin(q[0]);
  exact(0, 1) = m12 * cosine * u[1] * u[1];
  exact(1, 0) = m12 * cosine * u[0] * u[0];
  exact(1, 1) = -m12 * cosine * u[0] * u[0] + weight2 * std::sin(q[1]);
  EXPECT_LT((dh_dq - exact).cwiseAbs().maxCoeff(), 1e-7 * exact.cwiseAbs().maxCoeff());
}

TEST(Differences, GoAlongTheVelocitiesWhereTheyAreNotRatesOfPositions) {
  // Euler's gyroscopic term: ∂h/∂ω, and no dependence on the attitude.
  const Vec3 J(1, 2, 3.2), w(0.4, -2, 0.7);
  const SpaceBody body({.inertia = J});
  Vector q(7), u(6);
  q << 1, 2, 3, Eigen::Vector4d(0.5, -0.1, 0.7, 0.3).normalized();
  u << 1, 2, 3, w;
  const Configuration c = configuration(body, 0, q);
  Matrix dh_du(6, 6), dh_dq(6, 6), exact = Matrix::Zero(6, 6);
  body.force_velocity_jacobian(c, u, dh_du);
  body.force_position_jacobian(c, u, dh_dq);
  for (int i = 0; i < 3; ++i) {  // −(ω × Jω)_i = −(J_k − J_j) ω_j ω_k
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    exact(3 + i, 3 + j) = -(J[k] - J[j]) * w[k];
    exact(3 + i, 3 + k) = -(J[k] - J[j]) * w[j];
  }
  EXPECT_LT((dh_du - exact).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT(dh_dq.cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Differences, GiveTheBiasOfBilateralRows) {
  const PinnedCrankData data{.drive_speed = 20, .drive_swing = 0.3, .drive_frequency = 30};
  const PinnedCrank crank(data);
  const State state = crank.start(0.4, 150);
  const Configuration c = configuration(crank, 0.013, state.q);
  Vector exact(3), by_differences(3);
  crank.bilateral_bias(c, state.u, exact);
  crank.System::bilateral_bias(c, state.u, by_differences);
  EXPECT_LT((exact - by_differences).norm(), 1e-8 * exact.norm());
}

/// γ = Wᵀu + w must be the rate of the gaps along the motion.
void expect_rows_to_be_rates(const System& system, double t, const Vector& q, const Vector& u) {
  const SystemInfo& info = system.info();
  const auto contacts = static_cast<Eigen::Index>(info.contacts.size());
  const double h = 1e-6;
  Vector forward(contacts), backward(contacts), end(info.positions);
  system.advance(q, u, h, end);
  system.gaps(configuration(system, t + h, end), forward);
  system.advance(q, u, -h, end);
  system.gaps(configuration(system, t - h, end), backward);
  const Configuration c = configuration(system, t, q);
  for (int i = 0; i < contacts; ++i) {
    const int rows = 1 + info.contacts[static_cast<std::size_t>(i)].tangents;
    Matrix W = Matrix::Zero(info.velocities, rows);
    Vector w = Vector::Zero(rows);
    system.contact_rows(c, i, W, w);
    EXPECT_NEAR(W.col(0).dot(u) + w[0], (forward[i] - backward[i]) / (2 * h), 1e-7 * (1 + u.norm()))
        << info.name << ", contact " << i;
  }
}

TEST(ContactRows, AreTheRatesOfTheGaps) {
  expect_rows_to_be_rates(SliderCrank(), 0, Vec3(0.7, -0.3, 0.1), Vec3(12, -4, 3));
  expect_rows_to_be_rates(CamFollower(), 0.013, Vector::Constant(1, 0.02), Vector::Constant(1, 3));
  PlanarBodyData data;
  data.touches = {{.name = "a", .p_BC = {0.3, -0.2}, .radius = 0.1, .n_W = {0.6, 0.8}}};
  expect_rows_to_be_rates(PlanarBody(data), 0, Vec3(0.1, 0.2, 0.7), Vec3(1, -2, 3));
  const SpaceBody ball({.radius = 0.3});
  expect_rows_to_be_rates(ball, 0, space_body_start(ball, {1, 2, 3}, {0, 0, 0}, {0, 0, 0}).q,
                          space_body_start(ball, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}).u);
}

/// The biases that a System writes are those of its rows' differences.
void expect_exact_biases(const System& system, const Configuration& c, const Vector& u) {
  std::vector<ContactFrame> frames;
  system.find_contacts(c, 1, {}, frames);
  ASSERT_EQ(frames.size(), system.info().contacts.size());
  std::vector<ContactVelocity> exact(frames.size()), by_differences(frames.size());
  system.write_contact_biases(c, u, frames, exact);
  system.System::write_contact_biases(c, u, frames, by_differences);
  for (std::size_t i = 0; i < frames.size(); ++i)
    for (std::size_t row = 0; row < 3; ++row)
      EXPECT_NEAR(exact[i][row], by_differences[i][row], 1e-6 * (1 + std::abs(exact[i][row])))
          << "contact " << i << " row " << row;
}

TEST(ContactBiases, OfHandDerivedSystemsAreTheRatesOfTheirRows) {
  SliderCrankData data;
  std::copy_n(std::begin({3, 1, 4, 2}), 4, data.corner_order);
  const SliderCrank crank(data);
  expect_exact_biases(crank, configuration(crank, 0, Vec3(0.7, -0.3, 0.1)), Vec3(12, -4, 3));
  const CamFollower cam;
  for (const double t : {0.003, 0.02, 0.11})
    expect_exact_biases(cam, configuration(cam, t, Vector::Constant(1, 0.01)),
                        Vector::Constant(1, 0.3));
}

TEST(ContactPoint, OfTheSliderCrankMovesWithTheRatesOfItsRows) {
  const SliderCrank crank;
  const Vec3 q(0.7, -0.3, 0.1), u(12, -4, 3);
  const double h = 1e-6;
  const Configuration c = configuration(crank, 0, q);
  for (int i = 0; i < 4; ++i) {
    Matrix W = Matrix::Zero(3, 2);
    Vector w = Vector::Zero(2);
    crank.contact_rows(c, i, W, w);
    const ContactPoint point = crank.contact_point(c, i);
    const Vec3 forward = crank.contact_point(configuration(crank, 0, q + h * u), i).p_W;
    const Vec3 backward = crank.contact_point(configuration(crank, 0, q - h * u), i).p_W;
    const Vec3 velocity = (forward - backward) / (2 * h);
    EXPECT_NEAR(W.col(0).dot(u), point.n_W.dot(velocity), 1e-7);
    EXPECT_NEAR(W.col(1).dot(u), velocity.x(), 1e-7);
  }
}

TEST(BodyMotion, OfTheSliderCrankIsTheRateOfItsPosition) {
  const SliderCrank crank;
  const Vec3 q(0.7, -0.3, 0.1), u(12, -4, 3);
  const double h = 1e-6;
  double kinetic = 0;
  const SliderCrankData d;
  for (int body = 0; body < 3; ++body) {
    const BodyMotion now = crank.body_motion(configuration(crank, 0, q), u, body);
    const Vec3 forward = crank.body_motion(configuration(crank, 0, q + h * u), u, body).p_W;
    const Vec3 backward = crank.body_motion(configuration(crank, 0, q - h * u), u, body).p_W;
    EXPECT_LT((now.v_W - (forward - backward) / (2 * h)).norm(), 1e-7);
    const double to_centre[] = {d.crank_length / 2, d.rod_length / 2, 0};
    const Vec3 along(std::cos(q[body]), std::sin(q[body]), 0);
    const Vec3 across(-along.y(), along.x(), 0);
    const Vec3 v_W = now.v_W + now.w_W.z() * to_centre[body] * across;
    kinetic += 0.5 * (d.mass[body] * v_W.squaredNorm() + d.inertia[body] * u[body] * u[body]);
  }
  EXPECT_NEAR(crank.kinetic_energy(configuration(crank, 0, q), u), kinetic, 1e-12 * kinetic);
}

TEST(Force, OfTheSliderCrankFollowsFromItsEnergies) {
  // Lagrange: h = −∂V/∂q + ½ ∂(uᵀMu)/∂q − Ṁ u, by differences.
  const SliderCrank crank;
  const Vec3 q(0.7, -0.3, 0.1), u(12, -4, 3);
  const double h = 1e-5;
  const auto mass_at = [&](const Vec3& position) {
    Matrix M = Matrix::Zero(3, 3);
    crank.mass(configuration(crank, 0, position), M);
    return M;
  };
  const auto lagrangian = [&](const Vec3& position) -> double {
    return 0.5 * u.dot(mass_at(position) * u) -
           crank.potential_energy(configuration(crank, 0, position));
  };
  Vec3 expected = -(mass_at(q + h * u) - mass_at(q - h * u)) * u / (2 * h);
  for (int i = 0; i < 3; ++i)
    expected[i] +=
        (lagrangian(q + h * Vec3::Unit(i)) - lagrangian(q - h * Vec3::Unit(i))) / (2 * h);
  Vector force(3);
  crank.force(configuration(crank, 0, q), u, force);
  EXPECT_LT((force - expected).norm(), 1e-8 * force.norm());
}

// Bad input.

TEST(BadInput, OfAnInitialStateIsNamed) {
  const SliderCrank crank;
  const Vec3 q(0, 0, 0), u(1, 2, 3);
  EXPECT_THAT([&] { initial_state(crank, nan, q, u); },
              ThrowsMessage<InputError>(HasSubstr("initial time")));
  EXPECT_THAT([&] { initial_state(crank, 0, Vec2(0, 0), u); },
              ThrowsMessage<InputError>(HasSubstr("initial positions")));
  EXPECT_THAT([&] { initial_state(crank, 0, q, Vec2(0, 0)); },
              ThrowsMessage<InputError>(HasSubstr("initial velocities")));
  EXPECT_THAT([&] { initial_state(crank, 0, Vec3(0, nan, 0), u); },
              ThrowsMessage<InputError>(HasSubstr("initial position")));
  EXPECT_THAT([&] { initial_state(crank, 0, q, Vec3(0, 0, infinity)); },
              ThrowsMessage<InputError>(HasSubstr("initial velocity")));
}

/// What the constructor of a SliderCrank says of changed data.
template <class Change>
std::string message(Change change) {
  SliderCrankData data;
  change(data);
  try {
    SliderCrank crank(data);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BadInput, OfASliderCrankIsNamed) {
  using Data = SliderCrankData;
  EXPECT_EQ(message([](Data&) {}), "accepted");
  for (const double bad : {-0.1, 0.0, nan, infinity}) {
    SCOPED_TRACE(bad);
    EXPECT_THAT(message([&](Data& d) { d.mass[0] = bad; }), HasSubstr("crank: mass"));
    EXPECT_THAT(message([&](Data& d) { d.mass[2] = bad; }), HasSubstr("slider: mass"));
    EXPECT_THAT(message([&](Data& d) { d.inertia[1] = bad; }), HasSubstr("rod: inertia"));
    EXPECT_THAT(message([&](Data& d) { d.crank_length = bad; }), HasSubstr("crank: length"));
    EXPECT_THAT(message([&](Data& d) { d.rod_length = bad; }), HasSubstr("rod: length"));
  }
  for (const double bad : {-0.1, nan, infinity}) {
    SCOPED_TRACE(bad);
    EXPECT_THAT(message([&](Data& d) { d.half_length = bad; }), HasSubstr("half length"));
    EXPECT_THAT(message([&](Data& d) { d.half_width = bad; }), HasSubstr("half width"));
    EXPECT_THAT(message([&](Data& d) { d.clearance = bad; }), HasSubstr("clearance"));
    EXPECT_THAT(message([&](Data& d) { d.law.friction = bad; }),
                AllOf(HasSubstr("guide.1"), HasSubstr("friction")));
    EXPECT_THAT(message([&](Data& d) { d.law.restitution = bad; }),
                AllOf(HasSubstr("guide.1"), HasSubstr("restitution")));
  }
  EXPECT_THAT(message([](Data& d) { d.law.restitution = 1.01; }), HasSubstr("restitution"));
  EXPECT_THAT(message([](Data& d) { d.law.tangential_restitution = 1.01; }),
              HasSubstr("tangential restitution"));
  EXPECT_THAT(message([](Data& d) {
                d.law.tangential_restitution = 0.1;
                d.law.impact = ImpactLaw::poisson;
              }),
              AllOf(HasSubstr("tangential restitution"), HasSubstr("Poisson")));
  EXPECT_THAT(message([](Data& d) { d.gravity = nan; }), HasSubstr("gravity"));
  EXPECT_THAT(message([](Data& d) { d.corner_order[2] = 5; }), HasSubstr("corner"));
  EXPECT_THAT(message([](Data& d) { d.corner_order[2] = 1; }), HasSubstr("guide.1"));
}

TEST(BadInput, OfACamFollowerIsNamed) {
  const auto said = [](const CamFollowerData& data) -> std::string {
    try {
      CamFollower cam(data);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said({}), "accepted");
  EXPECT_THAT(said({.mass = -1}), HasSubstr("follower: mass"));
  EXPECT_THAT(said({.cam_speed = 0}), HasSubstr("cam: speed"));
  EXPECT_THAT(said({.stroke = -1}), HasSubstr("cam: stroke"));
  EXPECT_THAT(said({.lobes = 0}), HasSubstr("cam: lobes"));
  EXPECT_THAT(said({.stiffness = nan}), HasSubstr("spring: stiffness"));
  EXPECT_THAT(said({.law = {.friction = 0.1}}), HasSubstr("no tangent rows"));
}

/// A System of nothing but its info.
class Bare : public System {
 public:
  explicit Bare(SystemInfo info) : System(std::move(info)) {}
  void mass(const Configuration&, MatrixRef M) const override { M.setIdentity(); }
  void force(const Configuration&, const Vector&, VectorRef h) const override { h.setZero(); }
};

TEST(BadInput, OfASystemsInfoIsNamed) {
  const auto said = [](auto change) -> std::string {
    SystemInfo info{.name = "bare", .positions = 2, .velocities = 2};
    change(info);
    try {
      Bare bare(info);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  using Info = SystemInfo;
  EXPECT_EQ(said([](Info&) {}), "accepted");
  EXPECT_THAT(said([](Info& i) { i.velocities = 0; }), HasSubstr("number of velocities"));
  EXPECT_THAT(said([](Info& i) { i.positions = 1; }), HasSubstr("number of positions"));
  EXPECT_THAT(said([](Info& i) { i.cache = -1; }), HasSubstr("cache"));
  EXPECT_THAT(said([](Info& i) { i.space = 4; }), HasSubstr("dimension of space"));
  EXPECT_THAT(said([](Info& i) { i.length = 0; }), HasSubstr("length"));
  EXPECT_THAT(said([](Info& i) { i.position_names = {"x"}; }), HasSubstr("position names"));
  EXPECT_THAT(said([](Info& i) {
                i.velocity_names = {"a", "b", "c"};
              }),
              HasSubstr("velocity names"));
  EXPECT_THAT(said([](Info& i) { i.contacts = {{"c", {}, 3}}; }), HasSubstr("tangents"));
  EXPECT_THAT(said([](Info& i) {
                i.contacts = {{"c", {}, 0}, {"c", {}, 0}};
              }),
              HasSubstr("two contacts are called 'c'"));
  const auto compliant = [&](int tangents, const CompliantLaw& law) {
    return said([&](Info& i) { i.contacts = {{"c", {}, tangents, {}, law}}; });
  };
  const CompliantLaw rubbing{.normal = HystereticForce{1e9}, .friction = Threlfall{0.1, 1e-3}};
  EXPECT_EQ(compliant(1, rubbing), "accepted");
  EXPECT_THAT(compliant(0, rubbing), HasSubstr("contact 'c': it has friction"));
  EXPECT_THAT(compliant(1, {}), HasSubstr("contact 'c': stiffness must be positive"));
  EXPECT_THAT(said([](Info& i) { i.bilaterals = {{"b", 0}}; }), HasSubstr("bilateral row 'b'"));
  EXPECT_THAT(said([](Info& i) { i.relays = {{"r", -1}}; }), HasSubstr("dry friction 'r'"));
}

}  // namespace
}  // namespace backlash::test

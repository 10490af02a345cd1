// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/named_problems.h"

#include <cmath>

#include <Eigen/LU>

namespace backlash::test {
namespace {

Vector vector(std::initializer_list<double> values) {
  Vector v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

/// From M⁻¹, W and the free generalised velocity u: G = WᵀM⁻¹W, c = Wᵀu.
ContactProblem problem_of(const Vector& masses, const Matrix& W, const Vector& u,
                          std::vector<Law> laws) {
  const Matrix G = W.transpose() * masses.cwiseInverse().asDiagonal() * W;
  return dense_problem(G, W.transpose() * u, laws);
}

NamedProblem solved(std::string name, ContactProblem problem, const Vector& impulse) {
  Matrix G(impulse.size(), impulse.size());
  write_dense(problem.delassus, G);
  const Vector velocity = G * impulse + problem.free_velocity;
  return {std::move(name), std::move(problem), velocity, impulse};
}

constexpr double m = 2.5;  // [kg]
constexpr double v = 0.8;  // approach [m/s]

NamedProblem bilateral_only() {
  Matrix W(3, 2);
  W << 1, 0.5, -1, 1, 0, 2;
  const ContactProblem problem =
      problem_of(vector({1, 3, 0.2}), W, vector({1, 2, -3}), {Bilateral{2}});
  const Matrix& G = std::get<DenseDelassus>(problem.delassus).G;
  return solved("BilateralRowsOnly", problem, -G.inverse() * problem.free_velocity);
}

/// A point held twice along x and once along y, above a floor at 45° that it presses.
NamedProblem redundant_bilaterals() {
  Matrix W(2, 3);
  W << 1, 2, std::sqrt(0.5), 0, 0, std::sqrt(0.5);
  const Vector u = vector({0.3, -v});
  NamedProblem p{"RedundantBilateralRows",
                 problem_of(vector({m, m}), W, u, {Bilateral{2}, Unilateral{}}),
                 Vector::Zero(3),
                 {}};
  return p;
}

/// Two bodies on top of each other, falling at v: the upper contact carries the upper body, the
/// lower one both.
NamedProblem frictionless_stack() {
  Matrix W(2, 2);
  W << 1, -1, 0, 1;
  const double upper = 0.7;
  return solved("FrictionlessStack",
                problem_of(vector({m, upper}), W, vector({-v, -v}), {Unilateral{}, Unilateral{}}),
                vector({(m + upper) * v, upper * v}));
}

/// A block on two corners, half as wide as b, its centre h above them, with free velocity (x, −v).
ContactProblem block(double friction, double x) {
  const double b = 0.5, h = 0.2, inertia = 0.3;
  Matrix W(3, 4);  // N, T of the left corner, N, T of the right one
  W << 0, 1, 0, 1, 1, 0, 1, 0, -b, h, b, h;
  return problem_of(vector({m, m, inertia}), W, vector({x, -v, 0}),
                    {Coulomb{.friction = friction}, Coulomb{.friction = friction}});
}

/// Equal tangents: both corners slip; friction's moment h μ m v loads the front corner.
NamedProblem sliding_face() {
  const double mu = 0.4, x = 2, shift = mu * m * v * 0.2 / 0.5;
  const double left = (m * v - shift) / 2, right = (m * v + shift) / 2;
  return solved("TwoCornersOfOneFaceSlipping", block(mu, x),
                vector({left, -mu * left, right, -mu * right}));
}

/// Equal tangents: both corners stick; how they share friction is not determined.
NamedProblem sticking_face() {
  return {"TwoCornersOfOneFaceSticking", block(0.4, 0.3 * v), Vector::Zero(4), {}};
}

/// A point mass that hits a plane at v with tangential velocity x.
NamedProblem point_in_plane(std::string name, double friction, double x) {
  const double limit = friction * m * v;
  const double tangential = std::min(limit, m * std::abs(x)) * (x > 0 ? -1 : 1);
  return solved(std::move(name),
                problem_of(vector({m, m}), Matrix::Identity(2, 2), vector({-v, x}),
                           {Coulomb{.friction = friction}}),
                vector({m * v, tangential}));
}

NamedProblem point_in_space(std::string name, double friction, double x, double y) {
  const double speed = std::hypot(x, y), impulse = std::min(friction * m * v, m * speed);
  return solved(std::move(name),
                problem_of(vector({m, m, m}), Matrix::Identity(3, 3), vector({-v, x, y}),
                           {Coulomb{.friction = friction, .tangents = 2}}),
                vector({m * v, -impulse * x / speed, -impulse * y / speed}));
}

/// A disk between different masses along its two axes slips obliquely: the solution is built from
/// its slip velocity s: Λ_T = −μ m_N v s/‖s‖ and c_T = s − M⁻¹Λ_T.
NamedProblem oblique_slip() {
  const double mu = 0.6;
  const Vector masses = vector({1.5, 0.4, 3}), slip = vector({0.3, -1.1});
  const Vector friction = -mu * masses[0] * v * slip / slip.norm();
  const Vector u =
      vector({-v, slip[0] - friction[0] / masses[1], slip[1] - friction[1] / masses[2]});
  return solved(
      "SpaceDiskSlippingObliquely",
      problem_of(masses, Matrix::Identity(3, 3), u, {Coulomb{.friction = mu, .tangents = 2}}),
      vector({masses[0] * v, friction[0], friction[1]}));
}

NamedProblem relay(std::string name, double limit, double x) {
  const double impulse = std::min(limit, m * std::abs(x)) * (x > 0 ? -1 : 1);
  return solved(
      std::move(name),
      problem_of(vector({m}), Matrix::Identity(1, 1), vector({x}), {Relay{.limit = limit}}),
      vector({impulse}));
}

NamedProblem relay_disk(std::string name, double limit) {
  const double x = 0.3, y = -0.4, impulse = std::min(limit, m * 0.5);
  return solved(std::move(name),
                problem_of(vector({m, m}), Matrix::Identity(2, 2), vector({x, y}),
                           {Relay{.limit = limit, .rows = 2}}),
                vector({-impulse * x / 0.5, -impulse * y / 0.5}));
}

/// The same contact three times: they share one impulse, the velocity is that of one contact.
NamedProblem duplicates(std::string name, double friction, double x) {
  const NamedProblem single = point_in_plane("", friction, x);
  Matrix W(2, 6);
  for (int k = 0; k < 3; ++k) W.middleCols(2 * k, 2) = Matrix::Identity(2, 2);
  const std::vector<Law> laws(3, Coulomb{.friction = friction});
  return {std::move(name),
          problem_of(vector({m, m}), W, vector({-v, x}), laws),
          single.velocity.replicate(3, 1),
          {}};
}

/// The contact opens, but Poisson's stored impulse presses: friction up to μ Λ_0.
NamedProblem preload(std::string name, double stored, double x) {
  const double mu = 0.5, impulse = std::min(mu * stored, m * std::abs(x));
  return solved(std::move(name),
                problem_of(vector({m, m}), Matrix::Identity(2, 2), vector({v, x}),
                           {Coulomb{.friction = mu, .preload = stored}}),
                vector({0, -impulse}));
}

NamedProblem opening() {
  return solved("Opening",
                problem_of(vector({m, m}), Matrix::Identity(2, 2), vector({v, 1}),
                           {Coulomb{.friction = 0.5}}),
                Vector::Zero(2));
}

/// A pinned contact: the bilateral row holds what the contact would move.
NamedProblem held_by_joint() {
  Matrix W(2, 3);
  W << 0, 1, 0, 1, 0, 1;  // joint along y; contact normal along x, tangent along y
  return solved(
      "ContactBesideAJoint",
      problem_of(vector({m, m}), W, vector({-v, 0.6}), {Bilateral{1}, Coulomb{.friction = 0.5}}),
      vector({-m * 0.6, m * v, 0}));
}

}  // namespace

std::vector<NamedProblem> solvable_problems() {
  const double mu = 0.5;
  NamedProblem joint = held_by_joint();
  joint.impulse = {};  // joint and friction share what acts along y
  return {bilateral_only(),
          redundant_bilaterals(),
          frictionless_stack(),
          sliding_face(),
          sticking_face(),
          point_in_plane("PlaneSticking", mu, 0.99 * mu * v),
          point_in_plane("PlaneSlipping", mu, 1.01 * mu * v),
          point_in_plane("PlaneSlippingBackwards", mu, -1.01 * mu * v),
          point_in_plane("PlaneAtTheLimitOfSticking", mu, mu * v),
          point_in_plane("PlaneWithoutFriction", 0, 1),
          point_in_space("SpaceSticking", mu, 0.9 * mu * v * 0.6, 0.9 * mu * v * 0.8),
          point_in_space("SpaceSlipping", mu, -3 * 0.6, 3 * 0.8),
          point_in_space("SpaceAlmostSticking", mu, 1.001 * mu * v * 0.6, 1.001 * mu * v * 0.8),
          oblique_slip(),
          relay("RelayHolding", 1.01 * m, 1),
          relay("RelaySlipping", 0.99 * m, 1),
          relay("RelaySlippingBackwards", 0.5 * m, -1),
          relay_disk("RelayDiskHolding", 0.51 * m),
          relay_disk("RelayDiskSlipping", 0.3 * m),
          duplicates("DuplicatesSticking", mu, 0.9 * mu * v),
          duplicates("DuplicatesSlipping", mu, 2),
          preload("PreloadHolding", 2 * m / 0.5, 1),
          preload("PreloadSlipping", m / 0.5 / 2, 1),
          opening(),
          joint};
}

std::vector<NamedProblem> unsolvable_problems() {
  // A slot whose two sides approach each other: ξ_1 + ξ_2 = c_1 + c_2 < 0 whatever the impulses.
  Matrix slot(2, 2);
  slot << 1, -1, -1, 1;
  // One degree of freedom, normal and tangent velocity differ by c_T − c_N > 0 whatever the
  // impulses; with μ > G_NN/G_NT the contact jams (Painlevé) and no mode holds.
  const Matrix jam = Matrix::Ones(2, 2);
  return {{"SlotThatCloses",
           dense_problem(slot, vector({-1, 0.5}), std::vector<Law>{Unilateral{}, Unilateral{}}),
           {},
           {}},
          {"PainleveJam",
           dense_problem(jam, vector({-1, 0}), std::vector<Law>{Coulomb{.friction = 1.5}}),
           {},
           {}}};
}

ContactProblem slider_crank_problem(double friction, const Vector& free_velocity) {
  Matrix G(4, 4);
  G << 939, 20, -913, 20,   //
      20, 60, -20, 60,      //
      -913, -20, 939, -20,  //
      20, 60, -20, 60;
  const std::vector<Law> laws(2, Coulomb{.friction = friction});
  return dense_problem(G, free_velocity, laws);
}

}  // namespace backlash::test

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/sparse_problems.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include "support/random_problems.h"

namespace backlash::test {
namespace {

constexpr double gravity = 9.81;  // [m/s²]
constexpr double step = 1e-3;     // [s]
constexpr int ground = -1;

/// Bodies, and the rows of the contacts between them. A planar body has the velocities (x, y,
/// angle), one in space three of its centre and three angular ones.
class Heap {
 public:
  Heap(int dimension, std::uint64_t seed)
      : random_(seed), d_(dimension), dof_(dimension == 2 ? 3 : 6) {}

  Random& random() { return random_; }

  int add_body(const Vec3& centre, double mass, double inertia) {
    centres_.push_back(centre);
    for (int i = 0; i < dof_; ++i) {
      inverse_mass_.push_back(1 / (i < d_ ? mass : inertia));
      velocity_.push_back(random_.uniform(-1e-3, 1e-3));
    }
    const std::size_t down = velocity_.size() - static_cast<std::size_t>(dof_) + at(d_ - 1);
    velocity_[down] -= gravity * step;
    return static_cast<int>(centres_.size()) - 1;
  }

  /// At a point, with the normal into the upper body.
  void add_contact(int lower, int upper, const Vec3& point, const Vec3& normal, double friction) {
    append(problem_, Coulomb{.friction = friction, .tangents = d_ - 1});
    add_row(lower, upper, point, normal);
    if (d_ == 2) {
      add_row(lower, upper, point, Vec3(-normal.y(), normal.x(), 0));
      return;
    }
    const Vec3 tangent = normal.unitOrthogonal();
    add_row(lower, upper, point, tangent);
    add_row(lower, upper, point, normal.cross(tangent));
  }

  ContactProblem problem() {
    factors_.velocities = static_cast<Eigen::Index>(velocity_.size());
    problem_.free_velocity = Eigen::Map<const Vector>(
        free_velocity_.data(), static_cast<Eigen::Index>(free_velocity_.size()));
    problem_.delassus = factors_;
    return problem_;
  }

 private:
  void add_row(int lower, int upper, const Vec3& point, const Vec3& direction) {
    double velocity = 0;
    const auto add_body_entries = [&](int body, double sign) {
      if (body == ground) return;
      const Vec3 arm = point - centres_[static_cast<std::size_t>(body)];
      const Vec3 torque = arm.cross(direction);
      for (int i = 0; i < dof_; ++i) {
        const std::size_t v = static_cast<std::size_t>(body * dof_ + i);
        const double W = sign * (i < d_ ? direction[i] : d_ == 2 ? torque.z() : torque[i - 3]);
        append_entry(factors_, static_cast<int>(v), W, inverse_mass_[v] * W);
        velocity += W * velocity_[v];
      }
    };
    add_body_entries(std::min(lower, upper), lower < upper ? -1 : 1);
    add_body_entries(std::max(lower, upper), lower < upper ? 1 : -1);
    end_row(factors_);
    free_velocity_.push_back(velocity);
  }

  Random random_;
  int d_, dof_;
  std::vector<Vec3> centres_;
  std::vector<double> inverse_mass_, velocity_, free_velocity_;
  BlockDelassus factors_;
  ContactProblem problem_;
};

}  // namespace

ContactProblem chain_problem(int links, std::uint64_t seed) {
  constexpr double length = 0.1, clearance = 5e-3;  // [m]
  Heap heap(2, seed);
  Random& random = heap.random();
  std::vector<Vec3> joints{Vec3::Zero()};
  for (int i = 0; i < links; ++i) {
    const double angle = random.uniform(-0.5, 0.5);  // from the vertical
    const Vec3 along(std::sin(angle), -std::cos(angle), 0);
    heap.add_body(joints.back() + length / 2 * along, 0.1, 1e-4);
    joints.push_back(joints.back() + length * along);
  }
  for (int i = 0; i < links; ++i) {
    const double angle = random.uniform(-0.6, 0.6);
    const int contacts = random.integer(1, 2);
    for (int k = 0; k < contacts; ++k) {
      const double turned = angle + 0.3 * k;
      const Vec3 up(std::sin(turned), std::cos(turned), 0);
      heap.add_contact(i - 1, i, joints[static_cast<std::size_t>(i)] - clearance * up, up, 0.1);
    }
  }
  return heap.problem();
}

ContactProblem disc_pile(int columns, int rows, std::uint64_t seed) {
  constexpr double radius = 0.5, friction = 0.3;  // [m]
  Heap heap(2, seed);
  std::vector<Vec3> centres;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns - j % 2; ++i) {
      const double mass = heap.random().uniform(0.5, 2);
      centres.emplace_back(i + 0.5 + 0.5 * (j % 2), radius + j * std::sqrt(0.75), 0);
      heap.add_body(centres.back(), mass, mass * radius * radius / 2);
    }
  const auto n = static_cast<int>(centres.size());
  for (int b = 0; b < n; ++b) {
    const Vec3 p = centres[static_cast<std::size_t>(b)];
    const auto touch_wall = [&](const Vec3& normal) {
      heap.add_contact(ground, b, p - radius * normal, normal, friction);
    };
    if (p.y() < 0.6) touch_wall(Vec3::UnitY());
    if (p.x() < 0.6) touch_wall(Vec3::UnitX());
    if (p.x() > columns - 0.6) touch_wall(-Vec3::UnitX());
    for (int a = std::max(0, b - 2 * columns); a < b; ++a) {
      const Vec3 between = p - centres[static_cast<std::size_t>(a)];
      if (between.norm() < 1 + 1e-9)
        heap.add_contact(a, b, p - between / 2, between.normalized(), friction);
    }
  }
  return heap.problem();
}

ContactProblem box_towers(int columns, int rows, std::uint64_t seed) {
  constexpr double friction = 0.4;
  Heap heap(2, seed);
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) {
      const double mass = heap.random().uniform(0.5, 2);
      const int box = heap.add_body(Vec3(i, j + 0.5, 0), mass, mass / 6);
      const int below = j == 0 ? ground : box - 1, left = i == 0 ? ground : box - rows;
      for (const double side : {-0.5, 0.5}) {
        heap.add_contact(below, box, Vec3(i + side, j, 0), Vec3::UnitY(), friction);
        heap.add_contact(left, box, Vec3(i - 0.5, j + 0.5 + side, 0), Vec3::UnitX(), friction);
      }
    }
  return heap.problem();
}

ContactProblem ball_pile(int edge, int layers, std::uint64_t seed) {
  constexpr double radius = 0.5, friction = 0.3;  // [m]
  Heap heap(3, seed);
  const auto number = [&](int i, int j, int k) { return (k * edge + j) * edge + i; };
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < edge; ++j)
      for (int i = 0; i < edge; ++i) {
        const double mass = heap.random().uniform(0.5, 2);
        const Vec3 centre(i, j, k);
        const int ball = heap.add_body(centre, mass, 0.4 * mass * radius * radius);
        const Vec3 axes[3] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
        const int before[3] = {i > 0 ? number(i - 1, j, k) : ground,
                               j > 0 ? number(i, j - 1, k) : ground,
                               k > 0 ? number(i, j, k - 1) : ground};
        for (int a = 0; a < 3; ++a)
          heap.add_contact(before[a], ball, centre - radius * axes[a], axes[a], friction);
      }
  return heap.problem();
}

ContactProblem with_matrix(const ContactProblem& problem) {
  ContactProblem dense = problem;
  Matrix G(problem.free_velocity.size(), problem.free_velocity.size());
  write_dense(problem.delassus, G);
  dense.delassus = DenseDelassus{G};
  return dense;
}

}  // namespace backlash::test

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

  /// More velocity of its centre.
  void push(int body, const Vec3& velocity) {
    for (int i = 0; i < d_; ++i)
      velocity_[static_cast<std::size_t>(body * dof_ + i)] += velocity[i];
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

ContactProblem capsule_layers(int capsules, int layers, std::uint64_t seed) {
  constexpr double friction = 0.3;
  const double length = capsules;  // [m], of a diameter of 1 m
  Heap heap(3, seed);
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < capsules; ++j) {
      const Vec3 along = k % 2 == 0 ? Vec3::UnitX() : Vec3::UnitY();
      const Vec3 across = k % 2 == 0 ? Vec3::UnitY() : Vec3::UnitX();
      const double mass = heap.random().uniform(0.5, 2), middle = 0.5 * (capsules - 1);
      const Vec3 centre = (j - middle) * across + (k + 0.5) * Vec3::UnitZ();
      const int capsule = heap.add_body(centre, mass, mass * length * length / 12);
      for (const double side : {-0.4, 0.4}) {  // on the ground, and beside the one before
        const Vec3 place = centre + side * length * along;
        if (k == 0)
          heap.add_contact(ground, capsule, place - 0.5 * Vec3::UnitZ(), Vec3::UnitZ(), friction);
        if (j > 0) heap.add_contact(capsule - 1, capsule, place - 0.5 * across, across, friction);
      }
      for (int i = 0; k > 0 && i < capsules; ++i)
        heap.add_contact((k - 1) * capsules + i, capsule,
                         centre + (i - middle) * along - 0.5 * Vec3::UnitZ(), Vec3::UnitZ(),
                         friction);
    }
  return heap.problem();
}

ContactProblem arch(int stones, std::uint64_t seed) {
  constexpr double inner = 1, outer = 1.2, friction = 0.6;  // [m]
  Heap heap(2, seed);
  const auto direction = [&](double i) {
    const double angle = M_PI * (1 - i / stones);
    return Vec3(std::cos(angle), std::sin(angle), 0);
  };
  for (int i = 0; i < stones; ++i) {
    const double mass = heap.random().uniform(0.9, 1.1) / stones;
    const double width = M_PI * (inner + outer) / 2 / stones, height = outer - inner;
    heap.add_body((inner + outer) / 2 * direction(i + 0.5), mass,
                  mass * (width * width + height * height) / 12);
  }
  for (int i = 0; i <= stones; ++i) {
    const Vec3 out = direction(i), forward(out.y(), -out.x(), 0);
    for (const double radius : {inner, outer})
      heap.add_contact(i == 0 ? ground : i - 1, i == stones ? ground : i, radius * out, forward,
                       friction);
  }
  return heap.problem();
}

ContactProblem ball_bearing(int balls, std::uint64_t seed) {
  constexpr double friction = 0.1, radius = 1;  // [m], of the circle of the balls
  const double size = 0.7 * M_PI * radius / balls;
  Heap heap(2, seed);
  const int shaft = heap.add_body(Vec3::Zero(), 10, 2);
  const int cage = heap.add_body(Vec3::Zero(), 0.5, 0.5);
  heap.push(shaft, Vec3(0.02, -0.05, 0));
  for (int i = 0; i < balls; ++i) {
    const double angle = 2 * M_PI * i / balls, mass = heap.random().uniform(0.9, 1.1) / balls;
    const Vec3 out(std::cos(angle), std::sin(angle), 0), along(-out.y(), out.x(), 0);
    const Vec3 centre = radius * out;
    const int ball = heap.add_body(centre, mass, 0.4 * mass * size * size);
    heap.add_contact(ground, ball, centre + size * out, -out, friction);
    heap.add_contact(shaft, ball, centre - size * out, out, friction);
    heap.add_contact(cage, ball, centre - size * along, along, friction);
    if (i % 2 == 0) heap.add_contact(cage, ball, centre + size * along, -along, friction);
  }
  return heap.problem();
}

ContactProblem painleve_rods(int rods, std::uint64_t seed) {
  Heap heap(2, seed);
  for (int i = 0; i < rods; ++i) {
    const double angle = heap.random().uniform(0.2, 1.4), friction = heap.random().uniform(0.5, 3);
    const Vec3 half = 0.5 * Vec3(std::cos(angle), std::sin(angle), 0), foot(2.0 * i, 0, 0);
    const int rod = heap.add_body(foot + half, 1, 1.0 / 12);
    heap.push(rod, Vec3(heap.random().uniform(-1, 1), 0, 0));
    heap.add_contact(ground, rod, foot, Vec3::UnitY(), friction);
    if (i > 0)  // it leans on the one before
      heap.add_contact(rod - 1, rod, foot + half, Vec3::UnitX(), friction);
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

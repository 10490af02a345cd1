// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/random_problems.h"

#include <cmath>
#include <vector>

#include <Eigen/Geometry>
#include <Eigen/QR>

namespace backlash::test {

using Index = Eigen::Index;

std::uint64_t Random::bits() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double Random::uniform(double lower, double upper) {
  return lower + (upper - lower) * std::ldexp(static_cast<double>(bits() >> 11), -53);
}

int Random::integer(int lower, int upper) {
  return lower + static_cast<int>(bits() % static_cast<std::uint64_t>(upper - lower + 1));
}

double Random::magnitude(int lower, int upper) {
  return std::ldexp(uniform(1, 2), integer(lower, upper - 1));
}

Vector Random::unit_vector(Index size) {
  Vector v(size);
  do {
    for (Index i = 0; i < size; ++i) v[i] = uniform(-1, 1);
  } while (v.squaredNorm() > 1 || v.squaredNorm() < 1e-4);
  return v / v.norm();
}

namespace {

/// Two bodies that touch or are joined; −1 is the ground.
struct Pair {
  int lower = -1, upper = 0;
};

/// Where two bodies touch: in the plane axes hold the normal and the tangent, in space two
/// tangents.
struct Touch {
  Pair pair;
  Vector point;  ///< [m]
  Matrix axes;   ///< unit columns, the normal first, pointing into the upper body
};

/// What the rows of one law are made of.
struct Element {
  Matrix W;  ///< one column per row
  Law law;
  Vector restitution;  ///< ε of each row: c = Wᵀu_free + ε Wᵀu⁻
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed)
      : random_(seed), d_(seed % 2 == 0 ? 2 : 3), dof_(d_ == 2 ? 3 : 6) {
    make_bodies();
    make_contacts();
    make_joints();
    make_dry_friction();
  }

  RandomProblem problem() {
    shuffle_elements();
    const Vector before = admissible_velocity();
    const Vector free = before + velocity_of_forces();
    RandomProblem result;
    result.contacts = contacts_;
    std::vector<Vector> c;
    Index rows = 0;
    for (const Element& element : elements_) {
      c.emplace_back(element.W.transpose() * free +
                     element.restitution.cwiseProduct(element.W.transpose() * before));
      rows += c.back().size();
    }
    Matrix W(size(), rows);
    Vector free_velocity(rows);
    rows = 0;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      W.middleCols(rows, c[i].size()) = elements_[i].W;
      free_velocity.segment(rows, c[i].size()) = c[i];
      rows += c[i].size();
      append(result.dense, elements_[i].law);
    }
    result.dense.free_velocity = free_velocity;
    result.dense.velocity_scale = (W.transpose() * free).norm();
    result.factors = result.dense;
    BlockDelassus factors = block_delassus(W.sparseView(), inverse_mass_);
    Matrix G(rows, rows);
    write_dense(factors, G);
    result.dense.delassus = DenseDelassus{Matrix((G + G.transpose()) / 2)};
    result.factors.delassus = std::move(factors);
    return result;
  }

 private:
  int bodies() const { return static_cast<int>(inverse_mass_.size()); }
  Index size() const { return dof_ * bodies(); }

  void make_bodies() {
    const int count = random_.integer(1, 5);
    const int octaves = random_.chance(0.25) ? 10 : 2;  // 2²⁰ ≈ 10⁶
    for (int i = 0; i < count; ++i) {
      mass_.push_back(random_.magnitude(-octaves, octaves));
      centre_.push_back(random_.uniform(0, 1) * random_.unit_vector(d_));
      Matrix inverse = Matrix::Identity(dof_, dof_) / mass_.back();
      const Index turns = dof_ - d_;
      const Vector axis = random_.unit_vector(turns);
      const Matrix mirror = Matrix::Identity(turns, turns) - 2 * axis * axis.transpose();
      Vector radius(turns);  // of gyration [m]
      for (Index k = 0; k < turns; ++k) radius[k] = random_.uniform(0.2, 0.8);
      inverse.bottomRightCorner(turns, turns) =
          mirror * radius.cwiseAbs2().cwiseInverse().asDiagonal() * mirror / mass_.back();
      inverse_mass_.push_back(inverse);
    }
  }

  Pair random_pair() {
    Pair pair;
    pair.upper = random_.integer(0, bodies() - 1);
    pair.lower = random_.chance(0.4) ? -1 : random_.integer(-1, pair.upper - 1);
    return pair;
  }

  /// Right-handed unit axes with the given first one.
  Matrix axes_along(const Vector& normal) {
    Matrix axes(d_, d_);
    axes.col(0) = normal;
    if (d_ == 2) {
      axes.col(1) << -normal[1], normal[0];
      return axes;
    }
    const Vec3 n = normal;
    Vec3 t = random_.unit_vector(3);
    while (n.cross(t).norm() < 0.1) t = random_.unit_vector(3);
    axes.col(1) = n.cross(t).normalized();
    axes.col(2) = n.cross(Vec3(axes.col(1)));
    return axes;
  }

  /// Generalised force direction of a unit force along `axis` at `point`, on the upper body and
  /// back on the lower one.
  Vector direction(const Pair& pair, const Vector& point, const Vector& axis) {
    Vector w = Vector::Zero(size());
    const auto add = [&](int body, double sign) {
      if (body < 0) return;
      const Vector arm = point - centre_[static_cast<std::size_t>(body)];
      w.segment(dof_ * body, d_) += sign * axis;
      if (d_ == 2)
        w[dof_ * body + 2] += sign * (arm[0] * axis[1] - arm[1] * axis[0]);
      else
        w.segment(dof_ * body + 3, 3) += sign * Vec3(arm).cross(Vec3(axis));
    };
    add(pair.upper, 1);
    add(pair.lower, -1);
    return w;
  }

  Touch random_touch() {
    const Pair pair = random_pair();
    Vector normal = random_.unit_vector(d_);
    if (resting_ && normal[1] < 0) normal = -normal;  // lower bodies are below
    return {pair, random_.uniform(0, 1) * random_.unit_vector(d_), axes_along(normal)};
  }

  Touch touch_like(const Touch& other) {
    Touch touch = other;
    const double kind = random_.uniform(0, 1);
    if (kind < 0.3) return touch;  // a duplicate
    for (Index k = 1; k < d_; ++k) touch.point += random_.uniform(-1, 1) * touch.axes.col(k);
    if (kind > 0.9) {  // the other side of a slot
      touch.point += random_.uniform(0, 0.1) * touch.axes.col(0);
      touch.axes.leftCols(2) *= -1;
    }
    return touch;
  }

  void make_contacts() {
    contacts_ = random_.integer(1, 12);
    const bool one_friction = random_.chance(0.5);
    restitution_everywhere_ = random_.chance(0.95);
    resting_ = !restitution_everywhere_ || random_.chance(0.8);
    const double friction = random_friction(), restitution = random_restitution();
    std::vector<Touch> touches;
    for (int i = 0; i < contacts_; ++i) {
      const bool repeats = i > 0 && random_.chance(0.35);
      touches.push_back(
          repeats ? touch_like(touches[static_cast<std::size_t>(random_.integer(0, i - 1))])
                  : random_touch());
      add_contact(touches.back(), one_friction ? friction : random_friction(),
                  restitution_everywhere_ ? restitution : random_restitution());
    }
  }

  double random_friction() { return random_.chance(0.15) ? 0 : random_.uniform(0, 1.5); }
  double random_restitution() { return random_.chance(0.4) ? 0 : random_.uniform(0, 1); }

  void add_contact(const Touch& touch, double friction, double restitution) {
    Element element;
    const bool frictional = random_.chance(0.9);
    const Index rows = frictional ? d_ : 1;
    element.W.resize(size(), rows);
    for (Index k = 0; k < rows; ++k)
      element.W.col(k) = direction(touch.pair, touch.point, touch.axes.col(k));
    element.restitution = Vector::Zero(rows);
    element.restitution[0] = restitution;
    if (restitution_everywhere_) element.restitution.setConstant(restitution);
    if (frictional) {
      Coulomb law{.friction = friction, .tangents = static_cast<int>(d_ - 1)};
      if (random_.chance(0.05))
        law.preload = random_.uniform(0, 1) * mass_[static_cast<std::size_t>(touch.pair.upper)];
      element.law = law;
    } else {
      element.law = Unilateral{};
    }
    elements_.push_back(element);
  }

  void make_joints() {
    if (random_.chance(0.5)) return;
    const int joints = random_.integer(1, 2);
    for (int i = 0; i < joints; ++i) {
      const Pair pair = random_pair();
      const Index rows = random_.integer(1, static_cast<int>(d_));
      const Vector point = random_.uniform(0, 1) * random_.unit_vector(d_);
      const Matrix axes = axes_along(random_.unit_vector(d_));
      Element element;
      element.W.resize(size(), rows);
      for (Index k = 0; k < rows; ++k) element.W.col(k) = direction(pair, point, axes.col(k));
      element.restitution = Vector::Zero(rows);
      element.law = Bilateral{static_cast<int>(rows)};
      elements_.push_back(element);
      if (random_.chance(0.3)) {  // redundant rows: others along the same directions
        Matrix mix(rows, rows);
        for (Index k = 0; k < mix.size(); ++k) mix.data()[k] = random_.uniform(-1, 1);
        element.W = (element.W * mix).eval();
        elements_.push_back(element);
      }
    }
  }

  void make_dry_friction() {
    if (random_.chance(0.75)) return;
    const Pair pair = random_pair();
    const Index rows = d_ == 2 ? 1 : random_.integer(1, 2);
    const Matrix axes = axes_along(random_.unit_vector(d_));
    const Vector point = random_.uniform(0, 1) * random_.unit_vector(d_);
    Element element;
    element.W.resize(size(), rows);
    for (Index k = 0; k < rows; ++k) element.W.col(k) = direction(pair, point, axes.col(k));
    element.restitution = Vector::Zero(rows);
    element.law =
        Relay{.limit = random_.uniform(0, 1) * mass_[static_cast<std::size_t>(pair.upper)],
              .rows = static_cast<int>(rows)};
    elements_.push_back(element);
  }

  void shuffle_elements() {
    for (int i = static_cast<int>(elements_.size()) - 1; i > 0; --i)
      std::swap(elements_[static_cast<std::size_t>(i)],
                elements_[static_cast<std::size_t>(random_.integer(0, i))]);
  }

  /// Any velocity, less what the joints do not let pass.
  Vector admissible_velocity() {
    Vector u(size());
    for (Index i = 0; i < u.size(); ++i) u[i] = random_.uniform(-1, 1);
    Matrix B(size(), 0);
    for (const Element& element : elements_) {
      if (!std::holds_alternative<Bilateral>(element.law)) continue;
      B.conservativeResize(Eigen::NoChange, B.cols() + element.W.cols());
      B.rightCols(element.W.cols()) = element.W;
    }
    if (B.cols() == 0) return u;
    for (int pass = 0; pass < 2; ++pass) u -= B * B.completeOrthogonalDecomposition().solve(u);
    return u;
  }

  Vector velocity_of_forces() {
    Vector du(size());
    const double strength = random_.chance(0.5) ? 0.01 : 1;
    for (int body = 0; body < bodies(); ++body) {
      for (Index k = 0; k < dof_; ++k) du[dof_ * body + k] = strength * random_.uniform(-0.2, 0.2);
      du[dof_ * body + 1] -= strength;  // weight
    }
    return du;
  }

  Random random_;
  Index d_;    ///< 2 or 3
  Index dof_;  ///< of one body
  int contacts_ = 0;
  bool resting_ = true;
  /// One ε for all rows: then c = Wᵀv for some v, and a solution exists.
  bool restitution_everywhere_ = true;
  std::vector<double> mass_;  ///< [kg]
  std::vector<Vector> centre_;
  std::vector<Matrix> inverse_mass_;
  std::vector<Element> elements_;
};

}  // namespace

RandomProblem random_problem(std::uint64_t seed) { return Maker(seed).problem(); }

}  // namespace backlash::test

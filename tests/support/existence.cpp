// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/existence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "backlash/solvers/residual.h"

namespace backlash::test {
namespace {

using Index = Eigen::Index;

/// a·x ≤ b.
struct Inequality {
  Vector a;
  double b = 0;
};

/// The smallest t with a·x ≤ b + t for all inequalities (t ≥ 0), and an x for it: simplex on the
/// dictionary (slacks) = b − A x + t, x free.
class LeastViolation {
 public:
  explicit LeastViolation(const std::vector<Inequality>& inequalities)
      : m_(static_cast<Index>(inequalities.size())), n_(inequalities.front().a.size()) {
    // Columns: x (n), t, constant. Rows: slacks, then the objective t.
    T_ = Matrix::Zero(m_ + 1, n_ + 2);
    for (Index i = 0; i < m_; ++i) {
      const Inequality& row = inequalities[static_cast<std::size_t>(i)];
      const double scale = 1 / std::max(row.a.cwiseAbs().maxCoeff(), 1e-3);
      T_.row(i).head(n_) = -scale * row.a.transpose();
      T_(i, n_) = 1;
      T_(i, n_ + 1) = scale * row.b;
    }
    T_(m_, n_) = 1;
    for (Index j = 0; j <= n_; ++j) column_.push_back(j);  // variables: x 0…n−1, t n, slacks above
    for (Index i = 0; i < m_; ++i) row_.push_back(n_ + 1 + i);
    minimise();
  }

  double violation() const { return std::max(0.0, T_(m_, n_ + 1)); }
  Vector x() const {
    Vector x = Vector::Zero(n_);
    for (Index i = 0; i < m_; ++i)
      if (row_[std::size_t(i)] < n_) x[row_[std::size_t(i)]] = T_(i, n_ + 1);
    return x;
  }

 private:
  void minimise() {
    Index worst = 0;
    for (Index i = 1; i < m_; ++i)
      if (T_(i, n_ + 1) < T_(worst, n_ + 1)) worst = i;
    if (T_(worst, n_ + 1) >= 0) return;
    exchange(worst, n_);
    for (int k = 0; k < 20000; ++k) {
      const Index j = entering(k > 2000);
      if (j < 0) return;
      const double direction = T_(m_, j) < 0 ? 1 : -1;  // a free x may also fall
      const Index i = leaving(j, direction);
      if (i < 0) return;
      const bool t_leaves = row_[std::size_t(i)] == n_;
      exchange(i, j);
      if (t_leaves) return;  // t = 0
    }
  }

  /// The column with the steepest descent, or (against cycling) the first with any.
  Index entering(bool first) const {
    Index best = -1;
    double steepest = 1e-11;
    for (Index j = 0; j <= n_; ++j) {
      const bool free = column_[std::size_t(j)] < n_;
      const double descent = free ? std::abs(T_(m_, j)) : -T_(m_, j);
      if (descent <= steepest) continue;
      best = j;
      if (first) return best;
      steepest = descent;
    }
    return best;
  }

  Index leaving(Index j, double direction) const {
    Index best = -1;
    double shortest = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < m_; ++i) {
      if (row_[std::size_t(i)] < n_) continue;  // x is free: no limit
      const double slope = direction * T_(i, j);
      if (slope > -1e-11) continue;
      const double length = std::max(0.0, T_(i, n_ + 1)) / -slope;
      const bool t_row = row_[std::size_t(i)] == n_;
      if (length < shortest || (length == shortest && t_row)) {
        shortest = length;
        best = i;
      }
    }
    return best;
  }

  void exchange(Index i, Index j) {
    const double pivot = T_(i, j);
    T_.row(i) /= -pivot;
    T_(i, j) = 1 / pivot;
    for (Index k = 0; k <= m_; ++k) {
      if (k == i) continue;
      const double factor = T_(k, j);
      if (factor == 0) continue;
      T_(k, j) = 0;
      T_.row(k) += factor * T_.row(i);
    }
    std::swap(row_[std::size_t(i)], column_[std::size_t(j)]);
  }

  Index m_, n_;
  Matrix T_;
  std::vector<Index> column_, row_;
};

enum class Normal { any, open, closed };
enum class Friction { any, stick, slip };

/// What a node of the search has decided for one block.
struct Decision {
  Normal normal = Normal::any;
  Friction friction = Friction::any;
  double from = 0, to = 0;  ///< sector of the slip's direction [rad]
};

class Search {
 public:
  Search(const ContactProblem& problem, int most_nodes)
      : problem_(problem), n_(problem.free_velocity.size()), most_nodes_(most_nodes) {
    Matrix G(n_, n_);
    write_dense(problem.delassus, G);
    S_ = Vector::Ones(n_);
    const double largest = G.diagonal().maxCoeff();
    for (Index i = 0; i < n_; ++i)
      if (G(i, i) > 1e-14 * largest) S_[i] = 1 / std::sqrt(G(i, i));
    G_ = S_.asDiagonal() * G * S_.asDiagonal();
    for (const LawBlock& block : problem.blocks)  // a disk stays a disk
      if (const int m = rows(block.law); m > 1 && !std::holds_alternative<Bilateral>(block.law)) {
        const Index first = block.first + (std::holds_alternative<Relay>(block.law) ? 0 : 1);
        const Index count = block.first + m - first;
        if (count == 2) S_.segment(first, 2).setConstant(S_.segment(first, 2).minCoeff());
      }
    G_ = S_.asDiagonal() * G * S_.asDiagonal();
    c_ = S_.cwiseProduct(problem.free_velocity);
    unit_ = c_.cwiseAbs().maxCoeff();
    if (!(unit_ > 0)) unit_ = 1;
    c_ /= unit_;
    verdict_.margin = std::numeric_limits<double>::infinity();
  }

  Verdict run() {
    std::vector<Decision> states(problem_.blocks.size());
    const bool exhausted = explore(states);
    if (verdict_.existence != Existence::exists && exhausted) verdict_.existence = Existence::none;
    return verdict_;
  }

 private:
  struct Limit {
    double friction = 0;  ///< scaled μ
    double offset = 0;
  };

  /// True if the whole subtree was shown to hold no solution.
  bool explore(std::vector<Decision>& states) {
    if (++verdict_.nodes > most_nodes_) return false;
    const LeastViolation relaxed(inequalities(states));
    if (relaxed.violation() > 1e-9) {
      verdict_.margin = std::min(verdict_.margin, relaxed.violation());
      return true;
    }
    const Vector x = relaxed.x();
    const Vector impulse = unit_ * S_.cwiseProduct(x);
    if (residual(problem_, impulse).relative < 1e-7) {
      verdict_.existence = Existence::exists;
      verdict_.impulse = impulse;
      return false;
    }
    const std::size_t worst = most_violated(states, x);
    if (worst == states.size()) return false;  // nothing left to decide
    const Decision kept = states[worst];
    bool exhausted = true;
    for (const Decision& child : children(worst, kept)) {
      states[worst] = child;
      exhausted = explore(states) && exhausted;
      if (verdict_.existence == Existence::exists || verdict_.nodes > most_nodes_) break;
    }
    states[worst] = kept;
    return exhausted;
  }

  bool has_normal(std::size_t k) const {
    return !std::holds_alternative<Relay>(problem_.blocks[k].law);
  }
  Index tangent(std::size_t k) const { return problem_.blocks[k].first + (has_normal(k) ? 1 : 0); }
  int tangents(std::size_t k) const {
    const Law& law = problem_.blocks[k].law;
    if (std::holds_alternative<Relay>(law)) return std::get<Relay>(law).rows;
    return std::holds_alternative<Coulomb>(law) ? std::get<Coulomb>(law).tangents : 0;
  }
  Limit limit(std::size_t k) const {
    const Law& law = problem_.blocks[k].law;
    const double S_T = S_[tangent(k)];
    if (const auto* relay = std::get_if<Relay>(&law)) return {0, relay->limit / (unit_ * S_T)};
    const auto& coulomb = std::get<Coulomb>(law);
    return {coulomb.friction * S_[problem_.blocks[k].first] / S_T,
            coulomb.friction * coulomb.preload / (unit_ * S_T)};
  }

  bool normal_decided(std::size_t k, const Decision& state) const {
    return !has_normal(k) || state.normal != Normal::any;
  }
  bool friction_decided(std::size_t k, const Decision& state) const {
    if (tangents(k) == 0) return true;
    const Limit l = limit(k);
    if (l.offset == 0 && (l.friction == 0 || state.normal == Normal::open)) return true;
    if (state.friction == Friction::stick) return true;
    if (state.friction == Friction::any) return false;
    return tangents(k) == 1 || state.to - state.from < 1e-9;
  }

  /// The undecided block whose law x breaks most; states.size() if all are decided.
  std::size_t most_violated(const std::vector<Decision>& states, const Vector& x) const {
    const Vector xi = G_ * x + c_;
    std::size_t worst = states.size();
    double most = -1;
    for (std::size_t k = 0; k < states.size(); ++k) {
      if (std::holds_alternative<Bilateral>(problem_.blocks[k].law)) continue;
      if (normal_decided(k, states[k]) && friction_decided(k, states[k])) continue;
      const Index first = problem_.blocks[k].first, m = rows(problem_.blocks[k].law);
      Vector trial = x.segment(first, m) - xi.segment(first, m);
      double radius = 0;
      double broken = 0;
      if (has_normal(k)) {
        trial[0] = std::max(0.0, trial[0]);
        broken += std::abs(trial[0] - x[first]);
      }
      if (tangents(k) > 0) {
        radius = limit(k).friction * (has_normal(k) ? trial[0] : 0) + limit(k).offset;
        Vector t = trial.tail(tangents(k));
        if (t.norm() > radius) t *= radius / t.norm();
        broken += (t - x.segment(tangent(k), tangents(k))).norm();
      }
      if (broken > most) {
        most = broken;
        worst = k;
      }
    }
    return worst;
  }

  std::vector<Decision> children(std::size_t k, const Decision& state) const {
    std::vector<Decision> result;
    if (!normal_decided(k, state)) {
      for (const Normal normal : {Normal::open, Normal::closed}) {
        result.push_back(state);
        result.back().normal = normal;
      }
      return result;
    }
    if (state.friction == Friction::any) {
      result.push_back({state.normal, Friction::stick});
      const int sectors = tangents(k) == 1 ? 2 : 4;
      for (int i = 0; i < sectors; ++i) {
        const double angle = 2 * std::numbers::pi / sectors;
        const double width = tangents(k) == 1 ? 0 : angle;
        result.push_back({state.normal, Friction::slip, i * angle, i * angle + width});
      }
      return result;
    }
    const double middle = (state.from + state.to) / 2;
    result.push_back({state.normal, Friction::slip, state.from, middle});
    result.push_back({state.normal, Friction::slip, middle, state.to});
    return result;
  }

  // Linear functions of x as (coefficients, constant).
  struct Linear {
    Vector a;
    double b = 0;
  };
  Linear impulse_row(Index i) const { return {Vector::Unit(n_, i), 0}; }
  Linear velocity_row(Index i) const { return {G_.row(i), c_[i]}; }
  static Linear sum(const Linear& f, double factor, const Linear& g) {
    return {f.a + factor * g.a, f.b + factor * g.b};
  }
  static void require_not_negative(const Linear& f, std::vector<Inequality>& list) {
    list.push_back({-f.a, f.b});
  }
  static void require_zero(const Linear& f, std::vector<Inequality>& list) {
    list.push_back({-f.a, f.b});
    list.push_back({f.a, -f.b});
  }

  std::vector<Inequality> inequalities(const std::vector<Decision>& states) const {
    std::vector<Inequality> list;
    for (std::size_t k = 0; k < states.size(); ++k) {
      const LawBlock& block = problem_.blocks[k];
      if (std::holds_alternative<Bilateral>(block.law)) {
        for (Index i = block.first; i < block.first + rows(block.law); ++i)
          require_zero(velocity_row(i), list);
        continue;
      }
      if (has_normal(k)) {
        require_not_negative(impulse_row(block.first), list);
        if (states[k].normal == Normal::closed)
          require_zero(velocity_row(block.first), list);
        else
          require_not_negative(velocity_row(block.first), list);
        if (states[k].normal == Normal::open) list.push_back({Vector::Unit(n_, block.first), 0});
      }
      if (tangents(k) > 0) add_friction(k, states[k], list);
    }
    return list;
  }

  void add_friction(std::size_t k, const Decision& state, std::vector<Inequality>& list) const {
    const Index t = tangent(k);
    const int m = tangents(k);
    const Limit l = limit(k);
    Linear radius{Vector::Zero(n_), l.offset};
    if (has_normal(k)) radius.a[problem_.blocks[k].first] = l.friction;
    const auto along = [&](double angle, Linear (Search::*row)(Index) const) {
      Linear f = (this->*row)(t);
      f.a *= std::cos(angle);
      f.b *= std::cos(angle);
      return m == 1 ? f : sum(f, std::sin(angle), (this->*row)(t + 1));
    };
    const bool no_friction = l.offset == 0 && (l.friction == 0 || state.normal == Normal::open);
    if (no_friction) {
      for (int i = 0; i < m; ++i) require_zero(impulse_row(t + i), list);
      return;
    }
    if (state.friction != Friction::slip) {
      const int facets = m == 1 ? 2 : 16;
      for (int i = 0; i < facets; ++i)
        require_not_negative(
            sum(radius, -1, along(2 * std::numbers::pi * i / facets, &Search::impulse_row)), list);
      if (state.friction == Friction::stick)
        for (int i = 0; i < m; ++i) require_zero(velocity_row(t + i), list);
      return;
    }
    if (m == 1) {
      require_zero(sum(radius, 1, along(state.from, &Search::impulse_row)), list);
      require_not_negative(along(state.from, &Search::velocity_row), list);
      return;
    }
    // ξ_T and −Λ_T in the sector; −Λ_T between the chord and the tangents of its arc.
    constexpr double right_angle = std::numbers::pi / 2;
    const double middle = (state.from + state.to) / 2, half = (state.to - state.from) / 2;
    for (const double angle : {state.from + right_angle, state.to - right_angle}) {
      require_not_negative(along(angle, &Search::velocity_row), list);
      require_not_negative(along(angle + 2 * right_angle, &Search::impulse_row), list);
    }
    for (const double angle : {state.from, middle, state.to})
      require_not_negative(sum(radius, 1, along(angle, &Search::impulse_row)), list);
    Linear chord = along(middle, &Search::impulse_row);
    chord.a *= -1;
    chord.b *= -1;
    require_not_negative(sum(chord, -std::cos(half), radius), list);
  }

  const ContactProblem& problem_;
  Index n_;
  int most_nodes_;
  Vector S_, c_;
  Matrix G_;
  double unit_ = 1;
  Verdict verdict_;
};

}  // namespace

Verdict decide_existence(const ContactProblem& problem, int most_nodes) {
  return Search(problem, most_nodes).run();
}

}  // namespace backlash::test

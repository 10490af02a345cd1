// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/loop_reactions.h"

#include <algorithm>
#include <cmath>

namespace backlash {
namespace {

using Index = Eigen::Index;

// Smallest singular value of the rows, of the largest, below which a position is near a singular
// one: reactions are computed on the loops. And below which it is so near that they are
// interpolated.
constexpr double near_singular = 0.1, singular = 5e-4;

/// x = M⁻¹W λ. (Eigen's product would take from the heap.)
void write_effect(const LoopRows& rows, const Vector& lambda, Vector& x) {
  x.setZero();
  for (Index i = 0; i < lambda.size(); ++i) x += lambda[i] * rows.mass_inverse_W.col(i);
}

}  // namespace

LoopRows::LoopRows(const SystemInfo& info) {
  const auto n = static_cast<Index>(info.bilaterals.size());
  for (Matrix* m : {&W, &mass_inverse_W}) m->setZero(info.velocities, n);
  for (Vector* v : {&w, &error}) v->setZero(n);
  scale.setOnes(n);
  G.setZero(n, n);
}

void write_loop_rows(const System& system, const Configuration& c, const Matrix& M,
                     LoopRows& rows) {
  const Index n = rows.w.size();
  system.bilateral_rows(c, rows.W, rows.w);
  system.bilateral_errors(c, rows.error);
  rows.mass_inverse_W = rows.W;
  for (Index i = 0; i < n; ++i) {
    system.solve_mass(c, M, rows.mass_inverse_W.col(i));
    for (Index j = 0; j <= i; ++j)
      rows.G(i, j) = rows.G(j, i) =
          rows.scale[i] * rows.scale[j] * rows.W.col(i).dot(rows.mass_inverse_W.col(j));
  }
}

Conditioning solve_loop_rows(const LoopRows& rows, const PivotLimits& limits, Arena& scratch,
                             Vector& b) {
  const Index n = b.size();
  Arena::Frame frame(scratch);
  MatrixMap G = frame.matrix(n, n);
  G = rows.G;
  for (Index i = 0; i < n; ++i) b[i] *= rows.scale[i];
  const PivotedRank found = solve_pivoted(G, b, scratch, limits);
  for (Index i = 0; i < n; ++i) b[i] *= rows.scale[i];
  return {found.rank, std::sqrt(found.smallest), std::sqrt(found.left)};
}

LoopReactions::LoopReactions(const System& system, const Stabilisation& stabilisation)
    : system_(system),
      stabilisation_(stabilisation),
      here_(system.info()),
      there_(system.info()),
      mobility_scratch_(system.info()) {
  const SystemInfo& info = system.info();
  const auto n = static_cast<Index>(info.bilaterals.size());
  near_.q.setZero(info.positions);
  near_.cache.setZero(info.cache);
  near_.switches.setZero(static_cast<Index>(info.switches.size()));
  q_next_.setZero(info.positions);
  for (Vector* v : {&u_near_, &displacement_, &correction_, &free_, &effect_})
    v->setZero(info.velocities);
  for (Vector* v : {&multiplier_, &bias_, &x_}) v->setZero(n);
}

/// Whether a velocity is that of an angle.
bool LoopReactions::turns(Index i) const {
  const std::vector<bool>& angular = system_.info().angular;
  return static_cast<std::size_t>(i) < angular.size() && angular[static_cast<std::size_t>(i)];
}

/// Largest rate of an angle, or of a length as a part of the model's [1/s].
double LoopReactions::speed(const Vector& u) const {
  double largest = 0;
  for (Index i = 0; i < u.size(); ++i)
    largest = std::max(largest, std::abs(u[i]) / (turns(i) ? 1 : system_.info().length));
  return largest;
}

bool LoopReactions::approaches_singular() const { return smallest_ < 2 * near_singular; }

bool LoopReactions::is_singular(const Conditioning& rows) { return rows.smallest < 10 * singular; }

/// The configuration after a time of even motion, with its rows. False if it has no mass there.
bool LoopReactions::place(const Configuration& c, const Vector& u, double shift) {
  near_.t = c.t + shift;
  near_.switches = c.switches;
  system_.advance(c.q, u, shift, near_.q);
  system_.configure(near_);
  if (!system_.factor_mass(near_, M_near_)) return false;
  write_loop_rows(system_, near_, M_near_, there_);
  return true;
}

/// Rows are scaled by what they move at most: where they are now, one may just vanish.
void LoopReactions::set_scale(const Configuration& c) {
  write_loop_mobility(system_, c, mobility_scratch_, bias_);
  for (Index i = 0; i < x_.size(); ++i)
    here_.scale[i] = there_.scale[i] = bias_[i] > 0 ? 1 / std::sqrt(bias_[i]) : 1;
}

void LoopReactions::begin(const Configuration& c, const Vector& u) {
  constexpr double far = 0.01;  // enough to tell rows that are dependent at c alone
  set_scale(c);
  rank_ = 0;
  const double fastest = speed(u);
  for (const double part : {0.0, far, -far}) {
    if (part != 0 && !(fastest > 0)) break;
    if (!place(c, u, part == 0 ? 0 : part / fastest)) continue;
    // Even motion leaves the loops by its square: what is dependent on them is nearly so there.
    const PivotLimits limits{.tolerance = part == 0 ? 1e-11 : 1e-6};
    x_.setZero();
    rank_ = std::max(rank_, solve_loop_rows(there_, limits, near_.scratch, x_).rank);
  }
}

/// From where `place` put it, by Newton's iteration, with its rows.
bool LoopReactions::move_to_loops() {
  constexpr int most = 6;
  const PivotLimits limits{.most = rank_};
  displacement_.setZero();
  double last = INFINITY;
  for (int k = 0; k < most; ++k) {
    x_ = -there_.error;
    conditioning_ = solve_loop_rows(there_, limits, near_.scratch, x_);
    write_effect(there_, x_, correction_);
    const double size = speed(correction_);
    if (!(size < last) || size < 1e-14) return std::isfinite(size);
    last = 0.5 * size;
    displacement_ += correction_;
    system_.advance(near_.q, correction_, 1, q_next_);
    near_.q = q_next_;
    system_.configure(near_);
    if (!system_.factor_mass(near_, M_near_)) return false;
    write_loop_rows(system_, near_, M_near_, there_);
  }
  return true;
}

/// Adds, with a weight, what the rows do on the loops to the accelerations `free_`, a time `shift`
/// later. False if the motion leaves the loops on its way there.
bool LoopReactions::add_sample(const Configuration& c, const Vector& u, double shift,
                               double weight) {
  constexpr double most_turn = 0.1;  // of the velocity, over a way of a few thousandths
  if (!place(c, u, shift) || !move_to_loops()) return false;
  const PivotLimits limits{.most = rank_};
  const Index n = x_.size();
  for (Index i = 0; i < n; ++i) x_[i] = -(there_.W.col(i).dot(u) + there_.w[i]);
  solve_loop_rows(there_, limits, near_.scratch, x_);
  write_effect(there_, x_, correction_);
  if (shift != 0 && speed(correction_) > most_turn * speed(u)) return false;
  u_near_ = u + correction_;
  system_.bilateral_bias(near_, u_near_, bias_);
  for (Index i = 0; i < n; ++i) x_[i] = -(there_.W.col(i).dot(free_) + bias_[i]);
  solve_loop_rows(there_, limits, near_.scratch, x_);
  for (Index i = 0; i < n; ++i) {
    effect_ += weight * x_[i] * there_.mass_inverse_W.col(i);
    multiplier_[i] += weight * x_[i];
    power_ -= weight * x_[i] * there_.w[i];
  }
  return true;
}

/// With the rows of the nearest configuration on the loops, where no error is divided by a small
/// number, and what is off them brought back by Baumgarte's terms (theory 10.9).
bool LoopReactions::add_on_loops(const Configuration& c, const Vector& u, Vector& acceleration) {
  if (!add_sample(c, u, 0, 1)) return false;
  const auto& [alpha, beta] = stabilisation_;
  acceleration += effect_ + 2 * alpha * (u_near_ - u) + beta * beta * displacement_;
  return true;
}

/// From configurations before and after (theory 10.10); false if they are no better.
bool LoopReactions::interpolate(const Configuration& c, const Vector& u, double shift) {
  effect_.setZero();
  multiplier_.setZero();
  power_ = 0;
  for (const double side : {1.0, -1.0}) {
    if (!add_sample(c, u, side * shift, 2.0 / 3) || conditioning_.smallest < 2 * singular)
      return false;
    if (!add_sample(c, u, side * 2 * shift, -1.0 / 6) || conditioning_.smallest < 2 * singular)
      return false;
  }
  return true;
}

bool LoopReactions::add_interpolated(const Configuration& c, const Vector& u,
                                     Vector& acceleration) {
  constexpr double shortest = 1e-3;  // way, as a part of the model's length, or angle
  constexpr int most = 6;
  const double fastest = speed(u);
  if (!(fastest > 0)) return false;
  double shift = shortest / fastest;
  for (int k = 0; k < most; ++k, shift *= 1.7) {
    if (!interpolate(c, u, shift)) continue;
    acceleration += effect_;
    return true;
  }
  return false;
}

bool LoopReactions::add(const Configuration& c, const Vector& u, const Matrix& M,
                        Vector& acceleration) {
  constexpr double round_off = 1e-5;  // of the smallest singular value
  const Index n = x_.size();
  write_loop_rows(system_, c, M, here_);
  system_.bilateral_bias(c, u, bias_);
  const auto& [alpha, beta] = stabilisation_;
  for (Index i = 0; i < n; ++i)
    multiplier_[i] =
        -(here_.W.col(i).dot(acceleration) + bias_[i] +
          2 * alpha * (here_.W.col(i).dot(u) + here_.w[i]) + beta * beta * here_.error[i]);
  const Conditioning found = solve_loop_rows(here_, {.most = rank_}, near_.scratch, multiplier_);
  if (found.left > 1e-3) return false;  // it began in a singular position
  power_ = 0;
  smallest_ = found.smallest;
  if (found.smallest >= near_singular) {
    for (Index i = 0; i < n; ++i) {
      acceleration += multiplier_[i] * here_.mass_inverse_W.col(i);
      power_ -= multiplier_[i] * here_.w[i];
    }
    return true;
  }
  free_ = acceleration;
  if (found.smallest < singular && add_interpolated(c, u, acceleration)) return true;
  if (found.smallest < round_off) return false;
  effect_.setZero();
  multiplier_.setZero();
  power_ = 0;
  return add_on_loops(c, u, acceleration);
}

}  // namespace backlash

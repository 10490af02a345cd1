// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/equilibrium.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/decompositions.h"
#include "backlash/base/input_error.h"
#include "backlash/dynamics/equilibrium_stability.h"
#include "backlash/dynamics/static_scales.h"
#include "backlash/dynamics/statics.h"
#include "backlash/solvers/solver_table.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Status = Equilibrium::Status;

/// The least x with Wᵀx = b, in the least-squares sense; and with W x = b.
Vector least_move(const Matrix& W, const Vector& b) {
  if (W.cols() == 0) return Vector::Zero(W.rows());
  return LeastSquares(W.transpose()).solve(b);
}
Vector least_loads(const Matrix& W, const Vector& b) {
  if (W.cols() == 0) return Vector::Zero(0);
  return LeastSquares(W).solve(b);
}

/// One move towards the balance, and the loads that hold after it.
struct Move {
  Vector change{};
  StaticLoads loads{};
  double free_size = 0;  ///< of the change without rigid contacts
};

class Relaxation {
 public:
  Relaxation(const System& system, const State& start, const EquilibriumOptions& options)
      : system_(system), options_(options), scales_(static_scales(system, start)), q_(start.q) {
    here_.c = configuration(system, start);
    there_.c = here_.c;
    loads_.bilaterals.setZero(static_cast<Index>(system.info().bilaterals.size()));
  }
  Equilibrium solve();

 private:
  enum class Attempt { accepted, shorter, failed };

  double size_of(const Vector& change) const;
  int largest(const Vector& change) const;
  void begin();
  void begin_friction();
  void renew_friction();
  Attempt attempt(double rate);
  std::optional<Move> move(double rate);
  bool solve_rows(const Matrix& Y, Vector offset, Vector& loads);
  StaticLoads carried_over() const;
  bool overshoots(double size) const;
  double nonlinearity(double rate) const;
  bool advance();
  void judge(Equilibrium& found) const;

  const System& system_;
  const EquilibriumOptions& options_;
  Vector scales_;  ///< of the velocity coordinates
  Vector q_, next_;
  Statics here_{}, there_{};
  StaticLoads loads_{};  ///< of here
  Move move_{};
  double rate_ = 0;   ///< 1/τ: how much inertia slows a move down [1/s²]
  double bend_ = 0;   ///< nonlinearity of the last move
  double scale_ = 0;  ///< of accelerations, by the forces and stiffnesses at the start [1/s²]
  Status failure_ = Status::iteration_limit;
};

double Relaxation::size_of(const Vector& change) const {
  if (!change.allFinite()) return INFINITY;
  return change.size() == 0 ? 0 : (change.array() / scales_.array()).abs().maxCoeff();
}

int Relaxation::largest(const Vector& change) const {
  int found = 0;
  double size = -1;
  for (Index i = 0; i < change.size(); ++i) {
    const Vector one = Vector::Unit(change.size(), i) * change[i];
    if (const double s = size_of(one); s > size) {
      size = s;
      found = static_cast<int>(i);
    }
  }
  return found;
}

/// The reach of a move: rigid contacts further away do not matter to it.
double reach_of(const System& system, const EquilibriumOptions& options) {
  return 10 * options.max_change * system.info().length;
}

void Relaxation::begin() {
  write_forces(system_, q_, reach_of(system_, options_), here_);
  loads_.rows.setZero(here_.rows.offset.size());
  write_stiffness(system_, loads_, here_);
  const Vector first = here_.force.array() / here_.mass.diagonal().array();
  rate_ = size_of(first) / options_.max_change;
  scale_ = std::max(size_of(first), fastest_rate(here_));
  begin_friction();
}

/// Friction of joints follows from what they carry.
void Relaxation::renew_friction() {
  if (std::ranges::none_of(system_.info().relays, is_loaded)) return;
  here_.relay_loads = there_.relay_loads = loads_of_relays(system_, here_, loads_);
  write_forces(system_, q_, reach_of(system_, options_), here_);
}

/// What joints carry before anything moves, held by inertia: they may hold from the start.
void Relaxation::begin_friction() {
  constexpr int enough = 30;
  constexpr double held = 1e6;
  if (std::ranges::none_of(system_.info().relays, is_loaded)) return;
  for (int k = 0; k < enough; ++k) {
    renew_friction();
    const std::optional<Move> found = move(held * std::max(rate_, fastest_rate(here_)));
    if (!found || failure_ == Status::contacts_not_solved) break;
    loads_ = found->loads;
  }
  failure_ = Status::iteration_limit;
}

/// (K + M/τ) Δ = force + W λ + W_B μ with W_Bᵀ Δ = −e and the laws of the rows (theory 6.17).
/// Nothing where K + M/τ is not positive.
std::optional<Move> Relaxation::move(double rate) {
  const Matrix A = here_.stiffness + rate * here_.mass;
  const Matrix Z = free_moves(here_.bilateral_W);
  const Vector closing = least_move(here_.bilateral_W, -here_.bilateral_error);
  const Cholesky factors(Z.transpose() * A * Z);
  if (!factors.positive) return std::nullopt;
  Move m{.change = closing, .loads = {}};
  Vector y = factors.solve(Z.transpose() * (here_.force - A * closing));
  m.free_size = size_of(Z * y);
  m.loads.rows.setZero(here_.rows.offset.size());
  if (m.loads.rows.size() > 0 && std::isfinite(m.free_size)) {
    const Matrix reduced = Z.transpose() * here_.rows.W;
    const Matrix Y = factors.forward_columns(reduced);
    const Vector offset = here_.rows.offset + here_.rows.W.transpose() * (closing + Z * y);
    if (!solve_rows(Y, offset, m.loads.rows)) {
      failure_ = Status::contacts_not_solved;
      return m;
    }
    y += factors.solve(reduced * m.loads.rows);
  }
  m.change += Z * y;
  m.loads.bilaterals =
      least_loads(here_.bilateral_W, A * m.change - here_.force - here_.rows.W * m.loads.rows);
  return m;
}

/// Forces of the rows with ξ = YᵀY λ + offset (theory 2.6).
bool Relaxation::solve_rows(const Matrix& Y, Vector offset, Vector& loads) {
  const ContactProblem problem = dense_problem(Y.transpose() * Y, offset, here_.rows.laws);
  const ContactSolution solution =
      backlash::solve(find_solver("auto"), problem, {.tolerance = 1e-12});
  loads = solution.impulse;
  return solution.relative_residual < 1e-9;
}

/// The loads of the last move, on the rows where it leads to.
StaticLoads Relaxation::carried_over() const {
  StaticLoads loads{.rows = Vector::Zero(there_.rows.offset.size()),
                    .bilaterals = move_.loads.bilaterals};
  Index to = 0;
  for (std::size_t i = 0; i < there_.rigid.size(); ++i) {
    const int count = rows(there_.rows.laws[i]);
    Index from = 0;
    for (std::size_t k = 0; k < here_.rigid.size(); ++k) {
      if (here_.rigid[k].key == there_.rigid[i].key)
        loads.rows.segment(to, count) = move_.loads.rows.segment(from, count);
      from += rows(here_.rows.laws[k]);
    }
    to += count;
  }
  const auto relays = static_cast<Index>(system_.info().relays.size());
  loads.rows.tail(relays) = move_.loads.rows.tail(relays);
  return loads;
}

/// How much the balance at the end of the move asks for besides, as a part of the move: what its
/// linear equations did not see (theory 6.18).
double Relaxation::nonlinearity(double rate) const {
  const StaticLoads loads = carried_over();
  const Vector left = there_.force + there_.rows.W * loads.rows +
                      there_.bilateral_W * loads.bilaterals - rate * here_.mass * move_.change;
  const Matrix Z = free_moves(here_, move_.loads.rows);
  if (Z.cols() == 0) return 0;
  const Matrix A = Z.transpose() * (here_.stiffness + rate * here_.mass) * Z;
  const Vector more = Z * Cholesky(A).solve(Z.transpose() * left);
  return size_of(more) / size_of(move_.change);
}

/// Whether the move goes through rigid contacts that its linear equations did not see, by more than
/// a quarter of itself.
bool Relaxation::overshoots(double size) const {
  const auto deepest = [&](const Statics& s) {
    double depth = 0;
    for (const ContactFrame& frame : s.rigid)
      depth = std::max(depth, -frame.gap * gap_length(system_.info(), frame.key));
    return depth;
  };
  return deepest(there_) > deepest(here_) + (0.25 * size + 1e-12) * system_.info().length;
}

Relaxation::Attempt Relaxation::attempt(double rate) {
  constexpr double farthest = 100;  // of a free move that contacts stop: their loads keep 12 digits
  constexpr double negligible = 1e-8, most_bent = 0.5;
  std::optional<Move> found = move(rate);
  if (!found) return Attempt::shorter;
  move_ = std::move(*found);
  if (failure_ == Status::contacts_not_solved) return Attempt::failed;
  const double size = size_of(move_.change);
  if (size > options_.max_change || move_.free_size > farthest) return Attempt::shorter;
  next_ = q_;
  system_.advance(q_, move_.change, 1, next_);
  write_forces(system_, next_, reach_of(system_, options_), there_);
  if (overshoots(size)) return Attempt::shorter;
  bend_ = size > negligible ? nonlinearity(rate) : 0;
  return bend_ <= most_bent ? Attempt::accepted : Attempt::shorter;
}

/// One accepted move. False if there is none.
bool Relaxation::advance() {
  constexpr int most_attempts = 200;
  if (!here_.force.allFinite() || !here_.rows.offset.allFinite()) {
    failure_ = Status::not_finite;
    return false;
  }
  renew_friction();
  const double least = std::max(1e-9 * fastest_rate(here_), 1e-30);
  rate_ = std::max(rate_, least);
  for (int k = 0; k < most_attempts; ++k) {
    const Attempt outcome = attempt(rate_);
    if (outcome == Attempt::failed) return false;
    if (outcome == Attempt::accepted) {
      loads_ = carried_over();
      std::swap(here_, there_);
      q_ = next_;
      rate_ *= bend_ < 0.1 ? 0.2 : 1;
      return true;
    }
    rate_ *= 4;
  }
  return false;
}

/// Where a force grows without bound no move is long, though nothing is in balance.
void Relaxation::judge(Equilibrium& found) const {
  const StabilityVerdict verdict = judge_stability(here_, loads_.rows);
  found.stability = verdict.stability;
  found.friction_at_limit = verdict.friction_at_limit;
  if (verdict.stability != Stability::unstable) return;
  const Vector& escape = verdict.escape;
  found.escape = largest(escape);
  const Vector left =
      here_.force + here_.rows.W * loads_.rows + here_.bilateral_W * loads_.bilaterals;
  if (size_of(escape * escape.dot(left)) > 1e-6 * scale_) found.status = Status::unbounded;
}

Equilibrium Relaxation::solve() {
  constexpr int enough = 4;  // small moves in a row, each with less inertia
  // What goes away moves far in each iteration; what creeps along in a play comes to rest.
  constexpr double far = 0.1;
  constexpr double patience = 20;
  begin();
  Equilibrium out;
  double spent = 0;
  for (int small = 0; small < enough && spent < options_.max_iterations;) {
    if (!advance()) break;
    ++out.iterations;
    write_stiffness(system_, loads_, here_);
    out.change = size_of(move_.change);
    spent += out.change > far * options_.max_change ? 1 : 1 / patience;
    out.coordinate = largest(move_.change);
    small = out.change <= options_.tolerance ? small + 1 : 0;
    if (small == enough) out.status = Status::found;
  }
  if (out.status != Status::found) out.status = failure_;
  out.q = q_;
  out.loads = contact_loads(system_, here_, loads_);
  if (out.status == Status::found) judge(out);
  return out;
}

void validate(const EquilibriumOptions& options) {
  require_positive(options.tolerance, "equilibrium: tolerance", "-");
  require_positive(options.max_change, "equilibrium: max_change", "-");
  require_in_range(options.max_iterations, 1, 1e9, "equilibrium: max_iterations", "-");
}

}  // namespace

std::string_view name(Equilibrium::Status status) {
  switch (status) {
    case Status::found:
      return "found";
    case Status::iteration_limit:
      return "it still moves";
    case Status::contacts_not_solved:
      return "the loads of its rigid contacts could not be determined";
    case Status::not_finite:
      return "a force or a gap is not finite";
    case Status::unbounded:
      return "it came to where a force grows without bound";
  }
  return "";
}

Equilibrium find_equilibrium(const System& system, const State& start,
                             const EquilibriumOptions& options) {
  validate(start, system.info());
  validate(options);
  return Relaxation(system, start, options).solve();
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/automatic.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "backlash/solvers/admm.h"
#include "backlash/solvers/contact_modes.h"
#include "backlash/solvers/enumeration.h"
#include "backlash/solvers/gauss_seidel.h"
#include "backlash/solvers/guessed_modes.h"
#include "backlash/solvers/interior_point.h"
#include "backlash/solvers/judge.h"
#include "backlash/solvers/lemke.h"
#include "backlash/solvers/newton.h"
#include "backlash/solvers/proximal_newton.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// The methods of the chain. Each starts from `impulse`, leaves its answer there, and returns
/// whether the judge accepted it.
class Chain {
 public:
  Chain(const ReducedProblem& problem, const SolverOptions& options, Arena& scratch, Judge& judge,
        ContactSolution& solution)
      : problem_(problem),
        options_(options),
        scratch_(scratch),
        judge_(judge),
        iterations_(solution.iterations),
        velocity_(judge.scale()) {}

  /// Guess the modes, solve, read the modes off the answer, until it is right. Disks that slip are
  /// left to Newton, which turns their directions.
  bool modes(VectorMap& impulse) {
    constexpr int corrections = 12;
    Arena::Frame frame(scratch_);
    VectorMap xi = frame.vector(impulse.size());
    std::span<Mode> modes = frame.list<Mode>(static_cast<Index>(problem_.contacts.size()));
    for (int k = 0; k < corrections && left() > 0; ++k) {
      write_velocity(problem_, impulse, xi);
      read_modes(problem_, impulse, xi, modes);
      if (some_disk_slips(modes)) return false;
      ++iterations_;
      if (!solve_in_modes(problem_, modes, scratch_, impulse)) return false;
      if (judge_.accepts(problem_, impulse)) return true;
    }
    return false;
  }

  bool newton(int steps, VectorMap& impulse) {
    iterations_ += iterate_newton(problem_, {judge_.absolute_tolerance() / 10, steps, left()},
                                  scratch_, impulse);
    return judge_.accepts(problem_, impulse);
  }

  /// Newton on all rows from the best impulse so far, where elimination has cost digits.
  bool refinement() {
    if (problem_.eliminated.empty() || judge_.best_residual() > 1e-4 * velocity_) return false;
    Arena::Frame frame(scratch_);
    const ReducedProblem whole = keep_bilateral(judge_.problem(), frame);
    VectorMap impulse = frame.vector(whole.c.size());
    restrict_to(whole, judge_.best(), impulse);
    iterations_ +=
        iterate_newton(whole, {judge_.absolute_tolerance() / 10, 10, left()}, scratch_, impulse);
    return judge_.accepts(whole, impulse);
  }

  /// Lemke, and Newton from where it ends: with several tie tolerances, and in space with several
  /// polyhedral cones.
  bool lemke(VectorMap& impulse) {
    for (PivotOptions attempt : {PivotOptions{.facets = 8, .tie_tolerance = 1e-10},
                                 PivotOptions{.facets = 12, .tie_tolerance = 1e-13},
                                 PivotOptions{.facets = 18, .tie_tolerance = 1e-7},
                                 PivotOptions{.facets = 27, .tie_tolerance = 1e-10}}) {
      attempt.max_pivots = std::min(attempt.max_pivots, left());
      const LcpResult result = pivot_lemke(problem_, attempt, scratch_, impulse);
      iterations_ += result.pivots;
      if (result.status != LcpStatus::solved) continue;
      if (judge_.accepts(problem_, impulse) || newton(50, impulse)) return true;
    }
    return false;
  }

  /// Gauss–Seidel, and Newton from where it has come to.
  bool sweeps(VectorMap& impulse) {
    constexpr int between = 100, most = 500;
    Arena::Frame frame(scratch_);
    VectorMap trial = frame.vector(impulse.size());
    for (int done = 0; done < most && left() > 0; done += between) {
      sweep(between, impulse);
      if (judge_.accepts(problem_, impulse)) return true;
      trial = impulse;
      if (newton(30, trial)) return true;
    }
    return false;
  }

  /// Newton from points scattered over several orders of magnitude, after some sweeps from there.
  bool restarts(VectorMap& impulse) {
    constexpr int starts = 60;
    std::uint64_t state = 1;
    for (int k = 0; k < starts && left() > 0; ++k) {
      const double reach = velocity_ * std::ldexp(1.0, 2 * (k % 6));  // up to 4⁵ [m/s]
      for (Index i = 0; i < impulse.size(); ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
        const double random = std::ldexp(static_cast<double>(state >> 11), -52) - 1;
        impulse[i] = random * reach / std::max(problem_.G(i, i), 1e-6 * problem_.largest_mobility);
      }
      sweep(1 + k % 10, impulse);
      if (newton(50, impulse)) return true;
    }
    return false;
  }

  bool enumeration() {
    const EnumerationLimits limits{.facets = 8, .most_combinations = 20000, .most_tries = left()};
    search_modes(problem_, limits, scratch_, judge_, iterations_);
    return judge_.solved();
  }

  int left() const { return options_.max_iterations - iterations_; }

 private:
  void sweep(int count, VectorMap& impulse) {
    const int most = std::min(count, left());
    sweep_gauss_seidel(problem_, most, scratch_, impulse);
    iterations_ += most;
  }

  bool some_disk_slips(std::span<const Mode> modes) const {
    for (std::size_t k = 0; k < modes.size(); ++k)
      if (problem_.contacts[k].tangents == 2 && !modes[k].sticks && modes[k].pushes) return true;
    return false;
  }

  const ReducedProblem& problem_;
  const SolverOptions& options_;
  Arena& scratch_;
  Judge& judge_;
  int& iterations_;
  double velocity_;  ///< of the problem [m/s]
};

bool solve_by_guess(const ContactProblem& problem, Arena& scratch, Judge& judge,
                    ContactSolution& solution) {
  Arena::Frame frame(scratch);
  VectorMap impulse = frame.vector(solution.impulse.size());
  impulse = solution.impulse;
  if (!solve_in_guessed_modes(problem, impulse)) return false;
  ++solution.iterations;
  return judge.accepts(impulse);
}

/// Whether contacts, and nothing else, need no impulse. Where there is friction, others may solve
/// the problem too, by which bodies hold each other in place, and the guess may be near to one of
/// them. (The judge is asked only if the answer is sure: what it is shown replaces the guess.)
bool need_no_impulse(const ContactProblem& problem, Arena& scratch, Judge& judge) {
  double square = 0;  // of the residual
  const double most = judge.absolute_tolerance() * judge.absolute_tolerance();
  for (const LawBlock& block : problem.blocks) {
    const bool contact =
        std::holds_alternative<Unilateral>(block.law) || std::holds_alternative<Coulomb>(block.law);
    const double length = problem.row_length.size() == 0 ? 1 : problem.row_length[block.first];
    const double approach = std::min(0.0, length * problem.free_velocity[block.first]);
    square += approach * approach;
    if (!contact || !(square <= most)) return false;
  }
  Arena::Frame frame(scratch);
  VectorMap none = frame.vector(problem.free_velocity.size());
  none.setZero();
  return judge.accepts(none);
}

/// Returns the name of the method that solved the problem, or of the whole chain if none did.
std::string_view solve_by_chain(const ContactProblem& problem, const SolverOptions& options,
                                Arena& scratch, Judge& judge, ContactSolution& solution) {
  constexpr Index largest_small = 24;    // rows; up to here all methods are quick
  constexpr Index largest_direct = 100;  // rows; above, a sweep costs much less than a direct step
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  VectorMap guess = frame.vector(reduced.c.size()), impulse = frame.vector(reduced.c.size());
  restrict_to(reduced, solution.impulse, guess);
  Chain chain(reduced, options, scratch, judge, solution);
  const auto at_most = [&](int more) { return solution.iterations + std::min(more, chain.left()); };
  impulse = guess;
  if (chain.modes(impulse)) return "modes";
  if (reduced.c.size() <= largest_direct) {
    impulse = guess;
    if (chain.newton(reduced.planar() ? 10 : 30, impulse)) return "newton";
    if (chain.refinement()) return "newton";
  }
  if (std::holds_alternative<DenseDelassus>(problem.delassus) &&  // of others it was the first
      iterate_proximal_newton(problem, at_most(100), scratch, judge, solution))
    return "proximal-newton";
  if (reduced.c.size() <= largest_direct) {
    impulse = guess;
    if (chain.lemke(impulse) || chain.refinement()) return "lemke";
  }
  if (options.effort == Effort::quick && reduced.c.size() > largest_small) return "auto";
  impulse = guess;
  if (chain.sweeps(impulse)) return "gauss-seidel";
  if (std::holds_alternative<DenseDelassus>(problem.delassus) && !reduced.contacts.empty() &&
      iterate_admm(problem, at_most(1000), scratch, judge, solution))
    return "admm";
  if (reduced.c.size() <= largest_direct && chain.restarts(impulse)) return "newton restarted";
  if (chain.enumeration() || chain.refinement()) return "enumeration";
  return "auto";
}

/// Of many contacts, in the order that measurement gives (theory 5.23): Newton's method from the
/// last impulses, which usually are near; then from inside of the cones, where there are so many
/// that this is quicker than stiffening; alternating directions last, but first among contacts that
/// are many times more than degrees of freedom. Returns the method that solved the problem, or the
/// last.
std::string_view solve_sparsely(const ContactProblem& problem, const SolverOptions& options,
                                Arena& scratch, Judge& judge, ContactSolution& solution) {
  const Index rows = problem.free_velocity.size();
  const bool quick = options.effort == Effort::quick, cold = solution.impulse.isZero(0);
  const bool stiffening_first = rows <= (cold ? 200 : 1000);
  const bool redundant = !stiffening_first && rows > 3 * response_size(problem.delassus);
  const auto at_most = [&](int more) {
    return std::min(options.max_iterations, solution.iterations + more);
  };
  const auto stiffen = [&] {
    return iterate_proximal_newton(problem, at_most(quick ? 400 : 1000), scratch, judge, solution);
  };
  const auto alternate = [&](int iterations) {
    return iterate_admm(problem, at_most(iterations), scratch, judge, solution);
  };
  if (stiffening_first ? stiffen()
                       : (!cold || (rows <= 2000 && !redundant)) &&
                             try_newton_from_guess(problem, at_most(80), scratch, judge, solution))
    return "proximal-newton";
  if (redundant && alternate(1000)) return "admm";
  if (iterate_interior_point(problem, at_most(200), scratch, judge, solution))
    return "interior-point";
  if (!stiffening_first && stiffen()) return "proximal-newton";
  if (!redundant) alternate(quick ? 300 : 3000);
  return "admm";
}

}  // namespace

void solve_automatic(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                     ContactSolution& solution) {
  constexpr Index largest_dense = 600;  // rows
  const bool large = problem.free_velocity.size() > largest_dense;
  Judge judge(problem, options, scratch, solution);
  if (need_no_impulse(problem, scratch, judge)) {
    judge.finish("no impulse", SolverStatus::solved);
    return;
  }
  if (large || std::holds_alternative<BlockDelassus>(problem.delassus)) {
    const std::string_view method = solve_sparsely(problem, options, scratch, judge, solution);
    if (judge.solved() || options.effort == Effort::quick) {
      judge.finish(method, SolverStatus::iteration_limit);
      return;
    }
  }
  if (large) {
    const int before = solution.iterations;
    SolverOptions rest = options;
    rest.max_iterations -= before;
    solve_gauss_seidel(problem, rest, scratch, solution);
    solution.iterations += before;
    return;
  }
  if (solve_by_guess(problem, scratch, judge, solution)) {
    judge.finish("modes", SolverStatus::solved);
    return;
  }
  const std::string_view method = solve_by_chain(problem, options, scratch, judge, solution);
  judge.finish(method, SolverStatus::iteration_limit);
}

}  // namespace backlash

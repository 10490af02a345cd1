// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/enumeration.h"

#include <algorithm>

#include "backlash/solvers/contact_modes.h"
#include "backlash/solvers/judge.h"
#include "backlash/solvers/newton.h"
#include "backlash/solvers/residual.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// All combinations of the contacts' modes, one after the other.
class Combinations {
 public:
  Combinations(const ReducedProblem& problem, int facets, Arena::Frame& frame)
      : possible_(frame.list<std::span<const Mode>>(count(problem))),
        position_(frame.list<std::size_t>(count(problem))),
        modes_(frame.list<Mode>(count(problem))) {
    for (std::size_t k = 0; k < possible_.size(); ++k) {
      possible_[k] = possible_modes(problem.contacts[k], facets, frame);
      position_[k] = 0;
      modes_[k] = possible_[k][0];
      number_ *= static_cast<double>(possible_[k].size());
    }
  }

  double number() const { return number_; }
  std::span<const Mode> modes() const { return modes_; }

  /// False after the last one.
  bool advance() {
    for (std::size_t k = 0; k < possible_.size(); ++k) {
      position_[k] = (position_[k] + 1) % possible_[k].size();
      modes_[k] = possible_[k][position_[k]];
      if (position_[k] != 0) return true;
    }
    return false;
  }

 private:
  static Index count(const ReducedProblem& problem) {
    return static_cast<Index>(problem.contacts.size());
  }

  std::span<std::span<const Mode>> possible_;
  std::span<std::size_t> position_;
  std::span<Mode> modes_;
  double number_ = 1;
};

/// The impulse in these modes; in space, with the directions of slip put right.
bool solve_combination(const ReducedProblem& problem, std::span<const Mode> modes, bool planar,
                       double tolerance, Arena& scratch, VectorMap& impulse) {
  if (!solve_in_modes(problem, modes, scratch, impulse)) return false;
  if (!planar) iterate_newton(problem, {tolerance, 20}, scratch, impulse);
  return true;
}

/// Calls done(impulse) for every combination that has one, until it says so.
template <class Done>
SolverStatus enumerate(const ReducedProblem& reduced, const EnumerationLimits& limits,
                       double tolerance, Arena& scratch, Done done) {
  Arena::Frame frame(scratch);
  Combinations combinations(reduced, limits.facets, frame);
  if (combinations.number() > limits.most_combinations) return SolverStatus::too_large;
  VectorMap impulse = frame.vector(reduced.c.size());
  const bool planar = reduced.planar();
  long tries = 0;
  do {
    if (++tries > limits.most_tries) return SolverStatus::iteration_limit;
    if (solve_combination(reduced, combinations.modes(), planar, tolerance, scratch, impulse) &&
        done(impulse))
      break;
  } while (combinations.advance());
  return SolverStatus::no_solution;
}

/// The combination that the guess suggests.
bool accepts_guess(const ReducedProblem& reduced, const VectorView& guess, double tolerance,
                   Arena& scratch, Judge& judge) {
  Arena::Frame frame(scratch);
  VectorMap impulse = frame.vector(reduced.c.size()), xi = frame.vector(reduced.c.size());
  std::span<Mode> modes = frame.list<Mode>(static_cast<Index>(reduced.contacts.size()));
  restrict_to(reduced, guess, impulse);
  write_velocity(reduced, impulse, xi);
  read_modes(reduced, impulse, xi, modes);
  return solve_combination(reduced, modes, reduced.planar(), tolerance, scratch, impulse) &&
         judge.accepts(reduced, impulse);
}

}  // namespace

SolverStatus search_modes(const ReducedProblem& problem, const EnumerationLimits& limits,
                          Arena& scratch, Judge& judge, int& tried) {
  return enumerate(problem, limits, judge.absolute_tolerance() / 10, scratch,
                   [&](const VectorMap& impulse) {
                     ++tried;
                     return judge.accepts(problem, impulse);
                   });
}

void solve_enumeration(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                       ContactSolution& solution) {
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  Judge judge(problem, options, scratch, solution);
  const double tolerance = judge.absolute_tolerance() / 10;
  solution.iterations = 1;
  SolverStatus otherwise = SolverStatus::solved;
  if (!accepts_guess(reduced, solution.impulse, tolerance, scratch, judge))
    otherwise = search_modes(
        reduced, {.facets = options.facets, .most_tries = options.max_iterations - 1},  // the guess
        scratch, judge, solution.iterations);
  judge.finish("enumeration", otherwise);
}

std::vector<ContactSolution> all_solutions(const ContactProblem& problem,
                                           const SolverOptions& options) {
  validate(problem);
  validate(options);
  Arena scratch;
  Arena::Frame frame(scratch);
  const ReducedProblem reduced = reduce(problem, frame);
  std::vector<ContactSolution> found;
  const auto is_new = [&](const ContactSolution& candidate) {
    return std::none_of(found.begin(), found.end(), [&](const ContactSolution& other) {
      return (other.impulse - candidate.impulse).norm() <=
             1e-8 * (other.impulse.norm() + candidate.impulse.norm());
    });
  };
  const auto collect = [&](const VectorMap& impulse) {
    ContactSolution candidate;
    Judge judge(problem, options, scratch, candidate);
    if (!judge.accepts(reduced, impulse)) return false;
    judge.finish("enumeration", SolverStatus::no_solution);
    if (is_new(candidate)) found.push_back(candidate);
    return false;
  };
  enumerate(reduced, {.facets = options.facets}, options.tolerance * velocity_scale(problem) / 10,
            scratch, collect);
  return found;
}

}  // namespace backlash

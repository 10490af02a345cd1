// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

/// Prints docs/verification/random_problems.md's tables: every solver on the seeded random
/// problems, and for each that `auto` does not solve the reason, found by a second method.
///     random_problems_table [NUMBER_OF_SEEDS]
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/existence.h"
#include "support/random_problems.h"

namespace backlash {
namespace {

enum class Setting { plane, space };

bool belongs(std::uint64_t seed, Setting setting) {
  return (seed % 2 == 0) == (setting == Setting::plane);
}

/// What this thread has used of a processor, whatever else the machine does [µs].
double processor_time() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

template <class T>
T quantile(std::vector<T> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1))];
}

/// What one solver does on all problems of one setting.
struct Tally {
  int problems = 0, solved = 0, approximated = 0, no_solution = 0, limit = 0, too_large = 0;
  std::vector<double> microseconds;
  std::vector<int> iterations;

  void add(const ContactSolution& solution, double time) {
    ++problems;
    solved += solution.status == SolverStatus::solved;
    approximated += solution.status == SolverStatus::approximated;
    no_solution += solution.status == SolverStatus::no_solution;
    limit += solution.status == SolverStatus::iteration_limit;
    too_large += solution.status == SolverStatus::too_large;
    if (solution.status == SolverStatus::too_large) return;
    microseconds.push_back(time);
    iterations.push_back(solution.iterations);
  }
};

Tally measure(const SolverEntry& solver, Setting setting, std::uint64_t seeds) {
  Tally tally;
  Arena scratch;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    if (!belongs(seed, setting)) continue;
    const ContactProblem problem = test::random_problem(seed).dense;
    ContactSolution solution;
    const double start = processor_time();
    solver.solve(problem, {}, scratch, solution);
    tally.add(solution, processor_time() - start);
  }
  return tally;
}

void print_solvers(Setting setting, std::uint64_t seeds) {
  fmt::print(
      "| solver | solved | approximated | no solution | limit | too large "
      "| time median | 95 % | iterations median | 95 % |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
  for (const SolverEntry& solver : solver_table()) {
    const Tally t = measure(solver, setting, seeds);
    fmt::print("| {} | {:.2f} % | {} | {} | {} | {} | {:.1f} µs | {:.0f} µs | {} | {} |\n",
               solver.name, 100.0 * t.solved / t.problems, t.approximated, t.no_solution, t.limit,
               t.too_large, quantile(t.microseconds, 0.5), quantile(t.microseconds, 0.95),
               quantile(t.iterations, 0.5), quantile(t.iterations, 0.95));
    std::fflush(stdout);
  }
}

/// How far rounding the entries of Λ to doubles alone can move the relative residual.
double round_off(const ContactProblem& problem, const VectorBuffer& impulse) {
  const Eigen::Index n = impulse.size();
  Matrix G(n, n);
  write_dense(problem.delassus, G);
  return std::numeric_limits<double>::epsilon() * (G.cwiseAbs() * impulse.cwiseAbs()).norm() /
         velocity_scale(problem);
}

std::string reason(const ContactProblem& problem, const ContactSolution& solution) {
  const test::Verdict verdict = test::decide_existence(problem);
  if (verdict.existence == test::Existence::none)
    return fmt::format(
        "no solution: all states excluded by {} linear program{}, by at least {:.1e}",
        verdict.nodes, verdict.nodes == 1 ? "" : "s", verdict.margin);
  const double rounding = round_off(problem, solution.impulse);
  if (rounding > SolverOptions{}.tolerance)
    return fmt::format("ill-conditioned: rounding Λ to doubles moves the residual by up to {:.1e}",
                       rounding);
  return "not solved, though it may have a solution";
}

void print_failures(std::uint64_t seeds) {
  Arena scratch;
  fmt::print("| seed | contacts | rows | residual reached | reason |\n|---|---|---|---|---|\n");
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const test::RandomProblem random = test::random_problem(seed);
    ContactSolution solution;
    find_solver("auto").solve(random.dense, {}, scratch, solution);
    if (solution.status == SolverStatus::solved) continue;
    fmt::print("| {} | {} | {} | {:.1e} | {} |\n", seed, random.contacts,
               random.dense.free_velocity.size(), solution.relative_residual,
               reason(random.dense, solution));
  }
}

}  // namespace
}  // namespace backlash

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000;
  fmt::print("### In the plane: even seeds below {}\n\n", seeds);
  backlash::print_solvers(backlash::Setting::plane, seeds);
  fmt::print("\n### In space: odd seeds below {}\n\n", seeds);
  backlash::print_solvers(backlash::Setting::space, seeds);
  fmt::print("\n### What auto does not solve\n\n");
  backlash::print_failures(seeds);
}

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

/// Prints the table of docs/verification/many_contacts.md: every solver on problems of many bodies.
///     contact_problems_table [SECONDS]
/// A solver that has taken longer than that (10 s) on a size is not asked for larger ones.
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <malloc.h>

#include <fmt/format.h>

#include "backlash/solvers/solver_table.h"
#include "support/sparse_problems.h"

namespace backlash {
namespace {

struct Family {
  std::string name;
  std::function<ContactProblem(int, std::uint64_t)> make;
  std::vector<int> sizes;
};

std::vector<Family> families() {
  using test::arch, test::ball_bearing, test::ball_pile, test::box_towers, test::capsule_layers,
      test::chain_problem, test::disc_pile, test::painleve_rods;
  return {
      {"chain of n links", chain_problem, {20, 200, 2000}},
      {"n × n discs", [](int n, auto s) { return disc_pile(n, n, s); }, {5, 10, 20, 60}},
      {"n × n boxes", [](int n, auto s) { return box_towers(n, n, s); }, {4, 8, 16}},
      {"n × n × n balls", [](int n, auto s) { return ball_pile(n, n, s); }, {3, 5}},
      {"n layers of n capsules", [](int n, auto s) { return capsule_layers(n, n, s); }, {3, 5, 7}},
      {"arch of n stones", arch, {20, 200}},
      {"ball bearing with n balls and cage", ball_bearing, {12, 100}},
      {"n rods (Painlevé)", painleve_rods, {10, 100}}};
}

/// What this thread has used of a processor [s].
double processor_time() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The most memory that the process has had [bytes], since it was last reset.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::atof(line.c_str() + 6);
  return 0;
}
void reset_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

/// "0.42 ms, 1.2 MB", the mean of three problems and the most memory that one takes, or how many of
/// them were solved and why not all.
std::string try_solver(const SolverEntry& solver, const std::vector<ContactProblem>& problems,
                       double& slowest) {
  double time = 0, memory = 0;
  std::size_t solved = 0;
  SolverStatus otherwise = SolverStatus::solved;
  for (const ContactProblem& problem : problems) {
    if (!is_within_reach(solver, problem)) return std::string(name(SolverStatus::too_large));
    reset_peak_memory();
    const double before = peak_memory(), start = processor_time();
    const ContactSolution solution = solve(solver, problem, {.max_iterations = 2000});
    const double taken = processor_time() - start;
    memory = std::max(memory, peak_memory() - before);
    slowest = std::max(slowest, taken);
    time += taken;
    solved += solution.status == SolverStatus::solved;
    if (solution.status != SolverStatus::solved) otherwise = solution.status;
  }
  const double mean = 1e3 * time / static_cast<double>(problems.size());
  const std::string cost = fmt::format("{:.2g} ms, {:.1f} MB", mean, 1e-6 * memory);
  if (solved == problems.size()) return cost;
  return fmt::format("{} of {} ({}), {}", solved, problems.size(), name(otherwise), cost);
}

void print_family(const Family& family, double patience) {
  std::string head = fmt::format("\n| {} |", family.name), line = "|---|";
  std::vector<std::vector<ContactProblem>> problems;
  for (const int n : family.sizes) {
    std::vector<ContactProblem>& of_size = problems.emplace_back();
    for (std::uint64_t seed = 1; seed <= 3; ++seed) of_size.push_back(family.make(n, seed));
    head += fmt::format(" {} ({} rows) |", n, of_size.front().free_velocity.size());
    line += "---|";
  }
  fmt::print("{}\n{}\n", head, line);
  for (const SolverEntry& solver : solver_table()) {
    fmt::print("| {} |", solver.name);
    double slowest = 0;
    for (const auto& of_size : problems) {
      fmt::print(" {} |", slowest > patience ? "–" : try_solver(solver, of_size, slowest));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace backlash

int main(int argc, char** argv) {
  const double patience = argc > 1 ? std::atof(argv[1]) : 10;
  for (const backlash::Family& family : backlash::families())
    backlash::print_family(family, patience);
}

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Contact problems of many bodies by themselves: a chain whose links hang in each other, and piles
// of discs, boxes and balls. `cold` starts from nothing, `warm` from the impulses of the step
// before. Counters: rows, µs a solve, iterations, whether it was solved, and the exponent p of cost
// ~ rowsᵖ since the size before.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <string>

#include <benchmark/benchmark.h>

#include "backlash/solvers/solver_table.h"
#include "support/random_problems.h"
#include "support/sparse_problems.h"

namespace backlash {
namespace {

using Make = std::function<ContactProblem(int)>;

/// What this thread has used of a processor, whatever else the machine does [µs].
double processor_time() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// The impulses of a step before: the bodies moved a little differently.
Vector impulse_before(const SolverEntry& solver, const ContactProblem& problem) {
  ContactProblem before = problem;
  const auto& G = std::get<BlockDelassus>(problem.delassus);
  test::Random random(1);
  Vector change(G.velocities);
  for (Eigen::Index i = 0; i < change.size(); ++i) change[i] = random.uniform(-1e-5, 1e-5);
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    for (Eigen::Index e = G.first[at(i)]; e < G.first[at(i + 1)]; ++e)
      before.free_velocity[i] += G.W[at(e)] * change[G.velocity[at(e)]];
  return solve(solver, before).impulse;
}

void time_solver(benchmark::State& bench, const std::string& name, const Make& make,
                 const SolverEntry& solver, bool warm) {
  static std::map<std::string, std::pair<double, double>> smaller;  // rows and time, by name
  const ContactProblem problem = make(static_cast<int>(bench.range(0)));
  const auto rows = static_cast<double>(problem.free_velocity.size());
  const Vector guess =
      warm ? impulse_before(solver, problem) : Vector(Vector::Zero(problem.free_velocity.size()));
  Arena scratch;
  ContactSolution solution;
  double least = HUGE_VAL;
  for (auto _ : bench) {
    solution.impulse = guess;
    const double begin = processor_time();
    solver.solve(problem, {}, scratch, solution);
    least = std::min(least, processor_time() - begin);
  }
  bench.counters["rows"] = rows;
  bench.counters["us"] = least;
  bench.counters["iterations"] = solution.iterations;
  bench.counters["solved"] = solution.status == SolverStatus::solved;
  const auto last = smaller.find(name);
  bench.counters["exponent"] =
      last == smaller.end() || last->second.first >= rows
          ? 0
          : std::log(least / last->second.second) / std::log(rows / last->second.first);
  smaller[name] = {rows, least};
}

void add(const std::string& kind, const Make& make, const std::vector<std::int64_t>& sizes) {
  for (const char* solver : {"proximal-newton", "gauss-seidel"})
    for (const bool warm : {false, true}) {
      const std::string name = kind + "/" + (warm ? "warm/" : "cold/") + solver;
      auto* bench = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        time_solver(state, name, make, find_solver(solver), warm);
      });
      for (const std::int64_t size : sizes) bench->Arg(size);
      bench->Unit(benchmark::kMillisecond)->Iterations(3);
    }
}

}  // namespace
}  // namespace backlash

int main(int argc, char** argv) {
  using namespace backlash;
  add("chain", [](int n) { return test::chain_problem(n, 1); }, {16, 64, 256, 1024});
  add("discs", [](int n) { return test::disc_pile(n, n, 1); }, {4, 8, 16});
  add("boxes", [](int n) { return test::box_towers(n, n, 1); }, {3, 6, 12});
  add("balls", [](int n) { return test::ball_pile(n, n, 1); }, {2, 4});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

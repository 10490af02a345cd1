// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

/// Prints the comparison with Siconos of docs/verification/many_contacts.md: problems in space of
/// more than 600 rows, solved by `auto` and by Siconos' solvers, in one run.
///     peer_siconos_contact_problems [SECONDS]
/// A solver of Siconos that has taken longer than that (20 s) is not asked again with a smaller
/// tolerance of its own. Answers are judged by the residual of this program.
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>

#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"
#include "support/sparse_problems.h"

namespace backlash {
namespace {

constexpr double tolerance = 1e-8;  // relative residual

double processor_time() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// W as compressed columns, as Siconos' own assembly gives it.
NumericsMatrix* sparse_matrix(const ContactProblem& problem) {
  const auto& G = std::get<BlockDelassus>(problem.delassus);
  const auto n = static_cast<int>(problem.free_velocity.size());
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(G.velocities));
  for (int i = 0; i < n; ++i)
    for (Eigen::Index e = G.first[at(i)]; e < G.first[at(i + 1)]; ++e)
      rows[at(G.velocity[at(e)])].push_back(i);
  NumericsMatrix* matrix = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(matrix, 20 * n);
  std::vector<int> last(at(n), -1);
  for (int i = 0; i < n; ++i)
    for (Eigen::Index e = G.first[at(i)]; e < G.first[at(i + 1)]; ++e)
      for (const int j : rows[at(G.velocity[at(e)])]) {
        if (last[at(j)] == i) continue;
        last[at(j)] = i;
        NM_entry(matrix, i, j, entry(G, i, j));
      }
  return matrix;
}

struct SiconosProblem {
  explicit SiconosProblem(const ContactProblem& given) {
    for (const LawBlock& block : given.blocks) mu.push_back(std::get<Coulomb>(block.law).friction);
    q.assign(given.free_velocity.data(), given.free_velocity.data() + given.free_velocity.size());
    problem.dimension = 1 + std::get<Coulomb>(given.blocks.front().law).tangents;
    problem.numberOfContacts = static_cast<int>(given.blocks.size());
    problem.M = sparse_matrix(given);
    problem.q = q.data();
    problem.mu = mu.data();
  }
  std::vector<double> q, mu;
  FrictionContactProblem problem{};
};

struct Outcome {
  double time = 0;      ///< [s]
  double residual = 1;  ///< relative
};

/// With tolerances of Siconos that become smaller until the answer is as good as asked.
Outcome run_siconos(int solver, const ContactProblem& given, double patience) {
  Outcome outcome;
  for (const double own : {1e-8, 1e-10, 1e-12}) {
    SiconosProblem siconos(given);
    std::vector<double> reaction(siconos.q.size()), velocity(siconos.q.size());
    ::SolverOptions* options = solver_options_create(solver);
    options->dparam[SICONOS_DPARAM_TOL] = own;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = solver == SICONOS_FRICTION_3D_NSN_AC ? 500 : 20000;
    const double start = processor_time();
    fc3d_driver(&siconos.problem, reaction.data(), velocity.data(), options);
    outcome.time = processor_time() - start;
    solver_options_delete(options);
    const Vector impulse =
        Eigen::Map<const Vector>(reaction.data(), static_cast<Eigen::Index>(reaction.size()));
    outcome.residual = impulse.allFinite() ? residual(given, impulse).relative : INFINITY;
    if (outcome.residual <= tolerance || outcome.time > patience) break;
  }
  return outcome;
}

Outcome run_auto(const ContactProblem& problem) {
  const double start = processor_time();
  const ContactSolution solution = solve(find_solver("auto"), problem, {.tolerance = tolerance});
  return {processor_time() - start, solution.relative_residual};
}

std::string text(const Outcome& outcome) {
  if (outcome.residual <= tolerance) return fmt::format("{:.3g} ms", 1e3 * outcome.time);
  return fmt::format("residual {:.0e} after {:.3g} ms", outcome.residual, 1e3 * outcome.time);
}

struct Peer {
  std::string name;
  int solver;
};

void print_problem(const std::string& name, const ContactProblem& problem, double patience) {
  const Peer peers[] = {{"NSGS", SICONOS_FRICTION_3D_NSGS},
                        {"NSN-AC", SICONOS_FRICTION_3D_NSN_AC},
                        {"ADMM", SICONOS_FRICTION_3D_ADMM}};
  fmt::print("| {} ({} rows) | {} |", name, problem.free_velocity.size(), text(run_auto(problem)));
  std::string cells;
  for (const Peer& peer : peers)
    cells += fmt::format("{}{}: {}", cells.empty() ? " " : "; ", peer.name,
                         text(run_siconos(peer.solver, problem, patience)));
  fmt::print("{} |\n", cells);
  std::fflush(stdout);
}

}  // namespace
}  // namespace backlash

int main(int argc, char** argv) {
  using namespace backlash;
  const double patience = argc > 1 ? std::atof(argv[1]) : 20;
  fmt::print("| problem | auto | Siconos |\n|---|---|---|\n");
  print_problem("6 layers of 6 capsules", test::capsule_layers(6, 6, 1), patience);
  print_problem("7 layers of 7 capsules", test::capsule_layers(7, 7, 1), patience);
  print_problem("4 layers of 12 capsules", test::capsule_layers(12, 4, 1), patience);
  print_problem("5 × 5 × 5 balls", test::ball_pile(5, 5, 1), patience);
  print_problem("7 × 7 × 3 balls", test::ball_pile(7, 3, 1), patience);
}

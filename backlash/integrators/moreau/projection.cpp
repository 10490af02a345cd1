// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/base/linear.h"
#include "backlash/integrators/moreau/workspace.h"
#include "backlash/solvers/automatic.h"

/// Projection of drift (theory 4.6): the nearest position in the metric of M where bilateral rows
/// hold and no contact is deeper than the limit. It is itself a contact problem, with errors and
/// depths in the place of velocities.
namespace backlash {
namespace {

using Index = Eigen::Index;

double energy(const System& system, const Configuration& c, const Vector& u, Matrix& scratch) {
  return system.kinetic_energy(c, u, scratch) + system.potential_energy(c);
}

/// Contacts deeper than the limit at the end position.
void find_deep_contacts(Moreau::Workspace& work, const State& state) {
  work.deep.clear();
  const double limit = work.options.penetration_limit * (1 + 1e-12);
  if (!std::isfinite(limit)) return;
  work.system.find_contacts(work.end, -limit, state.contacts, work.deep);
}

/// Errors of the bilateral rows at the end position, and the largest [m].
double write_errors(const Moreau::Workspace& work, VectorMap& errors) {
  if (errors.size() == 0) return 0;
  work.system.bilateral_errors(work.end, errors);
  double worst = 0;
  for (Index i = 0; i < errors.size(); ++i) {
    const BilateralInfo& row = work.system.info().bilaterals[static_cast<std::size_t>(i)];
    worst = std::max(worst, std::abs(errors[i]) * row.length);
  }
  return worst;
}

/// One Newton step towards the admissible positions. False if nothing is left to do.
bool correct_once(Moreau::Workspace& work, const State& state, Vector& q_end) {
  const System& system = work.system;
  const SystemInfo& info = system.info();
  const Index n = info.velocities, nb = work.bilaterals;
  Arena::Frame frame(work.scratch);
  VectorMap errors = frame.vector(nb);
  find_deep_contacts(work, state);
  const std::size_t count = work.deep.size();
  const double worst = write_errors(work, errors);
  if (worst <= work.options.drift_tolerance * info.length && count == 0) return false;

  const Index rows = nb + static_cast<Index>(count);
  MatrixMap W = frame.matrix(n, rows), mass_inverse_W = frame.matrix(n, rows);
  VectorMap w = frame.vector(rows), unused = frame.vector(3);
  W.setZero();
  ContactProblem& problem = work.drift;
  problem.blocks.clear();
  problem.free_velocity.resize(rows);
  if (nb > 0) system.bilateral_rows(work.end, W.leftCols(nb), w.head(nb));
  for (Index i = 0; i < nb; ++i) {
    problem.blocks.push_back({i, Bilateral{}});
    problem.free_velocity[i] = errors[i];
  }
  MatrixMap own = frame.matrix(n, 3);
  for (Index k = 0; k < static_cast<Index>(count); ++k) {
    const ContactFrame& deep = work.deep[static_cast<std::size_t>(k)];
    const Index m = 1 + info.contacts[static_cast<std::size_t>(deep.key.pair)].tangents;
    own.setZero();
    system.write_contact_rows(work.end, deep, own.leftCols(m), unused.head(m));
    W.col(nb + k) = own.col(0);
    problem.blocks.push_back({nb + k, Unilateral{}});
    problem.free_velocity[nb + k] = deep.gap + work.options.penetration_limit;
  }
  mass_inverse_W = W;
  for (Index j = 0; j < rows; ++j) system.solve_mass(work.middle, work.M, mass_inverse_W.col(j));
  auto& G = std::get<DenseDelassus>(problem.delassus).G;
  G.resize(rows, rows);
  G.noalias() = W.transpose() * mass_inverse_W;
  VectorBuffer& impulse = work.drift_solution.impulse;
  impulse.resize(rows);
  if (count == 0) {  // equations alone; redundant ones agree only but for second-order terms
    impulse = -errors;
    solve_rank_revealing(G, impulse, work.scratch);
  } else {
    impulse.setZero();
    solve_automatic(problem, {.tolerance = 1e-9}, work.scratch, work.drift_solution);
  }
  work.correction.noalias() = mass_inverse_W * impulse;
  work.end.q = q_end;
  system.advance(work.end.q, work.correction, 1, q_end);
  return true;
}

}  // namespace

double project_drift(Moreau::Workspace& work, const State& state, double t_end, Vector& q_end) {
  constexpr int most_corrections = 5;
  constexpr double acceptable = 1e-10;  // × model length, or what the user asked for
  work.end.t = t_end;
  double energy_before = 0;
  bool moved = false;
  for (int k = 0; k < most_corrections; ++k) {
    work.end.q = q_end;
    work.system.configure(work.end);
    if (k == 0) energy_before = energy(work.system, work.end, work.u_end, work.M_end);
    if (!correct_once(work, state, q_end)) break;
    moved = true;
  }
  if (!moved) return 0;
  work.end.q = q_end;
  work.system.configure(work.end);
  Arena::Frame frame(work.scratch);
  VectorMap errors = frame.vector(work.bilaterals);
  const double tolerance = std::max(acceptable, work.options.drift_tolerance);
  if (write_errors(work, errors) > tolerance * work.system.info().length)
    work.result.status = StepStatus::drift_not_projected;
  return energy(work.system, work.end, work.u_end, work.M_end) - energy_before;
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/base/arena.h"
#include "backlash/base/buffer.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/solvers/contact_problem.h"

/// What the parts of a Moreau step share. A step fills it from top to bottom; no entry carries
/// anything over to the next step.
namespace backlash {

/// What Moreau's steps remember in State::z behind what all remember.
struct MoreauMemory {
  Eigen::Index first = 0, bilaterals = 0;

  template <class Z>
  auto bilateral_start(
      Z& z) const {  ///< γ − ½Δt b at the start of the last step, per bilateral row
    return z.segment(first, bilaterals);
  }
  /// Of steps of equal length: the time from which they are counted [s], and how many there were.
  template <class Z>
  auto& step_origin(Z& z) const {
    return z[first + bilaterals];
  }
  template <class Z>
  auto& step_count(Z& z) const {
    return z[first + bilaterals + 1];
  }
  Eigen::Index size() const { return bilaterals + 2; }
};

/// A contact among the rows of a step.
struct ActiveContact {
  const ContactInfo* info = nullptr;
  const ContactRecord* record = nullptr;  ///< of the step before; null: it did not push
  Eigen::Index first = 0;                 ///< its first row
};

/// Contacts that share movable bodies, directly or through each other, with the velocities that
/// they act on. Islands do not feel each other in a step: each is a problem of its own
/// (theory 4.10).
struct Island {
  Eigen::Index first_contact = 0, contacts = 0;     ///< in Workspace::island_contacts
  Eigen::Index first_row = 0, rows = 0;             ///< of the step
  Eigen::Index first_velocity = 0, velocities = 0;  ///< in Workspace::island_velocities
  Eigen::Index first_entry = 0;                     ///< of its W in Workspace::W
};

struct Moreau::Workspace {
  Workspace(const System& system, const MoreauOptions& options);

  const System& system;
  MoreauOptions options;
  Memory memory;
  MoreauMemory own_memory;
  const SolverEntry& solver;
  double t_end = 0;  ///< of the step [s]
  Eigen::Index bilaterals = 0, relays = 0;
  bool has_poisson = false;
  bool has_ranges = false;  ///< clutches that slip, or preloads

  Configuration middle;              ///< at q_M, t_M
  Matrix M;                          ///< factors of M(q_M)
  Vector u_middle;                   ///< predicted velocity there
  Vector acceleration;               ///< M⁻¹h there
  Vector u_free;                     ///< end velocity without the impulses of this step
  std::vector<ContactFrame> frames;  ///< of the contacts that are closed there

  // Rows: bilateral, dry friction, then the closed contacts, island by island.
  bool separable = false;             ///< whether there may be several islands
  std::vector<ActiveContact> active;  ///< parallel to `frames`
  std::vector<Island> islands;
  std::vector<std::size_t> island_contacts;     ///< indices into `active`
  std::vector<Eigen::Index> island_velocities;  ///< indices into u
  std::vector<int> parent;                      ///< of each mass block, while islands are sought
  std::vector<int> island_of;                   ///< of each mass block
  Eigen::Index rows = 0;
  VectorBuffer W, mass_inverse_W;   ///< matrices of the islands one after the other, see W_of()
  VectorBuffer gathered[2];         ///< see on_island()
  MatrixBuffer full_rows;           ///< one contact's rows over all velocities; zero in between
  VectorBuffer w;                   ///< γ = Wᵀu + w
  VectorBuffer mobility;            ///< diagonal of G
  VectorBuffer restitution;         ///< ε of each row in ξ = γ_E + ε γ_A
  VectorBuffer relay_strength;      ///< [N, N m]
  VectorBuffer relay_displacement;  ///< of preloads, at q_M [m, rad]
  VectorBuffer relay_limit;         ///< what the solver may choose: ± this [N, N m]
  VectorBuffer relay_impulse;       ///< and this besides [N s]
  VectorBuffer gamma_before, gamma_free, gamma_after;
  VectorBuffer bilateral_start, bilateral_target;
  VectorBuffer bias;  ///< of the bilateral rows
  ContactProblem problem;
  ContactSolution solution;         ///< its impulse: of the whole step
  ContactSolution island_solution;  ///< of one island

  // Poisson's law: the impulse of the compression.
  ContactSolution compression;
  VectorBuffer extra_velocity;

  Vector u_end, q_end;
  Configuration end;  ///< at q_E, for projections
  Matrix M_end;       ///< scratch of the energy there
  Vector correction;
  ContactProblem drift;
  ContactSolution drift_solution;

  // θ-scheme.
  Matrix M_theta, dh_du, dh_dq, iteration_matrix;
  Vector h, u_theta, u_iterate, unbalance;

  std::vector<ContactFrame> deep;      ///< contacts to be projected
  std::vector<ContactRecord> records;  ///< of this step, while it is committed

  Vector switching;         ///< Memory::switching() as this step leaves it
  Vector event_conditions;  ///< at the end of the step

  Arena scratch;
  StepResult result;
};

/// The contact number k of an island.
inline std::size_t number_of(const Moreau::Workspace& work, const Island& island, Eigen::Index k) {
  return work.island_contacts[static_cast<std::size_t>(island.first_contact + k)];
}
inline const ActiveContact& contact_of(const Moreau::Workspace& work, const Island& island,
                                       Eigen::Index k) {
  return work.active[number_of(work, island, k)];
}

/// W of an island, one column a row, over its velocities; and M⁻¹W.
inline MatrixMap W_of(Moreau::Workspace& work, const Island& island) {
  return {work.W.data() + island.first_entry, island.velocities, island.rows};
}
inline MatrixMap mass_inverse_W_of(Moreau::Workspace& work, const Island& island) {
  return {work.mass_inverse_W.data() + island.first_entry, island.velocities, island.rows};
}

/// The entries of u that an island has; number 0 or 1 says where they are kept.
inline const double* on_island(Moreau::Workspace& work, const Island& island, const Vector& u,
                               int number) {
  if (!work.separable) return u.data();
  const Eigen::Index* velocity = work.island_velocities.data() + island.first_velocity;
  VectorBuffer& values = work.gathered[number];
  values.resize(island.velocities);
  for (Eigen::Index i = 0; i < island.velocities; ++i) values[i] = u[velocity[i]];
  return values.data();
}

/// Detection and rows, steps 3 and 4: which contacts are closed at the middle, which of them form
/// islands, W and w of all rows. False if a gap is not a number.
bool find_active_contacts(Moreau::Workspace& work, const State& state);
void find_islands(Moreau::Workspace& work);
void write_rows(Moreau::Workspace& work);

/// M⁻¹W of all islands, with the factors of M.
void write_mass_inverse_rows(Moreau::Workspace& work);

/// What the bilateral rows aim at: γ_E = −γ_A + target. The mid-step rule alone would let an error
/// of the start velocity alternate for ever, so a third of its alternating part is taken back
/// (theory 4.4). Needs the predicted u_middle.
void target_bilaterals(Moreau::Workspace& work, const State& state, double step);

/// False, and said in the result, if some of the values (one a velocity) are not finite.
bool accept_finite(Moreau::Workspace& work, const Vector& values);

/// Adds to the acceleration what forces of given strength did in the last step: a good guess of
/// what they do in this one (theory 4.3).
void add_last_relays(Moreau::Workspace& work, const State& state);

/// What the forces of given strength may do in this step: clutches and preloads are turned into
/// friction, with a velocity or an impulse besides that goes into gamma_free and the problem
/// (theory 4.9). Needs G and γ at the start of the step.
void limit_relay_impulses(Moreau::Workspace& work, double step);

/// Problem and solver, steps 5 and 6: impulses from u_A, u_free, W and M⁻¹W, by Newton's law and,
/// where contacts ask for it, by Poisson's. False if they were not found.
bool resolve_contacts(Moreau::Workspace& work, const State& state, double step);

/// Projection of drift at the end of the step, and the energy that it added [J]. The result says so
/// if bilateral rows that contradict each other are left open.
double project_drift(Moreau::Workspace& work, const State& state, double t_end, Vector& q_end);

/// Outcomes of the contacts, memory for the next step, and the energy ledger.
void commit_step(Moreau::Workspace& work, State& state, double step);

/// Events (theory 4.8). Before a step: what is switched on goes into the configurations; before the
/// first step of a run events happen whose time or condition has come already.
void begin_switching(Moreau::Workspace& work, const State& state);

/// After a step: the events that happened in it, and what they switch.
void commit_switching(Moreau::Workspace& work, State& state);

/// u_E by the two schemes. False where it could not be found; result.status says why.
bool step_midpoint(Moreau::Workspace& work, const State& state, double step);
bool step_theta(Moreau::Workspace& work, const State& state, double step);

}  // namespace backlash

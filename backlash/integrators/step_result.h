// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "backlash/dynamics/last_step.h"
#include "backlash/dynamics/state.h"
#include "backlash/solvers/contact_solution.h"

namespace backlash {

enum class StepStatus {
  done,
  contact_not_solved,       ///< no impulse within the tolerance was found; see `solver`
  mass_not_positive,        ///< M(q, t) is not positive definite
  not_finite,               ///< a force, gap, position or velocity became NaN or infinite
  drift_not_projected,      ///< no positions were found where all bilateral rows hold
  iteration_not_converged,  ///< the implicit equations of the θ-scheme were not solved
  tolerance_not_met,        ///< no step, however short, is accurate enough
  optimum_not_found,        ///< the optimiser found no motion that fulfils all conditions
  singular_position,  ///< the joints depend on each other, and the velocity does not say how to go
                      ///< on
  out_of_reach,       ///< steps are so short that the end of the run would never come
  would_pass          ///< bodies might pass through each other, however short the step
};

std::string_view name(StepStatus status);

/// What one closed contact did in a step. Rows: normal, then tangents. Units are those of lengths;
/// where ContactInfo::unit says rad they are rad, rad/s and N m s.
struct ContactOutcome {
  ContactKey key{};
  double gap = 0;            ///< at the middle of the step, or its end: as the method knows [m]
  double gap_before = NAN;   ///< at its start, if the method knows [m]
  double gamma_before[3]{};  ///< γ at the start of the step [m/s]
  double gamma_after[3]{};   ///< γ at its end [m/s]
  double impulse[3]{};       ///< [N s]
  double loss = 0;           ///< energy dissipated: −Λ·(γ before + γ after)/2 [J]
  ContactPoint point{};      ///< where it is, at the middle of the step
  double t = NAN;            ///< when what happened to it happened, if the method knows [s]
  ContactState before = ContactState::open;  ///< in the step before
  ContactState state = ContactState::open;   ///< in this step
  bool ends_impact = false;  ///< that began in the step before: its impulse is the impact's
};

/// Whether an open contact closed while its bodies approached each other. What is slower than this
/// is the round-off of bodies that touch.
inline bool is_impact(const ContactOutcome& outcome) {
  constexpr double slowest = 1e-12;  // [m/s]
  return outcome.state == ContactState::impact && outcome.gamma_before[0] < -slowest;
}

/// Whether what a contact does in a step is an impact's, whole or in part.
inline bool is_of_impact(const ContactOutcome& outcome) {
  return is_impact(outcome) || outcome.ends_impact;
}

/// Whether the bodies still approach at the end of the step in which they met: the impact is not
/// over, and what it did is known when they are apart or rest on each other (StepResult::settled).
inline bool is_unfinished(const ContactOutcome& impact) {
  return impact.gamma_after[0] < -1e-3 * std::abs(impact.gamma_before[0]);
}

/// Whether a contact that was open, or bounced, pushes all through this step.
inline bool begins_to_last(const ContactOutcome& outcome) {
  return !lasts(outcome.before) && lasts(outcome.state);
}

/// Impulse along the tangents: with its sign where there is one, in space the size of both [N s].
double tangential_impulse(const ContactOutcome& outcome);

/// Energy that an impact made, as some laws do where contacts have friction or act on each other.
struct ImpactGain {
  double energy = 0;  ///< of all contacts that took part together; 0: none [J]
  ContactKey key{};   ///< the contact of them that did most work
};

/// An event of the model that happened.
struct EventOutcome {
  int event = 0;  ///< index into SystemInfo::events
  double t = 0;   ///< [s]
};

/// What joints do at once when events lock them or turn their drives on (theory 4.31).
struct Percussion {
  double t = 0;  ///< [s]
  Vector q{};
  Vector switches{};       ///< after the events
  Vector velocity_jump{};  ///< u⁺ − u⁻ [m/s, rad/s]
  Vector row_impulses{};   ///< of the rows that always stand, as Memory::impulses() [N s, N m s]
  double energy = 0;       ///< that it adds [J]
};

/// The outcome of one step.
struct StepResult {
  StepStatus status = StepStatus::done;
  double t_start = 0, step = 0;          ///< [s]
  std::vector<ContactOutcome> contacts;  ///< all that were closed (gap ≤ 0) in this step
  std::vector<ContactOutcome> released;  ///< those that pushed in the step before and are apart now
  /// Contacts that still touch, but whose impact, which took more than one step, is over now: from
  /// the approach on, all that the impact did. One that is released first has that in `released`.
  std::vector<ContactOutcome> settled;
  std::vector<EventOutcome> events;  ///< what they switch, they switch for the next step
  /// What joints did at once when events held them, at the start of the step or at its end.
  std::vector<Percussion> percussions{};
  bool stop = false;  ///< an event ends the run
  ImpactGain gain{};  ///< the largest of this step
  /// What forces without potential did along the displacement of the step beside its mean velocity,
  /// by a projection above all [J].
  double work_beside_mean = 0;
  SolverStatus solver_status = SolverStatus::solved;
  double residual = 0;  ///< [m/s]
  double relative_residual = 0;
  bool fell_back = false;        ///< the chosen solver did not solve it, and auto did
  bool imprecise = false;        ///< above the solver's tolerance, where rows are nearly redundant
  bool jammed = false;           ///< contacts contradicted each other and were asked for less
  bool singular = false;         ///< near a singular position of the loops: reactions are uncertain
  bool uneven = false;           ///< its forces are off, for the step before had another length, or
                                 ///< there was none (theory 12.17)
  int iterations = 0;            ///< of the contact solver
  int order = 1;                 ///< of the method; time stepping through impacts has no more
  bool interpolated = false;     ///< ends inside of a step of the integrator
  bool stiff = false;            ///< the integrator has changed to one for stiff motions
  bool warned = false;           ///< a contact began deeper than the limit, at the shortest step
  double whole_step = 0;         ///< of the integrator, that ends here; 0: this one [s]
  std::vector<double> rejected;  ///< lengths of steps that were tried before it [s]
  long evaluations = 0;          ///< of all forces, from methods that count them
  bool knows_end_forces = false;
  LastStep end_forces;    ///< the forces at the end, if they were wanted and the method knows them
  std::string trouble{};  ///< of a step that failed, what its status does not say
  int element = -1;       ///< the velocity that is not finite, or whose force is not
  /// The item whose formula gives what is not finite, if known; of a step that is done: an event
  /// whose condition at its end is not a number, so that the run cannot go on.
  std::optional<Origin> source{};
  /// One of several contacts that from this step on hold in more ways than the motion determines.
  std::optional<ContactKey> undetermined{};
  std::optional<ContactKey> contact{};  ///< whose gap is not a number, or in question
  bool knows_forces = false;
  LastStep forces{};  ///< with which it ended, before events, if the method knows forces at times
};

/// Whether a step that ends at t reaches a time; one that steps add up to is not quite exact.
inline bool reaches(double t, double step, double due) { return t >= due - 1e-6 * step; }

}  // namespace backlash

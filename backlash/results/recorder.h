// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backlash/dynamics/last_step.h"
#include "backlash/integrators/step_result.h"
#include "backlash/results/channel.h"
#include "backlash/results/event.h"
#include "backlash/results/ledger_within.h"
#include "backlash/results/quantities.h"
#include "backlash/results/reaction_sums.h"
#include "backlash/results/run_loads.h"

namespace backlash {

/// One contact at one time of output.
struct ContactRow {
  double t = 0;         ///< [s]
  int contact = 0;      ///< as the ContactDirectory numbers them
  double gap = 0;       ///< [m], or as `unit` says
  double gamma[3]{};    ///< normal and tangents [m/s]
  double impulse[3]{};  ///< exchanged since the row before [N s]
  double force[3]{};    ///< mean since the row before, without impacts [N]; of
                        ///< methods that know it, at this time
  double peak_n = 0;    ///< largest normal force since then, as a mean of a step [N]
  double impact_n = 0;  ///< normal impulse of impacts since then [N s]
  ContactState state = ContactState::open;  ///< of the last step
  ContactPoint point;
  double parameters[2]{};  ///< of profiles: where on the curve of the first and of the second body
  GapUnit unit = GapUnit::metre;
};

/// One step, tried or taken.
struct StepRow {
  double t = 0;     ///< at its end [s]
  double step = 0;  ///< its length [s]
  bool accepted = true;
  int order = 1;        ///< of the method: 1 for Moreau's time stepping, for impacts allow no more
  int iterations = 0;   ///< of the contact solver
  double residual = 0;  ///< [m/s]
  double penetration = 0;          ///< the deepest, at the middle of the step [m]
  double angular_penetration = 0;  ///< the same of contacts whose gap is an angle [rad]
};

/// What was recorded and not yet written.
struct Recording {
  std::vector<double> states;  ///< row after row, the columns of state_channels()
  std::vector<ContactRow> contacts;
  std::vector<Event> events;
  std::vector<StepRow> steps;                 ///< only if asked for
  std::vector<RecordedContact> new_contacts;  ///< met since, in the order of their numbers
  double t_written = -INFINITY;               ///< of the last event that was written [s]

  /// Events that are known too late to be written in their order get the time of the last one.
  void keep_order();

  bool empty() const {
    return states.empty() && contacts.empty() && events.empty() && steps.empty();
  }
  void clear();
};

/// A row of the states that cannot be written.
struct NotFiniteRow {
  std::string text{};              ///< "at t = 0.2 s push.force is nan"
  std::optional<Origin> source{};  ///< the item whose formula is the cause, if known
};

/// Throw InputError naming the option that makes no sense for that system.
void validate(const RecorderOptions& options, const SystemInfo& info);

/// Watches a run and keeps what the user wants to see: states and contacts at regular times, and
/// every event. Of the contacts those have a row that are near (SystemInfo::reach), and those that
/// pushed since the row before.
class Recorder {
 public:
  /// The first row is the start.
  Recorder(const System& system, const State& start, const RecorderOptions& options);

  void observe(const State& state, const StepResult& result);

  /// A step that failed.
  void observe_failure(const StepResult& result);

  /// A last row for a run that ends between two times of output.
  void finish(const State& state);

  /// What was recorded and not yet written; who writes it clears it.
  Recording& recording() { return recording_; }

  /// The first row with a number of the mechanism that is not finite.
  const std::optional<NotFiniteRow>& not_finite() const { return not_finite_; }

  /// The largest loads so far; those of joints up to the last row.
  RunLoads loads() const { return loads_.loads(); }

  /// Quantities of the model that were not defined in some row so far.
  std::vector<UndefinedQuantity> undefined_quantities() const { return quantities_.undefined(); }

  /// When the next row is due [s]; −∞: after every step.
  double due() const { return due_; }

  /// Times of output so far, the start among them.
  long rows() const { return rows_; }

  /// What it remembers of the run, at a time when all that was recorded has been written. A
  /// recorder of the same run that restores it, with the state that the run goes on from, goes on
  /// as this one; what is known of contacts it records anew. Throws InputError for what another run
  /// saved.
  std::string save() const;
  void restore(const std::string& bytes, const State& state);

 private:
  void archive(Archive& a);
  /// What a contact did since the last row.
  struct Exchange {
    ContactKey key{};
    double impulse[3]{};                      ///< [N s]
    double lasting[3]{};                      ///< the part of it that is no impact's [N s]
    double peak_n = 0;                        ///< [N]
    double impact_n = 0;                      ///< [N s]
    ContactState state = ContactState::open;  ///< of the last step
    double gap = 0;                           ///< when it last counted [m, rad]
    std::array<double, 3> p_W{}, n_W{};       ///< where that was [m], and its normal

    void archive(Archive& a) { a(key, impulse, lasting, peak_n, impact_n, state, gap, p_W, n_W); }
  };

  /// Throws InputError that says why a step cannot be recorded.
  void refuse(const State& state, const StepResult& result) const;
  /// A row for a state in, or at the end of, the last step; `result`: of that step, if it is known.
  void record(const State& state, const StepResult* result);
  bool went_by_its_middle(const State& end, double step);
  void record_between(const State& end, const StepResult& result);
  void record_points(const State& state);
  /// `end_forces`: the forces at the state, if they are known.
  void record_outputs(const State& state, const LastStep* end_forces);
  void record_energies(const State& state);
  EnergyLedger ledger_of(const State& state);
  void record_contacts(const State& state, const LastStep* end_forces);
  void record_contact(const ContactFrame& frame, const ContactVelocity& gamma,
                      const LastStep* end_forces);
  void look_for_not_finite(const State& state, std::span<const double> row);
  void look_back(const State& state, const StepResult& result);
  void add_part(const StepResult& result, double from, double to);
  void add_exchange(const StepResult& result, const StepPart& part);
  void note_settling(const StepResult& result);
  void set_reactions(const StepResult& result);
  void note_new_contacts();
  /// The next row is the first multiple of the interval after t.
  void set_due(double t);

  const System& system_;
  RecorderOptions options_;
  double start_;  ///< [s]
  EnergyLedger start_energy_;
  long rows_ = 0;
  double due_ = -INFINITY;  ///< time of the next row [s]
  double last_t_ = 0;       ///< of the last row [s]
  ContactDirectory directory_;
  EventFinder events_;
  std::size_t known_contacts_ = 0;   ///< of the directory, that a recording has
  std::vector<Exchange> exchanged_;  ///< since the last row, in ascending order of the keys
  /// Contacts whose bounces have ended in this step, or in it or the one before: no peaks, for what
  /// was left of their velocity is a larger force the shorter the step is, and the gap that was
  /// left closes in the next one.
  std::vector<ContactKey> landed_, settling_;
  double elapsed_ = 0;      ///< in steps since then [s]
  ReactionSums reactions_;  ///< of joints, since then
  LoadWatch loads_;
  QuantityColumns quantities_;
  bool has_all_ = true;      ///< a row has all that was exchanged
  bool looks_back_ = false;  ///< some output needs the state before
  State before_;             ///< t, q, u and z before the last step, if it is needed
  State now_;
  Vector u_end_;                   ///< of the step, before what events did there
  double switched_at_start_ = 0;   ///< energy that events added there, beside forces [J]
  State between_;                  ///< of a row within a step
  PartOfStep within_{.share = 1};  ///< that had passed by then
  Vector middle_[2];               ///< of a step, from its start and from its end
  Recording recording_;
  std::optional<NotFiniteRow> not_finite_;

  // Room to work in, so that rows cost no allocation.
  LastStep last_;
  Configuration here_;         ///< of the row
  Configuration before_here_;  ///< of the state before the last step, if there are points
  std::vector<BodyMotion> bodies_, bodies_before_;
  double bodies_t_ = NAN, bodies_before_t_ = NAN;  ///< when they were there [s]
  std::vector<ContactFrame> frames_;
  std::vector<ContactFrame> gone_;  ///< that pushed since the last row and have no place now
  std::vector<ContactVelocity> velocities_;
  Vector outputs_;
};

}  // namespace backlash

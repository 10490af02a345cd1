// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "backlash/dynamics/last_step.h"
#include "backlash/dynamics/state.h"
#include "backlash/integrators/compliant/compliant_options.h"
#include "backlash/integrators/compliant/contact_sample.h"
#include "backlash/integrators/compliant/loop_reactions.h"
#include "backlash/integrators/friction_loads.h"
#include "backlash/integrators/passing.h"

namespace backlash {

/// How a contact is a force. It stays so until an event, so that the motion between events is
/// smooth (theory 10.2).
struct ContactMode {
  double entry_rate = 0;  ///< δ̇⁻ that the law knows [m/s]
  double onset_rate = 0;  ///< at which the bodies met [m/s]
  bool clamped = false;   ///< the law would pull: no force
};

/// A contact that is a force now.
struct ContactInForce {
  ContactKey key{};
  const ContactInfo* info = nullptr;
  ContactMode mode{};
  Eigen::Index slot = 0;  ///< of its friction's state in y, and of its integrals
};

/// How a mechanism moves between events: the rates of y = positions, velocities and states of
/// friction; and the integrand of impulses and works, on whose integrals nothing else depends
/// (theory 10.1).
class SmoothDynamics {
 public:
  SmoothDynamics(const System& system, const CompliantOptions& options);

  Eigen::Index size() const { return friction_ + friction_slots_; }  ///< of y
  Eigen::Index positions() const { return positions_; }
  Eigen::Index velocities() const { return velocities_; }
  const System& system() const { return system_; }
  const Memory& memory() const { return memory_; }

  /// y at a state; contacts in force and switches as the state remembers them.
  void begin(const State& state, Vector& y);

  /// The state at t, where y says, after what the integrals have gained since the state.
  void commit(double t, const Vector& y, const Vector& gained, State& state);

  /// What a projection did [J].
  struct Projection {
    double energy = 0;        ///< that it added
    double applied_work = 0;  ///< of forces without potential along its displacement
  };

  /// Moves positions and velocities to where the bilateral rows hold. False if they hold well
  /// enough.
  bool project(double t, Vector& y, Projection& done);

  /// What became of ẏ.
  enum class Outcome {
    done,
    too_deep,  ///< a contact that is not in force is deeper than the limit
    mass_not_positive,
    not_finite,
    singular_position,
    friction_not_found  ///< no loads of joints agree with the friction that they make
  };
  /// ẏ, and the integrand there.
  Outcome write_rates(double t, const double* y, double* rates);
  const Vector& integrand() const { return integrand_; }
  Eigen::Index standing_rows() const { return relay_work_; }  ///< whose forces it begins with

  /// Integrals of one contact, in a vector of all.
  struct ContactIntegrals {
    std::array<double, 3> impulse{};  ///< ∫λ dt: normal, tangents [N s]
    double normal_work = 0;           ///< ∫λ_N γ_N dt [J]
    double friction_work = 0;         ///< ∫λ_T γ_T dt [J]
  };
  ContactIntegrals integrals(const ContactInForce& contact, const Vector& all) const;
  /// Where they are in it: the first, and how many.
  std::pair<Eigen::Index, Eigen::Index> place_of_integrals(const ContactInForce& contact) const;

  /// The contacts that are at most `reach` apart [m].
  void sample_contacts(double t, const double* y, double reach, ContactSample& sample);
  /// One contact.
  ContactMotion contact_motion(double t, const double* y, const ContactKey& key);
  /// What its normal moves [kg]: 1/(WᵀM⁻¹W), as if no joint closed a loop.
  double felt_mass(double t, const double* y, const ContactKey& key);
  /// The values of the events' conditions (theory 4.8), zero for those with a time.
  const Vector& event_conditions(double t, const double* y);

  /// The velocity that no point of a body exceeds, as far as bodies are known; else infinite [m/s].
  double greatest_speed(double t, const double* y);

  /// How far bodies may go in a step at this velocity, if they may pass through each other in it.
  double passing_travel(double t, const double* y, double step);
  /// How much of a step from t that has been tried may be kept, so that none do but where a contact
  /// is in force; at(time, y) writes y into its vector (theory 10.15).
  double safe_step(double t, double step, double travel,
                   const std::function<void(double, Vector&)>& at);
  void reserve_passing(std::size_t contacts) { passing_.reserve(contacts, c_.q.size()); }

  /// The forces at t as the outputs want them.
  const LastStep& end_forces(double t, const double* y);
  /// Those of the last evaluation, which was at t but for round-off in y.
  void write_last_forces(double t, const double* y, LastStep& forces);

  /// The contacts in force, in ascending order of their keys.
  std::span<const ContactInForce> in_force() const { return in_force_; }
  const ContactInForce* find(const ContactKey& key) const;  ///< null: it is not in force
  /// Puts a contact into force, with unbent bristles, or back into force in another mode. y may
  /// become longer, for the state of its friction.
  void put_into_force(const ContactKey& key, const ContactMode& mode, Vector& y);
  void set_clamped(const ContactKey& key, bool clamped);
  void release(const ContactKey& key, Vector& y);
  /// The state of its friction; 0: it has none [m].
  double friction_state(const ContactInForce& contact, const Vector& y) const {
    return has_friction_states_ ? y[friction_ + contact.slot] : 0;
  }
  /// Whether friction has a state, in some contact that may come into force.
  bool has_friction_states() const { return has_friction_states_; }
  /// Whether an entry of y is at present part of the motion: not the state of a friction that no
  /// contact has.
  bool counts(Eigen::Index i) const { return i < friction_ || slot_taken_[at(i - friction_)]; }

  /// In the memory of the state's contacts, which are where `now` has them.
  void remember_modes(State& state, const ContactSample& now);
  /// What is remembered of contacts, for Systems that track them: the records of the state, and
  /// places on curves that are near, so that they keep their names in the next step.
  void set_remembered(std::span<const ContactRecord> records, const ContactSample& now);
  void set_switches(const Vector& switches) { c_.switches = switches; }
  /// The rows that hold have changed.
  void restart_reactions(double t, const Vector& y);
  void set_measured(const Vector& measured) { c_.measured = measured; }
  const Configuration& configuration() const { return c_; }
  const LoopReactions& reactions() const { return reactions_; }

  /// Contacts that are not in force push too, down to this depth [m]; 0: they do not.
  double live_depth = 0;
  /// Where laws begin to pull, a step is cut: up to there they are smooth, and not clamped.
  bool located = true;
  /// A step this short may find contacts deeper than live_depth [s].
  double min_step = 0;
  /// Velocity that is not finite, or whose force is not, after Outcome::not_finite.
  int element() const { return element_; }
  /// And the item of the model that it comes from, if that is known.
  const std::optional<Origin>& source() const { return source_; }
  void forget_source() { source_.reset(); }

 private:
  void place(double t, const double* y);
  Outcome add_contacts(const double* y, double* rates);
  void add_contact(const ContactFrame& frame, const ContactInForce* contact, const double* y,
                   double* rates);
  void add_relays();
  void add_relay(Eigen::Index i, double force);
  bool is_found(Eigen::Index i) const;
  Outcome solve_mass();
  Outcome solve_with_loads();
  void write_forces(LastStep& forces) const;
  double position_error() const;
  void make_room(std::size_t slots);

  const System& system_;
  Smoothing smoothing_;
  double position_tolerance_, speed_tolerance_;
  Memory memory_;
  Eigen::Index positions_, velocities_, bilaterals_, relays_;
  Eigen::Index friction_;            ///< where the states of friction begin in y
  Eigen::Index friction_slots_ = 0;  ///< how many there is room for
  bool has_friction_states_ = false;
  Eigen::Index relay_work_, contact_work_, bilateral_work_, applied_work_,
      contacts_;  ///< where these begin among the integrals, after the impulses of standing rows
  std::vector<ContactInForce> in_force_;
  std::vector<bool> slot_taken_;
  std::vector<ContactRecord> remembered_;  ///< of the state, and places that are near
  int element_ = -1;
  std::optional<Origin> source_{};

  Configuration c_;
  Vector u_, acceleration_;
  Matrix M_, M_end_;
  std::vector<ContactFrame> frames_;
  std::vector<ContactForce> forces_;  ///< of the last evaluation
  Matrix rows_;
  Vector row_rate_;
  Matrix relay_W_;
  Vector relay_w_, relay_limit_, relay_x_, conditions_;
  Vector relay_rate_;                   ///< Wᵀu
  Vector constant_force_, load_share_;  ///< of a relay: without load, and what a load of 1 adds
  FrictionLoads loads_;
  Vector free_force_;  ///< what no load makes
  LoopReactions reactions_;
  LoopRows rows_at_end_;  ///< of a projection
  Vector multiplier_;
  Vector integrand_, rates_;
  std::vector<BodyMotion> bodies_;
  PassingScratch passing_;
  TriedMotion tried_;
  Vector y_tried_;
  Vector q_from_, q_to_;  ///< of a projection
  LastStep end_forces_;
};

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "backlash/dynamics/last_step.h"
#include "backlash/dynamics/state.h"
#include "backlash/integrators/compliant/compliant_options.h"

namespace backlash {

/// Whether a contact is a force now. It stays so until an event, so that the motion between events
/// is smooth (theory 10.2).
struct ContactMode {
  bool in_force = false;
  bool clamped = false;   ///< the law would pull: no force
  double entry_rate = 0;  ///< δ̇⁻ [m/s]
};

/// How a mechanism moves between events: the rates of all that the compliant method integrates, as
/// one vector y: positions, velocities, states of friction, and integrals over time (impulses and
/// works), of which nothing else depends (theory 10.1).
class SmoothDynamics {
 public:
  SmoothDynamics(const System& system, const CompliantOptions& options);

  Eigen::Index size() const { return size_; }
  Eigen::Index positions() const { return positions_; }
  Eigen::Index velocities() const { return velocities_; }
  /// Those before this one are positions, velocities and states of friction.
  Eigen::Index first_integral() const { return first_integral_; }
  const System& system() const { return system_; }
  const Memory& memory() const { return memory_; }

  /// y at a state, with integrals from zero; modes and switches as the state remembers them.
  void begin(const State& state, Vector& y);

  /// The state at t, where y says; its memory gets what the integrals gained since `before`.
  void conclude(double t, const Vector& y, const Vector& before, State& state);

  /// ∫λ_Nγ_N dt and ∫λ_Tγ_T dt of each contact, over what the last conclude() told of [J].
  const Vector& normal_work_gained() const { return normal_gained_; }
  const Vector& friction_work_gained() const { return friction_gained_; }

  /// Whether some friction has a state.
  bool has_friction_states() const;
  /// A contact begins with unbent bristles.
  void forget_friction(int contact, Vector& y) const { y[friction_ + contact] = 0; }

  /// Moves positions and velocities to where the bilateral rows hold, and tells the energy that
  /// this added [J]. False if they hold well enough.
  bool project(double t, Vector& y, double& added);

  /// What became of ẏ.
  enum class Outcome {
    done,
    too_deep,  ///< a contact that is not in force is deeper than the limit
    mass_not_positive,
    not_finite
  };
  Outcome write_rates(double t, const double* y, double* rates);

  /// Gaps and velocities of these contacts, and of all; valid until the next call.
  std::span<const ContactMotion> look(double t, const double* y, std::span<const int> contacts);
  std::span<const ContactMotion> look(double t, const double* y);

  /// Values of the events' conditions (theory 4.8), zero for those with a time.
  const Vector& event_conditions(double t, const double* y);

  /// The forces at t as the outputs want them.
  const LastStep& end_forces(double t, const double* y);

  std::span<const ContactMode> modes() const { return modes_; }
  void set_mode(int contact, const ContactMode& mode);
  void remember_modes(Vector& z) const;  ///< in the memory of a state
  void set_switches(const Vector& switches) { c_.switches = switches; }
  const Configuration& configuration() const { return c_; }

  /// Contacts that are not in force push too, down to this depth [m]; 0: they do not.
  double live_depth = 0;
  /// Where laws begin to pull, a step is cut: up to there they are smooth, and not clamped.
  bool located = true;
  /// A step this short may find contacts deeper than live_depth [s].
  double min_step = 0;
  /// Velocity that is not finite, or whose force is not, after Outcome::not_finite.
  int element() const { return element_; }

 private:
  void place(double t, const double* y);
  Outcome add_contacts(const double* y, double* rates);
  void add_contact(int contact, const ContactMotion& motion, const double* y, double* rates);
  void add_relays(double* rates);
  void add_bilaterals(double* rates);
  double position_error() const;

  const System& system_;
  Stabilisation stabilisation_;
  Smoothing smoothing_;
  double position_tolerance_, speed_tolerance_;
  Memory memory_;
  Eigen::Index positions_, velocities_, contacts_, bilaterals_, relays_;
  Eigen::Index friction_, first_integral_, impulses_, contact_work_, normal_work_, friction_work_,
      relay_work_, others_, size_;
  std::vector<int> all_, active_;
  std::vector<ContactMode> modes_;
  int element_ = -1;

  Configuration c_;
  Vector u_, acceleration_;
  Matrix M_;
  std::vector<ContactMotion> motions_;
  Matrix rows_;
  Vector row_rate_;
  Matrix W_, mass_inverse_W_, G_, relay_W_;
  Vector w_, bias_, error_, multiplier_, relay_w_, relay_limit_, relay_x_, conditions_;
  Vector rates_, normal_gained_, friction_gained_;
  Vector q_from_, q_to_;  ///< of a projection
  LastStep end_forces_;
};

}  // namespace backlash

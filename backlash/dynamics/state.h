// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/types.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// What a contact did in the last step.
enum class ContactState {
  open,    ///< no impulse
  stick,   ///< pushes, and does not slide
  slip,    ///< pushes and slides (also: pushes without friction)
  impact,  ///< pushes, and was open in the step before
};

std::string_view name(ContactState state);

/// All that changes. Saving it is saving the run: continued from there, it goes on to the same
/// bits.
struct State {
  double t = 0;  ///< [s]
  Vector q;      ///< positions [m, rad]
  Vector u;      ///< velocities [m/s, rad/s]
  Vector z;      ///< what else a step carries on, laid out by Memory; empty: nothing yet
};

/// Where things are in State::z. One entry a contact unless said otherwise.
class Memory {
 public:
  explicit Memory(const SystemInfo& info);

  Eigen::Index size() const { return size_; }

  /// Impulses of the last step [N s]: bilateral rows, dry friction, then the rows of all contacts.
  /// The next step's solver starts from them.
  template <class Z>
  auto impulses(Z& z) const {
    return z.segment(0, rows_);
  }
  Eigen::Index impulses_size() const { return rows_; }
  Eigen::Index first_relay_row() const { return bilaterals_; }
  Eigen::Index first_row(int contact) const {
    return first_row_[static_cast<std::size_t>(contact)];
  }

  template <class Z>
  auto states(Z& z) const {  ///< ContactState of the last step, as a number
    return of_contacts(z, 0);
  }
  template <class Z>
  auto gaps(Z& z) const {  ///< at the middle of the last step [m]
    return of_contacts(z, 1);
  }
  template <class Z>
  auto contact_work(Z& z) const {  ///< done on the mechanism so far [J]
    return of_contacts(z, 2);
  }
  template <class Z>
  auto contact_loss(Z& z) const {  ///< dissipated so far: −∫ γ dP [J]
    return of_contacts(z, 3);
  }
  template <class Z>
  auto impact_loss(Z& z) const {  ///< the part of it that impacts took [J]
    return of_contacts(z, 4);
  }
  template <class Z>
  auto entry_rate(Z& z) const {  ///< δ̇⁻ of a compliant contact that is in force, else 0 [m/s]
    return of_contacts(z, 5);
  }
  template <class Z>
  auto friction_state(Z& z) const {  ///< of a compliant contact [m]
    return of_contacts(z, 6);
  }
  /// Of a compliant contact: δ̇ when it came into force [m/s], and since then impulses [N s] and
  /// energy lost [J].
  template <class Z>
  auto phase_entry_rate(Z& z) const {
    return of_contacts(z, 7);
  }
  template <class Z>
  auto phase_normal_impulse(Z& z) const {
    return of_contacts(z, 8);
  }
  template <class Z>
  auto phase_tangential_impulse(Z& z) const {
    return of_contacts(z, 9);
  }
  template <class Z>
  auto phase_loss(Z& z) const {
    return of_contacts(z, 10);
  }
  template <class Z>
  auto bilateral_start(Z& z) const {  ///< γ − ½Δt b at the start of the last step, a bilateral row
    return z.segment(rows_ + contact_entries_ * contacts_, bilaterals_);
  }
  template <class Z>
  auto relay_work(Z& z) const {  ///< done on the mechanism so far, a dry-friction row [J]
    return z.segment(rows_ + contact_entries_ * contacts_ + bilaterals_, relays_);
  }
  /// All that events turn and remember: switches, values of the events' conditions at the end of
  /// the last step, how often each event has happened, and the energy of switching.
  template <class Z>
  auto switching(Z& z) const {
    return z.segment(switching_, switches_ + 2 * events_ + 1);
  }
  template <class Z>
  auto last_switches(Z& z) const {  ///< as they were in the last step
    return z.segment(switching_ - switches_, switches_);
  }
  template <class Z>
  auto switches(Z& z) const {  ///< 1: on, 0: off
    return z.segment(switching_, switches_);
  }
  template <class Z>
  auto& switching_energy(Z& z) const {  ///< that switching forces on and off added so far [J]
    return z[size_ - 5];
  }
  template <class Z>
  auto& bilateral_work(Z& z) const {  ///< of drives and moving joints so far [J]
    return z[size_ - 4];
  }
  template <class Z>
  auto& applied_work(Z& z) const {  ///< of forces without potential so far [J]
    return z[size_ - 3];
  }
  template <class Z>
  auto& projection_energy(Z& z) const {  ///< that projections of drift added so far [J]
    return z[size_ - 2];
  }
  template <class Z>
  auto& last_step(Z& z) const {  ///< Δt of the last step [s]; 0: there was none
    return z[size_ - 1];
  }

 private:
  static constexpr Eigen::Index contact_entries_ = 11;

  /// Entry number k of all contacts.
  template <class Z>
  auto of_contacts(Z& z, Eigen::Index k) const {
    return z.segment(rows_ + k * contacts_, contacts_);
  }

  Eigen::Index rows_ = 0, contacts_ = 0, bilaterals_ = 0, relays_ = 0;
  Eigen::Index switches_ = 0, events_ = 0, switching_ = 0, size_ = 0;
  std::vector<Eigen::Index> first_row_;
};

/// The memory of a run that has not begun.
Vector initial_memory(const SystemInfo& info);

/// The configuration of a state, with what is switched on in it.
Configuration configuration(const System& system, const State& state);

/// The same for a configuration of that System that is there already, without allocation.
void set_configuration(const System& system, const Memory& memory, const State& state,
                       Configuration& c);

/// A state that remembers nothing. Throws InputError for sizes that do not fit and numbers not
/// finite.
State initial_state(const System& system, double t, const VectorView& q, const VectorView& u);

}  // namespace backlash

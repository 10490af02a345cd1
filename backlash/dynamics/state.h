// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "backlash/base/types.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// All that changes. Saving it is saving the run: continued from there, it goes on to the same
/// bits.
struct State {
  double t = 0;  ///< [s]
  Vector q;      ///< positions [m, rad]
  Vector u;      ///< velocities [m/s, rad/s]
  Vector z{};    ///< what else a step carries on: see Memory; empty: nothing yet
  std::vector<ContactRecord> contacts{};    ///< and of contacts, in ascending order of their keys
  std::vector<ProfileTracking> tracking{};  ///< of each configuration that a step searches in
};

/// For as long as it lives, searches in these configurations follow what the state tracks; then
/// what they have found is the state's.
template <std::size_t N>
class TrackedSearches {
 public:
  TrackedSearches(State& state, const std::array<Configuration*, N>& searched)
      : state_(state), searched_(searched) {
    if (!state_.tracking.empty()) exchange();
  }
  ~TrackedSearches() {
    const auto tracks = [](const Configuration* c) { return !c->search.profiles.empty(); };
    if (std::ranges::any_of(searched_, tracks)) exchange();
  }
  TrackedSearches(const TrackedSearches&) = delete;
  TrackedSearches& operator=(const TrackedSearches&) = delete;

 private:
  void exchange() {
    state_.tracking.resize(N);
    for (std::size_t i = 0; i < N; ++i) searched_[i]->search.profiles.swap(state_.tracking[i]);
  }

  State& state_;
  std::array<Configuration*, N> searched_;
};

/// Throw InputError unless sizes fit, all numbers are finite and the memory, if there is any yet,
/// is one of such a system.
void validate(const State& state, const SystemInfo& info);

/// The sum of a vector, two numbers at a time.
inline double quick_sum(const Vector& v) {
  const double* const x = v.data();
  const Eigen::Index n = v.size();
  double even = 0, odd = 0;
  Eigen::Index i = 0;
  for (; i + 1 < n; i += 2) {
    even += x[i];
    odd += x[i + 1];
  }
  return i < n ? even + odd + x[i] : even + odd;
}

/// Whether positions, velocities, memory and impulses are finite. Cheap enough for every step: a
/// sum is finite if its terms are, which are far from overflow (largest_speed).
inline bool is_finite(const State& state) {
  double sum = quick_sum(state.q) + quick_sum(state.u) + quick_sum(state.z);
  for (const ContactRecord& record : state.contacts)
    for (const double x : record.impulse) sum += x;
  return std::isfinite(sum);
}

/// What is remembered of a contact; null: nothing.
const ContactRecord* find_record(std::span<const ContactRecord> records, const ContactKey& key);

/// Where things are in State::z that every integrator has. What an integrator has besides follows,
/// from size() on.
class Memory {
 public:
  Memory() = default;
  explicit Memory(const SystemInfo& info);

  Eigen::Index size() const { return size_; }

  /// Impulses of the last step [N s] of the rows that always stand: bilateral ones, then relays.
  /// The next step's solver starts from them.
  template <class Z>
  auto impulses(Z& z) const {
    return z.segment(0, rows());
  }
  Eigen::Index rows() const { return bilaterals_ + relays_; }
  Eigen::Index first_relay_row() const { return bilaterals_; }

  template <class Z>
  auto relay_work(Z& z) const {  ///< done on the mechanism so far, one entry per relay [J]
    return z.segment(rows(), relays_);
  }
  template <class Z>
  auto last_switches(Z& z) const {  ///< as they were in the last step
    return z.segment(rows() + relays_, switches_);
  }
  /// All that events turn and remember: switches, values of the events' conditions at the end of
  /// the last step, how often each event has happened, and the energy of switching.
  template <class Z>
  auto switching(Z& z) const {
    return z.segment(switching_, switches_ + 2 * events_ + 1);
  }
  template <class Z>
  auto switches(Z& z) const {  ///< 1: on, 0: off
    return z.segment(switching_, switches_);
  }
  template <class Z>
  auto& switching_energy(Z& z) const {  ///< that switching forces on and off added so far [J]
    return z[size_ - 8];
  }
  template <class Z>
  auto& bilateral_work(Z& z) const {  ///< −Λ·w̃ of drives and moving joints so far [J]
    return z[size_ - 7];
  }
  template <class Z>
  auto& applied_work(Z& z) const {  ///< of forces without potential so far [J]
    return z[size_ - 6];
  }
  template <class Z>
  auto& projection_energy(Z& z) const {  ///< that projections of drift added so far [J]
    return z[size_ - 5];
  }
  template <class Z>
  auto& contact_work(Z& z) const {  ///< of all contacts on the mechanism so far [J]
    return z[size_ - 4];
  }
  template <class Z>
  auto& contact_loss(Z& z) const {  ///< dissipated in contacts so far: −∫ γ dP [J]
    return z[size_ - 3];
  }
  template <class Z>
  auto& impact_loss(Z& z) const {  ///< the part of it that impacts took [J]
    return z[size_ - 2];
  }
  template <class Z>
  auto& last_step(Z& z) const {  ///< Δt of the last step [s]; 0: there was none
    return z[size_ - 1];
  }

 private:
  Eigen::Index bilaterals_ = 0, relays_ = 0, switches_ = 0, events_ = 0;
  Eigen::Index switching_ = 0, size_ = 0;
};

/// The memory of a run that has not begun.
Vector initial_memory(const SystemInfo& info);

/// Speeds beyond it count as infinite [m/s, rad/s]: their energy, which the memory has, may be.
inline constexpr double largest_speed = 1e100;

/// Gives a state that has none yet the memory of a run that has not begun, with `own` zeros behind
/// it for the integrator. Throws InputError if it has another size.
void prepare_memory(const SystemInfo& info, Eigen::Index own, State& state);

/// The configuration of a state, with what is switched on in it.
Configuration configuration(const System& system, const State& state);

/// The same for a configuration of that System that is there already, without allocation.
void set_configuration(const System& system, const Memory& memory, const State& state,
                       Configuration& c);

/// A state that remembers nothing. Throws InputError for sizes that do not fit and numbers not
/// finite.
State initial_state(const System& system, double t, const VectorView& q, const VectorView& u);

}  // namespace backlash

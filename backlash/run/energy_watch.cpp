// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/energy_watch.h"

#include <algorithm>
#include <cmath>

namespace backlash {

namespace {

using Index = Eigen::Index;

/// 1 for angles, 1 / the model's size for lengths.
Vector scale_of(const SystemInfo& info) {
  Vector scale = Vector::Constant(info.velocities, 1 / info.length);
  for (Index i = 0; i < scale.size(); ++i)
    if (static_cast<std::size_t>(i) < info.angular.size() &&
        info.angular[static_cast<std::size_t>(i)])
      scale[i] = 1;
  return scale;
}

/// Of a motion so slow that the mechanism is at rest [J].
double energy_of_rest(const System& system, const Configuration& c, const Vector& scale) {
  constexpr double slow = 1e-4;  // [1/s], of the model's size
  return system.kinetic_energy(c, slow * scale.cwiseInverse());
}

/// Ten times what the forces at the start do on the way that contacts may be deep (theory 4.12): as
/// a tenth of the energy at hand, that is no failure. None without contacts: beside a pole of a
/// formula that force is beyond all that the motion has [J].
double energy_of_depth(const System& system, const Configuration& c, const Vector& u,
                       const Vector& scale) {
  constexpr double depth = 10 * 2e-7;  // of the model's size
  if (system.info().contacts.empty()) return 0;
  Vector h = Vector::Zero(u.size());
  system.force(c, u, h);
  return depth * h.cwiseAbs().cwiseQuotient(scale).sum();
}

/// What the forces at the start make from rest, as kinetic energy per square of the time [J/s²]: ½
/// hᵀM⁻¹h (theory 4.21).
double energy_of_fall(const System& system, const Configuration& c, const Vector& u) {
  Vector h = Vector::Zero(u.size());
  system.force(c, u, h);
  Matrix factors;
  if (!system.factor_mass(c, factors)) return 0;
  Vector a = h;
  system.solve_mass(c, factors, a);
  return std::max(0.0, 0.5 * h.dot(a));
}

/// Steps in which what begins a hair above its support lands on it.
constexpr long first_landings = 16;

/// Works on the mechanism so far, by where they come from: contacts dissipate and surfaces move,
/// drives, forces, switching, then each relay but preloads, whose energy is a potential.
constexpr Index kinds_of_work = 5;

template <class Add>
void for_each_work(const SystemInfo& info, const Memory& memory, const Vector& z, Add&& add) {
  const double loss = memory.contact_loss(z);
  add(0, -loss);
  add(1, memory.contact_work(z) + loss);
  add(2, memory.bilateral_work(z));
  add(3, memory.applied_work(z));
  add(4, memory.switching_energy(z));
  const auto relays = memory.relay_work(z);
  for (Index i = 0; i < relays.size(); ++i)
    if (info.relays[static_cast<std::size_t>(i)].law != RelayLaw::preload)
      add(kinds_of_work + i, relays[i]);
}

}  // namespace

EnergyWatch::EnergyWatch(const System& system, const State& start, double limit)
    : system_(system),
      memory_(system.info()),
      c_(configuration(system, start)),
      scale_(scale_of(system.info())),
      u_seen_(start.u),
      work_(Vector::Zero(kinds_of_work + static_cast<Index>(system.info().relays.size()))),
      calm_{c_.t, c_.q, start.u, c_.switches},
      start_(energy_ledger(system, start)),
      limit_(limit),
      least_(std::max(energy_of_rest(system, c_, scale_),
                      energy_of_depth(system, c_, start.u, scale_))),
      fall_(energy_of_fall(system, c_, start.u)),
      t_(start.t),
      kinetic_(start_.kinetic) {
  if (start.z.size() > 0)
    for_each_work(system.info(), memory_, start.z,
                  [&](Index kind, double work) { work_[kind] = work; });
}

/// What went through in the step, in either direction.
void EnergyWatch::add_flow(const State& state) {
  for_each_work(system_.info(), memory_, state.z, [&](Index kind, double work) {
    const double change = work - work_[kind];
    flow_ += std::abs(change);
    received_ += change;
    work_[kind] = work;
  });
}

/// Whether the velocity has changed by a part of the largest so far, or the position by a part of
/// the model's size.
bool EnergyWatch::has_changed(const State& state) {
  constexpr double part = 1.0 / 32;
  double speed = 0, change = 0;
  for (Index i = 0; i < scale_.size(); ++i) {
    speed = std::max(speed, scale_[i] * std::abs(state.u[i]));
    change = std::max(change, scale_[i] * std::abs(state.u[i] - u_seen_[i]));
  }
  way_ += speed * (state.t - t_);
  t_ = state.t;
  fastest_ = std::max(fastest_, speed);
  return !(change <= part * fastest_ && way_ <= part);
}

bool EnergyWatch::accepts(const State& state) {
  if (++steps_ == 1) landings_ = 100 * fall_ * (state.t - t_) * (state.t - t_);
  add_flow(state);
  if (at_hand() > least_) ++moving_;
  const bool changed = has_changed(state);
  return !(changed || steps_ <= first_landings) || accepts_now(state);
}

bool EnergyWatch::accepts_now(const State& state) {
  constexpr long first_steps = 256;
  constexpr double hardly_anything = 1e-2;  // of the energy at hand
  set_configuration(system_, memory_, state, c_);
  const EnergyLedger now = energy_ledger(system_, c_, memory_, state);
  u_seen_ = state.u;
  way_ = 0;
  kinetic_ = std::max(kinetic_, now.kinetic);
  potential_ = std::max(potential_, std::abs(now.potential - start_.potential));
  const double made = made_by_method(start_, now);
  if (std::abs(made) <= hardly_anything * at_hand()) {
    calm_.t = c_.t;
    calm_.q = c_.q;
    calm_.u = state.u;
    calm_.switches = c_.switches;
  }
  const double sound = at_hand() - 2 * std::abs(made);
  if (sound > std::max(least_, 2 * begun_)) {
    begun_ = sound;
    moving_ = 0;
  }
  if (steps_ <= first_landings && !state.contacts.empty())
    least_ = std::max(least_, std::min(20 * std::abs(made), landings_));
  if (std::isfinite(made) && std::abs(made) <= limit_ * at_hand()) return true;
  // The first steps from rest, at the start or when a latch lets go, are inaccurate in any method,
  // also beside a motion that has less than half of their energy; those that explode make most of
  // it.
  return moving_ < first_steps && std::isfinite(made) && made < 0.5 * at_hand();
}

/// What goes through comes in and goes out again: the larger part of both (theory 4.21).
double EnergyWatch::at_hand() const {
  return std::max(kinetic_ + potential_ + (flow_ + std::abs(received_)) / 2, least_);
}

}  // namespace backlash

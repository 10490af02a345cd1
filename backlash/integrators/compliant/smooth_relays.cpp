// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/compliant/smooth_dynamics.h"

/// Forces of given strength, smoothed, and friction that grows with the loads of joints.
namespace backlash {
namespace {

using Index = Eigen::Index;

/// What a force of strength a does at the velocity γ, or for a preload at the displacement x
/// (theory 10.6); both as lengths.
double smooth_relay(RelayLaw law, double gamma, double x, const Smoothing& s) {
  switch (law) {
    case RelayLaw::friction:
      return -cubic_step(gamma, -s.speed, -1, s.speed, 1);
    case RelayLaw::clutch:
      return cubic_step(-gamma, 0, 0, s.speed, 1);
    case RelayLaw::preload:
      return -cubic_step(x, -s.length, -1, s.length, 1);
  }
  return 0;
}

/// The friction that a load of 1 makes at the velocity γ (theory 10.12).
double smooth_friction(const RelayInfo& relay, double gamma, const Smoothing& s) {
  const AdamsStep friction{std::max(relay.friction, relay.static_friction), relay.friction, s.speed,
                           2 * s.speed};
  return -std::copysign(coefficient(friction, std::abs(gamma)), gamma);
}

}  // namespace

void SmoothDynamics::add_relays() {
  const std::vector<RelayInfo>& relays = system_.info().relays;
  relay_x_.setZero();
  system_.relay_rows(c_, relay_W_, relay_w_, relay_limit_);
  system_.relay_displacements(c_, relay_x_);
  for (Index i = 0; i < relays_; ++i) {
    const RelayInfo& relay = relays[at(i)];
    relay_rate_[i] = relay_W_.col(i).dot(u_);
    const double gamma = (relay_rate_[i] + relay_w_[i]) * relay.length;
    const double constant =
        relay_limit_[i] * smooth_relay(relay.law, gamma, relay_x_[i] * relay.length, smoothing_);
    if (is_loaded(relay)) {
      constant_force_[i] = constant;
      load_share_[i] = smooth_friction(relay, gamma, smoothing_);
    } else {
      add_relay(i, constant);
    }
  }
}

void SmoothDynamics::add_relay(Index i, double force) {
  acceleration_ += force * relay_W_.col(i);
  integrand_[memory_.first_relay_row() + i] = force;
  integrand_[relay_work_ + i] = force * relay_rate_[i];
}

/// Whether the friction of another load would be the same but for round-off.
bool SmoothDynamics::is_found(Index i) const {
  constexpr double tolerance = 1e-12, round_off = 1e-14;
  const double change = std::abs(loads_.found()[i] - loads_.load[i]);
  return change <= tolerance * loads_.found()[i] ||
         std::abs(load_share_[i]) * change * relay_W_.col(i).norm() <=
             round_off * free_force_.norm();
}

SmoothDynamics::Outcome SmoothDynamics::solve_with_loads() {
  const std::vector<int>& loaded = loads_.relays();
  free_force_ = acceleration_;
  loads_.begin();
  for (int round = 0; round < FrictionLoads::most_rounds; ++round) {
    acceleration_ = free_force_;
    for (const Index i : loaded) add_relay(i, constant_force_[i] + load_share_[i] * loads_.load[i]);
    if (const Outcome outcome = solve_mass(); outcome != Outcome::done) return outcome;
    write_forces(loads_.forces);
    loads_.evaluate();
    if (!loads_.found().allFinite()) break;
    if (std::ranges::all_of(loaded, [&](Index i) { return is_found(i); })) return Outcome::done;
    loads_.improve();
  }
  loads_.load.setZero();
  return Outcome::friction_not_found;
}

}  // namespace backlash

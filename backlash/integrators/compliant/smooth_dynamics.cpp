// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/smooth_dynamics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "backlash/base/linear.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

template <class List>
Index count(const List& list) {
  return static_cast<Index>(list.size());
}

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

}  // namespace

SmoothDynamics::SmoothDynamics(const System& system, const CompliantOptions& options)
    : system_(system),
      stabilisation_(options.stabilisation),
      smoothing_(options.smoothing),
      position_tolerance_(options.position_tolerance),
      speed_tolerance_(options.speed_tolerance),
      memory_(system.info()),
      positions_(system.info().positions),
      velocities_(system.info().velocities),
      contacts_(count(system.info().contacts)),
      bilaterals_(count(system.info().bilaterals)),
      relays_(count(system.info().relays)),
      modes_(at(contacts_)),
      u_(velocities_),
      acceleration_(velocities_),
      motions_(at(contacts_)),
      rows_(velocities_, 3),
      row_rate_(3),
      end_forces_(system.info()) {
  friction_ = positions_ + velocities_;
  first_integral_ = impulses_ = friction_ + contacts_;
  contact_work_ = impulses_ + memory_.impulses_size();
  normal_work_ = contact_work_ + contacts_;
  friction_work_ = normal_work_ + contacts_;
  relay_work_ = friction_work_ + contacts_;
  others_ = relay_work_ + relays_;
  size_ = others_ + 2;
  all_.resize(at(contacts_));
  std::iota(all_.begin(), all_.end(), 0);
  active_.reserve(all_.size());
  const SystemInfo& info = system.info();
  c_.q.setZero(info.positions);
  c_.cache.setZero(info.cache);
  c_.switches.setZero(count(info.switches));
  conditions_.setZero(count(info.events));
  rates_.setZero(size_);
  for (Vector* v : {&q_from_, &q_to_}) v->setZero(positions_);
  for (Matrix* m : {&W_, &mass_inverse_W_}) m->setZero(velocities_, bilaterals_);
  G_.setZero(bilaterals_, bilaterals_);
  for (Vector* v : {&w_, &bias_, &error_, &multiplier_}) v->setZero(bilaterals_);
  relay_W_.setZero(velocities_, relays_);
  for (Vector* v : {&relay_w_, &relay_limit_, &relay_x_}) v->setZero(relays_);
}

void SmoothDynamics::begin(const State& state, Vector& y) {
  y.setZero(size_);
  y.head(positions_) = state.q;
  y.segment(positions_, velocities_) = state.u;
  y.segment(friction_, contacts_) = memory_.friction_state(state.z);
  c_.switches = memory_.switches(state.z);
  const auto entry = memory_.entry_rate(state.z);
  for (Index i = 0; i < contacts_; ++i)
    set_mode(static_cast<int>(i), {.in_force = entry[i] > 0, .entry_rate = entry[i]});
}

void SmoothDynamics::conclude(double t, const Vector& y, const Vector& before, State& state) {
  const auto gained = [&](Index first, Index n) {
    return y.segment(first, n) - before.segment(first, n);
  };
  Vector& z = state.z;
  memory_.last_step(z) = t - state.t;
  state.t = t;
  state.q = y.head(positions_);
  state.u = y.segment(positions_, velocities_);
  memory_.friction_state(z) = y.segment(friction_, contacts_);
  memory_.impulses(z) = gained(impulses_, memory_.impulses_size());
  memory_.contact_work(z) += gained(contact_work_, contacts_);
  normal_gained_ = gained(normal_work_, contacts_);
  friction_gained_ = gained(friction_work_, contacts_);
  memory_.relay_work(z) += gained(relay_work_, relays_);
  memory_.bilateral_work(z) += y[others_] - before[others_];
  memory_.applied_work(z) += y[others_ + 1] - before[others_ + 1];
  memory_.last_switches(z) = c_.switches;
}

void SmoothDynamics::remember_modes(Vector& z) const {
  auto entry = memory_.entry_rate(z);
  for (Index i = 0; i < contacts_; ++i)
    entry[i] = modes_[at(i)].in_force ? modes_[at(i)].entry_rate : 0;
}

bool SmoothDynamics::has_friction_states() const {
  const auto& contacts = system_.info().contacts;
  return std::any_of(contacts.begin(), contacts.end(), [](const ContactInfo& contact) {
    return friction_states(contact.compliant->friction) > 0;
  });
}

void SmoothDynamics::set_mode(int contact, const ContactMode& mode) {
  modes_[at(contact)] = mode;
  active_.clear();
  for (Index i = 0; i < contacts_; ++i)
    if (modes_[at(i)].in_force) active_.push_back(static_cast<int>(i));
}

void SmoothDynamics::place(double t, const double* y) {
  c_.t = t;
  std::copy_n(y, positions_, c_.q.data());
  std::copy_n(y + positions_, velocities_, u_.data());
  system_.configure(c_);
}

SmoothDynamics::Outcome SmoothDynamics::write_rates(double t, const double* y, double* rates) {
  place(t, y);
  std::fill_n(rates, size_, 0.0);
  system_.position_rate(c_, u_, VectorMap(rates, positions_));
  system_.force(c_, u_, acceleration_);
  if (const Outcome outcome = add_contacts(y, rates); outcome != Outcome::done) return outcome;
  if (relays_ > 0) add_relays(rates);
  if (!system_.factor_mass(c_, M_)) return Outcome::mass_not_positive;
  system_.solve_mass(c_, M_, acceleration_);
  if (bilaterals_ > 0) add_bilaterals(rates);
  rates[others_ + 1] = system_.applied_power(c_, u_);
  double sum = 0;
  for (Index i = 0; i < velocities_; ++i) {
    rates[positions_ + i] = acceleration_[i];
    sum += acceleration_[i];
  }
  if (std::isfinite(sum)) return Outcome::done;
  for (Index i = velocities_ - 1; i >= 0; --i)
    if (!std::isfinite(acceleration_[i])) element_ = static_cast<int>(i);
  return Outcome::not_finite;
}

SmoothDynamics::Outcome SmoothDynamics::add_contacts(const double* y, double* rates) {
  const std::span<const int> which = live_depth > 0 ? all_ : active_;
  if (which.empty()) return Outcome::done;
  system_.contact_motions(c_, u_, which, motions_);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const int contact = which[k];
    const ContactMotion& motion = motions_[k];
    if (!(motion.gap < 0)) continue;
    if (!modes_[at(contact)].in_force && motion.gap < -live_depth) return Outcome::too_deep;
    add_contact(contact, motion, y, rates);
  }
  return Outcome::done;
}

void SmoothDynamics::add_contact(int contact, const ContactMotion& motion, const double* y,
                                 double* rates) {
  const ContactInfo& info = system_.info().contacts[at(contact)];
  const CompliantLaw& law = *info.compliant;
  const ContactMode& mode = modes_[at(contact)];
  if (mode.clamped) return;
  const double rate = -motion.gamma[0];
  const double entry = mode.in_force ? mode.entry_rate : entry_rate(law, rate);
  const double normal = located ? unclamped_normal_force(law.normal, -motion.gap, rate, entry)
                                : normal_force(law.normal, -motion.gap, rate, entry);
  double force[3] = {normal, 0, 0};
  if (info.tangents == 1) {
    const FrictionOutcome f =
        friction(law.friction, motion.gamma[1], std::max(0.0, normal), y[friction_ + contact]);
    force[1] = f.force;
    rates[friction_ + contact] = f.state_rate;
  } else if (info.tangents == 2) {
    const double speed = std::hypot(motion.gamma[1], motion.gamma[2]);
    const double along = friction(law.friction, speed, std::max(0.0, normal), 0).force;
    for (int i = 1; i <= 2 && speed > 0; ++i) force[i] = along * motion.gamma[i] / speed;
  }
  const Index n = 1 + info.tangents, first = impulses_ + memory_.first_row(contact);
  rows_.setZero();
  row_rate_.setZero();
  system_.contact_rows(c_, contact, rows_.leftCols(n), row_rate_.head(n));
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < velocities_; ++k) acceleration_[k] += rows_(k, i) * force[i];
    rates[first + i] = force[i];
    rates[contact_work_ + contact] += force[i] * (motion.gamma[i] - row_rate_[i]);
    if (i > 0) rates[friction_work_ + contact] += force[i] * motion.gamma[i];
  }
  rates[normal_work_ + contact] = force[0] * motion.gamma[0];
}

void SmoothDynamics::add_relays(double* rates) {
  const std::vector<RelayInfo>& relays = system_.info().relays;
  relay_x_.setZero();
  system_.relay_rows(c_, relay_W_, relay_w_, relay_limit_);
  system_.relay_displacements(c_, relay_x_);
  for (Index i = 0; i < relays_; ++i) {
    const RelayInfo& relay = relays[at(i)];
    const double along = relay_W_.col(i).dot(u_), gamma = along + relay_w_[i];
    const double force = relay_limit_[i] * smooth_relay(relay.law, gamma * relay.length,
                                                        relay_x_[i] * relay.length, smoothing_);
    acceleration_ += force * relay_W_.col(i);
    rates[impulses_ + memory_.first_relay_row() + i] = force;
    rates[relay_work_ + i] = force * along;
  }
}

void SmoothDynamics::add_bilaterals(double* rates) {
  system_.bilateral_rows(c_, W_, w_);
  system_.bilateral_bias(c_, u_, bias_);
  system_.bilateral_errors(c_, error_);
  mass_inverse_W_ = W_;
  for (Index i = 0; i < bilaterals_; ++i) system_.solve_mass(c_, M_, mass_inverse_W_.col(i));
  const auto& [alpha, beta] = stabilisation_;
  double power = 0;
  for (Index i = 0; i < bilaterals_; ++i) {
    const double along = W_.col(i).dot(u_);
    multiplier_[i] = -(W_.col(i).dot(acceleration_) + bias_[i] + 2 * alpha * (along + w_[i]) +
                       beta * beta * error_[i]);
    for (Index j = 0; j <= i; ++j) G_(i, j) = G_(j, i) = W_.col(i).dot(mass_inverse_W_.col(j));
  }
  solve_rank_revealing(G_, multiplier_, c_.scratch);
  for (Index i = 0; i < bilaterals_; ++i) {
    acceleration_ += multiplier_[i] * mass_inverse_W_.col(i);
    rates[impulses_ + i] = multiplier_[i];
    power += multiplier_[i] * W_.col(i).dot(u_);
  }
  rates[others_] = power;
}

std::span<const ContactMotion> SmoothDynamics::look(double t, const double* y,
                                                    std::span<const int> contacts) {
  if (contacts.empty()) return {};
  place(t, y);
  system_.contact_motions(c_, u_, contacts, motions_);
  return std::span(motions_).first(contacts.size());
}

std::span<const ContactMotion> SmoothDynamics::look(double t, const double* y) {
  return look(t, y, all_);
}

const Vector& SmoothDynamics::event_conditions(double t, const double* y) {
  if (conditions_.size() == 0) return conditions_;
  place(t, y);
  conditions_.setZero();
  system_.event_conditions(c_, u_, conditions_);
  return conditions_;
}

const LastStep& SmoothDynamics::end_forces(double t, const double* y) {
  write_rates(t, y, rates_.data());
  end_forces_.step = 1;
  end_forces_.middle.t = t;
  end_forces_.middle.q = c_.q;
  end_forces_.middle.switches = c_.switches;
  system_.configure(end_forces_.middle);
  end_forces_.velocity = u_;
  end_forces_.acceleration = acceleration_;
  end_forces_.row_forces = rates_.segment(impulses_, memory_.impulses_size());
  return end_forces_;
}

}  // namespace backlash

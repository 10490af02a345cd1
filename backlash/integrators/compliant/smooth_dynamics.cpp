// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/smooth_dynamics.h"

#include <algorithm>
#include <cmath>

#include "backlash/integrators/compliant/contact_memory.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

template <class List>
Index count(const List& list) {
  return static_cast<Index>(list.size());
}

/// How many integrals a contact has: three impulses, the works of the normal force and friction.
constexpr Index contact_integrals = 5;

/// Λ_N ≥ 0 and ‖Λ_T‖ ≤ μ Λ_N (theory 10.13).
void project_to_cone(double friction, std::array<double, 3>& impulse) {
  impulse[0] = std::max(0.0, impulse[0]);
  const double tangential = std::hypot(impulse[1], impulse[2]), most = friction * impulse[0];
  if (!(tangential > most)) return;
  impulse[1] *= most / tangential;
  impulse[2] *= most / tangential;
}

}  // namespace

SmoothDynamics::SmoothDynamics(const System& system, const CompliantOptions& options)
    : system_(system),
      smoothing_(options.smoothing),
      position_tolerance_(options.position_tolerance),
      speed_tolerance_(options.speed_tolerance),
      memory_(system.info()),
      positions_(system.info().positions),
      velocities_(system.info().velocities),
      bilaterals_(count(system.info().bilaterals)),
      relays_(count(system.info().relays)),
      friction_(positions_ + velocities_),
      u_(velocities_),
      acceleration_(velocities_),
      rows_(velocities_, 3),
      row_rate_(3),
      loads_(system),
      reactions_(system, options.stabilisation),
      rows_at_end_(system.info()),
      end_forces_(system.info()) {
  relay_work_ = memory_.rows();
  contact_work_ = relay_work_ + relays_;
  bilateral_work_ = contact_work_ + 1;
  applied_work_ = bilateral_work_ + 1;
  contacts_ = applied_work_ + 1;
  const SystemInfo& info = system.info();
  has_friction_states_ =
      std::any_of(info.contacts.begin(), info.contacts.end(), [](const ContactInfo& contact) {
        return contact.compliant && friction_states(contact.compliant->friction) > 0;
      });
  const std::size_t usual = usual_contacts(info);
  make_room(std::min<std::size_t>(usual, 4));
  in_force_.reserve(usual);
  remembered_.reserve(usual);
  frames_.reserve(usual);
  forces_.reserve(usual);
  end_forces_.contacts.reserve(usual);
  end_forces_.remembered.reserve(usual);
  c_.t = NAN;  // nowhere yet
  c_.q.setZero(info.positions);
  c_.cache.setZero(info.cache);
  c_.switches.setZero(count(info.switches));
  conditions_.setZero(count(info.events));
  bodies_.resize(info.bodies.size());
  for (Vector* v : {&q_from_, &q_to_}) v->setZero(positions_);
  multiplier_.setZero(bilaterals_);
  relay_W_.setZero(velocities_, relays_);
  for (Vector* v :
       {&relay_w_, &relay_limit_, &relay_x_, &relay_rate_, &constant_force_, &load_share_})
    v->setZero(relays_);
}

void SmoothDynamics::begin(const State& state, Vector& y) {
  y.setZero(size());
  y.head(positions_) = state.q;
  y.segment(positions_, velocities_) = state.u;
  c_.switches = memory_.switches(state.z);
  set_remembered(state.contacts, {});
  in_force_.clear();
  std::fill(slot_taken_.begin(), slot_taken_.end(), false);
  for (const ContactRecord& record : state.contacts) {
    const ContactMemory memory = memory_of(record);
    if (!(memory.entry_rate > 0)) continue;
    put_into_force(record.key, {memory.entry_rate, memory.onset_rate, memory.clamped != 0}, y);
    if (has_friction_states_) y[friction_ + in_force_.back().slot] = memory.friction_state;
  }
  restart_reactions(state.t, y);
}

void SmoothDynamics::commit(double t, const Vector& y, const Vector& gained, State& state) {
  Vector& z = state.z;
  memory_.last_step(z) = t - state.t;
  state.t = t;
  state.q = y.head(positions_);
  state.u = y.segment(positions_, velocities_);
  memory_.impulses(z) = gained.head(memory_.rows());
  memory_.relay_work(z) += gained.segment(relay_work_, relays_);
  memory_.contact_work(z) += gained[contact_work_];
  memory_.bilateral_work(z) += gained[bilateral_work_];
  memory_.applied_work(z) += gained[applied_work_];
  memory_.last_switches(z) = c_.switches;
}

void SmoothDynamics::set_remembered(std::span<const ContactRecord> records,
                                    const ContactSample& now) {
  remembered_.assign(records.begin(), records.end());
  for (const ContactFrame& frame : now.frames) {
    if (frame.parameters[0] == 0 && frame.parameters[1] == 0) continue;  // of no curve
    if (!std::ranges::binary_search(records, frame.key, {}, &ContactRecord::key))
      remembered_.push_back({.key = frame.key, .parameters = frame.parameters});
  }
  if (remembered_.size() > records.size()) std::ranges::sort(remembered_, {}, &ContactRecord::key);
}

void SmoothDynamics::remember_modes(State& state, const ContactSample& now) {
  std::vector<ContactRecord>& records = state.contacts;
  for (ContactRecord& record : records) {
    ContactMemory memory = memory_of(record);
    memory.entry_rate = 0;
    remember(memory, record);
  }
  for (const ContactInForce& contact : in_force_) {
    auto record = std::ranges::lower_bound(records, contact.key, {}, &ContactRecord::key);
    if (record == records.end() || record->key != contact.key) {
      record = records.insert(record, {.key = contact.key});
      const std::size_t i = now.find(contact.key);
      if (i < now.frames.size())
        record->parameters = now.frames[i].parameters;
      else
        record->parameters.fill(not_located);
    }
    ContactMemory memory = memory_of(*record);
    memory.entry_rate = contact.mode.entry_rate;
    memory.onset_rate = contact.mode.onset_rate;
    memory.clamped = contact.mode.clamped ? 1 : 0;
    remember(memory, *record);
  }
  set_remembered(records, now);
}

const ContactInForce* SmoothDynamics::find(const ContactKey& key) const {
  const auto found = std::ranges::lower_bound(in_force_, key, {}, &ContactInForce::key);
  return found != in_force_.end() && found->key == key ? &*found : nullptr;
}

/// Room for the friction and the integrals of so many contacts.
void SmoothDynamics::make_room(std::size_t slots) {
  slot_taken_.resize(slots, false);
  if (has_friction_states_) friction_slots_ = count(slot_taken_);
  integrand_.conservativeResize(contacts_ + contact_integrals * count(slot_taken_));
  rates_.setZero(size());
}

void SmoothDynamics::put_into_force(const ContactKey& key, const ContactMode& mode, Vector& y) {
  auto place = std::ranges::lower_bound(in_force_, key, {}, &ContactInForce::key);
  if (place == in_force_.end() || place->key != key) {
    const auto free = std::find(slot_taken_.begin(), slot_taken_.end(), false);
    const Index slot = free - slot_taken_.begin();
    if (free == slot_taken_.end()) make_room(2 * slot_taken_.size() + 4);
    slot_taken_[at(slot)] = true;
    const ContactInfo* info = &system_.info().contacts[at(key.pair)];
    place = in_force_.insert(place, {.key = key, .info = info, .slot = slot});
  }
  place->mode = mode;
  if (!has_friction_states_) return;
  if (y.size() < size()) {
    const Index was = y.size();
    y.conservativeResize(size());
    y.tail(size() - was).setZero();
  }
  y[friction_ + place->slot] = 0;
}

void SmoothDynamics::set_clamped(const ContactKey& key, bool clamped) {
  const auto place = std::ranges::lower_bound(in_force_, key, {}, &ContactInForce::key);
  place->mode.clamped = clamped;
}

void SmoothDynamics::release(const ContactKey& key, Vector& y) {
  const auto place = std::ranges::lower_bound(in_force_, key, {}, &ContactInForce::key);
  slot_taken_[at(place->slot)] = false;
  if (has_friction_states_) y[friction_ + place->slot] = 0;
  in_force_.erase(place);
}

SmoothDynamics::ContactIntegrals SmoothDynamics::integrals(const ContactInForce& contact,
                                                           const Vector& all) const {
  const double* first = all.data() + contacts_ + contact_integrals * contact.slot;
  ContactIntegrals result{{first[0], first[1], first[2]}, first[3], first[4]};
  project_to_cone(greatest_friction(contact.info->compliant->friction), result.impulse);
  return result;
}

std::pair<Index, Index> SmoothDynamics::place_of_integrals(const ContactInForce& contact) const {
  return {contacts_ + contact_integrals * contact.slot, contact_integrals};
}

/// Steps end where contacts were looked at and drift is looked for: nothing is computed again
/// there.
void SmoothDynamics::place(double t, const double* y) {
  if (t == c_.t && std::equal(u_.begin(), u_.end(), y + positions_) &&
      std::equal(c_.q.begin(), c_.q.end(), y))
    return;
  c_.t = t;
  std::copy_n(y, positions_, c_.q.data());
  std::copy_n(y + positions_, velocities_, u_.data());
  system_.configure(c_);
}

SmoothDynamics::Outcome SmoothDynamics::write_rates(double t, const double* y, double* rates) {
  place(t, y);
  integrand_.setZero();
  std::fill_n(rates + friction_, friction_slots_, 0.0);
  system_.position_rate(c_, u_, VectorMap(rates, positions_));
  system_.force(c_, u_, acceleration_);
  if (const Outcome outcome = add_contacts(y, rates); outcome != Outcome::done) return outcome;
  if (relays_ > 0) add_relays();
  if (!system_.factor_mass(c_, M_)) return Outcome::mass_not_positive;
  if (const Outcome outcome = loads_.any() ? solve_with_loads() : solve_mass();
      outcome != Outcome::done)
    return outcome;
  integrand_[applied_work_] = system_.applied_power(c_, u_, u_);
  double sum = 0;
  for (Index i = 0; i < positions_; ++i) sum += rates[i];
  for (Index i = 0; i < velocities_; ++i) {
    rates[positions_ + i] = acceleration_[i];
    sum += acceleration_[i];
  }
  if (std::isfinite(sum)) return Outcome::done;
  for (Index i = velocities_ - 1; i >= 0; --i)
    if (!std::isfinite(acceleration_[i])) element_ = static_cast<int>(i);
  if (!source_) source_ = system_.find_not_finite(c_, u_);
  return Outcome::not_finite;
}

SmoothDynamics::Outcome SmoothDynamics::add_contacts(const double* y, double* rates) {
  forces_.clear();
  const bool live = live_depth > 0;
  if (in_force_.empty() && !live) return Outcome::done;
  frames_.clear();
  system_.find_contacts(c_, 0, remembered_, frames_);
  auto contact = in_force_.begin();  // both are in the order of the keys
  for (const ContactFrame& frame : frames_) {
    if (std::isnan(frame.gap)) return Outcome::not_finite;
    if (!(frame.gap < 0)) continue;
    while (contact != in_force_.end() && contact->key < frame.key) ++contact;
    if (contact != in_force_.end() && contact->key == frame.key) {
      if (!contact->mode.clamped) add_contact(frame, &*contact, y, rates);
    } else if (live) {
      if (frame.gap * gap_length(system_.info(), frame.key) < -live_depth) return Outcome::too_deep;
      add_contact(frame, nullptr, y, rates);
    }
  }
  return Outcome::done;
}

/// Of a contact that is in force, or of one that pushes before it is.
void SmoothDynamics::add_contact(const ContactFrame& frame, const ContactInForce* contact,
                                 const double* y, double* rates) {
  const ContactInfo& info = system_.info().contacts[at(frame.key.pair)];
  const CompliantLaw& law = *info.compliant;
  const Index n = 1 + info.tangents;
  rows_.setZero();
  row_rate_.setZero();
  system_.write_contact_rows(c_, frame, rows_.leftCols(n), row_rate_.head(n));
  double moving[3] = {};  // Wᵀu
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < velocities_; ++k) moving[i] += rows_(k, i) * u_[k];
  double gamma[3] = {};
  for (Index i = 0; i < n; ++i) gamma[i] = moving[i] + row_rate_[i];

  const double rate = -gamma[0];
  const double entry = contact ? contact->mode.entry_rate : entry_rate(law, rate);
  const double normal = located ? unclamped_normal_force(law.normal, -frame.gap, rate, entry)
                                : normal_force(law.normal, -frame.gap, rate, entry);
  ContactForce& pushing = forces_.emplace_back(ContactForce{.key = frame.key});
  std::array<double, 3>& force = pushing.force;
  force[0] = normal;
  if (info.tangents == 1) {
    const bool bends = contact && has_friction_states_;
    const FrictionOutcome f = friction(law.friction, gamma[1], std::max(0.0, normal),
                                       bends ? y[friction_ + contact->slot] : 0);
    force[1] = f.force;
    if (bends) rates[friction_ + contact->slot] = f.state_rate;
  } else if (info.tangents == 2) {
    const double speed = std::hypot(gamma[1], gamma[2]);
    const double along = friction(law.friction, speed, std::max(0.0, normal), 0).force;
    for (std::size_t i = 1; i <= 2 && speed > 0; ++i) force[i] = along * gamma[i] / speed;
  }
  double power = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < velocities_; ++k) acceleration_[k] += rows_(k, i) * force[at(i)];
    power += force[at(i)] * moving[i];
  }
  integrand_[contact_work_] += power;
  if (!contact) return;
  double* own = integrand_.data() + contacts_ + contact_integrals * contact->slot;
  std::copy(force.begin(), force.end(), own);
  own[3] = force[0] * gamma[0];
  own[4] = force[1] * gamma[1] + force[2] * gamma[2];
}

SmoothDynamics::Outcome SmoothDynamics::solve_mass() {
  system_.solve_mass(c_, M_, acceleration_);
  if (bilaterals_ == 0) return Outcome::done;
  if (!reactions_.add(c_, u_, M_, acceleration_)) return Outcome::singular_position;
  integrand_.head(bilaterals_) = reactions_.multiplier();
  integrand_[bilateral_work_] = reactions_.power();
  return Outcome::done;
}

void SmoothDynamics::sample_contacts(double t, const double* y, double reach,
                                     ContactSample& sample) {
  sample.t = t;
  sample.frames.clear();
  place(t, y);
  system_.find_contacts(c_, reach, remembered_, sample.frames);
  sample.velocities.resize(sample.frames.size());
  system_.write_contact_velocities(c_, u_, sample.frames, sample.velocities);
}

ContactMotion SmoothDynamics::contact_motion(double t, const double* y, const ContactKey& key) {
  place(t, y);
  ContactFrame frame;
  ContactMotion motion;
  if (!system_.follow_contact(c_, key, remembered_, frame)) return motion;
  motion.gap = frame.gap;
  system_.write_contact_velocities(c_, u_, std::span(&frame, 1), std::span(&motion.gamma, 1));
  return motion;
}

void SmoothDynamics::restart_reactions(double t, const Vector& y) {
  if (bilaterals_ == 0) return;
  place(t, y.data());
  reactions_.begin(c_, u_);
  rows_at_end_.scale = reactions_.scale();
}

const Vector& SmoothDynamics::event_conditions(double t, const double* y) {
  if (conditions_.size() == 0) return conditions_;
  place(t, y);
  conditions_.setZero();
  system_.event_conditions(c_, u_, conditions_);
  return conditions_;
}

double SmoothDynamics::greatest_speed(double t, const double* y) {
  if (bodies_.empty()) return INFINITY;
  place(t, y);
  system_.body_motions(c_, u_, bodies_);
  double greatest = 0;
  for (const BodyMotion& body : bodies_)
    greatest = std::max(greatest, body.v_W.norm() + body.w_W.norm() * system_.info().length);
  return greatest;
}

void SmoothDynamics::write_forces(LastStep& forces) const {
  forces.step = 1;
  forces.middle.t = c_.t;
  forces.middle.q = c_.q;
  forces.middle.switches = c_.switches;
  forces.middle.cache = c_.cache;
  forces.velocity = u_;
  forces.acceleration = acceleration_;
  forces.row_forces = integrand_.head(memory_.rows());
  forces.contacts = forces_;
  forces.remembered = remembered_;
}

const LastStep& SmoothDynamics::end_forces(double t, const double* y) {
  write_rates(t, y, rates_.data());
  write_forces(end_forces_);
  return end_forces_;
}

void SmoothDynamics::write_last_forces(double t, const double* y, LastStep& forces) {
  place(t, y);
  write_forces(forces);
}

}  // namespace backlash

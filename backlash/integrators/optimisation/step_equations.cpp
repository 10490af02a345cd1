// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/optimisation/step_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// A gap that is never closed, of a contact without a place [m].
constexpr double nowhere = 1e3;

/// Slopes that are not finite, as of √x at 0, count as none: they only lead to the solution.
template <class Slopes>
void leave_finite(Slopes& slopes) {
  slopes = slopes.unaryExpr([](double x) { return std::isfinite(x) ? x : 0.0; }).eval();
}

}  // namespace

StepEquations::StepEquations(const System& system)
    : system_(system),
      bilaterals_(static_cast<Index>(system.info().bilaterals.size())),
      states_(system) {
  const SystemInfo& info = system.info();
  const Index n = info.velocities, relays = static_cast<Index>(info.relays.size());
  end_.q.setZero(info.positions);
  end_.cache.setZero(info.cache);
  end_.switches.setZero(static_cast<Index>(info.switches.size()));
  q_start_.setZero(info.positions);
  for (Vector* v : {&u_start_, &force_, &unbalance_, &difference_, &dR_dh_, &dh_dt_}) v->setZero(n);
  for (Matrix* m : {&M_, &dR_du_, &dR_dq_, &change_, &dh_du_, &dh_dq_}) m->setZero(n, n);
  relay_W_.setZero(n, relays);
  for (Vector* v : {&relay_w_, &relay_limit_, &relay_impulse_, &displacement_}) v->setZero(relays);
  errors_.setZero(bilaterals_);
  dx_du_.setZero(states_.size(), n);
  dh_dx_.setZero(n, states_.size());
  dx_dh_.setZero(states_.size());
}

void StepEquations::begin(const State& state, const Vector& switches, double t_end) {
  t_start_ = state.t;
  h_ = t_end - state.t;
  q_start_ = state.q;
  u_start_ = state.u;
  end_.q = state.q;
  end_.switches = switches;
  find_overlaps(state);
  end_.t = t_end;
  system_.configure(end_);
  candidates_.clear();
  followed_.clear();
  boxes_.clear();
  const std::vector<RelayInfo>& relays = system_.info().relays;
  if (relays.empty()) return;
  relay_W_.setZero();
  relay_w_.setZero();
  system_.relay_rows(end_, relay_W_, relay_w_, relay_limit_);
  for (std::size_t i = 0; i < relays.size(); ++i) {
    const double limit = relay_limit_[static_cast<Index>(i)];
    BoxRow& row = boxes_.emplace_back();
    row.relay = static_cast<int>(i);
    row.lower = relays[i].law == RelayLaw::clutch ? 0 : -limit;
    row.upper = limit;
    row.by_displacement = relays[i].law == RelayLaw::preload;
  }
}

/// Contacts deeper than steps leave them: allowed at the start, or switched on.
void StepEquations::find_overlaps(const State& state) {
  constexpr double left_by_steps = 1e-9;  // × the model's length
  end_.t = state.t;
  system_.configure(end_);
  overlaps_.clear();
  system_.find_contacts(end_, 0, state.contacts, overlaps_);
  std::erase_if(overlaps_, [&](const ContactFrame& frame) {
    return !(-frame.gap > left_by_steps * system_.info().length) ||
           system_.info().contacts[at(frame.key.pair)].always_closed;
  });
}

double StepEquations::overlap_of(const ContactKey& key) const {
  const auto found = std::ranges::find(overlaps_, key, &ContactFrame::key);
  return found == overlaps_.end() ? 0 : -found->gap;
}

bool StepEquations::add_candidate(const ContactKey& key) {
  const auto place = std::ranges::lower_bound(candidates_, key, {}, &Candidate::key);
  if (place != candidates_.end() && place->key == key) return false;
  const ContactInfo& info = system_.info().contacts[at(key.pair)];
  candidates_.insert(place, {.key = key, .info = &info, .overlap = overlap_of(key)});
  std::erase_if(boxes_, [](const BoxRow& row) { return row.relay < 0; });
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    Candidate& candidate = candidates_[i];
    candidate.box = -1;
    if (candidate.info->tangents == 0 || candidate.info->law.friction == 0) continue;
    candidate.box = static_cast<int>(boxes_.size());
    BoxRow& row = boxes_.emplace_back();
    row.candidate = static_cast<int>(i);
    row.friction = candidate.info->law.friction;
  }
  return true;
}

bool StepEquations::add_candidate(const ContactKey& key, const std::array<double, 4>& parameters) {
  const auto place = std::ranges::lower_bound(followed_, key, {}, &ContactRecord::key);
  if (place == followed_.end() || place->key != key)
    followed_.insert(place, {.key = key, .parameters = parameters});
  return add_candidate(key);
}

void StepEquations::set_length(double h) { h_ = h; }

double StepEquations::lower(Index box, const Vector& impulses) const {
  const BoxRow& row = boxes_[at(box)];
  return row.relay >= 0 ? h_ * row.lower : -row.friction * impulses[row.candidate];
}

double StepEquations::upper(Index box, const Vector& impulses) const {
  const BoxRow& row = boxes_[at(box)];
  return row.relay >= 0 ? h_ * row.upper : row.friction * impulses[row.candidate];
}

void StepEquations::evaluate(const Vector& u, const Vector& impulses, Order order) {
  const Index n = velocities();
  end_.t = t_start_ + h_;
  system_.advance(q_start_, u, h_, end_.q);
  if (states_.size() > 0)
    place_states(u);
  else
    system_.configure(end_);
  M_.setZero();
  system_.mass(end_, M_);
  system_.force(end_, u, force_);
  place_candidates();
  write_rows();
  difference_ = u - u_start_;
  unbalance_.noalias() = M_ * difference_;
  unbalance_ -= h_ * force_;
  unbalance_.noalias() -= W_ * impulses;
  rates_.resize(rows());
  rates_.noalias() = W_.transpose() * u;
  rates_ += w_;
  write_values();
  if (order == Order::values) return;
  dR_du_.resize(n, n);
  write_derivatives(u, impulses);
}

/// x = x_A + h f(t, q, u, x) (theory 12.14). Where there is none, no force is finite.
void StepEquations::place_states(const Vector& u) {
  const Index n = states_.size();
  states_.base = q_start_.tail(n);
  if (states_.solve(u, h_, end_)) return;
  end_.q.tail(n).setConstant(NAN);
  system_.configure(end_);
}

/// What velocities and the length change by way of the states: ∂h/∂x ∂x/∂u, ∂h/∂x ∂x/∂h.
void StepEquations::add_state_change(const Vector& u) {
  states_.write_velocity_jacobian(u, h_, end_, dx_du_);
  states_.write_length_derivative(u, h_, end_, dx_dh_);
  system_.force_state_jacobian(end_, u, dh_dx_);
  for (Matrix* slopes : {&dx_du_, &dh_dx_}) leave_finite(*slopes);
  leave_finite(dx_dh_);
  dR_du_.noalias() -= h_ * dh_dx_ * dx_du_;
  dR_dh_.noalias() -= h_ * dh_dx_ * dx_dh_;
}

void StepEquations::place_candidates() {
  for (Candidate& candidate : candidates_) {
    candidate.placed = system_.follow_contact(end_, candidate.key, followed_, candidate.frame);
    candidate.frame.key = candidate.key;
  }
}

void StepEquations::write_rows() {
  const Index n = velocities();
  W_.setZero(n, rows());
  w_.setZero(rows());
  for (Index i = 0; i < contacts(); ++i) {
    const Candidate& candidate = candidates_[at(i)];
    if (!candidate.placed) continue;
    const int count = 1 + candidate.info->tangents;
    Matrix own = Matrix::Zero(n, count);
    Vector own_w = Vector::Zero(count);
    system_.write_contact_rows(end_, candidate.frame, own, own_w);
    W_.col(i) = own.col(0);
    w_[i] = own_w[0];
    if (candidate.box < 0) continue;
    W_.col(first_box() + candidate.box) = own.col(1);
    w_[first_box() + candidate.box] = own_w[1];
  }
  if (bilaterals_ > 0)
    system_.bilateral_rows(end_, W_.middleCols(first_bilateral(), bilaterals_),
                           w_.segment(first_bilateral(), bilaterals_));
  if (relay_w_.size() == 0) return;
  relay_W_.setZero();
  relay_w_.setZero();
  system_.relay_rows(end_, relay_W_, relay_w_, relay_limit_);
  displacement_.setZero();
  system_.relay_displacements(end_, displacement_);
  for (Index k = 0; k < boxes(); ++k) {
    const int relay = boxes_[at(k)].relay;
    if (relay < 0) continue;
    W_.col(first_box() + k) = relay_W_.col(relay);
    w_[first_box() + k] = relay_w_[relay];
  }
}

void StepEquations::write_values() {
  values_.resize(rows());
  for (Index i = 0; i < contacts(); ++i) {
    const Candidate& candidate = candidates_[at(i)];
    if (candidate.info->always_closed)
      values_[i] = h_ * rates_[i];  // its velocity is what it forbids
    else
      values_[i] = candidate.placed ? candidate.frame.gap + candidate.overlap : nowhere;
  }
  if (bilaterals_ > 0) {
    system_.bilateral_errors(end_, errors_);
    values_.segment(first_bilateral(), bilaterals_) = errors_;
  }
  for (Index k = 0; k < boxes(); ++k) {
    const BoxRow& row = boxes_[at(k)];
    const Index r = first_box() + k;
    values_[r] = row.by_displacement ? displacement_[row.relay] / h_ : rates_[r];
  }
}

/// Of the coordinates, by what a change of each is felt as.
double StepEquations::rounding(const Vector& lever) const {
  constexpr double part = 4 * std::numeric_limits<double>::epsilon();
  const auto q = end_.q.head(end_.q.size() - states_.size());
  if (q.size() == lever.size()) return part * lever.cwiseAbs().dot(q.cwiseAbs());
  // Unit quaternions are no integrals of velocities: all coordinates count as the largest.
  return part * lever.lpNorm<1>() * q.lpNorm<Eigen::Infinity>();
}

double StepEquations::round_off(Index row) const {
  constexpr double part = 4 * std::numeric_limits<double>::epsilon();
  return rounding(W_.col(row)) + part * std::abs(w_[row] * end_.t);
}

double StepEquations::unbalance_round_off(Index velocity) const {
  return rounding(dR_dq_.row(velocity));
}

void StepEquations::add_mass_change(const Vector& a, double factor, Matrix& J) {
  system_.mass_position_jacobian(end_, a, change_);
  J += factor * h_ * change_;
}

void StepEquations::add_row_change(const Vector& impulses, double factor, Matrix& J) {
  change_.setZero();
  for (Index i = 0; i < contacts(); ++i) {
    const Candidate& candidate = candidates_[at(i)];
    const double normal = impulses[i],
                 tangential = candidate.box < 0 ? 0 : impulses[first_box() + candidate.box];
    if (candidate.placed && (normal != 0 || tangential != 0))
      system_.add_contact_jacobian(end_, candidate.frame, {normal, tangential, 0}, change_);
  }
  if (bilaterals_ > 0)
    system_.add_bilateral_jacobian(end_, impulses.segment(first_bilateral(), bilaterals_), change_);
  if (relay_impulse_.size() > 0) {
    for (Index k = 0; k < boxes(); ++k)
      if (boxes_[at(k)].relay >= 0) relay_impulse_[boxes_[at(k)].relay] = impulses[first_box() + k];
    system_.add_relay_jacobian(end_, relay_impulse_, change_);
  }
  J += factor * h_ * change_;
}

void StepEquations::write_derivatives(const Vector& u, const Vector& impulses) {
  const Index n = velocities();
  system_.force_velocity_jacobian(end_, u, dh_du_);
  system_.force_position_jacobian(end_, u, dh_dq_);
  system_.force_time_derivative(end_, u, dh_dt_);
  for (Matrix* slopes : {&dh_du_, &dh_dq_}) leave_finite(*slopes);
  leave_finite(dh_dt_);
  dR_du_ = -h_ * h_ * dh_dq_;
  add_mass_change(difference_, 1, dR_du_);
  add_row_change(impulses, -1, dR_du_);
  dR_dq_ = dR_du_ / h_;  // so far it is what positions change, which h u moves
  dR_dh_.noalias() = dR_dq_ * u;
  dR_dh_ -= force_ + h_ * dh_dt_;
  dR_du_ += M_ - h_ * dh_du_;
  if (states_.size() > 0) add_state_change(u);

  dv_du_.resize(n, rows());
  dv_dh_.resize(rows());
  for (Index r = 0; r < first_box(); ++r) {
    dv_du_.col(r) = h_ * W_.col(r);
    dv_dh_[r] = rates_[r];
  }
  // Of a velocity also the direction changes: u · ∂W/∂q.
  const auto write_rate = [&](Index r) {
    Vector unit = Vector::Zero(rows());
    unit[r] = 1;
    Matrix dW = Matrix::Zero(n, n);
    add_row_change(unit, 1, dW);
    dv_du_.col(r) = W_.col(r) + dW.transpose() * u;
    dv_dh_[r] = u.dot(dW * u) / h_;
  };
  for (Index i = 0; i < contacts(); ++i)
    if (candidates_[at(i)].info->always_closed) {
      write_rate(i);
      dv_du_.col(i) *= h_;
      dv_dh_[i] = rates_[i] + h_ * dv_dh_[i];
    }
  for (Index k = 0; k < boxes(); ++k) {
    const Index r = first_box() + k;
    if (boxes_[at(k)].by_displacement) {
      dv_du_.col(r) = W_.col(r);
      dv_dh_[r] = (rates_[r] - values_[r]) / h_;
    } else {
      write_rate(r);
    }
  }
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/optimisation/program.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/linear.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

}  // namespace

void StepProgram::begin(const StepPoint& reference, const Vector& impulses,
                        const FreeLength& length) {
  length_ = length;
  reference_ = reference;
  n_ = equations_.velocities();
  contacts_ = equations_.contacts();
  bilaterals_ = equations_.bilaterals();
  boxes_ = equations_.boxes();
  longest_ = equations_.length();
  place_variables();
  write_jacobian_pattern();
  write_hessian_pattern();
  set_scales(impulses);
  write_start(impulses);
  x_.resize(0);
}

void StepProgram::place_variables() {
  force_ = n_;
  gap_ = force_ + contacts_;
  bilateral_ = gap_ + contacts_;
  above_ = bilateral_ + bilaterals_;
  below_ = above_ + boxes_;
  up_ = below_ + boxes_;
  down_ = up_ + boxes_;
  length_at_ = length_.is_free ? down_ + boxes_ : -1;
  variables_ = down_ + boxes_ + (length_.is_free ? 1 : 0);
  equalities_ = n_ + contacts_ + bilaterals_ + 2 * boxes_;
  pairs_.clear();
  for (Index i = 0; i < contacts_; ++i) pairs_.push_back({force_ + i, gap_ + i});
  for (Index k = 0; k < boxes_; ++k) {
    pairs_.push_back({above_ + k, up_ + k});
    pairs_.push_back({below_ + k, down_ + k});
  }
  lower_bound_.setConstant(variables_, -INFINITY);
  upper_bound_.setConstant(variables_, INFINITY);
  for (const ComplementaryPair& pair : pairs_)
    lower_bound_[pair.first] = lower_bound_[pair.second] = 0;
  if (!length_.is_free) return;
  lower_bound_[length_at_] = length_.shortest / length_.longest;
  upper_bound_[length_at_] = 1;
}

void StepProgram::append_variables(Index first, Index count) {
  for (Index i = 0; i < count; ++i) dense_.push_back(first + i);
}

/// Equations of motion have all velocities and impulses; a gap has all velocities and its slack.
void StepProgram::write_jacobian_pattern() {
  std::vector<MatrixEntry>& pattern = jacobian_pattern_;
  pattern.clear();
  dense_.clear();
  append_variables(0, n_);
  append_variables(force_, contacts_);
  append_variables(bilateral_, bilaterals_);
  append_variables(above_, boxes_);
  if (length_.is_free) dense_.push_back(length_at_);
  for (const Index j : dense_)
    for (Index i = 0; i < n_; ++i) pattern.push_back({i, j});
  for (Index r = 0; r < equations_.rows(); ++r) {
    for (Index j = 0; j < n_; ++j) pattern.push_back({n_ + r, j});
    if (length_.is_free) pattern.push_back({n_ + r, length_at_});
  }
  for (Index i = 0; i < contacts_; ++i) pattern.push_back({n_ + i, gap_ + i});
  for (Index k = 0; k < boxes_; ++k) {
    const Index velocity = n_ + equations_.first_box() + k, room = velocity + boxes_;
    pattern.push_back({velocity, up_ + k});
    pattern.push_back({velocity, down_ + k});
    pattern.push_back({room, above_ + k});
    pattern.push_back({room, below_ + k});
    const int candidate = equations_.box_rows()[at(k)].candidate;
    if (candidate >= 0)
      pattern.push_back({room, force_ + candidate});
    else if (length_.is_free)
      pattern.push_back({room, length_at_});
  }
}

/// The objective couples the impulses of all contacts, gaps and joints curve in the velocities.
void StepProgram::write_hessian_pattern() {
  std::vector<MatrixEntry>& pattern = hessian_pattern_;
  pattern.clear();
  for (Index i = 0; i < n_; ++i)
    for (Index j = 0; j <= i; ++j) pattern.push_back({i, j});
  dense_.clear();
  append_variables(force_, contacts_);
  for (Index k = 0; k < boxes_; ++k)
    if (equations_.box_rows()[at(k)].candidate >= 0) dense_.push_back(above_ + k);
  if (length_.is_free) dense_.push_back(length_at_);
  for (std::size_t i = 0; i < dense_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) pattern.push_back({dense_[i], dense_[j]});
  for (const auto& [first, second] : pairs_) pattern.push_back({second, first});
}

void StepProgram::set_scales(const Vector& impulses) {
  impulses_ = Vector::Zero(equations_.rows());
  equations_.evaluate(reference_.u, impulses_, StepEquations::Order::values);
  inertia_ = equations_.mass().diagonal().cwiseMax(1e-300).cwiseSqrt();
  factors_ = equations_.mass();
  factor_ldlt(factors_);
  mobility_.setOnes(equations_.rows());
  energy_ = 0;
  for (Index r = 0; r < equations_.rows(); ++r) {
    acceleration_ = equations_.directions().col(r);
    solve_ldlt(factors_, acceleration_.data());
    const double G = acceleration_.dot(equations_.directions().col(r));
    mobility_[r] = G > 0 ? std::sqrt(G) : 1;
    // What the row must change, what it did before, and what it may do.
    const double missing = r < contacts_ ? std::max(0.0, -equations_.values()[r]) / longest_ : 0;
    energy_ = std::max({energy_, missing / mobility_[r], std::abs(impulses[r]) * mobility_[r]});
  }
  for (Index k = 0; k < boxes_; ++k) {
    const Index r = equations_.first_box() + k;
    if (equations_.box_rows()[at(k)].relay >= 0)
      energy_ = std::max(energy_, equations_.upper(k, impulses_) * mobility_[r]);
  }
  if (!(energy_ > 0)) energy_ = 1;
  value_scale_ = mobility_ * energy_;
  value_scale_.head(equations_.first_box()) *= longest_;
  for (Index r = equations_.first_box(); r < equations_.rows(); ++r)
    value_scale_[r] = std::max(value_scale_[r], std::abs(equations_.values()[r]));
}

/// Impulses as they were, over the length that the step begins with, and more only where a gap
/// would be negative with all of them: each of several contacts that share a load has its part
/// already. Where the step ends as bodies meet, none of theirs is needed yet.
void StepProgram::write_start(const Vector& impulses) {
  constexpr double inside = 1e-3;  // from the bounds
  const double part = length_.is_free ? length_.guess / length_.longest : 1;
  start_.setZero(variables_);
  if (length_.is_free) start_[length_at_] = part;
  acceleration_.noalias() = equations_.directions() * (impulses - reference_.impulses);
  solve_ldlt(factors_, acceleration_.data());
  const Vector to_go = reference_.u - equations_.start_velocity();
  start_.head(n_) = (part * acceleration_ - (1 - part) * to_go).cwiseProduct(inertia_) / energy_;
  const auto change = [&](Index row) {  // of a velocity, by the impulses
    return part * equations_.directions().col(row).dot(acceleration_);
  };
  for (Index i = 0; i < contacts_; ++i) {
    const double gap = (equations_.values()[i] + part * longest_ * change(i)) / value_scale_[i];
    const double push =
        std::max(0.0, part * impulses[i] / impulse_scale(i)) + (part < 1 ? 0 : std::max(0.0, -gap));
    start_[force_ + i] = std::max(push, inside);
    start_[gap_ + i] = std::max(push > 0 ? 0 : gap, inside);
  }
  for (Index i = 0; i < bilaterals_; ++i) {
    const Index row = equations_.first_bilateral() + i;
    start_[bilateral_ + i] = part * impulses[row] / impulse_scale(row);
  }
  for (Index k = 0; k < boxes_; ++k) {
    const Index row = equations_.first_box() + k;
    const double lower = equations_.lower(k, impulses), upper = equations_.upper(k, impulses);
    start_[above_ + k] = std::max(part * (impulses[row] - lower) / impulse_scale(row), inside);
    start_[below_ + k] = std::max(part * (upper - impulses[row]) / impulse_scale(row), inside);
    const double velocity = (equations_.values()[row] + change(row)) / value_scale_[row];
    start_[up_ + k] = std::max(velocity, inside);
    start_[down_ + k] = std::max(-velocity, inside);
  }
}

double StepProgram::length(const double* x) const {
  return length_.is_free ? x[length_at_] * length_.longest : longest_;
}

void StepProgram::read(const double* x, Vector& u, Vector& impulses) const {
  u = reference_.u;
  for (Index i = 0; i < n_; ++i) u[i] += x[i] * energy_ / inertia_[i];
  impulses.resize(equations_.rows());
  for (Index i = 0; i < contacts_; ++i) impulses[i] = x[force_ + i] * impulse_scale(i);
  for (Index i = 0; i < bilaterals_; ++i) {
    const Index row = equations_.first_bilateral() + i;
    impulses[row] = x[bilateral_ + i] * impulse_scale(row);
  }
  for (Index k = 0; k < boxes_; ++k) {
    const Index row = equations_.first_box() + k;
    impulses[row] = equations_.lower(k, impulses) + x[above_ + k] * impulse_scale(row);
  }
}

double StepProgram::largest_product(const double* x) const {
  double largest = 0;
  for (const ComplementaryPair& pair : pairs_)
    largest = std::max(largest, x[pair.first] * x[pair.second]);
  return largest;
}

bool StepProgram::evaluate(const double* x) {
  const Eigen::Map<const Vector> now(x, variables_);
  if (x_.size() == variables_ && x_ == now) return std::isfinite(objective_);
  x_ = now;
  equations_.set_length(length(x));
  read(x, u_, impulses_);
  equations_.evaluate(u_, impulses_, StepEquations::Order::derivatives);
  write_constraints(x);
  write_jacobian();
  write_objective(x);
  if (!c_.allFinite() || !J_.allFinite() || !gradient_.allFinite()) objective_ = NAN;
  return std::isfinite(objective_);
}

void StepProgram::write_constraints(const double* x) {
  c_.resize(equalities_);
  c_.head(n_) = equations_.unbalance().cwiseQuotient(inertia_) / energy_;
  const Vector& values = equations_.values();
  for (Index i = 0; i < contacts_; ++i) c_[n_ + i] = values[i] / value_scale_[i] - x[gap_ + i];
  for (Index r = contacts_; r < equations_.first_box(); ++r)
    c_[n_ + r] = values[r] / value_scale_[r];
  for (Index k = 0; k < boxes_; ++k) {
    const Index r = equations_.first_box() + k;
    c_[n_ + r] = values[r] / value_scale_[r] - x[up_ + k] + x[down_ + k];
    const double room = equations_.upper(k, impulses_) - equations_.lower(k, impulses_);
    c_[n_ + r + boxes_] = x[above_ + k] + x[below_ + k] - room / impulse_scale(r);
  }
}

void StepProgram::write_jacobian() {
  J_.setZero(equalities_, variables_);
  const Matrix& W = equations_.directions();
  for (Index j = 0; j < n_; ++j) {
    const double scale = energy_ / inertia_[j];
    for (Index i = 0; i < n_; ++i)
      J_(i, j) = equations_.unbalance_by_velocity()(i, j) * scale / (inertia_[i] * energy_);
    for (Index r = 0; r < equations_.rows(); ++r)
      J_(n_ + r, j) = equations_.values_by_velocity()(j, r) * scale / value_scale_[r];
  }
  const auto add_column = [&](Index variable, Index row, double impulse) {
    for (Index i = 0; i < n_; ++i) J_(i, variable) -= W(i, row) * impulse / (inertia_[i] * energy_);
  };
  for (Index i = 0; i < contacts_; ++i) {
    add_column(force_ + i, i, impulse_scale(i));
    J_(n_ + i, gap_ + i) = -1;
  }
  for (Index i = 0; i < bilaterals_; ++i) {
    const Index r = equations_.first_bilateral() + i;
    add_column(bilateral_ + i, r, impulse_scale(r));
  }
  for (Index k = 0; k < boxes_; ++k) {
    const BoxRow& row = equations_.box_rows()[at(k)];
    const Index r = equations_.first_box() + k;
    add_column(above_ + k, r, impulse_scale(r));
    J_(n_ + r, up_ + k) = -1;
    J_(n_ + r, down_ + k) = 1;
    J_(n_ + r + boxes_, above_ + k) = J_(n_ + r + boxes_, below_ + k) = 1;
    if (row.candidate >= 0) {  // the limits grow with the normal force
      const double pushed = row.friction * impulse_scale(row.candidate);
      add_column(force_ + row.candidate, r, -pushed);
      J_(n_ + r + boxes_, force_ + row.candidate) = -2 * pushed / impulse_scale(r);
    } else if (length_.is_free) {  // and those of a relay with the step
      add_column(length_at_, r, row.lower * length_.longest);
      J_(n_ + r + boxes_, length_at_) -=
          (row.upper - row.lower) * length_.longest / impulse_scale(r);
    }
  }
  if (!length_.is_free) return;
  for (Index i = 0; i < n_; ++i)
    J_(i, length_at_) +=
        equations_.unbalance_by_length()[i] * length_.longest / (inertia_[i] * energy_);
  for (Index r = 0; r < equations_.rows(); ++r)
    J_(n_ + r, length_at_) = equations_.values_by_length()[r] * length_.longest / value_scale_[r];
}

/// Impulses of a free step count by the forces that they stand for (theory 12.7).
double StepProgram::objective_unit() const {
  const double ratio = longest_ / equations_.length();
  return ratio * ratio / (energy_ * energy_);
}

/// Z of theory 12.6, half the energy that the forces of contacts stand for.
void StepProgram::write_objective(const double* x) {
  const double unit = objective_unit();
  contact_impulses_ = impulses_;
  contact_impulses_.segment(equations_.first_bilateral(), bilaterals_).setZero();
  for (Index k = 0; k < boxes_; ++k)
    if (equations_.box_rows()[at(k)].relay >= 0) contact_impulses_[equations_.first_box() + k] = 0;
  const Matrix& W = equations_.directions();
  contact_force_.noalias() = W * contact_impulses_;
  factors_ = equations_.mass();
  factor_ldlt(factors_);
  acceleration_ = contact_force_;
  solve_ldlt(factors_, acceleration_.data());
  objective_ = 0.5 * unit * contact_force_.dot(acceleration_);
  gradient_.setZero(variables_);
  change_.setZero(n_, n_);
  equations_.add_row_change(contact_impulses_, 1, change_);
  equations_.add_mass_change(acceleration_, -0.5, change_);
  Vector by_position = change_.transpose() * acceleration_;
  for (Index j = 0; j < n_; ++j) gradient_[j] = unit * by_position[j] * energy_ / inertia_[j];
  for (Index i = 0; i < contacts_; ++i)
    gradient_[force_ + i] = unit * W.col(i).dot(acceleration_) * impulse_scale(i);
  for (Index k = 0; k < boxes_; ++k) {
    const BoxRow& row = equations_.box_rows()[at(k)];
    if (row.candidate < 0) continue;
    const Index r = equations_.first_box() + k;
    const double slope = unit * W.col(r).dot(acceleration_);
    gradient_[above_ + k] = slope * impulse_scale(r);
    gradient_[force_ + row.candidate] -= slope * row.friction * impulse_scale(row.candidate);
  }
  if (!length_.is_free) return;
  gradient_[length_at_] = unit * by_position.dot(u_) * length_.longest / equations_.length() -
                          2 * objective_ / x[length_at_] - length_.preference;
  objective_ += length_.preference * (1 - x[length_at_]);
}

/// What the factor 1/η² of the objective adds, η being the variable of the length.
void StepProgram::add_length_curvature(double objective_factor, Matrix& H) const {
  const double eta = equations_.length() / length_.longest;
  const double Z = objective_ - length_.preference * (1 - eta);
  for (Index i = n_; i < variables_; ++i) {
    if (i == length_at_ || box_gradient_.col(i).isZero(0)) continue;
    const double value = -2 * objective_factor * gradient_[i] / eta;
    H(i, length_at_) += value;
    H(length_at_, i) += value;
  }
  H(length_at_, length_at_) += objective_factor * 6 * Z / (eta * eta);
}

void StepProgram::write_hessian(double objective_factor, const double* multipliers, Matrix& H) {
  H.setZero(variables_, variables_);
  const Matrix& W = equations_.directions();
  // Columns of the contacts' forces over the variables that they depend on.
  box_gradient_.setZero(n_, variables_);
  for (Index i = 0; i < contacts_; ++i) box_gradient_.col(force_ + i) = W.col(i) * impulse_scale(i);
  for (Index k = 0; k < boxes_; ++k) {
    const BoxRow& row = equations_.box_rows()[at(k)];
    if (row.candidate < 0) continue;
    const Index r = equations_.first_box() + k;
    box_gradient_.col(above_ + k) = W.col(r) * impulse_scale(r);
    box_gradient_.col(force_ + row.candidate) -=
        W.col(r) * row.friction * impulse_scale(row.candidate);
  }
  for (Index j = 0; j < variables_; ++j) {
    if (box_gradient_.col(j).isZero(0)) continue;
    acceleration_ = box_gradient_.col(j);
    solve_ldlt(factors_, acceleration_.data());
    H.col(j).noalias() +=
        objective_factor * objective_unit() * box_gradient_.transpose() * acceleration_;
  }
  if (length_.is_free) add_length_curvature(objective_factor, H);
  contact_impulses_.setZero(equations_.rows());
  for (Index r = 0; r < equations_.first_box(); ++r)
    contact_impulses_[r] = multipliers[n_ + r] * equations_.length() / value_scale_[r];
  change_.setZero(n_, n_);
  equations_.add_row_change(contact_impulses_, 1, change_);
  for (Index j = 0; j < n_; ++j)
    for (Index i = 0; i < n_; ++i)
      H(i, j) +=
          0.5 * (change_(i, j) + change_(j, i)) * energy_ * energy_ / (inertia_[i] * inertia_[j]);
}

}  // namespace backlash

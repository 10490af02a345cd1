// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/optimisation/active_set.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Velocities below this part of what a step changes are round-off.
constexpr double slow = 1e-9;

}  // namespace

/// Impulses of rows that are not unknown: zero, or a limit.
void ActiveSetNewton::fill_limits(const ActiveSet& active, StepPoint& point) const {
  for (Index i = 0; i < equations_.contacts(); ++i)
    if (!active.closed[at(i)]) point.impulses[i] = 0;
  for (Index k = 0; k < equations_.boxes(); ++k) {
    const Index r = equations_.first_box() + k;
    if (active.boxes[at(k)] == BoxMode::at_lower)
      point.impulses[r] = equations_.lower(k, point.impulses);
    if (active.boxes[at(k)] == BoxMode::at_upper)
      point.impulses[r] = equations_.upper(k, point.impulses);
  }
}

void ActiveSetNewton::write_errors(const ActiveSet& active, const StepPoint& point) {
  constexpr double round_off = 16 * 2.2e-16;  // of the momenta, whose difference is looked at
  const double h = equations_.length();
  const Vector& R = equations_.unbalance();
  const Vector& u_A = equations_.start_velocity();
  const Vector change = (equations_.mass() * (point.u - u_A)).cwiseAbs();
  const Vector momentum = equations_.mass().cwiseAbs() * (point.u.cwiseAbs() + u_A.cwiseAbs());
  // Coordinates of one kind have forces of one size: angular and linear ones are told apart.
  const std::vector<bool>& angular = equations_.system().info().angular;
  const auto kind = [&](Index i) { return !angular.empty() && angular[at(i)] ? 1u : 0u; };
  double largest[2] = {h, h};  // of a newton, or a newton metre
  for (Index i = 0; i < R.size(); ++i) {
    double sum = change[i] + h * std::abs(equations_.force()[i]);
    for (Index r = 0; r < equations_.rows(); ++r)
      sum += std::abs(equations_.directions()(i, r) * point.impulses[r]);
    largest[kind(i)] = std::max(largest[kind(i)], sum);
  }
  errors_.motion = 0;
  for (Index i = 0; i < R.size(); ++i)
    errors_.motion = std::max(
        errors_.motion, std::abs(R[i]) / (largest[kind(i)] + (round_off * momentum[i] +
                                                              equations_.unbalance_round_off(i)) /
                                                                 options_.motion));
  if (!R.allFinite() || !equations_.unbalance_by_velocity().allFinite())
    errors_.motion = NAN;  // which no maximum shows
  errors_.position = 0;
  const auto add = [&](Index row, double unit) {
    const double error = unit * std::abs(equations_.values()[row]) / allowed(row);
    errors_.position = std::max(errors_.position, error);
  };
  for (Index i = 0; i < equations_.contacts(); ++i)
    if (active.closed[at(i)]) add(i, 1);
  for (Index r = equations_.first_bilateral(); r < equations_.first_box(); ++r) add(r, 1);
  for (Index k = 0; k < equations_.boxes(); ++k)
    if (active.boxes[at(k)] == BoxMode::between) add(equations_.first_box() + k, h);
}

double ActiveSetNewton::allowed(Index row) const {
  const double length = std::max(1e-3, equations_.system().info().length);
  return options_.position * length + equations_.round_off(row);
}

bool ActiveSetNewton::is_solved() const {
  return errors_.motion <= options_.motion && errors_.position <= 1;
}

/// One step of Newton's method for u and all unknown impulses; of impulses that the equations leave
/// open, those nearest to the reference are taken.
void ActiveSetNewton::solve_linear(const ActiveSet& active, const Vector& reference,
                                   StepPoint& point) {
  const Index n = equations_.velocities();
  const double h = equations_.length();
  unknown_.clear();
  for (Index i = 0; i < equations_.contacts(); ++i)
    if (active.closed[at(i)]) unknown_.push_back(i);
  for (Index r = equations_.first_bilateral(); r < equations_.first_box(); ++r)
    unknown_.push_back(r);
  for (Index k = 0; k < equations_.boxes(); ++k)
    if (active.boxes[at(k)] == BoxMode::between) unknown_.push_back(equations_.first_box() + k);
  const auto m = static_cast<Index>(unknown_.size());
  const Matrix& W = equations_.directions();

  scale_ = equations_.mass().diagonal().cwiseMax(1e-300).cwiseSqrt();
  row_scale_.resize(m);
  for (Index j = 0; j < m; ++j) {
    const double size = W.col(unknown_[at(j)]).cwiseQuotient(scale_).norm();
    row_scale_[j] = size > 0 ? size : 1;
  }
  K_.setZero(n + m, n + m);
  right_.resize(n + m);
  const Matrix& A = equations_.unbalance_by_velocity();
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) K_(i, j) = A(i, j) / (scale_[i] * scale_[j]);
  // R without the unknown impulses, which are found anew.
  Vector rest = equations_.unbalance();
  for (Index j = 0; j < m; ++j) {
    const Index r = unknown_[at(j)];
    rest += W.col(r) * (point.impulses[r] - reference[r]);
    Vector column = W.col(r);
    if (r < equations_.contacts()) {  // friction at its limit goes with the normal force
      const int box = equations_.candidates()[at(r)].box;
      if (box >= 0 && active.boxes[at(box)] != BoxMode::between) {
        const double ratio = equations_.box_rows()[at(box)].friction *
                             (active.boxes[at(box)] == BoxMode::at_lower ? -1 : 1);
        const Index row = equations_.first_box() + box;
        column += ratio * W.col(row);
        rest += ratio * W.col(row) * (point.impulses[r] - reference[r]);
      }
    }
    K_.col(n + j).head(n) = -column.cwiseQuotient(scale_) / row_scale_[j];
    const bool is_position = r < equations_.first_box();
    const double unit = row_scale_[j] * (is_position ? h : 1);
    K_.row(n + j).head(n) =
        equations_.values_by_velocity().col(r).cwiseQuotient(scale_).transpose() / unit;
    right_[n + j] = -equations_.values()[r] / unit;
  }
  right_.head(n) = -rest.cwiseQuotient(scale_);
  factors_.compute(K_);
  const Vector solution = factors_.solve(right_);
  point.u += solution.head(n).cwiseQuotient(scale_);
  for (Index j = 0; j < m; ++j) {
    const Index r = unknown_[at(j)];
    point.impulses[r] = reference[r] + solution[n + j] / row_scale_[j];
  }
}

bool ActiveSetNewton::solve(const ActiveSet& active, const Vector& reference, StepPoint& point) {
  fill_limits(active, point);
  StepPoint best;
  double least = INFINITY;
  for (int k = 0; k <= options_.max_iterations; ++k) {
    equations_.evaluate(point.u, point.impulses, StepEquations::Order::derivatives);
    write_errors(active, point);
    const double error = errors_.motion / options_.motion + errors_.position;
    if (!std::isfinite(error)) return false;
    const bool better = error < 0.5 * least;
    if (k > 0 && error < least) {  // the guess has impulses of its own
      least = error;
      best = point;
    }
    if (least < 2 && !better) break;  // round-off
    if (k == options_.max_iterations) break;
    solve_linear(active, reference, point);
    fill_limits(active, point);
    ++iterations_;
  }
  point = best;
  equations_.evaluate(point.u, point.impulses, StepEquations::Order::derivatives);
  write_errors(active, point);
  return is_solved();
}

double ActiveSetNewton::crawl(Index box, const StepPoint& point) const {
  const double speed = (point.u - equations_.start_velocity()).cwiseAbs().maxCoeff();
  return slow * speed + allowed(equations_.first_box() + box) / equations_.length();
}

bool ActiveSetNewton::sticks(Index box, const StepPoint& point) const {
  return std::abs(equations_.values()[equations_.first_box() + box]) <= crawl(box, point);
}

bool ActiveSetNewton::exchange(const StepPoint& point, ActiveSet& active) const {
  const Vector& values = equations_.values();
  const double scale = point.impulses.size() > 0 ? point.impulses.cwiseAbs().maxCoeff() : 0;
  bool changed = false;
  for (Index i = 0; i < equations_.contacts(); ++i) {
    char& closed = active.closed[at(i)];
    const bool opens = closed && point.impulses[i] < -least_impulse(point.impulses);
    const bool closes = !closed && values[i] < -allowed(i);
    if (!opens && !closes) continue;
    closed = closes;
    changed = true;
    const int box = equations_.candidates()[at(i)].box;
    if (closes && box >= 0) active.boxes[at(box)] = BoxMode::between;
    if (opens && box >= 0) active.boxes[at(box)] = BoxMode::at_lower;
  }
  for (Index k = 0; k < equations_.boxes(); ++k) {
    const BoxRow& row = equations_.box_rows()[at(k)];
    if (row.candidate >= 0 && !active.closed[at(row.candidate)]) continue;
    const Index r = equations_.first_box() + k;
    BoxMode& mode = active.boxes[at(k)];
    const BoxMode before = mode;
    if (row.is_powerless()) {
      if (mode == BoxMode::between) mode = BoxMode::at_lower;  // without strength it never holds
      changed = changed || mode != before;
      continue;
    }
    const double slack = 1e-9 * scale;
    const double least = crawl(k, point);
    if (mode == BoxMode::between) {
      if (point.impulses[r] < equations_.lower(k, point.impulses) - slack) mode = BoxMode::at_lower;
      if (point.impulses[r] > equations_.upper(k, point.impulses) + slack) mode = BoxMode::at_upper;
    } else if (mode == BoxMode::at_lower ? values[r] < -least : values[r] > least) {
      // It sticks, unless it is so fast that its force cannot stop it in this step.
      const double room = equations_.upper(k, point.impulses) - equations_.lower(k, point.impulses);
      const Vector& masses = equations_.mass().diagonal();
      const double mobility =
          equations_.directions().col(r).cwiseAbs2().cwiseQuotient(masses.cwiseMax(1e-300)).sum();
      const bool fast = std::abs(values[r]) > 10 * room * mobility;
      mode = !fast                       ? BoxMode::between
             : mode == BoxMode::at_lower ? BoxMode::at_upper
                                         : BoxMode::at_lower;
    }
    changed = changed || mode != before;
  }
  return changed;
}

bool ActiveSetNewton::exchange_until_all_hold(const Vector& reference, ActiveSet& active,
                                              StepPoint& point) {
  visited_.clear();
  for (int k = 0; k < options_.max_changes; ++k) {
    if (!solve(active, reference, point)) return false;
    visited_.push_back(active);
    if (!exchange(point, active)) return true;
    if (std::ranges::find(visited_, active) != visited_.end()) return false;
  }
  return false;
}

bool ActiveSetNewton::solve_unchanged(const ActiveSet& active, const Vector& reference,
                                      StepPoint& point) {
  ActiveSet exchanged = active;
  return solve(active, reference, point) && !exchange(point, exchanged);
}

/// A contact that touches without a force, and one at the limit of friction that does not slip, may
/// as well be closed and stick: with redundant contacts it is arbitrary which of them an optimiser
/// lets carry.
ActiveSet ActiveSetNewton::all_that_touch(const ActiveSet& active, const StepPoint& point) const {
  ActiveSet all = active;
  for (Index i = 0; i < equations_.contacts(); ++i)
    if (equations_.values()[i] <= allowed(i)) all.closed[at(i)] = 1;
  for (Index k = 0; k < equations_.boxes(); ++k) {
    const int candidate = equations_.box_rows()[at(k)].candidate;
    if ((candidate < 0 || all.closed[at(candidate)]) && sticks(k, point))
      all.boxes[at(k)] = BoxMode::between;
  }
  return all;
}

bool ActiveSetNewton::solve_conditions(const Vector& expected, ActiveSet& active,
                                       StepPoint& point) {
  const Vector found = point.impulses;
  if (!exchange_until_all_hold(Vector::Zero(found.size()), active, point)) return false;
  const ActiveSet all = all_that_touch(active, point);
  const bool redundant = factors_.rank() < K_.rows();
  if (all == active && !redundant) return true;
  for (const Vector* reference : {&expected, &found}) {
    ActiveSet shared = all;
    StepPoint sharing = point;
    if (!exchange_until_all_hold(*reference, shared, sharing)) continue;
    active = shared;
    point = sharing;
    return true;
  }
  equations_.evaluate(point.u, point.impulses, StepEquations::Order::derivatives);
  write_errors(active, point);
  return true;
}

std::string ActiveSetNewton::violated(const ActiveSet& active, const StepPoint& point) const {
  const System& system = equations_.system();
  const Vector& values = equations_.values();
  std::string text;
  const auto append = [&](const std::string& item) { text += (text.empty() ? "" : ", ") + item; };
  if (!(errors_.motion <= options_.motion))
    append(fmt::format("equations of motion off by {:.2g} of their forces", errors_.motion));
  for (Index i = 0; i < equations_.contacts(); ++i) {
    const Candidate& candidate = equations_.candidates()[at(i)];
    const std::string contact = system.contact_name(candidate.key);
    const GapUnit unit = candidate.info->unit;
    if (values[i] < -allowed(i))
      append(fmt::format("gap of '{}' is {:.2g} {}", contact, values[i], name(unit)));
    if (point.impulses[i] < 0)
      append(fmt::format("force of '{}' is {:.2g} {}", contact,
                         point.impulses[i] / equations_.length(),
                         unit == GapUnit::metre ? "N" : "N m"));
  }
  for (Index i = 0; i < equations_.bilaterals(); ++i) {
    const double error = values[equations_.first_bilateral() + i];
    if (!(std::abs(error) <= allowed(equations_.first_bilateral() + i)))
      append(fmt::format("'{}' is off by {:.2g} {}", system.info().bilaterals[at(i)].name, error,
                         name(system.info().bilaterals[at(i)].unit)));
  }
  for (Index k = 0; k < equations_.boxes(); ++k) {
    const BoxRow& row = equations_.box_rows()[at(k)];
    const Index r = equations_.first_box() + k;
    const double slip = std::abs(values[r]);
    if (active.boxes[at(k)] != BoxMode::between || slip * equations_.length() <= allowed(r))
      continue;
    const std::string item =
        row.relay >= 0 ? system.info().relays[at(row.relay)].name
                       : system.contact_name(equations_.candidates()[at(row.candidate)].key);
    append(fmt::format("'{}' slips where it should hold", item));
  }
  return text.empty() ? "contacts, friction and forces of given strength do not agree on which "
                        "of them touch, stick and slip"
                      : text;
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/violations.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/input_error.h"
#include "backlash/solvers/factor_rows.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/sweeping.h"

namespace backlash {
namespace {

/// Slower slip than this part of the velocities has no direction.
constexpr double slowest_slip = 1e-14;

void raise(double value, double& most) { most = std::max(most, value); }

/// One contact: its rows of Λ and ξ, in the laws' own terms.
struct ContactView {
  const Contact& contact;
  const VectorView& impulse;
  const VectorView& xi;
  double length;  ///< of its rows' unit

  double push() const { return contact.has_normal() ? impulse[contact.normal] : 0; }
  double tangential(const VectorView& v) const {
    return v.segment(contact.tangent, contact.tangents).norm();
  }
  double angle() const {
    const auto slip = xi.segment(contact.tangent, contact.tangents);
    const auto friction = impulse.segment(contact.tangent, contact.tangents);
    const double along = -slip.dot(friction);
    if (contact.tangents == 1) return along >= 0 ? 0 : M_PI;
    return std::atan2(std::abs(slip[0] * friction[1] - slip[1] * friction[0]), along);
  }
};

void judge_normal(const ContactView& view, LawViolations& most) {
  const double xi = view.length * view.xi[view.contact.normal];
  const double push = view.length * view.push() / view.contact.normal_r;
  if (view.contact.bilateral) return raise(std::abs(xi), most.equality);
  raise(-xi, most.approach);
  raise(-push, most.cone);
  raise(std::min(xi, push), most.complementarity);
}

void judge_friction(const ContactView& view, double scale, LawViolations& most) {
  const double limit = view.contact.limit(std::max(0.0, view.push()));
  const double friction = view.tangential(view.impulse);
  const double slip = view.length * view.tangential(view.xi);
  const double spare = view.length * (limit - friction) / view.contact.tangent_r;
  raise(-spare, most.cone);
  raise(std::min(slip, spare), most.complementarity);
  if (!(slip > slowest_slip * scale) || !(slip > spare) || !(friction > 0)) return;  // it sticks
  const double angle = view.angle();
  if (angle <= most.slip_angle) return;
  most.slip_angle = angle;
  most.slip_speed = slip;
}

}  // namespace

LawViolations violations(const ContactProblem& problem, const VectorView& impulse) {
  validate(problem);
  require_size(impulse.size(), problem.free_velocity.size(), "impulse (rows of the problem)");
  Arena scratch;
  Arena::Frame frame(scratch);
  Vector xi(impulse.size());
  apply(problem.delassus, impulse, scratch, xi);
  xi += problem.free_velocity;
  const std::span<Contact> contacts = list_contacts(problem, frame);
  set_r_of_rows(factor_rows(problem.delassus, frame), contacts);
  const double scale = velocity_scale(problem);
  LawViolations most;
  for (const Contact& contact : contacts) {
    const Eigen::Index first = contact.has_normal() ? contact.normal : contact.tangent;
    const double length = problem.row_length.size() == 0 ? 1 : problem.row_length[first];
    const ContactView view{contact, impulse, xi, length};
    if (contact.has_normal()) judge_normal(view, most);
    if (contact.tangents > 0) judge_friction(view, scale, most);
  }
  return most;
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/joint.h"

#include <algorithm>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/laws/contact_law.h"
#include "backlash/model/member.h"

namespace backlash {
namespace {

void check_points(const Vec3& p_AP, const Vec3& p_BQ, const std::string& item) {
  require_finite(p_AP, item + ": first point");
  require_finite(p_BQ, item + ": second point");
}

void check_axis(const Vec3& axis, const std::string& item) {
  require_finite(axis, item + ": axis");
  if (std::abs(axis.norm() - 1) > 1e-12)
    throw InputError(fmt::format("{}: axis must be of length 1, is {}", item, axis.norm()));
}

template <class Kind>
void check_kind(const Kind& j, const std::string& item) {
  check_points(j.p_AP, j.p_BQ, item);
  if constexpr (requires { j.axis_A; }) check_axis(j.axis_A, item);
  if constexpr (requires { j.axis_B; }) check_axis(j.axis_B, item);
  if constexpr (requires { j.rotation; }) require_finite(j.rotation, item + ": angle");
  check_numbers(j, item);
}

void require_not_zero(double value, const std::string& quantity) {
  require_finite(value, quantity);
  if (value == 0) throw InputError(fmt::format("{} must not be 0", quantity));
}

void check_kind(const Gear& j, const std::string& item) {
  require_not_zero(j.ratio, item + ": ratio");
}
void check_kind(const Rack& j, const std::string& item) {
  require_not_zero(j.radius, item + ": radius");
}

void check_kind(const Coupling& j, const std::string& item) {
  require_not_zero(j.ratio, item + ": ratio");
}

void check(const RevoluteClearance& c, const std::string& item) {
  require_positive(c.gap, item + ": gap", "m");  // a circle, not a point
  require_not_negative(c.journal_radius, item + ": journal radius", "m");
}
void check(const PrismaticClearance& c, const std::string& item) {
  require_positive(c.length, item + ": length", "m");
  require_not_negative(c.width, item + ": width", "m");
  require_not_negative(c.corner_radius, item + ": corner radius", "m");
  require_not_negative(std::min(c.max_misalignment, 1e300), item + ": max_misalignment", "rad");
  if (!(c.guide_from < c.guide_to))
    throw InputError(fmt::format("{}: the guide must end after its beginning, runs from {} to {} m",
                                 item, c.guide_from, c.guide_to));
}
void check(const ToothClearance&, const std::string&) {}

bool fits(const Clearance& clearance, const JointKind& kind) {
  if (std::holds_alternative<RevoluteClearance>(clearance))
    return std::holds_alternative<Revolute>(kind);
  if (std::holds_alternative<PrismaticClearance>(clearance))
    return std::holds_alternative<Prismatic>(kind);
  return holds(kind, Hold::ratio);
}

void check_clearance(const Joint& joint, const std::string& item) {
  if (!fits(*joint.clearance, joint.kind))
    throw InputError(fmt::format("{} does not fit a {} joint", item, kind_name(joint.kind)));
  std::visit(
      [&](const auto& c) {
        require_not_negative(c.gap, item + ": gap", "m");
        check(c, item);
      },
      *joint.clearance);
}

void require_coordinates(const Joint& joint, std::size_t least, std::size_t most,
                         std::string_view attribute) {
  const std::size_t count = coordinate_types(joint.kind).size();
  if (least <= count && count <= most) return;
  throw InputError(fmt::format("joint '{}': a {} joint, with {} coordinates, cannot have {}",
                               joint.name, kind_name(joint.kind), count, attribute));
}

void check_friction(const Joint& joint, const std::string& item) {
  const JointFriction& f = *joint.friction;
  require_not_negative(f.strength, item, "N or N m");
  require_not_negative(f.friction, item + ": coefficient", "-");
  require_static_friction(f.static_friction, f.friction, item);
  require_not_negative(f.radius, item + ": radius", "m");
  require_not_negative(f.length, item + ": length", "m");
  if (f.friction == 0 && f.static_friction == 0) return;
  if (std::holds_alternative<Revolute>(joint.kind))
    require_positive(f.radius, item + ": radius of the pin, which goes with a coefficient,", "m");
  if (std::holds_alternative<Prismatic>(joint.kind))
    require_positive(f.length, item + ": length of the guide, which goes with a coefficient,", "m");
  if (joint.clearance)
    throw InputError(fmt::format(
        "{} has a coefficient, but the joint has a clearance, whose law has the friction", item));
}

void check_guess(const Joint& joint, const InitialCoordinate& initial, const std::string& item) {
  require_finite(*initial.guess, item);
  require_coordinates(joint, 1, 1, "an initial guess");
  if (initial.position || joint.drive)
    throw InputError(fmt::format("{} is {}, but {}; give one of them", item, *initial.guess,
                                 joint.drive
                                     ? "a drive says where the joint starts"
                                     : fmt::format("its value is given as {}", *initial.position)));
}

}  // namespace

JointInfo joint_info(const JointKind& kind) {
  return std::visit([](const auto& joint) { return joint.info(); }, kind);
}

bool holds(const JointKind& kind, Hold hold) {
  return std::ranges::count(joint_info(kind).holds, hold) > 0;
}

std::vector<CoordinateType> coordinate_types(const JointKind& kind) {
  return joint_info(kind).coordinates;
}

const Vec3* sliding_axis(const JointKind& kind) {
  const std::vector<CoordinateType> free = coordinate_types(kind);
  if (free.empty() || free[0] != CoordinateType::translation) return nullptr;
  return std::visit(
      [](const auto& joint) -> const Vec3* {
        if constexpr (requires { joint.axis_A; })
          return &joint.axis_A;
        else
          return nullptr;
      },
      kind);
}

std::string_view kind_name(const JointKind& kind) { return joint_info(kind).name; }

void validate(const Joint& joint) {
  const std::string item = fmt::format("joint '{}'", joint.name);
  std::visit([&](const auto& kind) { check_kind(kind, item); }, joint.kind);
  if (!holds(joint.kind, Hold::ratio) && joint.body_A == joint.body_B)
    throw InputError(fmt::format("{} joins body '{}' to itself", item, joint.body_A));
  for (const InitialCoordinate& initial : joint.initial) {
    if (initial.position) require_finite(*initial.position, item + ": initial position");
    if (initial.speed) require_finite(*initial.speed, item + ": initial speed");
    if (initial.guess) check_guess(joint, initial, item + ": initial guess");
  }
  if (joint.clearance) check_clearance(joint, item + ": clearance");
  if (joint.limits) {
    require_coordinates(joint, 1, 2, "limits");
    if (joint.limits->lower == -INFINITY && joint.limits->upper == INFINITY)
      throw InputError(fmt::format("{}: limits need a lower or an upper stop", item));
    if (!(joint.limits->lower < joint.limits->upper))
      throw InputError(fmt::format("{}: limits: lower must be below upper, found {} and {}", item,
                                   joint.limits->lower, joint.limits->upper));
  }
  if (joint.friction) {
    require_coordinates(joint, 1, 2, "friction");
    check_friction(joint, item + ": friction");
  }
  if (joint.drive) {
    require_coordinates(joint, 1, 2, "a drive");
    if (joint.drive->position.is_constant())
      require_finite(joint.drive->position.constant(), item + ": drive");
    if (joint.drive->position.variables() > 1)
      throw InputError(fmt::format("{}: drive must be a formula of t alone, '{}' has {} variables",
                                   item, joint.drive->position.text(),
                                   joint.drive->position.variables()));
  }
  if (joint.drive && joint.clearance)
    throw InputError(
        fmt::format("{} has both a drive and a clearance: a drive needs the ideal joint", item));
}

}  // namespace backlash

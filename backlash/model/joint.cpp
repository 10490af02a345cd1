// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/joint.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

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

void check(const Revolute& j, const std::string& item) {
  check_points(j.p_AP, j.p_BQ, item);
  check_axis(j.axis_A, item);
  check_axis(j.axis_B, item);
}
void check(const Spherical& j, const std::string& item) { check_points(j.p_AP, j.p_BQ, item); }
void check(const Planar& j, const std::string& item) { check_points(j.p_AP, j.p_BQ, item); }
void check(const Fixed& j, const std::string& item) {
  check_points(j.p_AP, j.p_BQ, item);
  require_finite(j.rotation, item + ": angle");
}
void check(const Prismatic& j, const std::string& item) {
  check_points(j.p_AP, j.p_BQ, item);
  check_axis(j.axis_A, item);
  require_finite(j.rotation, item + ": angle");
}
void check(const PointOnLine& j, const std::string& item) {
  check_points(j.p_AP, j.p_BQ, item);
  check_axis(j.axis_A, item);
}

void require_not_zero(double value, const std::string& quantity) {
  require_finite(value, quantity);
  if (value == 0) throw InputError(fmt::format("{} must not be 0", quantity));
}

void check(const Gear& j, const std::string& item) { require_not_zero(j.ratio, item + ": ratio"); }
void check(const Rack& j, const std::string& item) {
  require_not_zero(j.radius, item + ": radius");
}

void check(const RevoluteClearance& c, const std::string& item) {
  require_not_negative(c.journal_radius, item + ": journal radius", "m");
}
void check(const PrismaticClearance& c, const std::string& item) {
  require_positive(c.length, item + ": length", "m");
  require_not_negative(c.width, item + ": width", "m");
  require_not_negative(c.corner_radius, item + ": corner radius", "m");
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
  return std::holds_alternative<Gear>(kind) || std::holds_alternative<Rack>(kind);
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

}  // namespace

std::vector<CoordinateType> coordinate_types(const JointKind& kind) {
  constexpr CoordinateType T = CoordinateType::translation, R = CoordinateType::rotation;
  if (std::holds_alternative<Revolute>(kind)) return {R};
  if (std::holds_alternative<Prismatic>(kind)) return {T};
  if (std::holds_alternative<Planar>(kind)) return {T, T, R};
  if (std::holds_alternative<PointOnLine>(kind)) return {T, R};
  if (std::holds_alternative<Spherical>(kind)) return {R, R, R};
  return {};
}

const Vec3* sliding_axis(const JointKind& kind) {
  if (const auto* j = std::get_if<Prismatic>(&kind)) return &j->axis_A;
  if (const auto* j = std::get_if<PointOnLine>(&kind)) return &j->axis_A;
  return nullptr;
}

std::string_view kind_name(const JointKind& kind) {
  constexpr std::string_view names[] = {"revolute",      "prismatic", "fixed", "planar",
                                        "point_on_line", "gear",      "rack",  "spherical"};
  static_assert(std::size(names) == std::variant_size_v<JointKind>);
  return names[kind.index()];
}

void validate(const Joint& joint) {
  const std::string item = fmt::format("joint '{}'", joint.name);
  std::visit([&](const auto& kind) { check(kind, item); }, joint.kind);
  const bool couples =
      std::holds_alternative<Gear>(joint.kind) || std::holds_alternative<Rack>(joint.kind);
  if (!couples && joint.body_A == joint.body_B)
    throw InputError(fmt::format("{} joins body '{}' to itself", item, joint.body_A));
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
    require_not_negative(joint.friction->strength, item + ": friction", "N or N m");
  }
  if (joint.drive) require_coordinates(joint, 1, 2, "a drive");
  if (joint.drive && joint.clearance)
    throw InputError(
        fmt::format("{} has both a drive and a clearance: a drive needs the ideal joint", item));
}

}  // namespace backlash

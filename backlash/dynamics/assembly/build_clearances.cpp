// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/assembly/build_joints.h"

namespace backlash {
namespace {

/// The four corners of a slider, numbered as in paper 001: 1 and 2 on the left of the axis, 1 and 3
/// at the end that the axis comes from.
void add_guide(MechanismBuilder<Plane>& builder, const Joint& joint, const Prismatic& j,
               const PrismaticClearance& c) {
  const auto [a, b] = ends_of(builder, joint);
  const ContactSetting setting{flat, c.corner_radius, reduced_mass(builder, a, b),
                               "clearance.corner_radius"};
  const Vec3 axis_B = rotated(-j.rotation, j.axis_A), across_B = left_of(axis_B);
  const ElementOwner own{.owner = builder.find_owner(joint)};
  int number = 0;
  const auto next = [&] {
    const Origin origin{joint.name, Origin::Kind::clearance, number++};
    ContactInfo info = contact_info(builder, fmt::format("{}.{}", joint.name, number), origin,
                                    {c.law, joint.where}, setting);
    info.play = c.gap;
    return info;
  };
  for (const double side : {1.0, -1.0})
    for (const double end : {-1.0, 1.0}) {
      CornerInGuide corner{.a = a, .b = b, .p_AP = in_plane(j.p_AP), .axis_A = in_plane(j.axis_A)};
      corner.half_width = c.width / 2 + c.gap;
      corner.side = side;
      corner.p_BC = in_plane(j.p_BQ + end * c.length / 2 * axis_B + side * c.width / 2 * across_B);
      corner.from = c.guide_from;
      corner.to = c.guide_to;
      add_contact(builder, next(), corner, own);
    }
  for (const double side : {1.0, -1.0})
    for (const double end : {c.guide_from, c.guide_to}) {
      if (!std::isfinite(end)) continue;
      GuideEndOnSlider corner{.a = a, .b = b};
      corner.p_AE =
          in_plane(j.p_AP + end * j.axis_A + side * (c.width / 2 + c.gap) * left_of(j.axis_A));
      corner.p_BQ = in_plane(j.p_BQ);
      corner.axis_B = in_plane(axis_B);
      corner.half_length = c.length / 2;
      corner.half_width = c.width / 2;
      corner.side = side;
      add_contact(builder, next(), corner, own);
    }
}

/// The bound on the slider's angle, to the right and to the left, that paper 002 has besides.
void add_misalignment(MechanismBuilder<Plane>& builder, const Joint& joint, const Prismatic& j,
                      const PrismaticClearance& c) {
  if (!std::isfinite(c.max_misalignment)) return;
  const auto [a, b] = ends_of(builder, joint);
  Coordinate<Plane> angle;
  angle.a = a;
  angle.b = b;
  angle.zero = Plane::rotation(j.rotation);
  const auto stop = [&](const char* suffix, int number) {
    const Origin origin{joint.name, Origin::Kind::clearance, number};
    return contact_info(builder, joint.name + suffix, origin, {c.law, joint.where, 0}, {});
  };
  const ElementOwner own{.owner = builder.find_owner(joint)};
  add_contact(builder, stop(".right", 8), Stop<Plane>{angle, -c.max_misalignment, 1}, own);
  add_contact(builder, stop(".left", 9), Stop<Plane>{angle, c.max_misalignment, -1}, own);
}

/// The two flanks of a tooth: 1 is touched where the second coordinate lags behind, 2 where it
/// leads.
template <class S>
void add_teeth(MechanismBuilder<S>& builder, const Joint& joint, const ToothClearance& c) {
  const auto flank = [&](int number) {
    const Origin origin{joint.name, Origin::Kind::clearance, number - 1};
    ContactInfo info = contact_info(builder, fmt::format("{}.{}", joint.name, number), origin,
                                    {c.law, joint.where, 0}, {});
    info.play = c.gap;
    return info;
  };
  const CoupledCoordinates<S> coupling = coupling_of(builder, joint);
  const ElementOwner own{.owner = builder.find_owner(joint)};
  add_contact(builder, flank(1), ToothFlank<S>{coupling, c.gap, 1}, own);
  add_contact(builder, flank(2), ToothFlank<S>{coupling, c.gap, -1}, own);
}

}  // namespace

void add_clearance(MechanismBuilder<Plane>& builder, const Joint& joint) {
  const auto [a, b] = ends_of(builder, joint);
  if (const auto* c = std::get_if<RevoluteClearance>(&*joint.clearance)) {
    const auto& j = std::get<Revolute>(joint.kind);
    const ContactSetting setting{-(c->journal_radius + c->gap), c->journal_radius,
                                 reduced_mass(builder, a, b), "clearance.journal_radius"};
    ContactInfo info =
        contact_info(builder, joint.name + ".1", {joint.name, Origin::Kind::clearance},
                     {c->law, joint.where}, setting);
    info.play = c->gap;
    add_contact(
        builder, info,
        JournalInBearing{a, b, in_plane(j.p_AP), in_plane(j.p_BQ), c->gap, c->journal_radius},
        {.owner = builder.find_owner(joint)});
  } else if (const auto* p = std::get_if<PrismaticClearance>(&*joint.clearance)) {
    add_guide(builder, joint, std::get<Prismatic>(joint.kind), *p);
    add_misalignment(builder, joint, std::get<Prismatic>(joint.kind), *p);
  } else {
    add_teeth(builder, joint, std::get<ToothClearance>(*joint.clearance));
  }
}

void add_clearance(MechanismBuilder<Space>& builder, const Joint& joint) {
  const auto* teeth = std::get_if<ToothClearance>(&*joint.clearance);
  if (!teeth)
    throw InputError(
        fmt::format("{}: joint '{}' has a clearance, which {} joints have in the "
                    "plane only",
                    to_string(joint.where), joint.name, kind_name(joint.kind)));
  add_teeth(builder, joint, *teeth);
}

}  // namespace backlash

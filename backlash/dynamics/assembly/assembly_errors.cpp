// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/assembly_errors.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/dynamics/assembly/provenance.h"

namespace backlash {
namespace {

[[noreturn]] void fail(const SourceLocation& where, const std::string& item,
                       const std::string& what) {
  if (to_string(where).empty()) throw InputError(fmt::format("{}: {}", item, what));
  throw InputError(where, what);
}

double largest(const InertiaTensor& I) { return std::max({I.xx, I.yy, I.zz}); }

}  // namespace

bool exceeds_play(const ContactInfo& info, double gap) { return info.play > 0 && -gap > info.play; }

template <class S>
void require_inertia(const MechanismBuilder<S>& builder, const Mechanism<S>& mechanism,
                     const State& start) {
  Matrix factors;
  const Configuration c = configuration(mechanism, start);
  if (mechanism.factor_mass(c, factors)) return;
  const int culprit = builder.parts.tree.body_without_inertia(c.cache);
  for (std::size_t i = 0; i < builder.model.bodies.size(); ++i) {
    if (builder.tree.body_of[i] != culprit) continue;
    const Body& body = builder.model.bodies[i];
    const Joint* inboard_joint = builder.tree.inboard_joint[static_cast<std::size_t>(culprit)];
    fail(body.where, fmt::format("body '{}'", body.name),
         fmt::format("the body can move{}, but has mass {} kg and inertia {} kg m², and so little "
                     "hangs on it that nothing resists; both must be positive{}",
                     inboard_joint ? fmt::format(" in joint '{}'", inboard_joint->name) : "",
                     body.mass, largest(body.inertia),
                     builder.loops.empty()
                         ? ""
                         : fmt::format(", for joints that close loops ({}) hold by forces, and do "
                                       "not count here",
                                       fmt::join(builder.loops, ", "))));
  }
  throw InputError("the mass matrix is not positive definite at the start");
}

/// "; the drive of joint 'slide' begins at 0 m, for …": of those that have no place to begin at.
template <class S>
std::string drives_without_initial_position(const MechanismBuilder<S>& builder) {
  constexpr double start[] = {0};  // [s]
  std::string text;
  for (const Joint& joint : builder.model.joints) {
    if (!joint.drive || joint.initial[0].position || joint.drive->position(start) != 0) continue;
    const bool turns = coordinate_types(joint.kind)[0] == CoordinateType::rotation;
    text += fmt::format(
        "; the drive of joint '{}' begins at 0 {}, and the joint has no initial.{} that says where",
        joint.name, turns ? "rad" : "m", turns ? "angle" : "position");
  }
  return text;
}

template <class S>
void report_open_loop(const MechanismBuilder<S>& builder, const Mechanism<S>& mechanism,
                      const Vector& q) {
  const std::vector<BilateralInfo>& rows = mechanism.info().bilaterals;
  Vector error(static_cast<Eigen::Index>(rows.size()));
  mechanism.bilateral_errors(configuration(mechanism, 0, q), error);
  std::size_t worst = 0;
  const auto size = [&](std::size_t i) {
    return std::abs(error[static_cast<Eigen::Index>(i)]) * rows[i].length;
  };
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (size(i) > size(worst)) worst = i;
  const BilateralInfo& row = rows[worst];
  fail(location_of(builder.model, row.origin), fmt::format("joints.{}", row.origin.item),
       fmt::format("the loop cannot be closed; at best the joint is off by {:.4g} {} ({}){}",
                   std::abs(error[static_cast<Eigen::Index>(worst)]), name(row.unit), row.name,
                   drives_without_initial_position(builder)));
}

template <class S>
void require_no_overlap(const MechanismBuilder<S>& builder, const Mechanism<S>& mechanism,
                        const State& start) {
  const double allowed = builder.model.simulation.initial_penetration;
  if (allowed == INFINITY) return;
  std::vector<ContactFrame> deep;
  mechanism.find_contacts(configuration(mechanism, start), 0, {}, deep);
  for (const ContactFrame& contact : deep) {
    const ContactInfo& info = mechanism.info().contacts[static_cast<std::size_t>(contact.key.pair)];
    const double limit = allowed / gap_length(mechanism.info(), contact.key);
    const std::string_view unit = name(info.unit);
    const std::string item = fmt::format("contact '{}'", mechanism.contact_name(contact.key));
    if (exceeds_play(info, contact.gap))
      fail(
          location_of(builder.model, info.origin), item,
          fmt::format("{} overlaps by {:.4g} {} at the start, more than the play of {:.4g} {} that "
                      "the joint has: {}",
                      item, -contact.gap, unit, info.play, unit, advice_on_play));
    if (!(contact.gap < -limit)) continue;
    fail(location_of(builder.model, info.origin), item,
         fmt::format("{} overlaps by {:.4g} {} at the start; at most {:.4g} {} is allowed "
                     "(simulation.initial_penetration)",
                     item, -contact.gap, unit, limit, unit));
  }
}

template <class S>
void require_effective_drives(const MechanismBuilder<S>& builder,
                              const std::vector<BilateralInfo>& redundant) {
  for (const BilateralInfo& row : redundant) {
    if (row.origin.kind != Origin::Kind::drive) continue;
    const std::string& joint = row.origin.item;
    fail(location_of(builder.model, row.origin), fmt::format("joint '{}'", joint),
         fmt::format("the drive of joint '{}' has nothing to move: the other joints and drives "
                     "already fix its coordinate{}",
                     joint, drives_without_initial_position(builder)));
  }
}

void require_rest(const Model& model) {
  const auto refuse = [&](const SourceLocation& where, const std::string& item) {
    fail(where, item,
         fmt::format("{} has an initial speed, but the model begins in equilibrium (initial: "
                     "equilibrium), at rest; leave one of them out",
                     item));
  };
  for (const Joint& joint : model.joints)
    for (const InitialCoordinate& initial : joint.initial)
      if (initial.speed.value_or(0) != 0)
        refuse(joint.where, fmt::format("joint '{}'", joint.name));
  for (const Body& body : model.bodies)
    if (body.initial &&
        (body.initial->velocity != Vec3::Zero() || body.initial->angular_velocity != Vec3::Zero()))
      refuse(body.where, fmt::format("body '{}'", body.name));
}

template <class S>
void report_no_equilibrium(const MechanismBuilder<S>& builder, const Equilibrium& reached) {
  std::string what =
      fmt::format("no equilibrium was found from where the model begins: {}", name(reached.status));
  if (reached.status == Equilibrium::Status::iteration_limit && reached.coordinate >= 0)
    what += fmt::format(
        " after {} iterations, most along '{}'; hold it by a stop, a spring or a joint (friction "
        "of "
        "compliant contacts holds nothing at rest), or begin nearer to where it rests",
        reached.iterations, builder.info.velocity_names[at(reached.coordinate)]);
  fail(builder.model.initial_where, "initial", what);
}

template void require_inertia(const MechanismBuilder<Plane>&, const Mechanism<Plane>&,
                              const State&);
template void report_open_loop(const MechanismBuilder<Plane>&, const Mechanism<Plane>&,
                               const Vector&);
template void require_no_overlap(const MechanismBuilder<Plane>&, const Mechanism<Plane>&,
                                 const State&);
template void require_effective_drives(const MechanismBuilder<Plane>&,
                                       const std::vector<BilateralInfo>&);
template void require_inertia(const MechanismBuilder<Space>&, const Mechanism<Space>&,
                              const State&);
template void report_open_loop(const MechanismBuilder<Space>&, const Mechanism<Space>&,
                               const Vector&);
template void require_no_overlap(const MechanismBuilder<Space>&, const Mechanism<Space>&,
                                 const State&);
template void require_effective_drives(const MechanismBuilder<Space>&,
                                       const std::vector<BilateralInfo>&);
template void report_no_equilibrium(const MechanismBuilder<Plane>&, const Equilibrium&);
template void report_no_equilibrium(const MechanismBuilder<Space>&, const Equilibrium&);

}  // namespace backlash

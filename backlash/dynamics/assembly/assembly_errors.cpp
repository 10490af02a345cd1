// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/assembly_errors.h"

#include <algorithm>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

[[noreturn]] void fail(const SourceLocation& where, const std::string& item,
                       const std::string& what) {
  const std::string place = to_string(where);
  throw InputError(fmt::format("{}: {}", place.empty() ? item : place, what));
}

double largest(const InertiaTensor& I) { return std::max({I.xx, I.yy, I.zz}); }

/// Where the contact of that name comes from: itself, or what stands before its last dot.
SourceLocation where_of(const Model& model, const std::string& contact) {
  for (const std::string& name : {contact, contact.substr(0, contact.rfind('.'))}) {
    for (const ContactPair& pair : model.contacts)
      if (pair.name == name) return pair.where;
    if (const Joint* joint = find_joint(model, name)) return joint->where;
    if (const Force* force = find_force(model, name)) return force->where;
  }
  return {};
}

}  // namespace

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
                     "hangs on it that nothing resists; both must be positive",
                     inboard_joint ? fmt::format(" in joint '{}'", inboard_joint->name) : "",
                     body.mass, largest(body.inertia)));
  }
  throw InputError("the mass matrix is not positive definite at the start");
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
  const Constraint<S>& row = mechanism.parts().constraints[worst];
  const Joint* joint = find_joint(builder.model, row.joint);
  fail(joint ? joint->where : SourceLocation{}, fmt::format("joints.{}", row.joint),
       fmt::format("the loop cannot be closed; at best the joint is off by {:.4g} {} ({})",
                   std::abs(error[static_cast<Eigen::Index>(worst)]), row.length != 1 ? "rad" : "m",
                   row.name));
}

template <class S>
void require_no_overlap(const MechanismBuilder<S>& builder, const Mechanism<S>& mechanism,
                        const State& start) {
  const double allowed = builder.model.simulation.initial_penetration;
  std::vector<ContactFrame> deep;
  mechanism.find_contacts(configuration(mechanism, start), -allowed, {}, deep);
  for (const ContactFrame& contact : deep) {
    if (!(contact.gap < -allowed)) continue;
    const auto i = static_cast<std::size_t>(contact.key.pair);
    const char* unit = is_angular<S>(builder.parts.contacts[i].kind) ? "rad" : "m";
    const std::string item = fmt::format("contact '{}'", mechanism.contact_name(contact.key));
    fail(where_of(builder.model, mechanism.info().contacts[i].name), item,
         fmt::format("{} overlaps by {:.4g} {} at the start; at most {:.4g} {} is allowed "
                     "(simulation.initial_penetration)",
                     item, -contact.gap, unit, allowed, unit));
  }
}

template <class S>
void require_effective_drives(const MechanismBuilder<S>& builder,
                              const std::vector<std::string>& redundant) {
  for (const std::string& row : redundant) {
    if (!row.ends_with(".drive")) continue;
    const std::string name = row.substr(0, row.rfind('.'));
    const Joint* joint = find_joint(builder.model, name);
    fail(joint ? joint->where : SourceLocation{}, fmt::format("joint '{}'", name),
         fmt::format("the drive of joint '{}' has nothing to move: the other joints and drives "
                     "already fix its coordinate",
                     name));
  }
}

template void require_inertia(const MechanismBuilder<Plane>&, const Mechanism<Plane>&,
                              const State&);
template void report_open_loop(const MechanismBuilder<Plane>&, const Mechanism<Plane>&,
                               const Vector&);
template void require_no_overlap(const MechanismBuilder<Plane>&, const Mechanism<Plane>&,
                                 const State&);
template void require_effective_drives(const MechanismBuilder<Plane>&,
                                       const std::vector<std::string>&);
template void require_inertia(const MechanismBuilder<Space>&, const Mechanism<Space>&,
                              const State&);
template void report_open_loop(const MechanismBuilder<Space>&, const Mechanism<Space>&,
                               const Vector&);
template void require_no_overlap(const MechanismBuilder<Space>&, const Mechanism<Space>&,
                                 const State&);
template void require_effective_drives(const MechanismBuilder<Space>&,
                                       const std::vector<std::string>&);

}  // namespace backlash

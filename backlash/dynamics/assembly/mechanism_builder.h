// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "backlash/dynamics/assembly/spanning_tree.h"
#include "backlash/dynamics/mechanism.h"
#include "backlash/model/model.h"

namespace backlash {

/// A model on its way to a mechanism.
template <class S>
struct MechanismBuilder {
  const Model& model;
  const SpanningTree<S>& tree;
  SystemInfo info{};
  Parts<S> parts{};
  std::vector<std::string> loops{};  ///< joints outside of the tree that hold something
  std::vector<JointOutput<S>> set_valued_forces{};  ///< in Parts::joints behind the joints

  /// The place of an item in SystemInfo::switches; −1 if no event turns it.
  int find_switch(Origin::Kind kind, const std::string& item) const;
  int find_owner(const Joint& joint) const;           ///< its place in Parts::joints
  int find_load_row(const std::string& joint) const;  ///< of its lock, or of its drive
};

/// Bodies of the tree that a joint connects; −1: the ground.
struct Ends {
  int a = -1, b = -1;
};
template <class S>
Ends ends_of(const MechanismBuilder<S>& builder, const Joint& joint);

/// The law that a contact has, and where the user says so.
struct LawUse {
  const std::string& law;
  const SourceLocation& where;
  int tangents = 1;  ///< 0: nothing to rub along, of the law only the normal part counts
};

/// A contact with the law of that name, whose numbers may follow from what touches there. Throws
/// InputError.
template <class S>
ContactInfo contact_info(const MechanismBuilder<S>& builder, const std::string& name,
                         const Origin& origin, const LawUse& use, const ContactSetting& setting);

/// 1/(1/m_a + 1/m_b) of two bodies of the tree, the ground being infinitely heavy [kg].
template <class S>
double reduced_mass(const MechanismBuilder<S>& builder, int a, int b);

/// The angle of b against a about an axis of a.
template <class S>
Coordinate<S> angle_about(const Ends& ends, const Vec3& axis_A);
template <>
Coordinate<Plane> angle_about(const Ends& ends, const Vec3& axis_A);
template <>
Coordinate<Space> angle_about(const Ends& ends, const Vec3& axis_A);

/// A displacement of Q from P along an axis of A.
template <class S>
Coordinate<S> displacement_along(const Ends& ends, const Vec3& p_AP, const Vec3& p_BQ,
                                 const Vec3& axis_A);

/// `d` turned left, in the plane.
Vec3 left_of(const Vec3& d);

/// The coordinate of a joint of the model, from 0. Throws InputError if it has no such coordinate.
template <class S>
Coordinate<S> coordinate_of(const MechanismBuilder<S>& builder, const std::string& joint,
                            int number, const SourceLocation& where);

/// Throws InputError for an angle whose turns do not count, where `user` of it would have to know
/// them.
template <class S>
void require_turns(const Coordinate<S>& coordinate, std::string_view user,
                   const SourceLocation& where);

/// What a gear or a rack couples.
template <class S>
CoupledCoordinates<S> coupling_of(const MechanismBuilder<S>& builder, const Joint& joint);

/// Who turns an element, and which joint it belongs to: see Element.
struct ElementOwner {
  int item = -1, owner = -1;
};

/// Adds a contact; its unit follows from its kind.
template <class S>
void add_contact(MechanismBuilder<S>& builder, ContactInfo info,
                 const std::type_identity_t<ContactKind<S>>& contact,
                 const ElementOwner& element_owner);

/// Adds a force of given strength along a coordinate, whose kind gives its unit.
template <class S>
void add_relay(MechanismBuilder<S>& builder, RelayInfo info, const CoordinateRelay<S>& relay,
               const ElementOwner& element_owner);

}  // namespace backlash

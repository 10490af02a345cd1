// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/base/plane.h"
#include "backlash/dynamics/assembly/spanning_tree.h"
#include "backlash/dynamics/mechanism.h"
#include "backlash/model/model.h"

namespace backlash::planar {

/// A model on its way to a mechanism.
struct MechanismBuilder {
  const Model& model;
  const SpanningTree& tree;
  SystemInfo info{};
  Parts parts{};
  std::vector<std::string> loops{};  ///< joints outside of the tree that hold something

  int find_switch(const std::string& force) const;  ///< −1 if no event turns the force
  int find_owner(const Joint& joint) const;         ///< its place in Parts::joints
};

/// Bodies of the tree that a joint connects; −1: the ground.
struct Ends {
  int a = -1, b = -1;
};
Ends ends_of(const MechanismBuilder& builder, const Joint& joint);

/// The law that a contact has, and where the user says so.
struct LawUse {
  const std::string& law;
  const SourceLocation& where;
  int tangents = 1;  ///< 0: nothing to rub along, of the law only the normal part counts
};

/// A contact with the law of that name, whose numbers may follow from what touches there. Throws
/// InputError.
ContactInfo contact_info(const MechanismBuilder& builder, const std::string& name,
                         const LawUse& use, const ContactSetting& setting);

/// 1/(1/m_a + 1/m_b) of two bodies of the tree, the ground being infinitely heavy [kg].
double reduced_mass(const MechanismBuilder& builder, int a, int b);

Coordinate angle_between(const Ends& ends, double zero);

/// The coordinate of a joint of the model, from 0. Throws InputError if it has no such coordinate.
Coordinate coordinate_of(const MechanismBuilder& builder, const std::string& joint, int number,
                         const SourceLocation& where);

/// What a gear or a rack couples.
CoupledCoordinates coupling_of(const MechanismBuilder& builder, const Joint& joint);

/// Who turns an element, and which joint it belongs to: see Element.
struct ElementOwner {
  int item = -1, owner = -1;
};

/// Adds a contact with its name and law.
void add_contact(MechanismBuilder& builder, const ContactInfo& info, const ContactKind& contact,
                 const ElementOwner& element_owner);

/// Adds a force of given strength along a coordinate.
void add_relay(MechanismBuilder& builder, const std::string& name, RelayLaw law,
               const CoordinateRelay& relay, const ElementOwner& element_owner);

}  // namespace backlash::planar

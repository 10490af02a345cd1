// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/dynamics/planar/mechanism.h"
#include "backlash/dynamics/planar/spanning_tree.h"
#include "backlash/model/model.h"

/// What the joints of a model become: constraints, contacts and dry friction.
namespace backlash::planar {

/// A model on its way to a mechanism.
struct Draft {
  const Model& model;
  const SpanningTree& tree;
  SystemInfo info{};
  Parts parts{};
  std::vector<std::string> loops{};  ///< joints outside of the tree that hold something

  /// The switch of a force; −1 if no event turns it.
  int find_switch(const std::string& force) const;
};

/// The law of that name; `where` for the message if there is none.
ContactLaw law_of(const Model& model, const std::string& name, const SourceLocation& where);

/// The coordinate of a joint of the model, from 0. Throws InputError if it has no such coordinate.
Coordinate coordinate_of(const Draft& draft, const std::string& joint, int number,
                         const SourceLocation& where);

/// Adds a contact with its name and law, and the switch that turns it.
void add_contact(Draft& draft, const ContactInfo& info, const ContactKind& contact, int item = -1);

/// Adds a force of given strength along a coordinate, and the switch that turns it.
void add_relay(Draft& draft, const std::string& name, RelayLaw law, const CoordinateRelay& relay,
               int item = -1);

/// All joints: loops, drives, limits, friction, clearances, gears.
void add_joints(Draft& draft);

}  // namespace backlash::planar

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace backlash {

/// The item of the model that a coordinate, a row, a contact or an output was made of. Names are
/// for people; who wants to know where a thing comes from asks its origin.
struct Origin {
  enum class Kind {
    none,          ///< no model: a System written in C++
    body,          ///< a body that no joint carries
    joint,         ///< what an ideal joint leaves, holds or reports
    drive,         ///< of a joint
    friction,      ///< of a joint
    lower_limit,   ///< of a joint
    upper_limit,   ///< of a joint
    clearance,     ///< of a joint
    contact_pair,  ///< of shapes
    force,
    state,  ///< a state variable
    event
  };
  std::string item{};  ///< its name in the model
  Kind kind = Kind::none;
  int index = 0;  ///< among those of the same item and kind, from 0

  bool operator==(const Origin&) const = default;
};

/// The origin of what is appended to `made`, where all that an item is made into follows each
/// other.
template <class Info>
Origin next_origin(const std::vector<Info>& made, const std::string& item, Origin::Kind kind) {
  Origin origin{item, kind};
  if (made.empty()) return origin;
  const Origin& last = made.back().origin;
  if (last.item == item && last.kind == kind) origin.index = last.index + 1;
  return origin;
}

}  // namespace backlash

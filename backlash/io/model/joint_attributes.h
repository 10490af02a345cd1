// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/io/model/keys.h"

/// Keys of what a joint may have besides its kind.
namespace backlash::reading {

/// Of a coordinate: an angle or a length.
Dimension position_dimension(CoordinateType f);

using Initial = std::array<InitialCoordinate, 6>;

/// The angle of a rotation, the position of a translation, and their rates.
Keys<Initial> initial_keys(const JointKind& kind);

const Keys<RevoluteClearance>& revolute_clearance_keys();
const Keys<PrismaticClearance>& prismatic_clearance_keys();
/// Of a gear in radians, of a rack in metres.
Keys<ToothClearance> tooth_clearance_keys(const Dimension& dimension);

// Of the first coordinate.
Keys<Limits> limits_keys(CoordinateType f);

/// A drive while it is read: the position, or the speed from the initial position on.
struct DriveDraft {
  Expression position{};
  double speed = 0;
};
Keys<DriveDraft> drive_keys(CoordinateType f);
void read_limits(const Value& v, CoordinateType f, Joint& joint);
void read_drive(const Value& v, CoordinateType f, Joint& joint);

}  // namespace backlash::reading

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "backlash/base/archive.h"
#include "backlash/dynamics/last_step.h"
#include "backlash/integrators/step_result.h"

namespace backlash {

/// The largest that a load was in a run, as a mean of a step, and without impacts, which take no
/// time; or at the ends of steps, where the method knows forces at times.
struct PeakLoad {
  double value = 0;
  double t = NAN;  ///< [s]; NaN: there was no load

  void archive(Archive& a) { a(value, t); }

  /// Takes the value at t if it is larger in size.
  void raise(double other, double at) {
    if (!(std::abs(other) > std::abs(value))) return;
    value = other;
    t = at;
  }
};

/// The largest force and torque of a joint.
struct JointLoad {
  std::string joint{};  ///< or the name of a set-valued force, or of a joint that is driven
  ReactionKind reaction = ReactionKind::full;
  Origin::Kind kind = Origin::Kind::joint;
  PeakLoad force{};   ///< of a rack, a rod: force, tension [N]; of a gear: torque [N m]
  PeakLoad torque{};  ///< of a full reaction [N m]

  void archive(Archive& a) { a(force, torque); }
};

/// What the drive of a joint had to do.
struct DriveLoad {
  std::string joint{};
  GapUnit unit = GapUnit::metre;  ///< of the driven coordinate
  int row = 0;                    ///< index into SystemInfo::bilaterals
  PeakLoad load{};                ///< along the driven coordinate, with its sign [N, N m]
  PeakLoad power{};               ///< > 0: the drive does work on the mechanism [W]
  double impulse = 0;             ///< of the load, with that of impacts [N s, N m s]
  double work = 0;                ///< done on the mechanism [J]
  double time = 0;                ///< that it drove for [s]

  void archive(Archive& a) { a(load, power, impulse, work, time); }

  double mean_load() const { return time > 0 ? impulse / time : 0; }  ///< [N, N m]
  double mean_power() const { return time > 0 ? work / time : 0; }    ///< [W]
};

/// The largest normal force of a contact.
struct PeakContact {
  std::string contact{};
  ContactKey key{};
  PeakLoad force{};  ///< [N, N m]

  void archive(Archive& a) { a(key, force); }
};

/// What a run asks of its joints, drives and contacts.
struct RunLoads {
  std::vector<JointLoad> joints{};  ///< as SystemInfo::reacting_joints; none: nobody looked
  std::vector<DriveLoad> drives{};
  PeakContact contact{};          ///< of those whose gap is a length
  PeakContact angular_contact{};  ///< of those whose gap is an angle

  void archive(Archive& a) { a(joints, drives, contact, angular_contact); }
};

/// Follows the loads of a run from step to step.
class LoadWatch {
 public:
  explicit LoadWatch(const System& system);

  /// The largest so far.
  RunLoads loads() const;

  /// What the drives did in a step.
  void add_step(const LastStep& last);
  /// Loads of the drives that may be peaks: of a step in which no bodies met, or at a time.
  void raise_peaks(const LastStep& forces);

  /// What drives did at once as events turned them on: an impulse, whose energy is that of
  /// switching.
  void add_percussion(const Percussion& percussion);

  /// The normal force of a contact in a step that ends at t.
  void add_contact(const ContactKey& key, double force, double t);

  /// Joints, from row to row.
  void add_interval(const IntervalReactions& interval);

  void archive(Archive& a) { a(loads_); }

 private:
  const System* system_;
  RunLoads loads_;
  Vector row_;  ///< room for a direction

  double power(const LastStep& forces, const DriveLoad& drive);
};

}  // namespace backlash

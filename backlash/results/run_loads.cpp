// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/results/run_loads.h"

namespace backlash {

LoadWatch::LoadWatch(const System& system) : system_(&system) {
  const SystemInfo& info = system.info();
  for (const ReactingJoint& joint : info.reacting_joints)
    loads_.joints.push_back({.joint = joint.name, .reaction = joint.reaction, .kind = joint.kind});
  for (std::size_t i = 0; i < info.bilaterals.size(); ++i) {
    const BilateralInfo& row = info.bilaterals[i];
    if (row.origin.kind == Origin::Kind::drive)
      loads_.drives.push_back(
          {.joint = row.origin.item, .unit = row.unit, .row = static_cast<int>(i)});
  }
  row_ = Vector::Zero(info.velocities);
}

RunLoads LoadWatch::loads() const {
  RunLoads named = loads_;
  std::erase_if(named.joints,
                [](const JointLoad& load) { return load.kind == Origin::Kind::drive; });
  for (PeakContact* contact : {&named.contact, &named.angular_contact})
    if (contact->force.value > 0) contact->contact = system_->contact_name(contact->key);
  return named;
}

/// With γ = Wᵀu + w = 0 the power λ Wᵀu of the multiplier λ is −λ w (theory 4.7).
double LoadWatch::power(const LastStep& forces, const DriveLoad& drive) {
  row_.setZero();
  return -forces.row_forces[drive.row] * system_->bilateral_row(forces.middle, drive.row, row_);
}

void LoadWatch::add_step(const LastStep& last) {
  if (last.step == 0) return;
  for (DriveLoad& drive : loads_.drives) {
    drive.time += last.step;
    drive.impulse += last.step * last.row_forces[drive.row];
    drive.work += last.step * power(last, drive);
  }
}

void LoadWatch::raise_peaks(const LastStep& forces) {
  if (forces.step == 0) return;
  const double t = forces.middle.t;
  for (DriveLoad& drive : loads_.drives) {
    drive.load.raise(forces.row_forces[drive.row], t);
    drive.power.raise(power(forces, drive), t);
  }
}

void LoadWatch::add_percussion(const Percussion& percussion) {
  for (DriveLoad& drive : loads_.drives) drive.impulse += percussion.row_impulses[drive.row];
}

void LoadWatch::add_contact(const ContactKey& key, double force, double t) {
  const GapUnit unit = system_->info().contacts[static_cast<std::size_t>(key.pair)].unit;
  PeakContact& contact = unit == GapUnit::metre ? loads_.contact : loads_.angular_contact;
  if (!(force > contact.force.value)) return;
  contact.key = key;
  contact.force = {force, t};
}

void LoadWatch::add_interval(const IntervalReactions& interval) {
  for (std::size_t j = 0; j < loads_.joints.size(); ++j) {
    const auto i = static_cast<Eigen::Index>(2 * j);
    loads_.joints[j].force.raise(interval.peak[i], interval.t_peak[i]);
    loads_.joints[j].torque.raise(interval.peak[i + 1], interval.t_peak[i + 1]);
  }
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/contact_impact.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "backlash/check/mobility.h"
#include "backlash/dynamics/assembly/provenance.h"

namespace backlash {
namespace {

/// A contact in the state of the first steps in which it was least open, and in that in which it
/// closed fastest.
struct Nearest {
  double gap = INFINITY;     ///< [m]
  double mass = 0;           ///< felt there [kg]
  double speed = -INFINITY;  ///< of approach [m/s]
  double moving_mass = 0;    ///< felt there [kg]

  /// Bodies that fly by each other close fastest elsewhere, and where they are nearest hardly.
  double meeting_mass() const {
    constexpr double far_more = 2;
    return mass > far_more * moving_mass ? moving_mass : mass;
  }
};

/// Of all compliant contacts that come near.
std::map<ContactKey, Nearest> nearest_contacts(const System& system, const Trial& trial) {
  std::map<ContactKey, Nearest> nearest;
  std::vector<ContactFrame> frames;
  std::vector<ContactVelocity> velocities;
  for (const State& state : trial.samples) {
    const Configuration c = configuration(system, state);
    std::optional<Mobility> mobility;
    frames.clear();
    system.find_contacts(c, system.info().reach, state.contacts, frames);
    velocities.resize(frames.size());
    system.write_contact_velocities(c, state.u, frames, velocities);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const ContactFrame& frame = frames[i];
      const auto pair = static_cast<std::size_t>(frame.key.pair);
      if (!system.info().contacts[pair].compliant) continue;
      Nearest& contact = nearest[frame.key];
      const double speed = -velocities[i][0];
      const bool nearer = frame.gap < contact.gap;
      const bool faster = speed > contact.speed;
      if (!nearer && !faster) continue;
      if (!mobility) mobility.emplace(system, c);
      const double mass = mobility->valid() ? felt_mass(system, c, *mobility, frame) : 0;
      contact.gap = std::min(contact.gap, frame.gap);
      contact.speed = std::max(contact.speed, speed);
      if (nearer) contact.mass = mass;
      if (faster) contact.moving_mass = mass;
    }
  }
  return nearest;
}

}  // namespace

double felt_mass(const System& system, const Configuration& c, const Mobility& mobility,
                 const ContactFrame& contact) {
  const int rows = 1 + system.info().contacts[static_cast<std::size_t>(contact.key.pair)].tangents;
  Matrix W = Matrix::Zero(system.info().velocities, rows);
  Vector w = Vector::Zero(rows);
  system.write_contact_rows(c, contact, W, w);
  const Vector normal = W.col(0);
  const double free = normal.dot(mobility.free_acceleration(normal));
  const double held = normal.dot(mobility.acceleration(normal));
  double beside = 0;
  for (int row = 1; row < rows; ++row) {
    const Vector tangent = W.col(row);
    beside = std::max(beside, tangent.dot(mobility.acceleration(tangent)));
  }
  return held > 1e-9 * std::max(free, beside) ? 1 / held : 0;
}

std::vector<ContactImpact> contact_impacts(const Model& model, const Assembly& assembly,
                                           const Trial& trial) {
  const System& system = *assembly.system;
  const auto& contacts = system.info().contacts;
  std::vector<ContactImpact> impacts;
  if (std::ranges::none_of(contacts, [](const ContactInfo& c) { return c.compliant.has_value(); }))
    return impacts;
  for (const auto& [key, nearest] : nearest_contacts(system, trial)) {
    const double mass = nearest.meeting_mass();
    if (!(mass > 0)) continue;
    const ContactInfo& contact = contacts[static_cast<std::size_t>(key.pair)];
    const auto approach = trial.approach.find(key);
    const double speed = approach == trial.approach.end() ? 0 : approach->second.speed;
    const bool approached = speed > contact.compliant->slowest_entry;
    ContactImpact found{.contact = key,
                        .law = law_of(model, contact.origin),
                        .unit = contact.unit,
                        .mass = mass,
                        .speed = approached ? speed : 1,
                        .approached = approached};
    found.impact = free_impact(contact.compliant->normal, found.mass, found.speed);
    impacts.push_back(std::move(found));
  }
  return impacts;
}

}  // namespace backlash

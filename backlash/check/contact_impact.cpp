// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/contact_impact.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "backlash/check/mobility.h"

namespace backlash {
namespace {

/// Of each contact, the state of the first steps in which it was least open.
std::vector<std::size_t> closest_samples(const System& system, const Trial& trial) {
  const std::size_t count = system.info().contacts.size();
  std::vector<std::size_t> closest(count);
  Vector gaps(static_cast<Eigen::Index>(count)), least = Vector::Constant(gaps.size(), INFINITY);
  for (std::size_t k = 0; k < trial.samples.size(); ++k) {
    system.gaps(configuration(system, trial.samples[k]), gaps);
    for (Eigen::Index i = 0; i < gaps.size(); ++i)
      if (gaps[i] < least[i]) {
        least[i] = gaps[i];
        closest[static_cast<std::size_t>(i)] = k;
      }
  }
  return closest;
}

/// 1/(wᵀM̄⁻¹w) of the contact's normal; 0 if nothing gives way to it.
double felt_mass(const System& system, const Configuration& c, const Mobility& mobility,
                 int contact) {
  const int rows = 1 + system.info().contacts[static_cast<std::size_t>(contact)].tangents;
  Matrix W = Matrix::Zero(system.info().velocities, rows);
  Vector w = Vector::Zero(rows);
  system.contact_rows(c, contact, W, w);
  const Vector normal = W.col(0);
  const double free = normal.dot(mobility.free_acceleration(normal));
  const double held = normal.dot(mobility.acceleration(normal));
  return held > 1e-9 * free ? 1 / held : 0;
}

/// Of all compliant contacts; 0 for the others.
std::vector<double> felt_masses(const System& system, const Trial& trial) {
  const auto& contacts = system.info().contacts;
  const std::vector<std::size_t> closest = closest_samples(system, trial);
  std::vector<double> masses(contacts.size());
  for (std::size_t k = 0; k < trial.samples.size(); ++k) {
    const Configuration c = configuration(system, trial.samples[k]);
    std::optional<Mobility> mobility;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (closest[i] != k || !contacts[i].compliant) continue;
      if (!mobility) mobility.emplace(system, c);
      if (mobility->valid()) masses[i] = felt_mass(system, c, *mobility, static_cast<int>(i));
    }
  }
  return masses;
}

}  // namespace

std::string law_of_contact(const Model& model, const std::string& contact) {
  const std::string item = contact.substr(0, contact.rfind('.'));
  for (const ContactPair& pair : model.contacts)
    if (pair.name == contact || pair.name == item) return pair.law;
  const Joint* joint = find_joint(model, item);
  if (joint == nullptr) return {};
  const bool stop = contact.ends_with(".lower") || contact.ends_with(".upper");
  if (stop && joint->limits) return joint->limits->law;
  if (!joint->clearance) return {};
  return std::visit([](const auto& clearance) { return clearance.law; }, *joint->clearance);
}

std::vector<ContactImpact> contact_impacts(const Model& model, const Assembly& assembly,
                                           const Trial& trial) {
  const System& system = *assembly.system;
  const auto& contacts = system.info().contacts;
  std::vector<ContactImpact> impacts;
  if (std::ranges::none_of(contacts, [](const ContactInfo& c) { return c.compliant.has_value(); }))
    return impacts;
  const std::vector<double> masses = felt_masses(system, trial);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!(masses[i] > 0)) continue;
    const double speed = trial.approach[i].speed;
    const bool approached = speed > contacts[i].compliant->slowest_entry;
    ContactImpact found{.contact = static_cast<int>(i),
                        .law = law_of_contact(model, contacts[i].name),
                        .mass = masses[i],
                        .speed = approached ? speed : 1,
                        .approached = approached};
    found.impact = free_impact(contacts[i].compliant->normal, found.mass, found.speed);
    impacts.push_back(std::move(found));
  }
  return impacts;
}

}  // namespace backlash

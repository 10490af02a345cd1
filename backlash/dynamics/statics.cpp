// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/statics.h"

#include <algorithm>
#include <cmath>

#include "backlash/dynamics/last_step.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

const ContactInfo& info_of(const System& system, const ContactFrame& frame) {
  return system.info().contacts[at(frame.key.pair)];
}

/// dF/dδ by a difference that is small beside the depth: of F only its slope depends on it.
double stiffness_at_rest(const ContactInfo& contact, double gap) {
  const double step = 1e-6 * std::abs(gap);
  return (force_at_rest(contact, gap - step) - force_at_rest(contact, gap + step)) / (2 * step);
}

Vector normal_row(const System& system, const Configuration& c, const ContactFrame& frame) {
  const Index n = 1 + info_of(system, frame).tangents;
  Matrix W = Matrix::Zero(system.info().velocities, n);
  Vector w = Vector::Zero(n);
  system.write_contact_rows(c, frame, W, w);
  return W.col(0);
}

/// Contacts as they are near: compliant ones that overlap, rigid ones within reach.
void find_contacts(const System& system, double reach, Statics& s) {
  std::vector<ContactFrame> found;
  system.find_contacts(s.c, reach, {}, found);
  s.compliant.clear();
  s.rigid.clear();
  for (const ContactFrame& frame : found) {
    if (!info_of(system, frame).compliant)
      s.rigid.push_back(frame);
    else if (!(frame.gap >= 0))
      s.compliant.push_back(frame);
  }
}

Law law_of(const ContactInfo& contact) {
  if (contact.tangents == 0 || holding_friction(contact.law) == 0) return Unilateral{};
  return Coulomb{.friction = holding_friction(contact.law), .tangents = contact.tangents};
}

Index row_count(const System& system, const std::vector<ContactFrame>& frames) {
  Index n = 0;
  for (const ContactFrame& frame : frames) n += rows(law_of(info_of(system, frame)));
  return n;
}

Index write_contact_rows(const System& system, Statics& s) {
  Index row = 0;
  for (const ContactFrame& frame : s.rigid) {
    const ContactInfo& contact = info_of(system, frame);
    const Law law = law_of(contact);
    const Index n = 1 + contact.tangents;
    Matrix W = Matrix::Zero(system.info().velocities, n);
    Vector w = Vector::Zero(n);
    system.write_contact_rows(s.c, frame, W, w);
    s.rows.W.middleCols(row, rows(law)) = W.leftCols(rows(law));
    s.rows.offset[row] = frame.gap;
    s.rows.laws.push_back(law);
    row += rows(law);
  }
  return row;
}

/// Forces of given strength; of a clutch, which pushes with 0 … a, one half is a force.
void write_relays(const System& system, Index row, Statics& s) {
  const std::vector<RelayInfo>& relays = system.info().relays;
  const auto n = static_cast<Index>(relays.size());
  if (n == 0) return;
  Vector w = Vector::Zero(n), limit = Vector::Zero(n), x = Vector::Zero(n);
  system.relay_rows(s.c, s.rows.W.middleCols(row, n), w, limit);
  system.relay_displacements(s.c, x);
  for (Index i = 0; i < n; ++i) {
    const RelayLaw law = relays[at(i)].law;
    if (law == RelayLaw::preload) s.rows.offset[row + i] = x[i];
    if (law == RelayLaw::clutch) {
      limit[i] /= 2;
      s.force += limit[i] * s.rows.W.col(row + i);
    }
    if (s.relay_loads.size() == n)
      limit[i] +=
          std::max(relays[at(i)].friction, relays[at(i)].static_friction) * s.relay_loads[i];
    s.rows.laws.push_back(Relay{.limit = limit[i]});
  }
}

void write_rows(const System& system, Statics& s) {
  const auto relays = static_cast<Index>(system.info().relays.size());
  const Index n = row_count(system, s.rigid) + relays;
  s.rows.W.setZero(system.info().velocities, n);
  s.rows.offset.setZero(n);
  s.rows.laws.clear();
  write_relays(system, write_contact_rows(system, s), s);
}

void write_bilaterals(const System& system, Statics& s) {
  const auto n = static_cast<Index>(system.info().bilaterals.size());
  Vector w = Vector::Zero(n);
  s.bilateral_error.setZero(n);
  s.bilateral_W.setZero(system.info().velocities, n);
  system.bilateral_errors(s.c, s.bilateral_error);
  system.bilateral_rows(s.c, s.bilateral_W, w);
}

}  // namespace

double force_at_rest(const ContactInfo& contact, double gap) {
  const CompliantLaw& law = *contact.compliant;
  return normal_force(law.normal, -gap, 0, entry_rate(law, 0));
}

void write_forces(const System& system, const Vector& q, double reach, Statics& s) {
  const Index n = system.info().velocities;
  s.c.q = q;
  system.configure(s.c);
  s.force.setZero(n);
  system.force(s.c, Vector::Zero(n), s.force);
  find_contacts(system, reach, s);
  for (const ContactFrame& frame : s.compliant)
    s.force += force_at_rest(info_of(system, frame), frame.gap) * normal_row(system, s.c, frame);
  write_rows(system, s);
  write_bilaterals(system, s);
}

Vector loads_of_relays(const System& system, const Statics& s, const StaticLoads& loads) {
  const auto n = static_cast<Index>(system.info().relays.size());
  LastStep rest(system.info());
  rest.step = 1;
  rest.middle = s.c;
  rest.row_forces.head(loads.bilaterals.size()) = loads.bilaterals;
  rest.row_forces.segment(rest.memory.first_relay_row(), n) = loads.rows.tail(n);
  for (Index i = 0; i < n; ++i) {
    const auto& law = std::get<Relay>(s.rows.laws[s.rows.laws.size() - at(n - i)]);
    if (system.info().relays[at(i)].law == RelayLaw::clutch)  // whose mean is part of the force
      rest.row_forces[rest.memory.first_relay_row() + i] += law.limit;
  }
  for (const ContactLoad& contact : contact_loads(system, s, loads))
    rest.contacts.push_back({contact.key, contact.force});
  Vector found = Vector::Zero(n);
  system.relay_loads(rest, found);
  return found;
}

void write_stiffness(const System& system, const StaticLoads& loads, Statics& s) {
  const Index n = system.info().velocities;
  s.mass.setZero(n, n);
  system.mass(s.c, s.mass);
  Matrix J = Matrix::Zero(n, n);
  system.force_position_jacobian(s.c, Vector::Zero(n), J);
  for (const ContactFrame& frame : s.compliant) {
    const ContactInfo& contact = info_of(system, frame);
    const Vector W = normal_row(system, s.c, frame);
    system.add_contact_jacobian(s.c, frame, {force_at_rest(contact, frame.gap), 0, 0}, J);
    J -= stiffness_at_rest(contact, frame.gap) * W * W.transpose();
  }
  Index row = 0;
  for (const ContactFrame& frame : s.rigid) {
    ContactVelocity lambda{};
    const int count = rows(law_of(info_of(system, frame)));
    for (int i = 0; i < count; ++i) lambda[at(i)] = loads.rows[row + i];
    if (lambda[0] > 0) system.add_contact_jacobian(s.c, frame, lambda, J);
    row += count;
  }
  if (!system.info().relays.empty())
    system.add_relay_jacobian(s.c, loads.rows.tail(loads.rows.size() - row), J);
  if (loads.bilaterals.size() > 0) system.add_bilateral_jacobian(s.c, loads.bilaterals, J);
  s.stiffness = -0.5 * (J + J.transpose());
}

std::vector<ContactLoad> contact_loads(const System& system, const Statics& s,
                                       const StaticLoads& loads) {
  std::vector<ContactLoad> all;
  for (const ContactFrame& frame : s.compliant)
    all.push_back({frame.key, frame.gap, {force_at_rest(info_of(system, frame), frame.gap), 0, 0}});
  Index row = 0;
  const double rounding = 1e-12 * (loads.rows.size() > 0 ? loads.rows.cwiseAbs().maxCoeff() : 0);
  for (const ContactFrame& frame : s.rigid) {
    const int count = rows(law_of(info_of(system, frame)));
    if (loads.rows[row] > rounding) {
      all.push_back({frame.key, frame.gap, {}});
      for (int i = 0; i < count; ++i) all.back().force[at(i)] = loads.rows[row + i];
    }
    row += count;
  }
  std::ranges::sort(all, {}, &ContactLoad::key);
  return all;
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/compliant/parts.h"

/// With what speed contacts count as begun.
namespace backlash {

double SmoothDynamics::felt_mass(double t, const double* y, const ContactKey& key) {
  place(t, y);
  ContactFrame frame;
  if (!system_.follow_contact(c_, key, remembered_, frame)) return INFINITY;
  frame.key = key;
  const Eigen::Index n = 1 + system_.info().contacts[at(key.pair)].tangents;
  rows_.setZero();
  row_rate_.setZero();
  system_.write_contact_rows(c_, frame, rows_.leftCols(n), row_rate_.head(n));
  if (!system_.factor_mass(c_, M_)) return INFINITY;
  Vector change = rows_.col(0);
  system_.solve_mass(c_, M_, change);
  return 1 / std::max(0.0, rows_.col(0).dot(change));
}

/// δ̇⁻ that the law is to know of a contact that comes into force at the end of the step. Bodies
/// that overlap already have not met: they count as having come in as fast as they would be pushed
/// out without loss (theory 9.21).
double Compliant::Parts::entry_rate_of(const ContactKey& key, const ContactMotion& motion) {
  const CompliantLaw& law = *system.info().contacts[at(key.pair)].compliant;
  const double rate = -motion.gamma[0], entry = entry_rate(law, rate);
  const bool begins = options.onset == Onset::root || end.t == t_begun;
  if (!begins || !(-motion.gap > options.position_tolerance)) return entry;
  const double stored = elastic_energy(law.normal, -motion.gap);
  const double mass = dynamics.felt_mass(end.t, y_end.data(), key);
  return std::max(entry, std::hypot(rate, std::sqrt(2 * stored / mass)));
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "backlash/integrators/workspace.h"

namespace backlash {

using Index = Eigen::Index;

bool find_active_contacts(Moreau::Workspace& work) {
  work.active.clear();
  if (work.gaps.size() == 0) return true;
  work.system.gaps(work.middle, work.gaps);
  Index row = work.bilaterals + work.relays;
  for (Index i = 0; i < work.gaps.size(); ++i) {
    if (work.gaps[i] > 0) continue;
    if (std::isnan(work.gaps[i])) {
      work.result.status = StepStatus::not_finite;
      work.result.contact = static_cast<int>(i);
      return false;
    }
    work.active.push_back({static_cast<int>(i), row});
    row += 1 + work.system.info().contacts[static_cast<std::size_t>(i)].tangents;
  }
  return true;
}

void write_rows(Moreau::Workspace& work) {
  const SystemInfo& info = work.system.info();
  const Index n = info.velocities, nb = work.bilaterals, nr = work.relays;
  Index rows = nb + nr;
  for (const ActiveContact& a : work.active)
    rows += 1 + info.contacts[static_cast<std::size_t>(a.contact)].tangents;
  work.W.resize(n, rows);
  if (rows == 0) return;
  work.mass_inverse_W.resize(n, rows);
  work.w.resize(rows);
  work.W.setZero();
  work.w.setZero();
  if (nb > 0) work.system.bilateral_rows(work.middle, work.W.leftCols(nb), work.w.head(nb));
  if (nr > 0) {
    work.system.relay_rows(work.middle, work.W.middleCols(nb, nr), work.w.segment(nb, nr),
                           work.relay_strength);
    for (Index i = 0; i < nr; ++i) work.relay_limit[i] = work.relay_strength[i];
  }
  if (work.has_ranges) {
    work.relay_displacement.setZero();
    work.system.relay_displacements(work.middle, work.relay_displacement);
  }
  for (const ActiveContact& a : work.active) {
    const Index m = 1 + info.contacts[static_cast<std::size_t>(a.contact)].tangents;
    work.system.contact_rows(work.middle, a.contact, work.W.middleCols(a.first, m),
                             work.w.segment(a.first, m));
  }
}

}  // namespace backlash

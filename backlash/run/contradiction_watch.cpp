// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/contradiction_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/run/pushing_drives.h"

namespace backlash {

ContradictionWatch::ContradictionWatch(const System& system)
    : system_(system),
      memory_(system.info()),
      W_(Matrix::Zero(system.info().velocities,
                      static_cast<Eigen::Index>(system.info().bilaterals.size()))),
      w_(Vector::Zero(W_.cols())),
      driven_(std::ranges::any_of(system.info().bilaterals, is_driven)) {}

bool ContradictionWatch::accepts(const State& state) {
  constexpr double missed = 1e-3;  // of the largest rate; methods that follow rows miss them less
  if (!driven_) return true;
  if (c_.q.size() == 0) c_ = configuration(system_, state);
  set_configuration(system_, memory_, state, c_);
  system_.bilateral_rows(c_, W_, w_);
  const double limit = missed * w_.lpNorm<Eigen::Infinity>();
  bool followed = true;
  for (Eigen::Index i = 0; i < w_.size(); ++i)
    followed = followed && std::abs(W_.col(i).dot(state.u) + w_[i]) <= limit;
  if (followed) return true;
  const std::string contradiction = describe_contradiction(system_, c_);
  if (contradiction.empty()) return true;
  message_ = fmt::format("at t = {:.6g} s {}", state.t, contradiction);
  return false;
}

}  // namespace backlash

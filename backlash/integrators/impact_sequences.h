// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/base/archive.h"
#include "backlash/integrators/step_result.h"

namespace backlash {

/// Small bounces of a contact since its last impact that was none.
struct SmallBounces {
  long count = 0;
  double impulse_n = 0;  ///< [N s]
  double impulse_t = 0;  ///< along the first tangent; in space the sizes of both [N s]
  double energy = 0;     ///< that they dissipated [J]

  void archive(Archive& a) { a(count, impulse_n, impulse_t, energy); }
};

/// Tells the impacts of set-valued contacts from the small bounces that a sequence comes to rest
/// with, which are without end: a shorter step finds more of them (theory 4.23). An impact is a
/// small bounce if it is slower than `share` of the fastest impact so far, and slower than the
/// impact before it of the same contact: a body that rocks rests on each corner between.
class ImpactSequences {
 public:
  static constexpr double share = 0.01;

  /// The next impact of a contact. True if it is a small bounce.
  bool add_impact(const ContactOutcome& impact, GapUnit unit);

  /// The contact begins to last: its sequence is over. The small bounces that it ended with.
  SmallBounces end_sequence(const ContactKey& key);

  void archive(Archive& a) { a(all_, fastest_); }

 private:
  struct Sequence {
    ContactKey key{};
    double speed = 0;  ///< of the last impact [m/s, rad/s]
    SmallBounces small{};

    void archive(Archive& a) { a(key, speed, small); }
  };

  std::vector<Sequence> all_;  ///< in ascending order of their keys
  double fastest_[2]{};        ///< so far, of gaps that are lengths and angles [m/s, rad/s]
};

}  // namespace backlash

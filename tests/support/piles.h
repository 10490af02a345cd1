// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "backlash/integrators/simulate.h"

/// Many planar bodies that fall into a bin and come to rest there.
namespace backlash::test {

struct Pile {
  bool boxes = false;
  int count = 30;
  double friction = 0.3, restitution = 0.2;
  std::uint64_t seed = 1;
};

/// Bodies of random sizes (discs of 20 to 35 mm radius, boxes with edges of 30 to 60 mm) on a grid
/// with room for each, that move a little, above the floor of a bin: the text of their model.
std::string model_of(const Pile& pile);

/// "30 boxes, friction 0.3, restitution 0.2, seed 1".
std::string name_of(const Pile& pile);

/// What became of a pile.
struct PileRun {
  RunSummary summary;
  double t = 0;            ///< that was reached [s]
  double made = 0;         ///< by the method, over what the contacts took (theory 4.7)
  double risen = 0;        ///< largest rise of the energy over its least before, over the same
  double penetration = 0;  ///< largest at the end of a step, over the mean size of a body
  double resting = 0;      ///< the same of contacts that last
};

/// Steps of 1 ms until then.
PileRun run_pile(const Pile& pile, double until);

}  // namespace backlash::test

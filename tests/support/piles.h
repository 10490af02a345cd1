// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backlash/integrators/simulate.h"

/// Many planar bodies that fall into a bin and come to rest there.
namespace backlash::test {

struct Pile {
  bool boxes = false;
  int count = 30;
  double friction = 0.3, restitution = 0.2;
  std::uint64_t seed = 1;
};

inline constexpr double pile_density = 50;  ///< [kg/m²]

/// Where a body of a pile begins: a disc, or a box.
struct PileBody {
  std::array<double, 2> edges{};  ///< of a box [m]
  double radius = 0;              ///< of a disc, or of the circle around a box [m]
  double mass = 0, inertia = 0;   ///< [kg, kg m²]
  double x = 0, y = 0, angle = 0, v_x = 0, v_y = 0;
};

struct PileBodies {
  double width = 0;  ///< of the bin [m]
  std::vector<PileBody> list;
};

/// Bodies of random sizes (discs of 20 to 35 mm radius, boxes with edges of 30 to 60 mm) on a grid
/// with room for each, that move a little, above the floor of a bin; and the text of their model.
PileBodies bodies_of(const Pile& pile);
std::string model_of(const Pile& pile);
std::string model_of(const Pile& pile, const PileBodies& bodies);

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

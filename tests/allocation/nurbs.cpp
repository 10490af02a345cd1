// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "backlash/geometry/nurbs/conics.h"
#include "backlash/geometry/nurbs/pair_rates.h"
#include "backlash/geometry/nurbs/pair_tracking.h"
#include "step_allocations.h"

namespace backlash::test {
namespace {

/// An ellipse that rolls and falls on another one.
Pose2 rolling(int step) {
  const double t = 1e-3 * step;
  return {std::cos(3 * t), std::sin(3 * t), 0.5 * std::sin(t), 2.4 - 0.5 * t};
}

TEST_F(Allocation, DoesNotHappenWhereCurvesAndSurfacesAreEvaluatedAndCompared) {
  const Profile a(NurbsCurve<2>(ellipse_curve({0, 0}, 1.3, 1)));
  const Profile b(NurbsCurve<2>(ellipse_curve({0, 0}, 2, 1)));
  const NurbsSurface torus = torus_surface(2, 0.5);
  const SurfaceBoundary ring(torus);
  PairTracking<2> tracking;
  const auto step = [&](int i) {
    const Placed<2> A{a, rolling(i)}, B{b};
    update_pairs(A, B, {.reach = 0.5, .margin = 0.1}, tracking);
    double sum = torus.at(1e-3 * i, 0.3).p.x();
    for (const KeyedPair<2>& known : tracking.pairs)
      sum += pair_rates(A, {.v = Vec2(0, -0.5), .w = 3}, B, {}, known.pair).gap_acceleration;
    sum += closest(A, B).pair.gap;
    sum += closest<2>(A, SolidBall<2>{{0, 0}, 0.1}).pair.gap;
    sum += closest<3>({ring}, SolidBall<3>{{2, 1e-3 * i, 1}, 0.2}).pair.gap;
    return sum;
  };
  for (int i = 0; i < 50; ++i) step(i);
  const long searches = tracking.searches, before = heap_allocations();
  for (int i = 50; i < 600; ++i) step(i);
  EXPECT_EQ(heap_allocations(), before);
  EXPECT_GT(tracking.searches, searches);
}

}  // namespace
}  // namespace backlash::test

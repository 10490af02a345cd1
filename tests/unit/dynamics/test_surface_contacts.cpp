// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "backlash/dynamics/surface_contacts.h"

namespace backlash::test {
namespace {

/// A floor that goes over into a ramp of 45° at x = 1 m, in a hollow smaller than a ball of 1 m.
std::shared_ptr<const SurfaceBoundary> floor_with_ramp() {
  NurbsSurfaceData data{.degree = {2, 1}, .size = {5, 2}};
  const double x[] = {-4, 0, 1, 1.4, 4}, z[] = {0, 0, 0, 0.4, 3};
  for (int i = 0; i < 5; ++i)
    for (const double y : {-3.0, 3.0}) data.points.emplace_back(x[i], y, z[i]);
  return std::make_shared<const SurfaceBoundary>(NurbsSurface(data));
}

std::vector<double> gaps(const SurfaceContacts& contacts, const Pose3& X, ContactSearch& memory) {
  std::vector<ContactFrame> frames;
  contacts.find({&X, 1}, 0.1, {}, memory, frames);
  std::vector<double> found;
  for (const ContactFrame& frame : frames) found.push_back(frame.gap);
  std::ranges::sort(found);
  return found;
}

/// A ball that comes along the floor meets the ramp in a second place, born where no place was
/// (theory 11.33). A ball that is no surface is searched for in every pose.
TEST(SurfaceContacts, KnowTheRampThatABallComesTo) {
  const auto floor = floor_with_ramp();
  const auto surface = std::make_shared<const SurfaceBoundary>(sphere_surface(1));
  const SurfaceContacts followed({{.a = -1, .b = 0, .A = floor, .B = surface}});
  const SurfaceContacts searched({{.a = -1, .b = 0, .A = floor, .B = SolidBall<3>{{0, 0, 0}, 1}}});
  ContactSearch memory, none;
  int with_ramp = 0;
  for (int k = 0; k <= 24; ++k) {
    Pose3 X;
    X.p = {0.34 + 0.01 * k, 0.02, 1.0005};
    const std::vector<double> found = gaps(followed, X, memory), all = gaps(searched, X, none);
    ASSERT_EQ(found.size(), all.size()) << X.p.x();
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(found[i], all[i], 1e-9) << X.p.x();
    with_ramp += all.size() == 2;
  }
  EXPECT_GT(with_ramp, 5);
  EXPECT_LT(with_ramp, 24);
}

}  // namespace
}  // namespace backlash::test

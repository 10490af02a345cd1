// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/step/step_file.h"

#include <cmath>
#include <fstream>
#include <numbers>

#include <gmock/gmock.h>

#include "backlash/base/input_error.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::filesystem::path parts = std::filesystem::path(data_folder()) / "parts.step";

/// Tests of what is read; a build without OpenCASCADE must say so instead.
class StepFile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (reads_step()) return;
    EXPECT_THAT([] { read_step_curve(parts, "rail"); },
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr("parts.step"), HasSubstr("made without OpenCASCADE"))));
    GTEST_SKIP() << "this build does not read STEP files, and says so";
  }
};

template <class Call>
void expect_refused(Call call, std::initializer_list<std::string> texts) {
  try {
    call();
    ADD_FAILURE() << "was not refused";
  } catch (const InputError& error) {
    for (const std::string& text : texts) EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST_F(StepFile, GivesARationalCurveInMetresAsItIs) {
  const NurbsCurveData<3> rail = read_step_curve(parts, "rail");
  EXPECT_EQ(rail.degree, 3);
  EXPECT_EQ(rail.ends, SplineEnds::open);
  EXPECT_EQ(rail.weights, (std::vector<double>{1, 1, 2, 1, 1, 1}));
  EXPECT_EQ(rail.knots, (std::vector<double>{0, 0, 0, 0, 0.25, 0.75, 1, 1, 1, 1}));
  ASSERT_EQ(rail.points.size(), 6u);
  EXPECT_LT((rail.points[2] - Vec3(0.020, -0.005, 0.002)).norm(), 1e-17);
  EXPECT_LT((NurbsCurve<3>(rail).at(1).p - Vec3(0.050, 0.010, 0.005)).norm(), 1e-16);
}

TEST_F(StepFile, GivesAnExactCircleThatCloses) {
  const NurbsCurve<2> rim(read_step_profile(parts, "rim"));
  EXPECT_TRUE(rim.closed());
  for (int i = 0; i <= 100; ++i) {
    const CurvePoint<2> at = rim.at(rim.first() + i * (rim.last() - rim.first()) / 100);
    // The file gives the end of the circle, 2π, with 12 digits.
    EXPECT_NEAR((at.p - Vec2(0.005, 0.006)).norm(), 0.008, 1e-12 * 0.008);
    EXPECT_NEAR(std::abs(curvature(at)), 1 / 0.008, 1e-10);
  }
}

TEST_F(StepFile, JoinsTheOuterEdgesOfAFaceCounterClockwise) {
  const NurbsCurve<2> slot(read_step_profile(parts, "slot"));
  EXPECT_TRUE(slot.closed());
  EXPECT_NEAR(signed_area(slot), 0.040 * 0.020 + std::numbers::pi * 1e-4, 1e-12);
  EXPECT_NEAR(arc_length(slot, slot.first(), slot.last()), 0.080 + 0.020 * std::numbers::pi, 1e-11);
  for (int i = 0; i < 1000; ++i) {
    const Vec2 p = slot.at(slot.first() + i * (slot.last() - slot.first()) / 1000).p;
    const double beyond = std::max(0.0, std::abs(p.x()) - 0.020);
    EXPECT_NEAR(std::hypot(beyond, p.y()), 0.010, 1e-15) << p.transpose();
  }
}

TEST_F(StepFile, FindsAnEdgeByItsNameOrNumber) {
  const NurbsCurve<2> named(read_step_profile(parts, "right end"));
  const NurbsCurve<2> numbered(read_step_profile(parts, "#44"));
  EXPECT_FALSE(named.closed());
  EXPECT_EQ(named.data().points, numbered.data().points);
  EXPECT_NEAR(arc_length(named, named.first(), named.last()), 0.010 * std::numbers::pi, 1e-12);
}

TEST_F(StepFile, GivesExactSurfacesWithNormalsOutOfTheMaterial) {
  const NurbsSurface ball(read_step_surface(parts, "ball"));
  const NurbsSurface ring(read_step_surface(parts, "ring"));
  const auto each = [](const NurbsSurface& surface, auto&& check) {
    for (int i = 0; i <= 12; ++i)
      for (int j = 1; j < 12; ++j)
        check(surface.at(surface.first(0) + i * (surface.last(0) - surface.first(0)) / 12,
                         surface.first(1) + j * (surface.last(1) - surface.first(1)) / 12));
  };
  each(ball, [](const SurfacePoint& at) {
    const Vec3 r = at.p - Vec3(0.1, 0, 0);
    EXPECT_NEAR(r.norm(), 0.025, 1e-15);
    EXPECT_LT((normal(at) - r / r.norm()).norm(), 1e-12);
  });
  each(ring, [](const SurfacePoint& at) {
    const Vec3 middle = Vec3(at.p.x(), at.p.y(), 0).normalized() * 0.040, r = at.p - middle;
    EXPECT_NEAR(r.norm(), 0.010, 1e-15);
    EXPECT_LT((normal(at) - r / r.norm()).norm(), 1e-12);
  });
  EXPECT_TRUE(ring.closed(0) && ring.closed(1));
}

TEST_F(StepFile, SaysWhatIsThereWhereTheNameIsNot) {
  expect_refused([] { read_step_curve(parts, "rial"); },
                 {"parts.step", "no edge 'rial'", "'rail', 'right end', 'rim'", "#"});
  expect_refused([] { read_step_surface(parts, "rail"); },
                 {"no face 'rail'", "'ball', 'ring', 'slot', 'triangle'", "such as '#17'"});
  expect_refused([] { read_step_profile(parts, "straight"); },
                 {"'straight' is the name of several", "#21", "#61", "use the number"});
}

TEST_F(StepFile, SaysWhyAPartCannotBeUsed) {
  expect_refused([] { read_step_profile(parts, "rail"); },
                 {"'rail'", "lies in no plane z = const", "turn the part"});
  expect_refused([] { read_step_surface(parts, "triangle"); },
                 {"'triangle'", "no lines of constant parameters", "split the face"});
}

TEST_F(StepFile, SaysWhichFileIsMissingOrDamaged) {
  const TemporaryFolder folder;
  expect_refused([&] { read_step_curve(folder.path() / "none.step", "rail"); },
                 {"none.step", "no such file"});
  const auto damaged = folder.path() / "damaged.step";
  std::ofstream(damaged) << "ISO-10303-21;\nHEADER;\nthis is no STEP file\n";
  expect_refused([&] { read_step_curve(damaged, "rail"); },
                 {"damaged.step", "cannot be read as a STEP file", "export the part again"});
  const auto cut = folder.path() / "cut.step";
  std::ifstream whole(parts);
  std::string text(std::istreambuf_iterator<char>(whole), {});
  std::ofstream(cut) << text.substr(0, text.size() / 3);
  expect_refused([&] { read_step_curve(cut, "rim"); }, {"cut.step"});
}

}  // namespace
}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Fast thin bodies in space do not pass through thin ones between two steps (theory 4.20).
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "backlash/dynamics/surface_bodies.h"
#include "backlash/integrators/compliant/compliant.h"
#include "backlash/laws/hysteresis.h"
#include "support/runs.h"

namespace backlash::test::passing_in_space {
namespace {

constexpr double speed = 30, restitution = 0.5, step = 1e-3;  // 30 mm in a step
constexpr double mm = 1e-3, pi = std::numbers::pi;

using Surface = std::shared_ptr<const SurfaceBoundary>;

/// A thin shape whose front looks along +x.
struct ThinShape {
  std::string name;
  SpaceShape shape;
  bool hollow = false;  ///< the other is inside, near its middle at the start
};

Surface boundary(const NurbsSurfaceData& data, const Mat3& turned = Mat3::Identity()) {
  return std::make_shared<const SurfaceBoundary>(
      NurbsSurface(transformed(data, turned, Vec3::Zero())));
}

/// Poles of surfaces of revolution to the sides, ±y.
Mat3 aside() { return Eigen::AngleAxisd(pi / 2, Vec3::UnitX()).toRotationMatrix(); }
Mat3 stretched(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

/// A square whose middle control point is `bulge` before its rim; normal along +x.
NurbsSurfaceData sheet(double half_width, double bulge) {
  NurbsSurfaceData data{.degree = {2, 2}, .size = {3, 3}};
  for (const int i : {-1, 0, 1})
    for (const int k : {-1, 0, 1})
      data.points.emplace_back(bulge * (1 - i * i) * (1 - k * k), half_width * i, half_width * k);
  return data;
}

/// About z: thick at the ends, 1 mm at the waist.
NurbsSurfaceData hourglass() {
  const NurbsCurve<2> profile({.degree = 3,
                               .points = {{0, -4 * mm},
                                          {2 * mm, -4 * mm},
                                          {2 * mm, -3 * mm},
                                          {0.2 * mm, 0},
                                          {2 * mm, 3 * mm},
                                          {2 * mm, 4 * mm},
                                          {0, 4 * mm}}});
  return surface_of_revolution(profile, 2 * pi).data();
}

/// With open surfaces of this width.
std::vector<ThinShape> thin_shapes(double width) {
  const double half = 0.5 * width;
  return {
      {"point", SolidBall<3>{{0, 0, 0}, 0}},
      {"ball", SolidBall<3>{{0, 0, 0}, 0.5 * mm}},
      {"plane", HalfSpace<3>{{0, 0, 0}, {1, 0, 0}}},
      {"sheet", boundary(sheet(half, 0))},
      {"shell", boundary(sheet(half, half))},
      {"dish", boundary(sheet(half, -half))},
      {"lens", boundary(sphere_surface(1).data(), stretched(0.5 * mm, 2 * mm, 2 * mm) * aside())},
      {"torus", boundary(torus_surface(3 * mm, 0.5 * mm).data())},
      {"hourglass", boundary(hourglass(), aside())},
      {"hole", boundary(reversed(sphere_surface(20 * mm).data()), aside()), true}};
}

/// Those that fly have edges inside of what they meet.
const std::vector<ThinShape>& latches() {
  static const std::vector<ThinShape> all = thin_shapes(4 * mm);
  return all;
}
const std::vector<ThinShape>& flyers() {
  static const std::vector<ThinShape> all = thin_shapes(2.4 * mm);
  return all;
}

SpaceShape turned_round(const SpaceShape& shape) {
  const Mat3 half_turn = Eigen::AngleAxisd(pi, Vec3::UnitZ()).toRotationMatrix();
  if (const auto* half = std::get_if<HalfSpace<3>>(&shape))
    return HalfSpace<3>{half->point, half_turn * half->normal};
  return shape;  // surfaces by the pose of their body
}

/// A body that flies to the left against a fixed one, too heavy in its rotations to turn, or
/// nothing if the two cannot touch.
std::optional<SurfaceBodies> shot(const ThinShape& flyer, const ThinShape& latch, double distance,
                                  const std::optional<CompliantLaw>& compliant = {}) {
  const auto* on_flyer = std::get_if<Surface>(&flyer.shape);
  const auto* on_latch = std::get_if<Surface>(&latch.shape);
  if (!on_flyer && !on_latch) return std::nullopt;
  SpaceBody body{.name = "flyer", .mass = 1e-3, .inertia = Vec3::Constant(1e3)};
  body.v_W.x() = -speed;
  body.X_WB.p = {distance, 0.1 * mm, 0.01 * mm};
  if (on_flyer)  // edges cross those of the other one
    body.X_WB.R = (Eigen::AngleAxisd(0.3, Vec3::UnitX()) * Eigen::AngleAxisd(pi, Vec3::UnitZ()))
                      .toRotationMatrix();
  SurfaceContact contact{
      .name = "touch", .law = {.restitution = restitution}, .compliant = compliant};
  if (on_latch)
    contact.shapes = {-1, 0, *on_latch, on_flyer ? flyer.shape : turned_round(flyer.shape)};
  else
    contact.shapes = {0, -1, *on_flyer, latch.shape};
  return SurfaceBodies({.bodies = {body}, .contacts = {contact}, .gravity = Vec3::Zero()});
}

/// How long it flies: in a hole until it is on its way back; whether it is seen before it is deep,
/// and whether the two meet aslant, and it is asked only that it flies back.
struct Flight {
  double until;
  bool shallow, aslant;
};

/// An open surface in a hole has no closest points as long as it faces the other way: nothing says
/// how near it is (theory 4.20).
bool faces_away(const ThinShape& open, const ThinShape& hole) {
  const auto* surface = std::get_if<Surface>(&open.shape);
  return hole.hollow && surface && !(*surface)->edges().empty();
}

/// What is wide lands on both ends of the hourglass, on the rim of the dish, or with its own on a
/// hole.
bool meet_aslant(const ThinShape& a, const ThinShape& b) {
  const auto* wide = std::get_if<Surface>(&b.shape);
  return wide &&
         (a.name == "hourglass" || a.name == "dish" || (a.hollow && !(*wide)->edges().empty()));
}

/// Calls check(system, flight) for every pair of shapes that can touch.
template <class Check>
int for_every_pair(std::span<const ThinShape> flying, const std::optional<CompliantLaw>& compliant,
                   Check check) {
  int pairs = 0;
  for (const ThinShape& flyer : flying)
    for (const ThinShape& latch : latches()) {
      const bool inside = flyer.hollow || latch.hollow;
      const auto is_plane = [](const ThinShape& s) {
        return std::holds_alternative<HalfSpace<3>>(s.shape);
      };
      if ((flyer.hollow && latch.hollow) || (inside && (is_plane(flyer) || is_plane(latch))))
        continue;
      const double distance = inside ? 2e-3 : 0.05;
      const auto system = shot(flyer, latch, distance, compliant);
      if (!system) continue;
      SCOPED_TRACE(fmt::format("{} against {}", flyer.name, latch.name));
      check(*system,
            Flight{inside ? 1.5e-3 : 0.004, !faces_away(flyer, latch) && !faces_away(latch, flyer),
                   meet_aslant(flyer, latch) || meet_aslant(latch, flyer)});
      ++pairs;
    }
  return pairs;
}

/// Nothing is deeper in anything than from where it is pushed back the way it came (theory 4.20).
void expect_shallow(const System& system, const State& state) {
  std::vector<ContactFrame> frames;
  const Configuration c = configuration(system, state);
  system.find_contacts(c, 0, state.contacts, frames);
  std::vector<PassingLimit> limits(frames.size());
  system.write_passing_limits(c, state.u, frames, limits);
  for (std::size_t k = 0; k < frames.size(); ++k)
    EXPECT_GT(frames[k].gap, -0.25 * limits[k].depth) << state.t;
}

/// It flies back as fast as the law has it.
void expect_bounce(const State& end, const Flight& flight) {
  EXPECT_NEAR(end.u[0], restitution * speed,
              flight.aslant ? 0.99 * restitution * speed : 0.01 * speed);
}

TEST(PassingInSpace, TableHasEveryKindOfShape) {
  std::set<std::size_t> listed;
  for (const ThinShape& shape : latches()) listed.insert(shape.shape.index());
  EXPECT_EQ(listed.size(), std::variant_size_v<SpaceShape>);
}

TEST(PassingInSpace, DoesNotHappenInEqualStepsForAnyPairOfShapes) {
  const int pairs =
      for_every_pair(flyers(), {}, [](const SurfaceBodies& system, const Flight& flight) {
        const State end = run(system, system.start(), step, flight.until, {},
                              [&](const State& state, const StepResult&) {
                                if (flight.shallow) expect_shallow(system, state);
                              });
        expect_bounce(end, flight);
      });
  EXPECT_GE(pairs, 80);
}

TEST(PassingInSpace, DoesNotHappenInAutomaticStepsForAnyPairOfShapes) {
  for_every_pair(flyers(), {}, [](const SurfaceBodies& system, const Flight& flight) {
    Moreau integrator(system, {.automatic_step = true, .max_step = step});
    State state = system.start();
    EXPECT_EQ(simulate(integrator, state, flight.until).status, StepStatus::done);
    expect_bounce(state, flight);
  });
}

/// What is solid or flat or bulges flies against every shape.
TEST(PassingInSpace, DoesNotHappenWithCompliantContactsAgainstAnyShape) {
  const CompliantLaw law{.normal = HystereticForce{
                             .stiffness = 1e10, .hysteresis = calibrated_hysteresis(restitution)}};
  for_every_pair(
      std::span(flyers()).first(5), law, [](const SurfaceBodies& system, const Flight& flight) {
        Compliant integrator(system, {});
        State state = system.start();
        const auto begins_at_the_surface = [](const State&, const StepResult& result) {
          for (const ContactOutcome& contact : result.contacts)
            if (contact.state == ContactState::impact) {
              EXPECT_GT(contact.gap_before, -1e-12);
            }
        };
        const RunSummary summary = simulate(integrator, state, flight.until, begins_at_the_surface);
        EXPECT_EQ(summary.status, StepStatus::done);
        expect_bounce(state, flight);
      });
}

/// A blade that turns by 1 rad in a step, and a ball at rest in its way, which it throws on.
TEST(PassingInSpace, DoesNotHappenWhereABladeTurnsFast) {
  constexpr double rate = 1000, out = 15 * mm;
  const Surface blade = boundary(sphere_surface(1).data(), stretched(20 * mm, 0.5 * mm, 2 * mm));
  for (const double angle : {0.3, 0.7, 1.1, 1.5, 2.3}) {
    SpaceBody rotor{.name = "rotor", .mass = 1e3, .inertia = Vec3::Constant(1e3)};
    rotor.w_W.z() = rate;
    SpaceBody ball{.name = "ball", .mass = 1e-3, .inertia = Vec3::Constant(1e-9)};
    ball.X_WB.p = out * Vec3(std::cos(angle), std::sin(angle), 0);
    const SurfaceBodies system(
        {.bodies = {rotor, ball},
         .contacts = {{.name = "hit",
                       .shapes = {0, 1, blade, SolidBall<3>{{0, 0, 0}, 0.5 * mm}},
                       .law = {.restitution = restitution}}},
         .gravity = Vec3::Zero()});
    const double meets = angle / rate;
    const State end = run(system, system.start(), step, meets + 1e-5, {},
                          [&](const State& state, const StepResult&) {
                            if (state.t < meets - 1e-4) {
                              EXPECT_EQ(state.u.segment<3>(6).norm(), 0);
                            }
                          });
    EXPECT_NEAR(end.u.segment<3>(6).norm(), (1 + restitution) * rate * out,
                0.02 * (1 + restitution) * rate * out)
        << angle;
  }
}

}  // namespace
}  // namespace backlash::test::passing_in_space

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Curves: a point with two derivatives, the distance of two cams followed from step to step and
// found from nowhere; the same for surfaces.

#include <cmath>

#include <benchmark/benchmark.h>

#include "backlash/geometry/cam_curve.h"
#include "backlash/geometry/nurbs/distance.h"
#include "backlash/geometry/nurbs/pair_rates.h"

namespace backlash {
namespace {

NurbsCurve<2> cam(double width, double height, double weight) {
  NurbsCurveData<2> data{.degree = 3, .ends = SplineEnds::periodic};
  for (int i = 0; i < 8; ++i) {
    const Vec2 d = unit_vector(full_turn * i / 8);
    data.points.emplace_back(width * d.x() * (i == 0 ? 1.3 : 1), height * d.y());
    data.weights.push_back(i == 0 ? weight : 1);
  }
  return NurbsCurve<2>(data);
}

/// The small cam above the large one, as it falls and turns.
Pose2 small_cam_at(int step) {
  const double t = 1e-3 * (step % 100);
  return {std::cos(1.5 + t), std::sin(1.5 + t), -0.01 + 0.01 * t, 0.19 - 0.3 * t};
}

void curve_point(benchmark::State& state) {
  const NurbsCurve<2> curve = cam(0.06, 0.05, 2);
  double u = 0;
  for (auto _ : state) {
    u += 0.37;
    if (u > 8) u -= 8;
    benchmark::DoNotOptimize(curve.at(u));
  }
}

void surface_point(benchmark::State& state) {
  const NurbsSurface torus = torus_surface(2, 0.5);
  double u = 0;
  for (auto _ : state) {
    u += 0.037;
    if (u > 1) u -= 1;
    benchmark::DoNotOptimize(torus.at(u, 1 - u));
  }
}

void curves_followed(benchmark::State& state) {
  const Profile a(cam(0.06, 0.05, 2)), b(cam(0.16, 0.1, 1));
  FacingPair<2> pair = closest<2>({a, small_cam_at(0)}, {b}).pair;
  int step = 0, lost = 0;
  for (auto _ : state) lost += !follow<2>({a, small_cam_at(++step)}, {b}, pair);
  if (lost > 0) state.SkipWithError("a pair was lost");
}

void curves_followed_with_rates(benchmark::State& state) {
  const Profile a(cam(0.06, 0.05, 2)), b(cam(0.16, 0.1, 1));
  const FrameMotion<2> falling{{0, -1}, 2, {0, -9.81}, 0}, resting{};
  FacingPair<2> pair = closest<2>({a, small_cam_at(0)}, {b}).pair;
  int step = 0;
  for (auto _ : state) {
    const Placed<2> A{a, small_cam_at(++step)}, B{b};
    follow(A, B, pair);
    benchmark::DoNotOptimize(pair_rates(A, falling, B, resting, pair));
  }
}

void curves_found(benchmark::State& state) {
  const Profile a(cam(0.06, 0.05, 2)), b(cam(0.16, 0.1, 1));
  int step = 0;
  for (auto _ : state) benchmark::DoNotOptimize(closest<2>({a, small_cam_at(++step)}, {b}));
}

void curve_and_disk_followed(benchmark::State& state) {
  const Profile b(cam(0.16, 0.1, 1));
  FacingPair<2> pair = closest<2>({b}, SolidBall<2>{{0, 0.19}, 0.05}).pair;
  int step = 0;
  for (auto _ : state) {
    const Pose2 at = small_cam_at(++step);
    follow<2>({b}, SolidBall<2>{{at.x, at.y}, 0.05}, pair);
  }
}

void curve_and_disk_found(benchmark::State& state) {
  const Profile b(cam(0.16, 0.1, 1));
  int step = 0;
  for (auto _ : state) {
    const Pose2 at = small_cam_at(++step);
    benchmark::DoNotOptimize(closest<2>({b}, SolidBall<2>{{at.x, at.y}, 0.05}));
  }
}

Pose3 sphere_at(int step) {
  Pose3 X;
  X.p = {1.3 + 1e-4 * (step % 100), 0.7, 1.1};
  return X;
}

void surfaces_followed(benchmark::State& state) {
  const SurfaceBoundary torus(torus_surface(2, 0.5)), sphere(sphere_surface(0.5));
  FacingPair<3> pair = closest<3>({torus}, {sphere, sphere_at(0)}).pair;
  int step = 0, lost = 0;
  for (auto _ : state) lost += !follow<3>({torus}, {sphere, sphere_at(++step)}, pair);
  if (lost > 0) state.SkipWithError("a pair was lost");
}

void surfaces_found(benchmark::State& state) {
  const SurfaceBoundary torus(torus_surface(2, 0.5)), sphere(sphere_surface(0.5));
  int step = 0;
  for (auto _ : state) benchmark::DoNotOptimize(closest<3>({torus}, {sphere, sphere_at(++step)}));
}

void surface_and_ball_found(benchmark::State& state) {
  const SurfaceBoundary torus(torus_surface(2, 0.5));
  int step = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(closest<3>({torus}, SolidBall<3>{sphere_at(++step).p, 0.5}));
}

/// A cam given by its function, and a roller or a flat follower on it.
void function_cam(benchmark::State& state, CamFunction meaning) {
  const std::string_view variables[] = {"phi"};
  const CamCurve curve(
      {.base = 0.03,
       .function = parse_expression("0.005*(1 - cos(phi)) + 0.001*(1 - cos(2*phi))", variables),
       .meaning = meaning,
       .roller_radius = 0.01});
  double angle = 0;
  for (auto _ : state) {
    angle += 1e-3;
    const Vec2 d = unit_vector(angle);
    benchmark::DoNotOptimize(meaning == CamFunction::flat ? curve.farthest(d)
                                                          : curve.closest_to_point(0.05 * d));
  }
}

BENCHMARK(curve_point);
BENCHMARK(surface_point);
BENCHMARK(curves_followed)->Unit(benchmark::kMicrosecond);
BENCHMARK(curves_followed_with_rates)->Unit(benchmark::kMicrosecond);
BENCHMARK(curves_found)->Unit(benchmark::kMicrosecond);
BENCHMARK(curve_and_disk_followed)->Unit(benchmark::kMicrosecond);
BENCHMARK(curve_and_disk_found)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(function_cam, point, CamFunction::radius)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(function_cam, roller, CamFunction::roller)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(function_cam, flat, CamFunction::flat)->Unit(benchmark::kMicrosecond);
BENCHMARK(surfaces_followed)->Unit(benchmark::kMicrosecond);
BENCHMARK(surfaces_found)->Unit(benchmark::kMicrosecond);
BENCHMARK(surface_and_ball_found)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace backlash

BENCHMARK_MAIN();

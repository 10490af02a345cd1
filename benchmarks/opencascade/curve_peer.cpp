// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// OpenCASCADE's curve and surface, as peers of the evaluation in bench_nurbs.cpp: the same cam
// profile and a torus, the same parameters.

#include <cmath>
#include <numbers>

#include <benchmark/benchmark.h>
#include <Geom2d_BSplineCurve.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_ToroidalSurface.hxx>

namespace {

constexpr double pi = std::numbers::pi;

/// As cam() of bench_nurbs.cpp.
Handle(Geom2d_BSplineCurve) cam(double width, double height, double weight) {
  TColgp_Array1OfPnt2d points(1, 8);
  TColStd_Array1OfReal weights(1, 8), knots(1, 9);
  TColStd_Array1OfInteger multiplicities(1, 9);
  for (int i = 0; i < 8; ++i) {
    const double angle = 2 * pi * i / 8;
    points(i + 1) =
        gp_Pnt2d(width * std::cos(angle) * (i == 0 ? 1.3 : 1), height * std::sin(angle));
    weights(i + 1) = i == 0 ? weight : 1;
  }
  for (int i = 0; i <= 8; ++i) {
    knots(i + 1) = i;
    multiplicities(i + 1) = 1;
  }
  return new Geom2d_BSplineCurve(points, weights, knots, multiplicities, 3, true);
}

void opencascade_curve_point(benchmark::State& state) {
  const Handle(Geom2d_BSplineCurve) curve = cam(0.06, 0.05, 2);
  double u = 0;
  gp_Pnt2d p;
  gp_Vec2d d, dd;
  for (auto _ : state) {
    u += 0.37;
    if (u > 8) u -= 8;
    curve->D2(u, p, d, dd);
    benchmark::DoNotOptimize(dd);
  }
}

void opencascade_surface_point(benchmark::State& state) {
  const Handle(Geom_BSplineSurface) torus =
      GeomConvert::SurfaceToBSplineSurface(new Geom_ToroidalSurface(gp_Ax3(), 2, 0.5));
  double u = 0, u1 = 0, u2 = 0, v1 = 0, v2 = 0;
  torus->Bounds(u1, u2, v1, v2);
  gp_Pnt p;
  gp_Vec du, dv, duu, dvv, duv;
  for (auto _ : state) {
    u += 0.037;
    if (u > 1) u -= 1;
    torus->D2(u1 + u * (u2 - u1), v2 - u * (v2 - v1), p, du, dv, duu, dvv, duv);
    benchmark::DoNotOptimize(duv);
  }
}

BENCHMARK(opencascade_curve_point);
BENCHMARK(opencascade_surface_point);

}  // namespace

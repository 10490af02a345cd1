// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// The module that reads STEP files with OpenCASCADE; step_file.cpp loads it.
#include "backlash/io/step/step_module.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <BRepTools.hxx>
#include <BRepTools_WireExplorer.hxx>
#include <BRep_Tool.hxx>
#include <Geom2d_Curve.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_RectangularTrimmedSurface.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Wire.hxx>

#include "backlash/base/input_error.h"
#include "backlash/io/step/step_shapes.h"

namespace backlash {
namespace {

using std::filesystem::path;

constexpr double millimetre = 1e-3;  // OpenCASCADE turns every unit into millimetres
constexpr double same_point = 1e-9;  // as a part of the size

Vec3 metres(const gp_Pnt& p) { return millimetre * Vec3(p.X(), p.Y(), p.Z()); }

/// What the file says, with whatever OpenCASCADE throws as a message of ours.
template <class Read>
auto guarded(const path& file, std::string_view name, Read&& read) {
  try {
    return read();
  } catch (const Standard_Failure& failure) {
    throw InputError(fmt::format("{}: '{}' cannot be turned into a curve or surface: {}",
                                 file.string(), name, failure.GetMessageString()));
  }
}

Handle(Geom_BSplineCurve) spline_of(const TopoDS_Edge& edge) {
  double first = 0, last = 0;
  const Handle(Geom_Curve) curve = BRep_Tool::Curve(edge, first, last);
  if (curve.IsNull()) throw InputError("it is a single point of a surface and has no curve");
  Handle(Geom_BSplineCurve) spline =
      GeomConvert::CurveToBSplineCurve(new Geom_TrimmedCurve(curve, first, last));
  if (spline->IsPeriodic()) spline->SetNotPeriodic();
  if (edge.Orientation() == TopAbs_REVERSED) spline->Reverse();
  return spline;
}

double size_of(const std::vector<Vec3>& points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, (p - points.front()).norm());
  return size;
}

NurbsCurveData<3> curve_of(const Handle(Geom_BSplineCurve) & spline) {
  NurbsCurveData<3> out{.degree = spline->Degree()};
  for (int i = 1; i <= spline->NbPoles(); ++i) {
    out.points.push_back(metres(spline->Pole(i)));
    out.weights.push_back(spline->Weight(i));
  }
  const TColStd_Array1OfReal& knots = spline->KnotSequence();
  out.knots.assign(knots.begin(), knots.end());
  const double apart = (out.points.front() - out.points.back()).norm();
  if (apart <= same_point * size_of(out.points)) {
    out.points.back() = out.points.front();
    out.ends = SplineEnds::closed;
  }
  return out;
}

/// Curves of one degree that follow each other, as one; the parameter is about the length [m].
NurbsCurveData<3> joined(const std::vector<NurbsCurveData<3>>& curves) {
  NurbsCurveData<3> out{.degree = curves.front().degree};
  const auto degree = static_cast<std::ptrdiff_t>(out.degree);
  double end = 0, weight = 1;
  out.knots.push_back(0);
  for (const NurbsCurveData<3>& curve : curves) {
    double length = 0;
    for (std::size_t i = 1; i < curve.points.size(); ++i)
      length += (curve.points[i] - curve.points[i - 1]).norm();
    const double first = curve.knots.front(), scale = length / (curve.knots.back() - first);
    out.knots.insert(out.knots.end(), static_cast<std::size_t>(degree), end);
    for (auto knot = curve.knots.begin() + degree + 1; knot != curve.knots.end() - degree - 1;
         ++knot)
      out.knots.push_back(end + scale * (*knot - first));
    const std::size_t skipped = out.points.empty() ? 0 : 1;  // the end of the one before
    const double factor = weight / curve.weights.front();
    out.points.insert(out.points.end(), curve.points.begin() + static_cast<int>(skipped),
                      curve.points.end());
    for (std::size_t i = skipped; i < curve.weights.size(); ++i)
      out.weights.push_back(factor * curve.weights[i]);
    weight = out.weights.back();
    end += length;
  }
  out.knots.insert(out.knots.end(), static_cast<std::size_t>(degree) + 1, end);
  if ((out.points.front() - out.points.back()).norm() <= same_point * size_of(out.points)) {
    out.points.back() = out.points.front();
    out.ends = SplineEnds::closed;
  }
  return out;
}

NurbsCurveData<3> outer_boundary(const TopoDS_Face& face) {
  std::vector<Handle(Geom_BSplineCurve)> splines;
  for (BRepTools_WireExplorer edges(BRepTools::OuterWire(face), face); edges.More(); edges.Next())
    splines.push_back(spline_of(edges.Current()));
  int degree = 1;
  for (const auto& spline : splines) degree = std::max(degree, spline->Degree());
  std::vector<NurbsCurveData<3>> curves;
  for (const auto& spline : splines) {
    spline->IncreaseDegree(degree);
    curves.push_back(curve_of(spline));
  }
  return joined(curves);
}

NurbsCurveData<2> in_plane(const NurbsCurveData<3>& curve) {
  NurbsCurveData<2> out{.degree = curve.degree, .weights = curve.weights, .knots = curve.knots};
  out.ends = curve.ends;
  const double z = curve.points.front().z(), most = same_point * size_of(curve.points);
  for (const Vec3& p : curve.points) {
    if (std::abs(p.z() - z) > most)
      throw InputError(
          fmt::format("it lies in no plane z = const: z goes from {:.6g} m to {:.6g} m; turn the "
                      "part so that it does, and export it again",
                      z, p.z()));
    out.points.emplace_back(p.x(), p.y());
  }
  return out;
}

/// Whether an edge of a face runs along the rim of a box of the surface's parameters.
bool along_rim(const TopoDS_Edge& edge, const TopoDS_Face& face, const std::array<double, 4>& box) {
  double first = 0, last = 0;
  const Handle(Geom2d_Curve) curve = BRep_Tool::CurveOnSurface(edge, face, first, last);
  if (curve.IsNull()) return false;
  const double near_u = 1e-6 * (box[1] - box[0]), near_v = 1e-6 * (box[3] - box[2]);
  for (int i = 0; i <= 8; ++i) {
    const gp_Pnt2d p = curve->Value(first + i * (last - first) / 8);
    const double u = std::min(std::abs(p.X() - box[0]), std::abs(p.X() - box[1]));
    const double v = std::min(std::abs(p.Y() - box[2]), std::abs(p.Y() - box[3]));
    if (u > near_u && v > near_v) return false;
  }
  return true;
}

Handle(Geom_BSplineSurface) spline_of(const TopoDS_Face& face) {
  std::array<double, 4> box{};
  BRepTools::UVBounds(face, box[0], box[1], box[2], box[3]);
  for (TopExp_Explorer edges(face, TopAbs_EDGE); edges.More(); edges.Next())
    if (!along_rim(TopoDS::Edge(edges.Current()), face, box))
      throw InputError(
          "its edges are no lines of constant parameters of its surface, so that the whole surface "
          "would be more than the face; split the face along such lines, or give the surface's "
          "control points");
  Handle(Geom_BSplineSurface) spline = GeomConvert::SurfaceToBSplineSurface(
      new Geom_RectangularTrimmedSurface(BRep_Tool::Surface(face), box[0], box[1], box[2], box[3]));
  if (spline->IsUPeriodic()) spline->SetUNotPeriodic();
  if (spline->IsVPeriodic()) spline->SetVNotPeriodic();
  if (face.Orientation() == TopAbs_REVERSED) spline->UReverse();
  return spline;
}

NurbsSurfaceData surface_of(const Handle(Geom_BSplineSurface) & spline) {
  NurbsSurfaceData out{.degree = {spline->UDegree(), spline->VDegree()},
                       .size = {spline->NbUPoles(), spline->NbVPoles()}};
  for (int i = 1; i <= spline->NbUPoles(); ++i)
    for (int j = 1; j <= spline->NbVPoles(); ++j) {
      out.points.push_back(metres(spline->Pole(i, j)));
      out.weights.push_back(spline->Weight(i, j));
    }
  const TColStd_Array1OfReal &u = spline->UKnotSequence(), &v = spline->VKnotSequence();
  out.knots = {std::vector<double>(u.begin(), u.end()), std::vector<double>(v.begin(), v.end())};
  if (spline->IsUClosed()) out.ends[0] = SplineEnds::closed;
  if (spline->IsVClosed()) out.ends[1] = SplineEnds::closed;
  return out;
}

/// Reads what is called `name`, and says in messages whose fault it is.
template <class Convert>
auto read_item(const path& file, std::string_view name, std::string_view kinds, Convert&& convert) {
  return guarded(file, name, [&] {
    const std::vector<step::NamedShape> shapes = step::read_shapes(file);
    const step::NamedShape& item = step::find_shape(shapes, file, name, kinds);
    try {
      return convert(item.shape);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: '{}': {}", file.string(), name, error.what()));
    }
  });
}

NurbsCurveData<3> read_curve(const path& file, std::string_view edge) {
  return read_item(file, edge, "edge", [](const TopoDS_Shape& shape) {
    return curve_of(spline_of(TopoDS::Edge(shape)));
  });
}

StepProfile read_profile(const path& file, std::string_view name, StepItem kind) {
  constexpr std::string_view kinds[] = {"edge", "face", "edge or face"};
  return read_item(file, name, kinds[static_cast<std::size_t>(kind)],
                   [](const TopoDS_Shape& shape) -> StepProfile {
                     if (shape.ShapeType() == TopAbs_EDGE)
                       return {in_plane(curve_of(spline_of(TopoDS::Edge(shape)))), false};
                     return {in_plane(outer_boundary(TopoDS::Face(shape))), true};
                   });
}

NurbsSurfaceData read_surface(const path& file, std::string_view face) {
  return read_item(file, face, "face", [](const TopoDS_Shape& shape) {
    return surface_of(spline_of(TopoDS::Face(shape)));
  });
}

}  // namespace
}  // namespace backlash

const backlash::StepModule backlash_step{BACKLASH_VERSION, backlash::read_curve,
                                         backlash::read_profile, backlash::read_surface};

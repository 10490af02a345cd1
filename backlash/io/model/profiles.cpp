// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>

#include "backlash/base/input_error.h"
#include "backlash/base/units.h"
#include "backlash/geometry/nurbs/curve_fit.h"
#include "backlash/io/model/point_file.h"
#include "backlash/io/model/sections.h"
#include "backlash/io/step/step_file.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

/// More than a drawing has; contacts are looked for between all of their pieces.
constexpr std::size_t max_control_points = 2000;

/// On which side of a profile the material is.
enum class Material { unsaid, inside, outside, left, right };

/// A profile as it is written.
struct WrittenProfile {
  NurbsCurveData<2> curve{};
  bool periodic = false, closed = false;
  std::string file{};          ///< of points
  double unit = 1;             ///< of the points of the file [m]
  int control_points = 0;      ///< to fit with; 0: through all points
  std::string step{};          ///< file of parts, with
  std::string edge{}, face{};  ///< one of them by its name or number
  Material material = Material::unsaid;
};

Key<WrittenProfile> list_key(std::string name, std::vector<double> NurbsCurveData<2>::*member,
                             const Range& range, std::string doc) {
  return {
      {std::move(name), list_type(number_type(dim::none), -1, "list of numbers"), std::move(doc)},
      [member, range](const Value& v, WrittenProfile& p) {
        for (const Value& item : v.items(-1, "a list of numbers"))
          (p.curve.*member).push_back(item.number(dim::none, range));
      }};
}

Key<WrittenProfile> text_key(std::string name, std::string WrittenProfile::*member,
                             std::string doc) {
  return {{std::move(name), text_type("name"), std::move(doc)},
          [member](const Value& v, WrittenProfile& p) { p.*member = v.text(); }};
}

/// A length of 1 in a unit.
double read_length_unit(const Value& v) {
  const std::string text = v.text();
  const Unit unit = [&] {
    try {
      return read_unit(text);
    } catch (const InputError& error) {
      v.fail(error.what());
    }
  }();
  if (unit.dimension != dim::length)
    v.fail(fmt::format("expected a unit of length, found '{}'", text));
  return unit.factor;
}

const Keys<WrittenProfile>& profile_keys() {
  constexpr std::string_view sides[] = {"inside", "outside", "left", "right"};
  static const Keys<WrittenProfile> keys{
      {{"points", list_type(vector_type(dim::length), -1, "[[x, y], …] [m]"), "control points"},
       [](const Value& v, WrittenProfile& p) {
         for (const Value& point : v.items(-1, "a list of control points [x, y]"))
           p.curve.points.push_back(point.vector(dim::length));
       }},
      {{"csv", text_type("name of a file"),
        "points that were measured, beside the model file: x and y in each line, in their order"},
       [](const Value& v, WrittenProfile& p) { p.file = v.text(); }},
      {{"step", text_type("name of a file"),
        "part of which the curve is an edge, or the boundary of a face, beside the model file: "
        "ISO 10303-21, read with OpenCASCADE"},
       [](const Value& v, WrittenProfile& p) { p.step = v.text(); }},
      text_key("edge", &WrittenProfile::edge,
               "of the STEP file, in a plane z = const: its name there, or its number: '#123'"),
      text_key("face", &WrittenProfile::face,
               "whose outer boundary is the profile; named as an edge is"),
      fallback("m",
               Key<WrittenProfile>{
                   {"unit", text_type("unit of length"), "of the numbers in the file"},
                   [](const Value& v, WrittenProfile& p) { p.unit = read_length_unit(v); }}),
      fallback("through all points",
               Key<WrittenProfile>{
                   {"control_points", integer_type(),
                    "fit a curve with so many control points to those of the file, in the mean of "
                    "squares"},
                   [](const Value& v, WrittenProfile& p) {
                     p.control_points = v.integer(2, max_control_points);
                   }}),
      fallback("3", Key<WrittenProfile>{{"degree", integer_type(), "of its polynomials"},
                                        [](const Value& v, WrittenProfile& p) {
                                          p.curve.degree = v.integer(1, nurbs::max_degree);
                                        }}),
      fallback("all 1", list_key("weights", &NurbsCurveData<2>::weights, positive,
                                 "of the control points, one for each")),
      fallback("uniform", list_key("knots", &NurbsCurveData<2>::knots, any,
                                   "not decreasing: degree + 1 more than control points; of a "
                                   "periodic curve one more, those of one period")),
      fallback("false", flag_key("periodic", &WrittenProfile::periodic,
                                 "it is closed and smooth: each control point is given once")),
      fallback("false", flag_key("closed", &WrittenProfile::closed,
                                 "it is closed: the last control point is the first one again")),
      fallback("inside if closed, else left",
               Key<WrittenProfile>{
                   {"material", choice_type(sides), "where the body is, seen along the curve"},
                   [sides](const Value& v, WrittenProfile& p) {
                     p.material = Material(1 + v.choice(sides));
                   }}),
  };
  return keys;
}

SplineEnds ends_of(const WrittenProfile& p) {
  return p.periodic ? SplineEnds::periodic : p.closed ? SplineEnds::closed : SplineEnds::open;
}

/// The points of its file, a closed one's each once.
std::vector<Vec2> measured_points(const Value& value, const WrittenProfile& p) {
  std::vector<Vec2> points = read_point_file(beside(value, p.file));
  for (Vec2& point : points) point *= p.unit;
  if (p.periodic && points.size() > 1 && points.front() == points.back()) points.pop_back();
  return points;
}

void require_not_too_many(std::size_t control_points) {
  if (control_points > max_control_points)
    throw InputError(fmt::format(
        "{} control points, at most {} are accepted; a curve can be fitted to the points of a file "
        "with fewer, by 'csv' and 'control_points'",
        control_points, max_control_points));
}

CurveFit<2> fit_to(const std::vector<Vec2>& points, const WrittenProfile& p) {
  try {
    return p.control_points > 0
               ? fitted_curve<2>(points, p.control_points, p.curve.degree, ends_of(p))
               : interpolated_curve<2>(points, p.curve.degree, ends_of(p));
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", p.file, error.what()));
  }
}

void read_measured(const Value& value, const WrittenProfile& p, ModelProfile& profile) {
  for (const std::string_view key : {"weights", "knots", "closed"})
    if (value.find(key))
      throw InputError(
          fmt::format("'{}' belongs to control points; a profile through points of a "
                      "file may be 'periodic'",
                      key));
  const std::vector<Vec2> points = measured_points(value, p);
  if (p.control_points == 0) require_not_too_many(points.size());  // as many, before the time
  const CurveFit<2> fit = fit_to(points, p);
  profile.curve = fit.curve.data();
  profile.source = p.file;
  profile.measured = static_cast<int>(points.size());
  profile.max_deviation = fit.max_deviation;
}

/// An edge is taken as it is, and the boundary of a face has its material inside.
void read_part(const Value& value, const WrittenProfile& p, ModelProfile& profile) {
  for (const std::string_view key : {"degree", "weights", "knots", "periodic", "closed"})
    if (value.find(key))
      throw InputError(fmt::format(
          "'{}' belongs to control points; that of an edge or face is in its file", key));
  const StepItem kind = p.edge.empty() ? StepItem::face : StepItem::edge;
  profile.curve = read_step_profile(beside(value, p.step), p.edge.empty() ? p.face : p.edge, kind);
  profile.source = p.step;
}

/// Keys that mean something only beside another one.
void require_beside(const Value& item, std::initializer_list<std::string_view> keys,
                    std::string_view owner, std::string_view what) {
  if (item.find(owner)) return;
  for (const std::string_view key : keys)
    if (item.find(key)) item.fail(fmt::format("'{}' belongs to {}", key, what));
}

/// Of a closed curve, > 0 if it runs around its inside against the clock [m²].
double enclosed_area(const NurbsCurve<2>& curve) {
  const double area = signed_area(curve), size = curve.pieces().size();
  if (std::abs(area) <= 1e-9 * size * size)
    throw InputError(fmt::format(
        "it is closed and encloses no area ({:.3g} m²): its points lie on one line, or its loops "
        "run in opposite directions; expected a curve around the material, or 'material: left' or "
        "'right'",
        area));
  return area;
}

/// Turns the curve so that the material is on its left.
void turn(Material material, ModelProfile& profile) {
  const NurbsCurve<2> curve(profile.curve);
  if ((material == Material::inside || material == Material::outside) && !curve.closed())
    throw InputError(
        "an open profile has no inside; close it with 'periodic' or 'closed', or say whether its "
        "material is 'left' or 'right' of it");
  if (material == Material::unsaid) material = curve.closed() ? Material::inside : Material::left;
  const bool around = material == Material::inside || material == Material::outside;
  const double area = around ? enclosed_area(curve) : 0;
  profile.turned = material == Material::right || (material == Material::inside && area < 0) ||
                   (material == Material::outside && area > 0);
  if (profile.turned) profile.curve = reversed(std::move(profile.curve));
}

ModelProfile read_profile(const Value& item, const std::string& name) {
  constexpr std::string_view sources[] = {"points", "csv", "step"};
  ModelProfile profile{.name = name, .where = item.where()};
  WrittenProfile written;
  read_mapping(item, profile_keys(), "a profile", written);
  require_one_of(item, sources, Count::exactly_one);
  if (written.periodic && written.closed)
    item.fail("'periodic' and 'closed' exclude each other: a periodic profile is closed");
  require_beside(item, {"unit", "control_points"}, "csv", "the points of a file");
  require_beside(item, {"edge", "face"}, "step", "a STEP file; name it with 'step'");
  constexpr std::string_view named[] = {"edge", "face"};
  if (!written.step.empty()) require_one_of(item, named, Count::exactly_one);
  checked(item, [&] {
    if (!written.file.empty()) {
      read_measured(item, written, profile);
    } else if (!written.step.empty()) {
      read_part(item, written, profile);
    } else {
      profile.curve = written.curve;
      profile.curve.ends = ends_of(written);
    }
    require_not_too_many(profile.curve.points.size());
    turn(written.material, profile);
  });
  return profile;
}

}  // namespace

void read_profiles(const Value& value) {
  read_items(value, "profile", [&](const Value& item, const std::string& name) {
    value.context().model.profiles.push_back(read_profile(item, name));
  });
}

std::vector<DefinitionInfo> profile_definitions() {
  return {
      {"profile",
       "A rational B-spline in the plane, by its control points, through points of a file, or an "
       "edge or face of a STEP file: one of `points`, `csv` and `step`.",
       {info("profile", profile_keys())}}};
}

}  // namespace backlash::reading

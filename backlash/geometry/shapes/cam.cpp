// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shapes/cam.h"

#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/plane.h"
#include "backlash/geometry/cam_profile.h"
#include "backlash/geometry/shape_features.h"

namespace backlash {
namespace {

using CamKey = ShapeKey<CamProfile>;

CamKey formula_key(std::string_view name, std::string_view meaning) {
  return {.name = name,
          .value = FormulaValue<CamProfile>{.variable = "phi",
                                            .set = [](CamProfile& s,
                                                      Expression f) { s.function = std::move(f); }},
          .meaning = meaning};
}

/// How to interpolate is read before the points: until then, a table without points keeps it.
Interpolation interpolation_of(const CamProfile& s) {
  const auto* table = std::get_if<Table>(&s.function);
  return table != nullptr ? table->interpolation : Interpolation::cubic;
}

CamKey table_key(std::string_view name, std::string_view meaning) {
  return {.name = name,
          .value = TableValue<CamProfile>{.phrase = "[[angle, length], …] over one turn",
                                          .set =
                                              [](CamProfile& s, Table table) {
                                                table.interpolation = interpolation_of(s);
                                                table.extension = Extension::periodic;
                                                s.function = std::move(table);
                                              }},
          .meaning = meaning};
}

std::string_view objection_to(const CamProfile& s, const MappingValue<CamProfile>::HasKey& has) {
  const bool has_lift = has("lift") || has("lift_table");
  if (has_lift != has("base"))
    return "'base' and a lift belong together: a lift rises above the base radius";
  if (!has_lift && s.meaning != CamFunction::radius)
    return "'follower' belongs to a lift; a radius is the profile itself";
  return {};
}

ShapeKeys<CamProfile> profile_keys() {
  const NumberRange positive{NumberRange::Kind::positive};
  return {{.name = "centre",
           .value = PointValue<CamProfile>{&CamProfile::centre},
           .meaning = "the centre",
           .fallback = "[0, 0]"},
          {.name = "base",
           .value = NumberValue<CamProfile>{&CamProfile::base, positive, "m"},
           .meaning = "base radius, with a lift",
           .fallback = "0"},
          {.name = "interpolation",
           .value = ChoiceValue<CamProfile>{{"cubic", "linear"},
                                            [](CamProfile& s, std::size_t choice) {
                                              s.function =
                                                  Table{.interpolation =
                                                            choice == 0 ? Interpolation::cubic
                                                                        : Interpolation::linear};
                                            }},
           .meaning = "between a table's points",
           .fallback = "cubic"},
          formula_key("radius", "distance of the profile from the centre in the direction phi"),
          formula_key("lift", "what a follower rises above the base radius"),
          table_key("radius_table", "the radius, by points"),
          table_key("lift_table", "the lift, by points"),
          {.name = "follower",
           .value = ChoiceValue<CamProfile>{{"point", "flat", "roller"},
                                            [](CamProfile& s, std::size_t choice) {
                                              s.meaning = CamFunction(choice);
                                            }},
           .meaning = "the follower that the lift is meant for",
           .fallback = "point"},
          {.name = "roller_radius",
           .value = NumberValue<CamProfile>{&CamProfile::roller_radius, positive, "m"},
           .meaning = "of the roller, if it follows"}};
}

void check_table(const Table& table, std::string_view item) {
  validate(table, item);
  if (table.extension != Extension::periodic ||
      std::abs(table.x.back() - table.x.front() - full_turn) > 1e-9)
    throw InputError(
        fmt::format("{}: a cam's table must be periodic and span one turn, spans {} rad", item,
                    table.x.back() - table.x.front()));
}

}  // namespace

ShapeKeys<CamProfile> CamProfile::keys() {
  return {{.name = "cam",
           .value =
               MappingValue<CamProfile>{
                   .item = "a cam",
                   .description =
                       "A cam: one of the keys `radius`, `lift`, `radius_table`, `lift_table`.",
                   .keys = profile_keys(),
                   .one_of = {"radius", "lift", "radius_table", "lift_table"},
                   .objection = objection_to},
           .meaning = "a closed profile around a centre"}};
}

void check(const CamProfile& s, std::string_view item) {
  require_finite(s.centre, fmt::format("{}: centre", item));
  require_not_negative(s.base, fmt::format("{}: base", item), "m");
  if (s.meaning == CamFunction::roller)
    require_positive(s.roller_radius, fmt::format("{}: roller radius", item), "m");
  if (const auto* table = std::get_if<Table>(&s.function)) check_table(*table, item);
  const auto* expression = std::get_if<Expression>(&s.function);
  const TableFunction table(expression ? Table{{0, 1}, {0, 0}} : std::get<Table>(s.function));
  constexpr int samples = 360;
  for (int i = 0; i < samples; ++i) {
    const double angle = full_turn * i / samples;
    const double radius = s.base + (expression ? expression->at(angle) : table.at(angle));
    if (!(radius > 0 && std::isfinite(radius)))
      throw InputError(fmt::format(
          "{}: the radius must be positive at each angle, is {} m at {} deg", item, radius, i));
  }
}

ShapeFeatures features(const CamProfile& s, const TurnedPose& X) {
  const Vec2 centre = X * s.centre;
  const auto curve = std::make_shared<const CamCurve>(s);
  const std::optional<double> undercut = curve->undercut();
  const SharedOutline outline =
      shared_outline(Cam{curve, {X.X.c, X.X.s, centre.x(), centre.y()}, undercut});
  ShapeFeatures own{
      .outline = outline, .faces = outline, .bound = round_bound(centre, curve->largest_radius())};
  if (!undercut) {
    NurbsCurveData<2> profile = cam_profile(*curve);
    for (Vec2& p : profile.points) p += s.centre;
    own.profile = shared_profile(std::move(profile), X);
  }
  return own;
}

Boundary boundary_of(const CamProfile& s) {
  Boundary o{.closed = true};
  const CamCurve curve(s);
  // Where the function belongs to no real profile: the function itself, along φ.
  const bool real = !curve.undercut();
  for (int i = 0; i < CamCurve::samples; ++i) {
    const double angle = full_turn * i / CamCurve::samples;
    o.points.push_back(s.centre + (real ? curve.profile_point(angle).p
                                        : curve.function(angle).value * unit_vector(angle)));
  }
  return o;
}

}  // namespace backlash

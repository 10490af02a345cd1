// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

std::vector<Vec2> read_corners(const Value& value, int count, std::string_view expected) {
  std::vector<Vec2> corners;
  for (const Value& corner : value.items(count, expected))
    corners.push_back(corner.vector(dim::length));
  return corners;
}

ValueType corners_type(int count, std::string phrase) {
  return list_type(vector_type(dim::length), count, std::move(phrase));
}

const Keys<Line>& line_keys() {
  static const Keys<Line> keys{
      fallback("[0, 0]", vector_key("point", &Line::point, dim::length, "a point of the boundary")),
      required(Key<Line>{{"normal", either_type({vector_type(dim::none), number_type(dim::angle)}),
                          "direction out of the material"},
                         [](const Value& v, Line& line) { line.normal = v.direction(); }}),
  };
  return keys;
}

constexpr std::string_view round_sides[] = {"outside", "inside"};

const Keys<Arc>& arc_keys() {
  static const Keys<Arc> keys{
      fallback("[0, 0]", vector_key("centre", &Arc::centre, dim::length, "the centre")),
      required(number_key("radius", &Arc::radius, dim::length, positive, "the radius")),
      required(number_key("from", &Arc::from, dim::angle, any, "where it begins")),
      required(number_key("to", &Arc::to, dim::angle, any, "where it ends, counter-clockwise")),
      fallback("outside",
               Key<Arc>{{"side", choice_type(round_sides), "on which side it is touched"},
                        [](const Value& v, Arc& arc) {
                          arc.side =
                              v.choice(round_sides) == 0 ? ArcSide::outside : ArcSide::inside;
                        }}),
  };
  return keys;
}

constexpr std::string_view cam_functions[] = {"point", "flat", "roller"};
constexpr std::string_view cam_interpolations[] = {"cubic", "linear"};
constexpr Value::Variable cam_variables[] = {{"phi", dim::angle}};

struct CamDraft {
  CamProfile cam{};
  Interpolation interpolation = Interpolation::cubic;
};

Key<CamDraft> cam_formula(std::string name, std::string doc) {
  return {
      {std::move(name), number_type("formula of phi [rad], a length [m]"), std::move(doc)},
      [](const Value& v, CamDraft& d) { d.cam.function = v.formula(dim::length, cam_variables); }};
}

Key<CamDraft> cam_table(std::string name, std::string doc) {
  return {
      {std::move(name), table_points_type("[[angle, length], …] over one turn"), std::move(doc)},
      [](const Value& v, CamDraft& d) {
        Table table = read_table_points(v, dim::angle, dim::length);
        table.interpolation = d.interpolation;
        table.extension = Extension::periodic;
        d.cam.function = std::move(table);
      }};
}

const Keys<CamDraft>& cam_keys() {
  static const Keys<CamDraft> keys{
      fallback("[0, 0]", Key<CamDraft>{{"centre", vector_type(dim::length), "the centre"},
                                       [](const Value& v, CamDraft& d) {
                                         d.cam.centre = v.vector(dim::length);
                                       }}),
      fallback("0", Key<CamDraft>{{"base", number_type(dim::length), "base radius, with a lift"},
                                  [](const Value& v, CamDraft& d) {
                                    d.cam.base = v.number(dim::length, positive);
                                  }}),
      fallback("cubic", Key<CamDraft>{{"interpolation", choice_type(cam_interpolations),
                                       "between a table's points"},
                                      [](const Value& v, CamDraft& d) {
                                        d.interpolation = v.choice(cam_interpolations) == 0
                                                              ? Interpolation::cubic
                                                              : Interpolation::linear;
                                      }}),
      cam_formula("radius", "distance of the profile from the centre in the direction phi"),
      cam_formula("lift", "what a follower rises above the base radius"),
      cam_table("radius_table", "the radius, by points"),
      cam_table("lift_table", "the lift, by points"),
      fallback("point", Key<CamDraft>{{"follower", choice_type(cam_functions),
                                       "the follower that the lift is meant for"},
                                      [](const Value& v, CamDraft& d) {
                                        d.cam.meaning = CamFunction(v.choice(cam_functions));
                                      }}),
      Key<CamDraft>{{"roller_radius", number_type(dim::length), "of the roller, if it follows"},
                    [](const Value& v, CamDraft& d) {
                      d.cam.roller_radius = v.number(dim::length, positive);
                    }},
  };
  return keys;
}

CamProfile read_cam(const Value& value) {
  constexpr std::string_view functions[] = {"radius", "lift", "radius_table", "lift_table"};
  CamDraft draft;
  read_mapping(value, cam_keys(), "a cam", draft);
  require_one_of(value, functions, Count::exactly_one);
  const bool has_lift = value.find("lift") || value.find("lift_table");
  if (has_lift != value.find("base").has_value())
    value.fail("'base' and a lift belong together: a lift rises above the base radius");
  if (!has_lift && draft.cam.meaning != CamFunction::radius)
    value.fail("'follower' belongs to a lift; a radius is the profile itself");
  return draft.cam;
}

/// A key that names the kind of shape and holds its data.
template <class Read>
Key<BodyShape> shape_kind_key(std::string name, ValueType type, std::string doc, Read read) {
  return {{std::move(name), std::move(type), std::move(doc)},
          [read](const Value& v, BodyShape& shape) { shape.shape = read(v); }};
}

template <class Round>
Key<BodyShape> round_key(std::string name, std::string doc) {
  return shape_kind_key(
      std::move(name), number_type("radius [m]"), std::move(doc),
      [](const Value& v) { return Round{.radius = v.number(dim::length, positive)}; });
}

template <class T>
T read_as(const Value& v, const Keys<T>& keys, std::string_view what) {
  T target;
  read_mapping(v, keys, what, target);
  return target;
}

const Keys<BodyShape>& shape_keys() {
  static const Keys<BodyShape> keys{
      shape_kind_key("point", vector_type(dim::length), "a point",
                     [](const Value& v) { return Point{v.vector(dim::length)}; }),
      round_key<Circle>("circle", "a disk, touched from outside"),
      round_key<Ring>("ring", "a round hole, touched from inside"),
      shape_kind_key("segment", corners_type(2, "[[x, y], [x, y]] [m]"),
                     "a wall from a to b, material on the left",
                     [](const Value& v) {
                       const std::vector<Vec2> ends = read_corners(v, 2, "two points [x, y]");
                       return Segment{ends[0], ends[1]};
                     }),
      shape_kind_key("line", mapping_type("line"), "a half-plane",
                     [](const Value& v) { return read_as(v, line_keys(), "a line"); }),
      shape_kind_key("box", vector_type(dim::length),
                     "a rectangle [length, width], its middle at the origin",
                     [](const Value& v) {
                       const std::vector<Value> sides = v.items(2, "[length, width]");
                       return box(sides[0].number(dim::length, positive),
                                  sides[1].number(dim::length, positive));
                     }),
      shape_kind_key(
          "polygon", corners_type(-1, "[[x, y], …] [m]"),
          "corners counter-clockwise; it may be concave",
          [](const Value& v) { return Polygon{read_corners(v, -1, "a list of corners [x, y]")}; }),
      shape_kind_key("arc", mapping_type("arc"), "part of a circle",
                     [](const Value& v) { return read_as(v, arc_keys(), "an arc"); }),
      shape_kind_key("cam", mapping_type("cam"), "a closed profile around a centre", read_cam),
      fallback("[0, 0]", Key<BodyShape>{{"at", vector_type(dim::length), "where its origin lies"},
                                        [](const Value& v, BodyShape& s) {
                                          s.X_BS.p = in_space(v.vector(dim::length));
                                        }}),
      fallback("0", Key<BodyShape>{{"angle", number_type(dim::angle), "by which it is turned"},
                                   [](const Value& v, BodyShape& s) {
                                     s.X_BS.rotation.z() = v.number(dim::angle);
                                   }}),
      Key<BodyShape>{{"groups", list_type(text_type("name"), -1, "list of names"),
                      "names by which contacts may mean many shapes"},
                     [](const Value& v, BodyShape& s) {
                       for (const Value& group : v.items(-1, "a list of names"))
                         s.groups.push_back(group.text());
                     }},
  };
  return keys;
}

}  // namespace

BodyShape read_shape(const Value& value, const std::string& name) {
  constexpr std::string_view kinds[] = {"point", "circle",  "ring", "segment", "line",
                                        "box",   "polygon", "arc",  "cam"};
  BodyShape shape{.name = name, .where = value.where()};
  read_mapping(value, shape_keys(), "a shape", shape);
  require_one_of(value, kinds, Count::exactly_one);
  checked(value, [&] { validate(shape.shape, kind_name(shape.shape)); });
  return shape;
}

std::vector<DefinitionInfo> shape_definitions() {
  return {
      {"shape",
       "An outline by which a body touches others: one of the first nine keys, and where it lies.",
       {info("shape", shape_keys())}},
      {"line", "A half-plane.", {info("line", line_keys())}},
      {"arc", "Part of a circle.", {info("arc", arc_keys())}},
      {"cam",
       "A cam: one of the keys `radius`, `lift`, `radius_table`, `lift_table`.",
       {info("cam", cam_keys())}}};
}

}  // namespace backlash::reading

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/units.h"
#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

// How each kind of value of a shape S looks, and how it is read.

template <class S>
ValueType type_of(const NumberValue<S>& number) {
  return number.phrase.empty() ? number_type(read_unit(number.unit).dimension)
                               : number_type(std::string(number.phrase));
}
template <class S>
void read_value(const NumberValue<S>& number, const Value& v, S& shape) {
  shape.*number.member = v.number(read_unit(number.unit).dimension, number.range);
}

template <class S>
ValueType type_of(const PointValue<S>&) {
  return vector_type(dim::length);
}
template <class S>
void read_value(const PointValue<S>& point, const Value& v, S& shape) {
  shape.*point.member = v.vector(dim::length);
}

template <class S>
ValueType type_of(const DirectionValue<S>&) {
  return either_type({vector_type(dim::none), number_type(dim::angle)});
}
template <class S>
void read_value(const DirectionValue<S>& direction, const Value& v, S& shape) {
  shape.*direction.member = v.direction();
}

template <class S>
ValueType type_of(const PointListValue<S>& list) {
  return list_type(vector_type(dim::length), list.count, std::string(list.phrase));
}
template <class S>
void read_value(const PointListValue<S>& list, const Value& v, S& shape) {
  std::vector<Vec2> points;
  for (const Value& point : v.items(list.count, list.expected))
    points.push_back(point.vector(dim::length));
  list.set(shape, std::move(points));
}

/// One that an arc leads to has keys.
const Keys<PathPoint>& path_point_keys() {
  static const Keys<PathPoint> keys{
      required(vector_key("to", &PathPoint::p, dim::length, "where the arc ends")),
      required(number_key("radius", &PathPoint::radius, dim::length, any,
                          "of the arc: positive where it bulges, negative where it is hollow"))};
  return keys;
}
template <class S>
ValueType type_of(const PathValue<S>&) {
  return list_type(either_type({vector_type(dim::length), mapping_type("path_point")}), -1,
                   "list of points: [x, y] [m] at the end of a straight side, {to: [x, y], radius: "
                   "r} at the end of an arc");
}
template <class S>
void read_value(const PathValue<S>& list, const Value& v, S& shape) {
  std::vector<PathPoint> path;
  for (const Value& item : v.items(-1, "a list of points")) {
    PathPoint point;
    if (item.is_mapping())
      read_mapping(item, path_point_keys(), "a point of a path", point);
    else
      point.p = item.vector(dim::length);
    if (item.is_mapping() && point.radius == 0) item.fail("the radius of an arc must not be 0");
    path.push_back(point);
  }
  list.set(shape, std::move(path));
}

template <class S>
ValueType type_of(const FlagValue<S>&) {
  return flag_type();
}
template <class S>
void read_value(const FlagValue<S>& value, const Value& v, S& shape) {
  shape.*value.member = v.flag();
}

template <class S>
ValueType type_of(const CountValue<S>&) {
  return number_type("whole number");
}
template <class S>
void read_value(const CountValue<S>& value, const Value& v, S& shape) {
  shape.*value.member = v.whole_number(value.lower, value.upper);
}

template <class S>
ValueType type_of(const SizeValue<S>&) {
  return vector_type(dim::length);
}
template <class S>
void read_value(const SizeValue<S>& size, const Value& v, S& shape) {
  const std::vector<Value> sides = v.items(2, "[length, width]");
  const double length = sides[0].number(dim::length, positive);
  size.set(shape, length, sides[1].number(dim::length, positive));
}

template <class S>
ValueType type_of(const ChoiceValue<S>& choice) {
  return choice_type(choice.names);
}
template <class S>
void read_value(const ChoiceValue<S>& choice, const Value& v, S& shape) {
  choice.set(shape, v.choice(choice.names));
}

template <class S>
ValueType type_of(const FormulaValue<S>& formula) {
  return number_type(fmt::format("formula of {} [rad], a length [m]", formula.variable));
}
template <class S>
void read_value(const FormulaValue<S>& formula, const Value& v, S& shape) {
  const Value::Variable variables[] = {{formula.variable, dim::angle}};
  formula.set(shape, v.formula(dim::length, variables));
}

template <class S>
ValueType type_of(const TableValue<S>& table) {
  return table_points_type(std::string(table.phrase));
}
template <class S>
void read_value(const TableValue<S>& table, const Value& v, S& shape) {
  table.set(shape, read_table_points(v, dim::angle, dim::length));
}

template <class S>
ValueType type_of(const CurveValue<S>&) {
  return text_type("name of a profile");
}
template <class S>
void read_value(const CurveValue<S>& curve, const Value& v, S& shape) {
  const std::string name = v.reference(v.names().profiles, "profile");
  const ModelProfile* profile = find_profile(v.context().model, name);
  if (!profile) throw Reported{};  // it is there, with an error
  curve.set(shape, profile->curve);
}

template <class S>
Keys<S> keys_of(const ShapeKeys<S>& described);

template <class S>
ValueType type_of(const MappingValue<S>&) {
  return mapping_type(std::string(S::name));
}
template <class S>
void read_value(const MappingValue<S>& mapping, const Value& v, S& shape) {
  read_mapping(v, keys_of(mapping.keys), mapping.item, shape);
  if (!mapping.one_of.empty()) require_one_of(v, mapping.one_of, Count::exactly_one);
  if (mapping.objection == nullptr) return;
  const auto has = [&](std::string_view key) { return v.find(key).has_value(); };
  const std::string_view objection = mapping.objection(shape, has);
  if (!objection.empty()) v.fail(std::string(objection));
}

template <class S>
KeyInfo info_of(const ShapeKey<S>& key) {
  return {.name = std::string(key.name),
          .type = std::visit([](const auto& value) { return type_of(value); }, key.value),
          .doc = std::string(key.meaning),
          .fallback = std::string(key.fallback),
          .required = key.needed};
}
template <class S>
void read_key(const ShapeKey<S>& key, const Value& v, S& shape) {
  std::visit([&](const auto& value) { read_value(value, v, shape); }, key.value);
}

template <class S>
Keys<S> keys_of(const ShapeKeys<S>& described) {
  Keys<S> keys;
  for (const ShapeKey<S>& key : described)
    keys.push_back({info_of(key), [key](const Value& v, S& shape) { read_key(key, v, shape); }});
  return keys;
}

/// The keys that name a kind of shape and hold its data, of all shapes in the order of their list.
template <class... S>
Keys<BodyShape> kind_keys(const std::variant<S...>*) {
  Keys<BodyShape> keys;
  const auto add = [&]<class Kind>(const ShapeKeys<Kind>& described) {
    for (const ShapeKey<Kind>& key : described)
      keys.push_back({info_of(key), [key](const Value& v, BodyShape& shape) {
                        Kind kind;
                        read_key(key, v, kind);
                        shape.shape = std::move(kind);
                      }});
  };
  (add(S::keys()), ...);
  return keys;
}

const Keys<BodyShape>& kind_keys() {
  static const Keys<BodyShape> keys = kind_keys(static_cast<const Shape*>(nullptr));
  return keys;
}

Keys<BodyShape> place_keys() {
  return {
      fallback("false", Key<BodyShape>{{"mirror", flag_type(),
                                        "it is mirrored at its x axis, before it is turned and "
                                        "moved"},
                                       [](const Value& v, BodyShape& s) {
                                         if (v.flag())
                                           checked(v, [&] { s.shape = mirrored(s.shape); });
                                       }}),
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
}

const Keys<BodyShape>& shape_keys() {
  static const Keys<BodyShape> keys = [] {
    Keys<BodyShape> all = kind_keys();
    for (Key<BodyShape>& key : place_keys()) all.push_back(std::move(key));
    return all;
  }();
  return keys;
}

/// Of the shapes that have keys of their own.
template <class... S>
void add_definitions(const std::variant<S...>*, std::vector<DefinitionInfo>& list) {
  const auto add = [&]<class Kind>(const ShapeKeys<Kind>& described) {
    for (const ShapeKey<Kind>& key : described)
      if (const auto* mapping = std::get_if<MappingValue<Kind>>(&key.value))
        list.push_back({std::string(Kind::name),
                        std::string(mapping->description),
                        {info(std::string(Kind::name), keys_of(mapping->keys))}});
  };
  (add(S::keys()), ...);
}

}  // namespace

BodyShape read_shape(const Value& value, const std::string& name) {
  std::vector<std::string_view> kinds;
  for (const Key<BodyShape>& key : kind_keys()) kinds.push_back(key.name);
  BodyShape shape{.name = name, .where = value.where()};
  read_mapping(value, shape_keys(), "a shape", shape);
  require_one_of(value, kinds, Count::exactly_one);
  checked(value, [&] { validate(shape.shape, kind_name(shape.shape)); });
  return shape;
}

std::vector<DefinitionInfo> shape_definitions() {
  std::vector<DefinitionInfo> list{{"shape",
                                    "An outline by which a body touches others: one of the keys "
                                    "above `mirror`, and where it lies.",
                                    {info("shape", shape_keys())}}};
  add_definitions(static_cast<const Shape*>(nullptr), list);
  list.push_back({"path_point",
                  "A point of an outline that an arc leads to.",
                  {info("path_point", path_point_keys())}});
  return list;
}

}  // namespace backlash::reading

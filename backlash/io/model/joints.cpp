// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/input_error.h"
#include "backlash/base/units.h"
#include "backlash/io/model/friction_keys.h"
#include "backlash/io/model/joint_attributes.h"
#include "backlash/io/model/sections.h"
#include "backlash/io/model/slips.h"
#include "backlash/model/member.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

struct JointType {
  std::string_view name;
  JointKind kind;
};

/// All types of joint in the file: those of the plane, in the order of the list of joints. A free
/// joint is a planar one by another name.
template <class... Kinds>
std::vector<JointType> types_of(const std::variant<Kinds...>*) {
  std::vector<JointType> types;
  const auto add = [&](const JointKind& kind) {
    if (joint_info(kind).in_space_only) return;
    types.push_back({kind_name(kind), kind});
    if (std::holds_alternative<Planar>(kind)) types.push_back({"free", kind});
  };
  (add(Kinds{}), ...);
  return types;
}

const std::vector<JointType>& joint_types() {
  static const std::vector<JointType> types = types_of(static_cast<const JointKind*>(nullptr));
  return types;
}

std::vector<std::string_view> joint_type_names() {
  std::vector<std::string_view> names;
  for (const JointType& type : joint_types()) names.push_back(type.name);
  return names;
}

template <class C>
Key<Joint> clearance_key(const Keys<C>& keys, std::string definition) {
  return {{"clearance", mapping_type(std::move(definition)), "delete it and the joint is ideal"},
          [keys](const Value& v, Joint& joint) {
            C clearance;
            read_mapping(v, keys, "a clearance", clearance);
            joint.clearance = std::move(clearance);
          }};
}

template <class T>
Key<Joint> attribute_key(std::string name, std::string definition, const Keys<T>& keys,
                         std::optional<T> Joint::*member, std::string doc) {
  return {{name, mapping_type(std::move(definition)), std::move(doc)},
          [=](const Value& v, Joint& joint) {
            T attribute;
            read_mapping(v, keys, name, attribute);
            joint.*member = std::move(attribute);
          }};
}

std::string suffix(CoordinateType f) {
  return f == CoordinateType::rotation ? "_rotation" : "_translation";
}

void append_coordinate_keys(const JointKind& kind, std::string_view type, Keys<Joint>& keys) {
  const std::vector<CoordinateType> free = coordinate_types(kind);
  if (free.empty()) return;
  keys.push_back(
      {{"initial", mapping_type(fmt::format("initial_{}", type)), "coordinates at the start"},
       [initial = initial_keys(kind)](const Value& v, Joint& joint) {
         read_mapping(v, initial, "an initial motion", joint.initial);
       }});
  if (free.size() == 3) return;
  const CoordinateType f = free[0];
  keys.push_back({{"limits", mapping_type("limits" + suffix(f)), "stops on the first coordinate"},
                  [f](const Value& v, Joint& joint) { read_limits(v, f, joint); }});
  keys.push_back({{"friction", mapping_type(fmt::format("friction_{}", type)),
                   "dry friction on the first coordinate"},
                  [](const Value& v, Joint& joint) { read_joint_friction(v, joint); }});
  keys.push_back(
      {{"drive", mapping_type("drive" + suffix(f)), "prescribed motion of the first coordinate"},
       [f](const Value& v, Joint& joint) { read_drive(v, f, joint); }});
}

// Data of the kinds.

/// Reads into the kind that the joint is of; `access` takes any kind.
template <class Access>
Key<Joint> joint_kind_key(std::string name, ValueType type, std::string doc, Access access) {
  return {{std::move(name), std::move(type), std::move(doc)},
          [access](const Value& v, Joint& joint) {
            std::visit([&](auto& kind) { access(v, joint, kind); }, joint.kind);
          }};
}

Key<Joint> points_key() {
  return fallback("[[0, 0], [0, 0]]", joint_kind_key("at", points_type(), "P of A and Q of B",
                                                     [](const Value& v, Joint& joint, auto& kind) {
                                                       if constexpr (requires { kind.p_AP; }) {
                                                         const auto [P, Q] = read_points(
                                                             v, joint.body_A, joint.body_B);
                                                         kind.p_AP = P.p;
                                                         kind.p_BQ = Q.p;
                                                       }
                                                     }));
}

Key<Joint> axis_key() {
  return fallback(
      "[1, 0]",
      joint_kind_key("axis", either_type({vector_type(dim::none), number_type(dim::angle)}),
                     "direction of the line, in A", [](const Value& v, Joint&, auto& kind) {
                       if constexpr (requires { kind.axis_A; })
                         kind.axis_A = in_space(v.direction());
                     }));
}

Key<Joint> angle_key() {
  return fallback("0", joint_kind_key("angle", number_type(dim::angle), "of B against A, kept",
                                      [](const Value& v, Joint&, auto& kind) {
                                        if constexpr (requires { kind.rotation; })
                                          kind.rotation.z() = v.number(dim::angle);
                                      }));
}

/// The numbers that a kind of joint says it has.
Keys<Joint> number_keys(const JointKind& kind) {
  Keys<Joint> keys;
  std::visit(
      [&]<class Kind>(const Kind&) {
        if constexpr (HasNumbers<Kind>)
          for (const NumberField<Kind>& field : Kind::numbers()) {
            const Dimension dimension = read_unit(field.unit).dimension;
            keys.push_back(required(Key<Joint>{
                {std::string(field.key), number_type(dimension), std::string(field.meaning)},
                [=](const Value& v, Joint& joint) {
                  std::get<Kind>(joint.kind).*field.value = v.number(dimension, field.range);
                }}));
          }
      },
      kind);
  return keys;
}

Key<Joint> between_key() {
  return required(Key<Joint>{
      {"between", bodies_type(), "the bodies A and B"},
      [](const Value& v, Joint& joint) { std::tie(joint.body_A, joint.body_B) = read_bodies(v); }});
}

/// The name of a joint of one kind.
template <class Kind>
std::string joint_of_kind(const Value& v) {
  const std::string name = v.reference(joint_names(v.names()), "joint");
  const JointKind& kind = v.names().joints.find(name)->second;
  if (!std::holds_alternative<Kind>(kind))
    v.fail(fmt::format("expected a {} joint, found '{}', which is {}", kind_name(Kind{}), name,
                       kind_name(kind)));
  return name;
}

Keys<Joint> gear_keys() {
  return {
      required(Key<Joint>{{"joints",
                           list_type(text_type("name of a revolute joint"), 2,
                                     "[first, second]: names of revolute joints"),
                           "the joints that it couples"},
                          [](const Value& v, Joint& joint) {
                            const std::vector<Value> names =
                                v.items(2, "the names of two revolute joints");
                            Gear& gear = std::get<Gear>(joint.kind);
                            gear.first = joint_of_kind<Revolute>(names[0]);
                            gear.second = joint_of_kind<Revolute>(names[1]);
                            if (gear.first == gear.second) v.fail("expected two different joints");
                          }}),
      required(Key<Joint>{{"ratio", number_type(dim::none),
                           "speed of the second over that of the first; negative for outer gears"},
                          [](const Value& v, Joint& joint) {
                            std::get<Gear>(joint.kind).ratio = v.number(dim::none);
                          }}),
      clearance_key(tooth_clearance_keys(dim::angle), "clearance_gear")};
}

Keys<Joint> rack_keys() {
  return {
      required(
          Key<Joint>{{"pinion", text_type("name of a revolute joint"), "the joint of the pinion"},
                     [](const Value& v, Joint& joint) {
                       std::get<Rack>(joint.kind).pinion = joint_of_kind<Revolute>(v);
                     }}),
      required(Key<Joint>{{"rack", text_type("name of a prismatic joint"), "the joint of the rack"},
                          [](const Value& v, Joint& joint) {
                            std::get<Rack>(joint.kind).rack = joint_of_kind<Prismatic>(v);
                          }}),
      required(Key<Joint>{
          {"radius", number_type(dim::length), "of the pinion; negative: the rack runs backwards"},
          [](const Value& v, Joint& joint) {
            std::get<Rack>(joint.kind).radius = v.number(dim::length);
          }}),
      clearance_key(tooth_clearance_keys(dim::length), "clearance_rack")};
}

/// A coordinate of a joint, such as screw.q or slot.q2.
struct NamedCoordinate {
  std::string joint;
  int number;
  CoordinateType type;
};
NamedCoordinate read_joint_coordinate(const Value& v) {
  const Signal signal = v.signal();
  if (signal.kind != SignalKind::joint_position)
    v.fail(fmt::format("expected a coordinate such as screw.q, found {}", v.node().text));
  const auto types = coordinate_types_of(v.names(), signal.item);
  return {signal.item, signal.coordinate, types[static_cast<std::size_t>(signal.coordinate)]};
}

CoordinateType coordinate_type(const Value& v, const std::string& joint, int number) {
  return coordinate_types_of(v.names(), joint)[static_cast<std::size_t>(number)];
}

/// A number with a unit of length, and nothing else: no formula, which may divide by 2*pi.
bool is_length(const Value& v) {
  const std::string text = v.text();
  const std::size_t unit = text.find_first_not_of("+-.0123456789 ");
  if (unit == std::string::npos || text.find_first_of("0123456789") > unit) return false;
  try {
    const Unit found = read_unit(std::string_view(text).substr(unit));
    return unit + found.length == text.size() && found.dimension == dim::length;
  } catch (const InputError&) {  // a parameter
    return false;
  }
}

Keys<Joint> coupling_keys() {
  const Key<Joint> coordinates{{"coordinates",
                                list_type(text_type("coordinate of a joint"), 2,
                                          "[first, second]: coordinates such as screw.q, slot.q2"),
                                "what it couples"},
                               [](const Value& v, Joint& joint) {
                                 const std::vector<Value> items =
                                     v.items(2, "two coordinates, such as [screw.q, nut.q]");
                                 const NamedCoordinate first = read_joint_coordinate(items[0]),
                                                       second = read_joint_coordinate(items[1]);
                                 auto& c = std::get<Coupling>(joint.kind);
                                 c.first = first.joint;
                                 c.second = second.joint;
                                 c.first_coordinate = first.number;
                                 c.second_coordinate = second.number;
                               }};
  const Key<Joint> ratio{
      {"ratio", number_type("number, or length per angle [m/rad], or angle per length [rad/m]"),
       "rate of the second over that of the first; with a carrier both against it"},
      [](const Value& v, Joint& joint) {
        auto& c = std::get<Coupling>(joint.kind);
        if (c.second.empty()) return;  // what is wrong with the coordinates is said there
        const auto dimension = [&](const std::string& name, int number) {
          return position_dimension(coordinate_type(v, name, number));
        };
        const Dimension first = dimension(c.first, c.first_coordinate),
                        second = dimension(c.second, c.second_coordinate);
        c.ratio = v.number(first == second ? dim::none : second / first);
        if (first == dim::angle && second == dim::length && is_length(v))
          v.fail(
              fmt::format("expected a length per angle, found a length; write {0}/rev if it is "
                          "the pitch of a screw, {0}/rad if it is the radius of a drum",
                          v.node().text));
      }};
  const Key<Joint> carrier{{"carrier", text_type("name of a body"),
                            "of planetary gears: angles of both bodies count against it"},
                           [](const Value& v, Joint& joint) {
                             std::get<Coupling>(joint.kind).carrier =
                                 v.reference(v.names().bodies, "body");
                           }};
  const Key<Joint> clearance{
      {"clearance", either_type({mapping_type("clearance_gear"), mapping_type("clearance_rack")}),
       "delete it and the joint is ideal; its gap is in the second coordinate"},
      [](const Value& v, Joint& joint) {
        const auto& c = std::get<Coupling>(joint.kind);
        if (c.second.empty()) return;
        ToothClearance made;
        read_mapping(v,
                     tooth_clearance_keys(
                         position_dimension(coordinate_type(v, c.second, c.second_coordinate))),
                     "a clearance", made);
        joint.clearance = made;
      }};
  return {required(coordinates), required(ratio), carrier, clearance};
}

Keys<Joint> joint_keys(const JointType& type) {
  const Key<Joint> type_key{{"type", choice_type(joint_type_names()), "the kind of joint"},
                            [](const Value&, Joint&) {}};
  Keys<Joint> keys{required(type_key)};
  const auto append = [&](Keys<Joint> more) {
    for (Key<Joint>& key : more) keys.push_back(std::move(key));
  };
  if (std::holds_alternative<Gear>(type.kind)) {
    append(gear_keys());
    return keys;
  }
  if (std::holds_alternative<Rack>(type.kind)) {
    append(rack_keys());
    return keys;
  }
  if (std::holds_alternative<Coupling>(type.kind)) {
    append(coupling_keys());
    return keys;
  }
  append({between_key(), points_key()});
  if (sliding_axis(type.kind)) append({axis_key()});
  if (holds(type.kind, Hold::rotation)) append({angle_key()});
  append(number_keys(type.kind));
  append_coordinate_keys(type.kind, type.name, keys);
  if (std::holds_alternative<Revolute>(type.kind))
    append({clearance_key(revolute_clearance_keys(), "clearance_revolute")});
  if (std::holds_alternative<Prismatic>(type.kind))
    append({clearance_key(prismatic_clearance_keys(), "clearance_prismatic")});
  return keys;
}

const JointType& joint_type_of(const Value& value) {
  const std::optional<Value> type = value.find("type");
  if (!value.is_mapping())
    value.fail(fmt::format("expected the keys of a joint, found {}{}", describe(value.node()),
                           example_of("a joint")));
  if (!type) value.fail("missing key 'type': a joint needs it (revolute, prismatic, …)");
  return joint_types()[type->choice(joint_type_names())];
}

}  // namespace

JointKind joint_kind(const Value& joint) { return joint_type_of(joint).kind; }

void read_joints(const Value& value) {
  read_items(value, "joint", [&](const Value& item, const std::string& name) {
    const JointType& type = joint_type_of(item);
    Joint joint{.name = name, .kind = type.kind, .where = item.where()};
    read_mapping(item, joint_keys(type), fmt::format("a {} joint", type.name), joint);
    checked(item, [&] { validate(joint); });
    value.context().model.joints.push_back(std::move(joint));
  });
}

std::vector<DefinitionInfo> joint_definitions() {
  DefinitionInfo joint{
      "joint",
      "What holds two bodies A and B together; its coordinates are those of B relative to A.",
      {}};
  std::vector<DefinitionInfo> list;
  for (const JointType& type : joint_types()) {
    joint.variants.push_back(info(std::string(type.name), joint_keys(type)));
    if (coordinate_types(type.kind).empty()) continue;
    const std::string name = fmt::format("initial_{}", type.name);
    list.push_back({name,
                    fmt::format("`initial` of a {} joint.", type.name),
                    {info(name, initial_keys(type.kind))}});
    if (coordinate_types(type.kind).size() > 2) continue;
    const std::string friction = fmt::format("friction_{}", type.name);
    list.push_back({friction,
                    fmt::format("Dry friction of a {} joint: of given strength, in proportion to "
                                "what the joint carries, or both.",
                                type.name),
                    {info(friction, joint_friction_keys(type.kind))}});
  }
  list.insert(list.begin(), joint);
  const auto add = [&](std::string name, std::string doc, const auto& keys) {
    list.push_back({name, std::move(doc), {info(name, keys)}});
  };
  add("clearance_revolute", "A journal on B in a bearing on A.", revolute_clearance_keys());
  add("clearance_prismatic", "A rectangular slider on B, its middle at Q, in a guide on A.",
      prismatic_clearance_keys());
  add("clearance_gear", "Play between the teeth.", tooth_clearance_keys(dim::angle));
  add("clearance_rack", "Play between the teeth.", tooth_clearance_keys(dim::length));
  for (const CoordinateType f : {CoordinateType::rotation, CoordinateType::translation}) {
    add("limits" + suffix(f), "Stops; at least one.", limits_keys(f));
    add("drive" + suffix(f), "Prescribed motion: one of the keys.", drive_keys(f));
  }
  return list;
}

}  // namespace backlash::reading

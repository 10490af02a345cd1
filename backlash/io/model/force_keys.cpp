// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/force_keys.h"

namespace backlash::reading {

ValueType pair_type(const DimensionPair& pair) {
  if (pair.translation == pair.rotation) return number_type(pair.translation);
  return number_type(fmt::format("{} or {}", number_type(pair.translation).phrase,
                                 number_type(pair.rotation).phrase));
}

namespace {

namespace dim = dimensions;

/// The element's member `member`, if it is of kind E.
template <class E>
E& element(ForceDraft& draft) {
  return std::get<E>(draft.force.element);
}

constexpr DimensionPair position_dims{dim::length, dim::angle},
    speed_dims{dim::velocity, dim::angular_velocity}, force_dims{dim::force, dim::torque},
    stiffness_dims{dim::stiffness, dim::torsional_stiffness},
    damping_dims{dim::damping, dim::torsional_damping};
constexpr DimensionPair only(const Dimension& d) { return {d, d}; }

template <class E>
ForceKey number(std::string name, double E::*member, const DimensionPair& dims, const Range& range,
                std::string doc) {
  return {{std::move(name), pair_type(dims), std::move(doc)}, [=](const Value& v, ForceDraft& d) {
            element<E>(d).*member = v.number(pick(dims, d.coordinate_type), range);
          }};
}

template <class E>
ForceKey formula(std::string name, SignalExpression E::*member, const DimensionPair& dims,
                 std::string doc) {
  return {{std::move(name), number_type("formula, " + pair_type(dims).phrase), std::move(doc)},
          [=](const Value& v, ForceDraft& d) {
            element<E>(d).*member = v.signal_formula(pick(dims, d.coordinate_type));
          }};
}

// What an element acts on.

ForceKey between_key(std::string doc) {
  return {{"between", bodies_type(), std::move(doc)},
          [](const Value& v, ForceDraft& d) { d.bodies = read_bodies(v); }};
}

ForceKey at_key() {
  return fallback("[[0, 0], [0, 0]]", ForceKey{{"at", points_type(), "the points that it joins"},
                                               [](const Value& v, ForceDraft& d) {
                                                 d.points = read_points(v, d.bodies.first,
                                                                        d.bodies.second);
                                               }});
}

ForceKey joint_key() {
  return {{"joint", text_type("name of a joint"), "the joint that it acts on"},
          [](const Value& v, ForceDraft& d) {
            const std::string name = v.reference(joint_names(v.names()), "joint");
            const std::vector<CoordinateType> free = coordinate_types_of(v.names(), name);
            if (free.empty()) v.fail(fmt::format("joint '{}' has no coordinate to act on", name));
            d.joint = JointCoordinate{name, 0};
            d.coordinate_type = free[0];
          }};
}

ForceKey coordinate_key() {
  return fallback(
      "1", ForceKey{{"coordinate", integer_type(), "which coordinate of the joint, from 1"},
                    [](const Value& v, ForceDraft& d) {
                      if (!d.joint) v.fail("'coordinate' goes with a 'joint'");
                      const std::vector<CoordinateType> free =
                          coordinate_types_of(v.names(), d.joint->joint);
                      d.joint->coordinate = v.integer(1, static_cast<int>(free.size())) - 1;
                      d.coordinate_type = free[static_cast<std::size_t>(d.joint->coordinate)];
                    }});
}

ForceKeys joint_target() { return {required(joint_key()), coordinate_key()}; }

ForceKeys spring_data(std::string rest) {
  using E = TorsionSpring;
  return {fallback("0", number("stiffness", &E::stiffness, stiffness_dims, not_negative,
                               "force or torque per coordinate")),
          fallback("0", number(std::move(rest), &E::angle, position_dims, any,
                               "coordinate without elastic force")),
          fallback("0", number("preload", &E::preload, force_dims, any, "on B at that coordinate")),
          fallback("0", number("damping", &E::damping, damping_dims, not_negative,
                               "force or torque per speed")),
          fallback("0", number("dead_band", &E::dead_band, position_dims, not_negative,
                               "to each side, without elastic force"))};
}

ForceKey bushing_triple(std::string name, Vec3 Bushing::*linear, Vec3 Bushing::*angular,
                        const DimensionPair& dims, std::string doc) {
  return {{std::move(name),
           list_type(number_type("number"), 3,
                     fmt::format("[x, y, angle]: {}", pair_type(dims).phrase)),
           std::move(doc)},
          [=](const Value& v, ForceDraft& d) {
            const std::vector<Value> parts = v.items(3, "[along x, along y, about the angle]");
            auto& bushing = element<Bushing>(d);
            (bushing.*linear).x() = parts[0].number(dims.translation, not_negative);
            (bushing.*linear).y() = parts[1].number(dims.translation, not_negative);
            (bushing.*angular).z() = parts[2].number(dims.rotation, not_negative);
          }};
}

constexpr std::string_view axes_names[] = {"world", "body"};

ForceKey body_name(std::string name, std::string Torque::*member, std::string doc) {
  return {{std::move(name), text_type("name of a body"), std::move(doc)},
          [=](const Value& v, ForceDraft& d) {
            element<Torque>(d).*member = v.reference(v.names().bodies, "body");
          }};
}

constexpr std::string_view interpolations[] = {"linear", "cubic"};
constexpr std::string_view extensions[] = {"hold", "linear", "periodic"};

std::optional<Dimension> signal_dimension(const Value& v, const Signal& signal) {
  return find_signal(v.names(), to_string(signal))->second;
}

constexpr std::string_view directions[] = {"counter-clockwise", "clockwise"};

}  // namespace

ForceKeys joined(ForceKeys a, const ForceKeys& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

ForceKeys angle_target() {
  return {joint_key(), coordinate_key(), between_key("bodies A and B, if no joint is named")};
}

constexpr std::string_view tension_sides[] = {"both", "pulling", "pushing"};

/// Which of its forces a spring or a damper has.
template <class E>
ForceKey acts_key() {
  return fallback("both", ForceKey{{"acts", choice_type(tension_sides),
                                    "both ways, or only where it pulls (a rope) or pushes (a bump "
                                    "stop)"},
                                   [](const Value& v, ForceDraft& d) {
                                     element<E>(d).acts = TensionSides(v.choice(tension_sides));
                                   }});
}

ForceKeys spring_keys() {
  using E = Spring;
  return {required(between_key("the two bodies")),
          at_key(),
          required(number("stiffness", &E::stiffness, only(dim::stiffness), not_negative,
                          "force per length")),
          required(number("length", &E::length, only(dim::length), not_negative,
                          "free length, or the length at which the preload acts")),
          fallback("0",
                   number("preload", &E::preload, only(dim::force), any, "tension at that length")),
          fallback("0", number("damping", &E::damping, only(dim::damping), not_negative,
                               "force per speed")),
          fallback("0", number("dead_band", &E::dead_band, only(dim::length), not_negative,
                               "change of length, to each side, without elastic force")),
          acts_key<Spring>()};
}

ForceKeys damper_keys() {
  return {required(between_key("the two bodies")), at_key(),
          required(number("damping", &Damper::damping, only(dim::damping), not_negative,
                          "force per speed")),
          acts_key<Damper>()};
}

ForceKeys tension_keys() {
  return {required(between_key("the two bodies")), at_key(),
          required(ForceKey{{"tension", number_type("formula, force [N]"),
                             "pulls the points together; may use their distance `length` [m] and "
                             "its `rate` [m/s]"},
                            [](const Value& v, ForceDraft& d) {
                              element<Tension>(d).tension = v.tension_formula();
                            }})};
}

ForceKeys torsion_spring_keys() { return joined(angle_target(), spring_data("angle")); }

ForceKeys joint_spring_keys() { return joined(joint_target(), spring_data("rest")); }

ForceKeys bushing_keys() {
  return {
      required(between_key("the two bodies")), at_key(),
      required(bushing_triple("stiffness", &Bushing::stiffness, &Bushing::angular_stiffness,
                              stiffness_dims,
                              "along A's axes (a frame's, if it is named), and about")),
      fallback("[0, 0, 0]", bushing_triple("damping", &Bushing::damping, &Bushing::angular_damping,
                                           damping_dims, "likewise"))};
}

ForceKeys point_force_keys() {
  return {
      required(ForceKey{{"body", text_type("name of a body"), "the body that it acts on"},
                        [](const Value& v, ForceDraft& d) {
                          element<PointForce>(d).at.body = v.reference(v.names().bodies, "body");
                        }}),
      fallback("[0, 0]", ForceKey{{"at", point_type(), "the point that it acts on"},
                                  [](const Value& v, ForceDraft& d) {
                                    PointForce& f = element<PointForce>(d);
                                    f.at.p_B = read_pose(v, f.at.body).p;
                                  }}),
      required(ForceKey{
          {"force",
           list_type(number_type("formula, force [N]"), 2, "[x, y], each a formula, force [N]"),
           "the force"},
          [](const Value& v, ForceDraft& d) {
            const std::vector<Value> parts = v.items(2, "a force [x, y]");
            element<PointForce>(d).x = parts[0].signal_formula(dim::force);
            element<PointForce>(d).y = parts[1].signal_formula(dim::force);
          }}),
      fallback("world", ForceKey{{"axes", choice_type(axes_names), "whose axes x and y are"},
                                 [](const Value& v, ForceDraft& d) {
                                   element<PointForce>(d).axes = ForceAxes(v.choice(axes_names));
                                 }})};
}

ForceKeys torque_keys() {
  return {required(body_name("body", &Torque::body, "the body that it turns")),
          fallback("ground",
                   body_name("reaction", &Torque::reaction, "the body that feels the opposite")),
          required(formula("torque", &Torque::torque, only(dim::torque), "counter-clockwise"))};
}

ForceKeys joint_force_keys() {
  return joined(joint_target(),
                {required(formula("force", &JointForce::force, force_dims,
                                  "along the coordinate, on B; the opposite on A"))});
}

ForceKeys motor_keys() {
  return joined(
      joint_target(),
      {required(number("stall_torque", &Motor::stall_torque, force_dims, any, "at rest")),
       required(
           number("no_load_speed", &Motor::no_load_speed, speed_dims, positive, "without torque")),
       fallback("1", formula("command", &Motor::command, only(dim::none), "scales the torque")),
       fallback("1", number("ratio", &Motor::ratio, only(dim::none), any,
                            "speed of the rotor, which torque and speeds above are of, over that "
                            "of the joint")),
       fallback("0", number("inertia", &Motor::inertia, only(dim::inertia), not_negative,
                            "of the rotor; of motors on revolute joints"))});
}

ForceKeys table_keys() {
  return joined(
      joint_target(),
      {fallback("t", ForceKey{{"over", text_type("t, or a quantity such as crank.q"),
                               "what the table's x is"},
                              [](const Value& v, ForceDraft& d) { d.over = v.signal(); }}),
       fallback("linear",
                ForceKey{{"interpolation", choice_type(interpolations), "between the points"},
                         [](const Value& v, ForceDraft& d) {
                           d.interpolation = Interpolation(v.choice(interpolations));
                         }}),
       fallback("hold", ForceKey{{"beyond", choice_type(extensions),
                                  "before the first point and after the last"},
                                 [](const Value& v, ForceDraft& d) {
                                   d.extension = Extension(v.choice(extensions));
                                 }}),
       required(ForceKey{{"points", table_points_type("[[x, force], …]"),
                          "x increasing; force [N] or torque [N m]"},
                         [](const Value& v, ForceDraft& d) {
                           TableForce& f = element<TableForce>(d);
                           f.over = d.over;
                           f.table = read_table_points(v, signal_dimension(v, d.over),
                                                       pick(force_dims, d.coordinate_type));
                           f.table.interpolation = d.interpolation;
                           f.table.extension = d.extension;
                         }})});
}

ForceKeys clutch_keys() {
  return joined(angle_target(),
                {fallback("counter-clockwise",
                          ForceKey{{"free", choice_type(directions), "how B may turn against A"},
                                   [](const Value& v, ForceDraft& d) {
                                     element<OneWayClutch>(d).direction =
                                         v.choice(directions) == 0 ? 1 : -1;
                                   }}),
                 fallback("without limit", number("capacity", &OneWayClutch::capacity, force_dims,
                                                  positive, "torque at which it slips"))});
}

ForceKeys preloaded_spring_keys() {
  using E = PreloadedSpring;
  const ForceKey at{
      {"at", points_type(), "points of the bodies; with them it acts along their distance"},
      [](const Value& v, ForceDraft& d) {
        if (d.bodies.first.empty()) v.fail("'at' goes with 'between'");
        d.points = read_points(v, d.bodies.first, d.bodies.second);
        d.coordinate_type = CoordinateType::translation;
      }};
  return joined(angle_target(),
                {at,
                 required(number("stiffness", &E::stiffness, stiffness_dims, not_negative,
                                 "beyond the preload")),
                 required(number("preload", &E::preload, force_dims, not_negative,
                                 "what it takes to move it at all")),
                 fallback("0", number("rest", &E::rest, position_dims, any, "where it rests")),
                 fallback("0", number("dead_band", &E::dead_band, position_dims, not_negative,
                                      "play to each side")),
                 fallback("0", number("damping", &E::damping, damping_dims, not_negative,
                                      "beyond the play"))});
}

}  // namespace backlash::reading

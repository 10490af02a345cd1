// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/joint_attributes.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

Dimension speed_dimension(CoordinateType f) {
  return f == CoordinateType::rotation ? dim::angular_velocity : dim::velocity;
}

Key<Initial> initial_key(std::string name, std::size_t i,
                         std::optional<double> InitialCoordinate::*member,
                         const Dimension& dimension, std::string doc) {
  return {{std::move(name), number_type(dimension), std::move(doc)},
          [=](const Value& v, Initial& initial) { initial[i].*member = v.number(dimension); }};
}

Key<Initial> initial_pair(std::string name, std::optional<double> InitialCoordinate::*member,
                          const Dimension& dimension, std::string doc) {
  return {{std::move(name), vector_type(dimension), std::move(doc)},
          [=](const Value& v, Initial& initial) {
            const Vec2 pair = v.vector(dimension);
            initial[0].*member = pair.x();
            initial[1].*member = pair.y();
          }};
}

constexpr Value::Variable drive_variables[] = {{"t", dim::time}};

/// q0 + speed t.
Expression steady_motion(double start, double speed) {
  const ExpressionCode code{{Operation::literal, -1, start},
                            {Operation::literal, -1, speed},
                            {Operation::variable, 0},
                            {Operation::multiply},
                            {Operation::add}};
  return {code, fmt::format("{} + {}*t", start, speed)};
}

}  // namespace

Dimension position_dimension(CoordinateType f) {
  return f == CoordinateType::rotation ? dim::angle : dim::length;
}

Keys<Initial> initial_keys(const JointKind& kind) {
  constexpr auto position = &InitialCoordinate::position;
  constexpr auto speed = &InitialCoordinate::speed;
  const std::vector<CoordinateType> free = coordinate_types(kind);
  Keys<Initial> keys;
  if (free.size() == 3) {
    keys.push_back(initial_pair("position", position, dim::length, "from P to Q, along A's axes"));
    keys.push_back(initial_pair("velocity", speed, dim::velocity, "its rate"));
  } else if (free[0] == CoordinateType::translation) {
    keys.push_back(
        initial_key("position", 0, position, dim::length, "from P to Q, along the axis"));
    keys.push_back(
        initial_key(free.size() == 1 ? "speed" : "velocity", 0, speed, dim::velocity, "its rate"));
  }
  if (free.back() == CoordinateType::rotation) {
    keys.push_back(initial_key("angle", free.size() - 1, position, dim::angle, "of B against A"));
    keys.push_back(
        initial_key("speed", free.size() - 1, speed, dim::angular_velocity, "rate of the angle"));
  }
  if (free.size() == 1)
    keys.push_back(initial_key("guess", 0, &InitialCoordinate::guess, position_dimension(free[0]),
                               "in a loop: where the search for the coordinate begins, which "
                               "decides between several ways to assemble"));
  return keys;
}

const Keys<RevoluteClearance>& revolute_clearance_keys() {
  using C = RevoluteClearance;
  static const Keys<C> keys{
      required(
          number_key("gap", &C::gap, dim::length, positive, "bearing radius − journal radius")),
      fallback("0", number_key("journal_radius", &C::journal_radius, dim::length, not_negative,
                               "where friction acts; with the gap it gives Hertz' stiffness")),
      required(law_key(&C::law)),
  };
  return keys;
}

const Keys<PrismaticClearance>& prismatic_clearance_keys() {
  using C = PrismaticClearance;
  static const Keys<C> keys{
      required(number_key("gap", &C::gap, dim::length, not_negative, "on each side")),
      required(
          number_key("length", &C::length, dim::length, positive, "of the slider, along the axis")),
      required(number_key("width", &C::width, dim::length, not_negative,
                          "of the slider, across the axis")),
      fallback(
          "without ends",
          Key<C>{{"guide", list_type(number_type(dim::length), 2, "[from, to], each length [m]"),
                  "where the guide begins and ends, from P along the axis"},
                 [](const Value& v, C& c) {
                   const Vec2 ends = v.vector(dim::length);
                   c.guide_from = ends.x();
                   c.guide_to = ends.y();
                 }}),
      fallback("0",
               number_key("corner_radius", &C::corner_radius, dim::length, not_negative,
                          "of slider and guide, for Hertz' stiffness; they touch as if sharp")),
      fallback("none",
               number_key("max_misalignment", &C::max_misalignment, dim::angle, not_negative,
                          "largest angle against the guide, besides what the corners "
                          "allow; gap/(2*length) in paper 002")),
      required(law_key(&C::law)),
  };
  return keys;
}

Keys<ToothClearance> tooth_clearance_keys(const Dimension& dimension) {
  using C = ToothClearance;
  return {required(number_key("gap", &C::gap, dimension, not_negative,
                              "play on each side, in the second joint's coordinate")),
          required(law_key(&C::law))};
}

Keys<Limits> limits_keys(CoordinateType f) {
  return {number_key("lower", &Limits::lower, position_dimension(f), any, "the lower stop"),
          number_key("upper", &Limits::upper, position_dimension(f), any, "the upper stop"),
          required(law_key(&Limits::law))};
}

void read_limits(const Value& v, CoordinateType f, Joint& joint) {
  Limits limits;
  read_mapping(v, limits_keys(f), "limits", limits);
  if (!(limits.lower < limits.upper))
    v.fail(fmt::format("lower must be below upper, found {} and {}", limits.lower, limits.upper));
  joint.limits = limits;
}

Keys<DriveDraft> drive_keys(CoordinateType f) {
  const std::string name = f == CoordinateType::rotation ? "angle" : "position";
  const Dimension dimension = position_dimension(f);
  return {{{name, number_type(fmt::format("formula of t, {}", number_type(dimension).phrase)),
            "the motion in time"},
           [dimension](const Value& v, DriveDraft& d) {
             d.position = v.formula(dimension, drive_variables);
           }},
          number_key("speed", &DriveDraft::speed, speed_dimension(f), any,
                     "constant speed, from the initial coordinate on")};
}

void read_drive(const Value& v, CoordinateType f, Joint& joint) {
  const Keys<DriveDraft> keys = drive_keys(f);
  const std::string_view names[] = {keys[0].name, keys[1].name};
  DriveDraft draft;
  read_mapping(v, keys, "a drive", draft);
  require_one_of(v, names, Count::exactly_one);
  joint.drive =
      Drive{v.find("speed") ? steady_motion(joint.initial[0].position.value_or(0), draft.speed)
                            : draft.position};
}

}  // namespace backlash::reading

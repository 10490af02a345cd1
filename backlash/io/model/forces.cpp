// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/force_keys.h"
#include "backlash/io/model/sections.h"
#include "backlash/io/model/slips.h"

namespace backlash::reading {
namespace {

struct ForceType {
  std::string_view name;
  ForceElement element;
  ForceKeys (*keys)();
};

/// Adds the types of elements that say their own numbers.
template <class... Elements>
void add_described(const std::variant<Elements...>*, std::vector<ForceType>& types) {
  const auto add = [&]<class Element>(const Element& element) {
    if constexpr (HasNumbers<Element>)
      types.push_back({Element::info().name, element, keys_of<Element>});
  };
  (add(Elements{}), ...);
}

std::vector<ForceType> all_types() {
  std::vector<ForceType> types{
      {"spring", Spring{}, spring_keys},
      {"damper", Damper{}, damper_keys},
      {"tension", Tension{}, tension_keys},
      {"torsion_spring", TorsionSpring{}, torsion_spring_keys},
      {"joint_spring", TorsionSpring{}, joint_spring_keys},
      {"bushing", Bushing{}, bushing_keys},
      {"force", PointForce{}, point_force_keys},
      {"torque", Torque{}, torque_keys},
      {"joint_force", JointForce{}, joint_force_keys},
      {"motor", Motor{.command = {1.0}}, motor_keys},
      {"table", TableForce{}, table_keys},
      {"one_way_clutch", OneWayClutch{}, clutch_keys},
      {"preloaded_spring", PreloadedSpring{}, preloaded_spring_keys},
  };
  add_described(static_cast<const ForceElement*>(nullptr), types);
  return types;
}

/// All types of force element in the file.
const std::vector<ForceType>& force_types() {
  static const std::vector<ForceType> types = all_types();
  return types;
}

std::vector<std::string_view> force_type_names() {
  std::vector<std::string_view> names;
  for (const ForceType& type : force_types()) names.push_back(type.name);
  return names;
}

ForceKeys all_keys(const ForceType& type) {
  const ForceKey type_key{{"type", choice_type(force_type_names()), "the kind of force"},
                          [](const Value&, ForceDraft&) {}};
  const ForceKey active{{"active", flag_type(), "whether it acts at the start; events switch it"},
                        [](const Value& v, ForceDraft& d) { d.force.active = v.flag(); }};
  return joined(joined({required(type_key)}, type.keys()), {fallback("true", active)});
}

/// Hands what the element acts on over to it.
void attach(const ForceDraft& d, Spring& e) {
  e.from = {d.bodies.first, d.points.first.p};
  e.to = {d.bodies.second, d.points.second.p};
}
void attach(const ForceDraft& d, Damper& e) {
  e.from = {d.bodies.first, d.points.first.p};
  e.to = {d.bodies.second, d.points.second.p};
}
void attach(const ForceDraft& d, Tension& e) {
  e.from = {d.bodies.first, d.points.first.p};
  e.to = {d.bodies.second, d.points.second.p};
}
void attach(const ForceDraft& d, Bushing& e) {
  e.body_A = d.bodies.first;
  e.body_B = d.bodies.second;
  e.X_AF = d.points.first;
  e.X_BG = d.points.second;
}
template <class E>
requires requires(E& e) { e.on = AngleTarget(); }
void attach(const ForceDraft& d, E& e) {
  if (d.joint)
    e.on = *d.joint;
  else
    e.on = BodyAngle{d.bodies.first, d.bodies.second};
}
void attach(const ForceDraft& d, PreloadedSpring& e) {
  if (d.joint)
    e.on = *d.joint;
  else if (d.coordinate_type == CoordinateType::rotation)
    e.on = BodyAngle{d.bodies.first, d.bodies.second};
  else
    e.on = std::array<Attachment, 2>{Attachment{d.bodies.first, d.points.first.p},
                                     Attachment{d.bodies.second, d.points.second.p}};
}
template <class E>
requires requires(E& e) { e.on.joint; }
void attach(const ForceDraft& d, E& e) { e.on = *d.joint; }
void attach(const ForceDraft&, PointForce&) {}
void attach(const ForceDraft&, Torque&) {}

const ForceType& force_type_of(const Value& value) {
  if (!value.is_mapping())
    value.fail(fmt::format("expected the keys of a force, found {}{}", describe(value.node()),
                           example_of("a force")));
  const std::optional<Value> type = value.find("type");
  if (!type) value.fail("missing key 'type': a force needs it (spring, torque, …)");
  return force_types()[type->choice(force_type_names())];
}

}  // namespace

void read_forces(const Value& value) {
  read_items(value, "force", [&](const Value& item, const std::string& name) {
    constexpr std::string_view targets[] = {"joint", "between"};
    const ForceType& type = force_type_of(item);
    const ForceKeys keys = all_keys(type);
    ForceDraft draft{.force = {.name = name, .element = type.element, .where = item.where()}};
    read_mapping(item, keys, fmt::format("a force of type {}", type.name), draft);
    const std::vector<std::string> names = key_names(keys);
    if (std::ranges::count(names, "joint") + std::ranges::count(names, "between") == 2)
      require_one_of(item, targets, Count::exactly_one);
    std::visit([&](auto& e) { attach(draft, e); }, draft.force.element);
    checked(item, [&] { validate(draft.force); });
    value.context().model.forces.push_back(std::move(draft.force));
  });
}

std::vector<DefinitionInfo> force_definitions() {
  DefinitionInfo force{"force",
                       "What pushes, pulls and turns. Formulas may use `t`, joint coordinates and "
                       "speeds (`crank.q`, `crank.u`), and motions of bodies (`rod.x`, `.y`, "
                       "`.angle`, `.vx`, `.vy`, `.omega`).",
                       {}};
  for (const ForceType& type : force_types())
    force.variants.push_back(info(std::string(type.name), all_keys(type)));
  return {force};
}

}  // namespace backlash::reading

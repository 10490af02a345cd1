// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/model/model.h"

namespace backlash {
namespace {

/// Adds where the item stands to what is wrong with it.
template <class Item, class Check>
void located(const Item& item, Check check) {
  try {
    check();
  } catch (const InputError& error) {
    throw InputError(item.where, error.what());
  }
}

template <class Item>
void check_names(const std::vector<Item>& items, std::string_view what) {
  std::set<std::string_view> seen;
  for (const Item& item : items)
    located(item, [&] {
      if (item.name.empty()) throw InputError(fmt::format("a {} has no name", what));
      if (!seen.insert(item.name).second)
        throw InputError(fmt::format("there is another {} '{}'", what, item.name));
    });
}

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

/// Names that items may refer to.
struct Known {
  std::vector<std::string> bodies, joints, forces, laws, states, contacts, events, parameters;
};

void require_name(const std::string& name, const std::vector<std::string>& known,
                  const std::string& user, std::string_view what) {
  if (std::ranges::find(known, name) != known.end()) return;
  throw InputError(
      fmt::format("{}: there is no {} '{}'{}", user, what, name, did_you_mean(name, known)));
}

/// A joint of the kind `Wanted`, such as gears couple.
template <class Wanted>
void require_joint(const Model& model, const std::string& name, const Known& known,
                   const std::string& user) {
  require_name(name, known.joints, user, "joint");
  const JointKind& kind = find_joint(model, name)->kind;
  if (std::holds_alternative<Wanted>(kind)) return;
  throw InputError(fmt::format("{}: joint '{}' must be {}, is {}", user, name, kind_name(Wanted{}),
                               kind_name(kind)));
}

/// Two different coordinates; with a carrier, angles of bodies.
void check_coupling(const Model& model, const Coupling& c, const Known& known,
                    const std::string& user) {
  const auto check = [&](const std::string& name, int coordinate) {
    require_name(name, known.joints, user, "joint");
    const JointKind& kind = find_joint(model, name)->kind;
    const auto count = static_cast<int>(coordinate_types(kind).size());
    if (coordinate < 0 || coordinate >= count)
      throw InputError(fmt::format("{}: joint '{}' has {} coordinates, found the number {}", user,
                                   name, count, coordinate + 1));
    if (!c.carrier.empty() && !std::holds_alternative<Revolute>(kind))
      throw InputError(fmt::format("{}: with a carrier, joint '{}' must be revolute, is {}", user,
                                   name, kind_name(kind)));
  };
  check(c.first, c.first_coordinate);
  check(c.second, c.second_coordinate);
  if (!c.carrier.empty()) require_name(c.carrier, known.bodies, user, "body");
  if (c.first == c.second && c.first_coordinate == c.second_coordinate)
    throw InputError(fmt::format("{} couples a coordinate of joint '{}' to itself", user, c.first));
}

void check_references(const Model& model, const Joint& joint, const Known& known) {
  const std::string user = fmt::format("joint '{}'", joint.name);
  if (const auto* gear = std::get_if<Gear>(&joint.kind)) {
    require_joint<Revolute>(model, gear->first, known, user);
    require_joint<Revolute>(model, gear->second, known, user);
    if (gear->first == gear->second)
      throw InputError(fmt::format("{} couples joint '{}' to itself", user, gear->first));
  } else if (const auto* rack = std::get_if<Rack>(&joint.kind)) {
    require_joint<Revolute>(model, rack->pinion, known, user);
    require_joint<Prismatic>(model, rack->rack, known, user);
  } else if (const auto* coupling = std::get_if<Coupling>(&joint.kind)) {
    check_coupling(model, *coupling, known, user);
  } else {
    require_name(joint.body_A, known.bodies, user, "body");
    require_name(joint.body_B, known.bodies, user, "body");
  }
  if (joint.limits) require_name(joint.limits->law, known.laws, user, "law");
  if (joint.clearance)
    std::visit([&](const auto& c) { require_name(c.law, known.laws, user, "law"); },
               *joint.clearance);
}

/// A coordinate of a joint that exists.
void require_coordinate(const Model& model, const std::string& joint, int coordinate,
                        const std::string& user) {
  const auto count = static_cast<int>(coordinate_types(find_joint(model, joint)->kind).size());
  if (0 <= coordinate && coordinate < count) return;
  throw InputError(fmt::format("{}: joint '{}' has {} coordinates, number {} was asked for", user,
                               joint, count, coordinate + 1));
}

/// Looks up what force elements refer to.
struct ForceReferences {
  const Model& model;
  const Known& known;
  std::string user;

  void operator()(const Attachment& a) const {
    require_name(a.body, known.bodies, user, "body");
    require_finite(a.p_B, fmt::format("{}: point of body '{}'", user, a.body));
  }
  void operator()(const JointCoordinate& c) const {
    require_name(c.joint, known.joints, user, "joint");
    require_coordinate(model, c.joint, c.coordinate, user);
  }
  void operator()(const BodyAngle& b) const {
    require_name(b.body_A, known.bodies, user, "body");
    require_name(b.body_B, known.bodies, user, "body");
  }
  void operator()(const std::array<Attachment, 2>& ends) const {
    (*this)(ends[0]);
    (*this)(ends[1]);
  }
  void operator()(const Signal& s) const {
    require_choice(s.kind, SignalKind::joint_load, user + ": kind of a signal");
    if (s.kind == SignalKind::joint_position || s.kind == SignalKind::joint_velocity)
      (*this)(JointCoordinate{s.item, s.coordinate});
    else if (s.kind == SignalKind::state)
      require_name(s.item, known.states, user, "state variable");
    else if (s.kind == SignalKind::parameter)
      require_name(s.item, known.parameters, user, "parameter");
    else if (s.kind == SignalKind::contact_gap || s.kind == SignalKind::contact_force)
      require_name(s.item, known.contacts, user, "contact");
    else if (s.kind >= SignalKind::joint_force)
      require_name(s.item, known.joints, user, "joint");
    else if (s.kind == SignalKind::own_length || s.kind == SignalKind::own_rate)
      throw InputError(
          fmt::format("{}: '{}' belongs to forces of the kind tension", user, to_string(s)));
    else if (s.kind != SignalKind::time)
      require_name(s.item, known.bodies, user, "body");
  }
  void operator()(const SignalExpression& e) const {
    for (const Signal& signal : e.signals) (*this)(signal);
    if (e.expression.variables() > std::ssize(e.signals))
      throw InputError(fmt::format("{}: formula '{}' has {} variables, but {} signals", user,
                                   e.expression.text(), e.expression.variables(),
                                   e.signals.size()));
    if (e.expression.is_constant()) require_finite(e.expression.constant(), user + ": formula");
  }
  template <class... Targets>
  void operator()(const std::variant<Targets...>& target) const {
    std::visit(*this, target);
  }

  void operator()(const Spring& e) const { (*this)(std::array{e.from, e.to}); }
  void operator()(const Damper& e) const { (*this)(std::array{e.from, e.to}); }
  void operator()(const Tension& e) const {
    (*this)(std::array{e.from, e.to});
    SignalExpression rest = e.tension;
    for (Signal& signal : rest.signals)
      if (signal.kind == SignalKind::own_length || signal.kind == SignalKind::own_rate)
        signal = Signal{};
    (*this)(rest);
  }
  void operator()(const Bushing& e) const { (*this)(BodyAngle{e.body_A, e.body_B}); }
  void operator()(const PointForce& e) const {
    (*this)(e.at);
    (*this)(e.x);
    (*this)(e.y);
  }
  void operator()(const Torque& e) const {
    (*this)(BodyAngle{e.body, e.reaction});
    (*this)(e.torque);
  }
  void operator()(const JointForce& e) const {
    (*this)(e.on);
    (*this)(e.force);
  }
  void operator()(const Motor& e) const {
    (*this)(e.on);
    (*this)(e.command);
    if (e.inertia > 0 && !std::holds_alternative<Revolute>(find_joint(model, e.on.joint)->kind))
      throw InputError(fmt::format("{}: a motor with inertia acts on a revolute joint", user));
  }
  void operator()(const TableForce& e) const {
    (*this)(e.on);
    (*this)(e.over);
  }
  /// What acts on a coordinate and refers to nothing else.
  template <class Element>
  requires requires(const Element& e) { e.on; }
  void operator()(const Element& e) const { (*this)(e.on); }
};

void check_contact(const Model& model, const ContactPair& pair, const Known& known) {
  const std::string user = fmt::format("contact '{}'", pair.name);
  require_name(pair.law, known.laws, user, "law");
  for (const auto* side : {&pair.A, &pair.B}) {
    if (side->empty()) throw InputError(fmt::format("{}: one of its sides names no shape", user));
    for (const ShapeName& name : *side)
      if (find_shape(model, name) == nullptr)
        throw InputError(fmt::format("{}: there is no shape '{}.{}'", user, name.body, name.shape));
  }
}

/// A joint of which one coordinate says where it is.
void require_lockable(const Model& model, const std::string& joint, const std::string& user) {
  const JointKind& kind = find_joint(model, joint)->kind;
  const std::size_t count = coordinate_types(kind).size();
  if (count == 1) return;
  throw InputError(fmt::format("{}: joint '{}' has {} coordinates; a joint with one can be locked",
                               user, joint, count));
}

void check_action(const Model& model, const EventAction& action, const Known& known,
                  const std::string& user) {
  using Kind = EventAction::Kind;
  if (action.kind == Kind::force) require_name(action.item, known.forces, user, "force");
  if (action.kind == Kind::contact) require_name(action.item, known.contacts, user, "contact");
  if (action.kind == Kind::parameter) {
    require_name(action.item, known.parameters, user, "parameter");
    require_finite(action.value, fmt::format("{}: value of '{}'", user, action.item));
  }
  if (action.kind != Kind::drive && action.kind != Kind::lock) return;
  require_name(action.item, known.joints, user, "joint");
  if (action.kind == Kind::lock) return require_lockable(model, action.item, user);
  if (!find_joint(model, action.item)->drive)
    throw InputError(fmt::format("{}: joint '{}' has no drive", user, action.item));
}

/// Events that wait for each other would never happen.
void require_occasion(const Model& model, const ModelEvent& event, const std::string& user) {
  const ModelEvent* first = &event;
  for (std::size_t k = 0; k <= model.events.size(); ++k) {
    const auto* before = std::get_if<std::string>(&first->when);
    if (before == nullptr) return;
    first = &model.events[static_cast<std::size_t>(find_event(model, *before))];
  }
  throw InputError(fmt::format("{}: it waits for itself, directly or through others", user));
}

void check_event(const Model& model, const ModelEvent& event, const Known& known) {
  const std::string user = fmt::format("event '{}'", event.name);
  if (const auto* time = std::get_if<double>(&event.when)) require_finite(*time, user + ": time");
  if (const auto* other = std::get_if<std::string>(&event.when))
    require_name(*other, known.events, user, "event");
  for (const EventAction& action : event.actions) check_action(model, action, known, user);
  if (const auto* formula = std::get_if<SignalExpression>(&event.when))
    ForceReferences{model, known, user}(*formula);
}

void check_state(const Model& model, const StateVariable& state, const Known& known) {
  const std::string user = fmt::format("state variable '{}'", state.name);
  require_finite(state.initial, user + ": initial");
  ForceReferences{model, known, user}(state.rate);
}

void check_options(const Model& model) {
  const SimulationOptions& s = model.simulation;
  located(s, [&] {
    require_choice(s.coordinates, Coordinates::absolute, "simulation: coordinates");
    require_positive(s.until, "simulation: until", "s");
    if (s.initial_penetration != INFINITY)
      require_not_negative(s.initial_penetration, "simulation: initial_penetration", "m");
    if (s.energy_error != INFINITY)
      require_positive(s.energy_error, "simulation: energy_error", "-");
  });
  located(model.output,
          [&] { require_not_negative(model.output.every.value_or(0), "output: every", "s"); });
}

}  // namespace

void validate_output(const OutputOptions& output, double until) {
  if (!(output.every.value_or(0) > until)) return;
  located(output, [&] {
    throw InputError(fmt::format(
        "every is {} s, longer than the run, which ends at {} s (simulation.until): nothing "
        "between its start and its end would be recorded",
        *output.every, until));
  });
}

void validate(const Model& model) {
  Known known{names_of(model.bodies), names_of(model.joints),    names_of(model.forces),
              names_of(model.laws),   names_of(model.states),    names_of(model.contacts),
              names_of(model.events), names_of(model.parameters)};
  known.bodies.emplace_back(ground_name);
  check_names(model.bodies, "body");
  check_names(model.joints, "joint");
  check_names(model.forces, "force");
  check_names(model.laws, "law");
  check_names(model.contacts, "contact");
  check_names(model.events, "event");
  check_names(model.states, "state variable");
  require_choice(model.space, ModelSpace::space, "space");
  require_finite(model.gravity, "gravity");
  located(model.ground, [&] { validate(model.ground); });
  for (const Body& body : model.bodies)
    located(body, [&] {
      validate(body);
      if (body.name == ground_name)
        throw InputError(fmt::format("a body cannot be called '{}': that is the world", body.name));
    });
  for (const NamedLaw& law : model.laws)
    located(law, [&] {
      std::visit([&](const auto& l) { validate(l, fmt::format("law '{}'", law.name)); }, law.law);
    });
  for (const Joint& joint : model.joints)
    located(joint, [&] {
      validate(joint);
      if (model.space == ModelSpace::plane && joint_info(joint.kind).in_space_only)
        throw InputError(fmt::format("joint '{}': a {} joint needs a model in space", joint.name,
                                     kind_name(joint.kind)));
      check_references(model, joint, known);
    });
  for (const Force& force : model.forces)
    located(force, [&] {
      validate(force);
      ForceReferences{model, known, fmt::format("force '{}'", force.name)}(force.element);
    });
  for (const StateVariable& state : model.states)
    located(state, [&] { check_state(model, state, known); });
  for (const ContactPair& pair : model.contacts)
    located(pair, [&] { check_contact(model, pair, known); });
  for (const ModelEvent& event : model.events)
    located(event, [&] {
      check_event(model, event, known);
      require_occasion(model, event, fmt::format("event '{}'", event.name));
    });
  check_names(model.output.quantities, "quantity");
  check_names(model.output.points, "point");
  for (const OutputPoint& point : model.output.points)
    located(point, [&] {
      const std::string user = fmt::format("point '{}'", point.name);
      ForceReferences{model, known, user}(point.at);
      if (std::ranges::find(known.bodies, point.name) != known.bodies.end())
        throw InputError(user + " has the name of a body: their columns would be called the same");
    });
  check_options(model);
}

}  // namespace backlash

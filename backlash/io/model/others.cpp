// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/sections.h"
#include "backlash/solvers/solver_table.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

// Contacts.

void append_body(const Body& body, std::vector<ShapeName>& shapes) {
  for (const BodyShape& shape : body.shapes) shapes.push_back({body.name, shape.name});
}

template <class Visit>
void for_each_body(const Model& model, Visit visit) {
  visit(model.ground);
  for (const Body& body : model.bodies) visit(body);
}

std::vector<ShapeName> shapes_of_group(const Model& model, std::string_view group) {
  std::vector<ShapeName> shapes;
  for_each_body(model, [&](const Body& body) {
    for (const BodyShape& shape : body.shapes)
      if (std::ranges::find(shape.groups, group) != shape.groups.end())
        shapes.push_back({body.name, shape.name});
  });
  return shapes;
}

/// All that may be named where shapes are meant, for the nearest name.
std::vector<std::string> shape_selectors(const Model& model) {
  std::vector<std::string> names;
  for_each_body(model, [&](const Body& body) {
    names.push_back(body.name);
    for (const BodyShape& shape : body.shapes) {
      names.push_back(body.name + "." + shape.name);
      names.insert(names.end(), shape.groups.begin(), shape.groups.end());
    }
  });
  return names;
}

/// "body", "body.shape" or a group.
void append_selected(const Value& value, std::vector<ShapeName>& shapes) {
  const Model& model = value.context().model;
  const std::string text = value.text();
  const std::size_t dot = text.find('.');
  const Body* body = find_body(model, text.substr(0, dot));
  if (dot != std::string::npos && body != nullptr) {
    std::vector<std::string> names;
    for (const BodyShape& shape : body->shapes) names.push_back(shape.name);
    const std::string shape = text.substr(dot + 1);
    if (std::ranges::find(names, shape) == names.end())
      value.fail(fmt::format("body '{}' has no shape '{}'{}", body->name, shape,
                             did_you_mean(shape, names)));
    shapes.push_back({body->name, shape});
    return;
  }
  if (body != nullptr) {
    if (body->shapes.empty())
      value.fail(fmt::format("body '{}' has no shape to touch with", body->name));
    return append_body(*body, shapes);
  }
  const std::vector<ShapeName> group = shapes_of_group(model, text);
  if (group.empty())
    value.fail(fmt::format("there is no body, shape (body.shape) or group '{}'{}", text,
                           did_you_mean(text, shape_selectors(model))));
  shapes.insert(shapes.end(), group.begin(), group.end());
}

std::vector<ShapeName> read_selection(const Value& value) {
  std::vector<ShapeName> shapes;
  if (value.is_list())
    for (const Value& item : value.items(-1, "names of shapes")) append_selected(item, shapes);
  else
    append_selected(value, shapes);
  return shapes;
}

bool may_touch(const ContactPair& pair) {
  return std::ranges::any_of(pair.A, [&](const ShapeName& a) {
    return std::ranges::any_of(pair.B, [&](const ShapeName& b) { return a.body != b.body; });
  });
}

const Keys<ContactPair>& contact_keys() {
  const ValueType name = text_type("name of a body, of a shape (body.shape) or of a group");
  const ValueType side = either_type({name, list_type(name, -1, "list of such names")});
  static const Keys<ContactPair> keys{
      required(Key<ContactPair>{
          {"between",
           list_type(side, 2, "[A, B]: each a body, body.shape, group, or a list of them"),
           "each shape of A may touch each of B that belongs to another body"},
          [](const Value& v, ContactPair& pair) {
            const std::vector<Value> sides = v.items(2, "two names of shapes");
            pair.A = read_selection(sides[0]);
            pair.B = read_selection(sides[1]);
            if (!may_touch(pair)) v.fail("expected shapes of two different bodies");
          }}),
      required(law_key(&ContactPair::law)),
  };
  return keys;
}

// Events.

Key<ModelEvent> switch_key(std::string name, ForceSwitch action, std::string doc) {
  return {{std::move(name), list_type(text_type("name of a force"), -1, "list of names of forces"),
           std::move(doc)},
          [action](const Value& v, ModelEvent& event) {
            for (const Value& item : v.items(-1, "a list of names of forces"))
              event.switches.push_back({item.reference(v.names().forces, "force"), action.active});
          }};
}

const Keys<ModelEvent>& event_keys() {
  static const Keys<ModelEvent> keys{
      {{"at", number_type(dim::time), "when it happens"},
       [](const Value& v, ModelEvent& event) { event.when = v.number(dim::time, not_negative); }},
      {{"when", number_type("formula, as of a force"),
        "it happens when this becomes positive or true"},
       [](const Value& v, ModelEvent& event) { event.when = v.signal_formula(); }},
      switch_key("activate", {.active = true}, "forces that begin to act"),
      switch_key("deactivate", {.active = false}, "forces that cease to act"),
      fallback("false", flag_key("stop", &ModelEvent::stop, "ends the run")),
      fallback("true", flag_key("once", &ModelEvent::once,
                                "not again when the formula becomes true again")),
  };
  return keys;
}

// Simulation and output.

constexpr std::string_view methods[] = {"moreau", "compliant"};
constexpr std::string_view integrators[] = {"adams", "bdf", "rk4"};
constexpr std::string_view onsets[] = {"root", "procedure-1", "procedure-2", "none"};
constexpr std::string_view coordinate_choices[] = {"joint", "absolute"};
constexpr std::string_view schemes[] = {"midpoint", "theta"};
constexpr std::string_view force_velocities[] = {"midpoint", "start"};

std::vector<std::string_view> solver_names() {
  std::vector<std::string_view> names;
  for (const SolverEntry& solver : solver_table()) names.push_back(solver.name);
  return names;
}

template <class T>
Key<T> choice_key(std::string name, std::string T::*member, std::vector<std::string_view> options,
                  std::string doc) {
  const ValueType type = choice_type(options);
  return {{std::move(name), type, std::move(doc)},
          [member, options = std::move(options)](const Value& v, T& target) {
            target.*member = std::string(options[v.choice(options)]);
          }};
}

Key<SimulationOptions> tolerance_key(std::string name, double SimulationOptions::*member,
                                     const Dimension& dimension, const char* what) {
  return fallback("follows from relative_tolerance",
                  number_key(std::move(name), member, dimension, positive,
                             fmt::format("of the method compliant, absolute, for {}", what)));
}

const Keys<SimulationOptions>& simulation_keys() {
  using S = SimulationOptions;
  static const Keys<S> keys{
      fallback("moreau", choice_key("method", &S::method, {std::begin(methods), std::end(methods)},
                                    "the time stepping")),
      fallback("auto", choice_key("solver", &S::solver, solver_names(), "of the contact problems")),
      fallback("joint", Key<S>{{"coordinates", choice_type(coordinate_choices),
                                "along a tree of the joints, or three for each body"},
                               [](const Value& v, S& s) {
                                 s.coordinates = Coordinates(v.choice(coordinate_choices));
                               }}),
      fallback("1e-4", number_key("step", &S::step, dim::time, positive, "length of a step")),
      fallback("1", number_key("until", &S::until, dim::time, positive, "when the run ends")),
      fallback("midpoint",
               choice_key("scheme", &S::scheme, {std::begin(schemes), std::end(schemes)},
                          "explicit in the forces, or implicit for stiff ones")),
      fallback("midpoint",
               choice_key("force_velocity", &S::force_velocity,
                          {std::begin(force_velocities), std::end(force_velocities)},
                          "at which velocity forces are evaluated; start as papers print it")),
      fallback("0.5",
               number_key("theta", &S::theta, dim::none, between(0.5, 1), "of the scheme theta")),
      fallback("1e-12", number_key("tolerance", &S::tolerance, dim::velocity, positive,
                                   "of the solver, on its residual")),
      fallback("10000", Key<S>{{"max_iterations", integer_type(), "of the solver"},
                               [](const Value& v, S& s) {
                                 s.max_iterations = v.integer(1, 1'000'000'000);
                               }}),
      fallback("none", number_key("penetration_limit", &S::penetration_limit, dim::length,
                                  not_negative, "deeper penetration is projected to this depth")),
      fallback("1e-6", number_key("initial_penetration", &S::initial_penetration, dim::length,
                                  not_negative, "deeper overlap at the start is an error")),
      fallback(
          "adams",
          choice_key("integrator", &S::integrator, {std::begin(integrators), std::end(integrators)},
                     "of the method compliant: variable steps, bdf for stiff forces and for "
                     "contacts that rest; or equal ones, rk4")),
      fallback("root",
               choice_key("onset", &S::onset, {std::begin(onsets), std::end(onsets)},
                          "of the method compliant: what a step does that finds a contact")),
      fallback("1e-8", number_key("relative_tolerance", &S::relative_tolerance, dim::none, positive,
                                  "of the method compliant")),
      tolerance_key("position_tolerance", &S::position_tolerance, dim::length, "positions"),
      tolerance_key("angle_tolerance", &S::angle_tolerance, dim::angle, "angles"),
      tolerance_key("speed_tolerance", &S::speed_tolerance, dim::velocity, "velocities"),
      tolerance_key("angular_speed_tolerance", &S::angular_speed_tolerance, dim::angular_velocity,
                    "angular velocities"),
      fallback("any", number_key("max_step", &S::max_step, dim::time, positive,
                                 "of the method compliant")),
      fallback(
          "what the depth asks for",
          number_key("min_step", &S::min_step, dim::time, positive,
                     "of the onset procedure-2: then a deeper contact is taken, and warned of")),
      fallback("1e-7",
               number_key("max_onset_penetration", &S::max_onset_penetration, dim::length, positive,
                          "of the onset procedure-2: a new contact may be so deep")),
      fallback("false",
               flag_key("live_contacts", &S::live_contacts,
                        "with the onset none: contacts push within the step they begin in")),
      fallback("5", number_key("alpha", &S::alpha, dim::rate, not_negative,
                               "of Baumgarte's stabilisation of joints that close loops")),
      fallback("5", number_key("beta", &S::beta, dim::rate, not_negative, "likewise")),
      fallback("true", flag_key("projection", &S::projection,
                                "of the method compliant: drift of joints is taken out")),
      fallback("1e-3", number_key("smoothing_speed", &S::smoothing_speed, dim::velocity, positive,
                                  "of the method compliant: dry friction of joints is full there")),
      fallback("1e-6", number_key("smoothing_length", &S::smoothing_length, dim::length, positive,
                                  "of the method compliant: a preload is full there")),
  };
  return keys;
}

const Keys<OutputPoint>& point_keys() {
  static const Keys<OutputPoint> keys{
      required(Key<OutputPoint>{{"body", text_type("name of a body"), "the body that it is on"},
                                [](const Value& v, OutputPoint& p) {
                                  p.at.body = v.reference(v.names().bodies, "body");
                                }}),
      fallback("[0, 0]", Key<OutputPoint>{{"at", point_type(), "where on the body"},
                                          [](const Value& v, OutputPoint& p) {
                                            p.at.p_B = read_pose(v, p.at.body).p;
                                          }}),
  };
  return keys;
}

const Keys<OutputOptions>& output_keys() {
  using O = OutputOptions;
  static const Keys<O> keys{
      fallback("step", Key<O>{{"every", either_type({number_type(dim::time), text_type("`step`")}),
                               "time between records, or each step"},
                              [](const Value& v, O& o) {
                                o.every = v.is_scalar() && v.node().text == "step"
                                              ? 0
                                              : v.number(dim::time, positive);
                              }}),
      Key<O>{{"points", items_type(mapping_type("point"), "names, each with a point"),
              "points whose motion is recorded"},
             [](const Value& v, O& o) {
               read_items(v, "point", [&](const Value& item, const std::string& name) {
                 OutputPoint point{.name = name, .where = item.where()};
                 read_mapping(item, point_keys(), "a point", point);
                 o.points.push_back(point);
               });
             }},
  };
  return keys;
}

}  // namespace

void read_contacts(const Value& value) {
  read_items(value, "contact", [&](const Value& item, const std::string& name) {
    ContactPair pair{.name = name, .where = item.where()};
    read_mapping(item, contact_keys(), "a contact", pair);
    value.context().model.contacts.push_back(std::move(pair));
  });
}

void read_events(const Value& value) {
  constexpr std::string_view occasions[] = {"at", "when"};
  read_items(value, "event", [&](const Value& item, const std::string& name) {
    ModelEvent event{.name = name, .where = item.where()};
    read_mapping(item, event_keys(), "an event", event);
    require_one_of(item, occasions, Count::exactly_one);
    if (event.switches.empty() && !event.stop)
      item.fail("expected 'activate', 'deactivate' or 'stop': the event does nothing");
    value.context().model.events.push_back(std::move(event));
  });
}

void read_simulation(const Value& value) {
  SimulationOptions& options = value.context().model.simulation;
  options.where = value.where();
  read_mapping(value, simulation_keys(), "simulation", options);
}

void read_output(const Value& value) {
  OutputOptions& options = value.context().model.output;
  options.where = value.where();
  read_mapping(value, output_keys(), "output", options);
}

std::vector<DefinitionInfo> other_definitions() {
  const auto one = [](std::string name, std::string doc, const auto& keys) {
    return DefinitionInfo{name, std::move(doc), {info(name, keys)}};
  };
  return {
      one("contact", "Shapes that may touch.", contact_keys()),
      one("event", "Something that happens once or when: one of `at` and `when`.", event_keys()),
      one("simulation", "How the motion is computed.", simulation_keys()),
      one("output", "What is recorded.", output_keys()),
      one("point", "A point of a body.", point_keys())};
}

}  // namespace backlash::reading

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;
using Kind = EventAction::Kind;

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// A force, a contact, or the drive of a joint: joint.drive.
EventAction switched_item(const Value& v) {
  const Names& names = v.names();
  const std::string text = v.text();
  const bool force = has(names.forces, text), contact = has(names.contacts, text);
  if (force && contact)
    v.fail(fmt::format("a force and a contact are both called '{}'; give one another name", text));
  if (force) return {.kind = Kind::force, .item = text};
  if (contact) return {.kind = Kind::contact, .item = text};
  constexpr std::string_view drive = ".drive";
  if (text.ends_with(drive)) {
    const std::string joint = text.substr(0, text.size() - drive.size());
    if (names.unreadable.contains(joint)) throw Reported{};
    const Joint* driven = find_joint(v.context().model, joint);
    if (driven == nullptr && names.joints.contains(joint)) throw Reported{};  // it has an error
    if (driven == nullptr)
      v.fail(
          fmt::format("there is no joint '{}'{}", joint, did_you_mean(joint, joint_names(names))));
    if (!driven->drive) v.fail(fmt::format("joint '{}' has no drive", joint));
    return {.kind = Kind::drive, .item = joint};
  }
  if (const Joint* joint = find_joint(v.context().model, text))
    v.fail(fmt::format("'{0}' is a joint; {1}a joint is held by 'lock' and let go by 'release'",
                       text,
                       joint->drive ? fmt::format("its drive is '{}.drive', and ", text) : ""));
  std::vector<std::string> known = names.forces;
  known.insert(known.end(), names.contacts.begin(), names.contacts.end());
  v.fail(fmt::format("there is no force, contact or drive (joint.drive) '{}'{}", text,
                     did_you_mean(text, known)));
}

Key<ModelEvent> switch_key(std::string name, bool on, std::string doc) {
  return {
      {std::move(name),
       list_type(text_type("name of a force or contact, or joint.drive"), -1,
                 "list of names of forces and contacts, and of joint.drive"),
       std::move(doc)},
      [on](const Value& v, ModelEvent& event) {
        for (const Value& item : v.items(-1, "a list of names of forces, contacts and drives")) {
          event.actions.push_back(switched_item(item));
          event.actions.back().on = on;
        }
      }};
}

Key<ModelEvent> lock_key(std::string name, bool on, std::string doc) {
  return {{std::move(name), list_type(text_type("name of a joint"), -1, "list of names of joints"),
           std::move(doc)},
          [on](const Value& v, ModelEvent& event) {
            for (const Value& item : v.items(-1, "a list of names of joints")) {
              const std::string joint = item.reference(joint_names(v.names()), "joint");
              const std::size_t count = coordinate_types_of(v.names(), joint).size();
              if (count != 1)
                item.fail(
                    fmt::format("joint '{}' has {} coordinates; a joint with one can be "
                                "locked",
                                joint, count));
              event.actions.push_back({.kind = Kind::lock, .item = joint, .on = on});
            }
          }};
}

void read_settings(const Value& v, ModelEvent& event) {
  read_items(v, "parameter", [&](const Value& item, const std::string& name) {
    const auto known = v.names().parameters.find(name);
    if (known == v.names().parameters.end()) {
      if (v.names().unreadable.contains(name)) throw Reported{};
      std::vector<std::string> names;
      for (const auto& [parameter, value] : v.names().parameters) names.push_back(parameter);
      item.fail(fmt::format("there is no parameter '{}'{}", name, did_you_mean(name, names)));
    }
    const std::optional<Dimension>& dimension = known->second.dimension;
    const double value = dimension ? item.number(*dimension) : item.quantity().value;
    event.actions.push_back({.kind = Kind::parameter, .item = name, .value = value});
  });
}

const Keys<ModelEvent>& event_keys() {
  static const Keys<ModelEvent> keys{
      {{"at", number_type(dim::time), "when it happens"},
       [](const Value& v, ModelEvent& event) { event.when = v.number(dim::time, not_negative); }},
      {{"when", number_type("formula, as of a force; also of gaps and forces"),
        "it happens when this becomes positive or true"},
       [](const Value& v, ModelEvent& event) { event.when = v.condition_formula(); }},
      {{"after", text_type("name of an event"), "it happens whenever that one does"},
       [](const Value& v, ModelEvent& event) {
         event.when = v.reference(v.names().events, "event");
       }},
      switch_key("activate", true, "forces, contacts and drives that begin to act"),
      switch_key("deactivate", false, "forces, contacts and drives that cease to act"),
      lock_key("lock", true, "joints that stay where they are"),
      lock_key("release", false, "joints that are locked no more"),
      {{"set", items_type(number_type("number with or without unit"), "parameters with new values"),
        "parameters that have another value from then on, in formulas of forces, events and "
        "states"},
       read_settings},
      fallback("false", flag_key("stop", &ModelEvent::stop, "ends the run")),
      fallback("true", flag_key("once", &ModelEvent::once,
                                "not again when the formula becomes true again")),
  };
  return keys;
}

}  // namespace

void read_events(const Value& value) {
  constexpr std::string_view occasions[] = {"at", "when", "after"};
  read_items(value, "event", [&](const Value& item, const std::string& name) {
    ModelEvent event{.name = name, .where = item.where()};
    read_mapping(item, event_keys(), "an event", event);
    require_one_of(item, occasions, Count::exactly_one);
    if (event.actions.empty() && !event.stop)
      item.fail(
          "expected 'activate', 'deactivate', 'lock', 'release', 'set' or 'stop': the event does "
          "nothing");
    value.context().model.events.push_back(std::move(event));
  });
}

std::vector<DefinitionInfo> event_definitions() {
  return {{"event",
           "Something that happens once or when: one of `at`, `when` and `after`.",
           {info("event", event_keys())}}};
}

}  // namespace backlash::reading

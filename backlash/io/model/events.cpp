// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/sections.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

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

}  // namespace

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

std::vector<DefinitionInfo> event_definitions() {
  return {{"event",
           "Something that happens once or when: one of `at` and `when`.",
           {info("event", event_keys())}}};
}

}  // namespace backlash::reading

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/model.h"

#include <algorithm>

namespace backlash {
namespace {

template <class Item>
const Item* find_named(const std::vector<Item>& items, std::string_view name) {
  const auto found = std::ranges::find(items, name, &Item::name);
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const Body* find_body(const Model& model, std::string_view name) {
  return name == ground_name ? &model.ground : find_named(model.bodies, name);
}
const Joint* find_joint(const Model& model, std::string_view name) {
  return find_named(model.joints, name);
}
const Force* find_force(const Model& model, std::string_view name) {
  return find_named(model.forces, name);
}
const StateVariable* find_state(const Model& model, std::string_view name) {
  return find_named(model.states, name);
}
const ContactPair* find_contact(const Model& model, std::string_view name) {
  return find_named(model.contacts, name);
}
const ModelProfile* find_profile(const Model& model, std::string_view name) {
  return find_named(model.profiles, name);
}
const Parameter* find_parameter(const Model& model, std::string_view name) {
  return find_named(model.parameters, name);
}
const NamedLaw* find_law(const Model& model, std::string_view name) {
  return find_named(model.laws, name);
}
const BodyShape* find_shape(const Model& model, const ShapeName& name) {
  const Body* body = find_body(model, name.body);
  return body == nullptr ? nullptr : find_named(body->shapes, name.shape);
}
const Frame* find_frame(const Body& body, std::string_view name) {
  return find_named(body.frames, name);
}
int find_event(const Model& model, std::string_view name) {
  const ModelEvent* event = find_named(model.events, name);
  return event == nullptr ? -1 : static_cast<int>(event - model.events.data());
}

}  // namespace backlash

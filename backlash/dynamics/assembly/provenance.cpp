// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/provenance.h"

#include <fmt/format.h>

namespace backlash {
namespace {

template <class Item>
SourceLocation location(const Item* item) {
  return item ? item->where : SourceLocation{};
}

const ModelEvent* find_model_event(const Model& model, const std::string& name) {
  const int i = find_event(model, name);
  return i < 0 ? nullptr : &model.events[static_cast<std::size_t>(i)];
}

}  // namespace

SourceLocation location_of(const Model& model, const Origin& origin) {
  switch (origin.kind) {
    case Origin::Kind::none:
      return {};
    case Origin::Kind::body:
      return location(find_body(model, origin.item));
    case Origin::Kind::contact_pair:
      return location(find_contact(model, origin.item));
    case Origin::Kind::force:
      return location(find_force(model, origin.item));
    case Origin::Kind::state:
      return location(find_state(model, origin.item));
    case Origin::Kind::event:
      return location(find_model_event(model, origin.item));
    case Origin::Kind::joint:
    case Origin::Kind::drive:
    case Origin::Kind::friction:
    case Origin::Kind::lower_limit:
    case Origin::Kind::upper_limit:
    case Origin::Kind::clearance:
      return location(find_joint(model, origin.item));
  }
  return {};
}

InputError located(const Model& model, const ItemError& error) {
  const std::string law = law_of(model, error.origin());
  SourceLocation where = location_of(model, error.origin());
  where.path.clear();  // the message names the item
  if (law.empty()) return {where, error.message()};
  return {where, fmt::format("{} (law '{}')", error.message(), law)};
}

std::string law_of(const Model& model, const Origin& origin) {
  if (origin.kind == Origin::Kind::contact_pair) {
    const ContactPair* pair = find_contact(model, origin.item);
    return pair ? pair->law : std::string();
  }
  const Joint* joint = find_joint(model, origin.item);
  if (!joint) return {};
  const bool stop =
      origin.kind == Origin::Kind::lower_limit || origin.kind == Origin::Kind::upper_limit;
  if (stop && joint->limits) return joint->limits->law;
  if (origin.kind != Origin::Kind::clearance || !joint->clearance) return {};
  return std::visit([](const auto& clearance) { return clearance.law; }, *joint->clearance);
}

}  // namespace backlash

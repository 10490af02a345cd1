// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/check/lints.h"
#include "backlash/dynamics/assembly/provenance.h"
#include "backlash/integrators/integrator_table.h"

namespace backlash {
namespace {

AvailableTravel available_travel(const Model& model, const ContactPair& pair) {
  AvailableTravel travel{.what = "the thickness of the thinner shape"};
  for (const auto* side : {&pair.A, &pair.B})
    for (const ShapeName& name : *side)
      if (const BodyShape* shape = find_shape(model, name))
        travel.size = std::min(travel.size, thickness(shape->shape));
  return travel;
}

AvailableTravel available_travel(const Limits& limits) {
  return {limits.upper - limits.lower, "the travel between the stops"};
}

AvailableTravel available_travel(const Clearance& clearance) {
  return {std::visit([](const auto& c) { return 2 * c.gap; }, clearance),
          "the travel from side to side (twice the gap)"};
}

constexpr double much = 0.5;     ///< of the travel in one step: an impact may be missed
constexpr double notable = 0.1;  ///< of the travel in one step: shows as penetration

}  // namespace

AvailableTravel available_travel(const Model& model, const Origin& contact) {
  using Kind = Origin::Kind;
  if (contact.kind == Kind::contact_pair) {
    const ContactPair* pair = find_contact(model, contact.item);
    return pair ? available_travel(model, *pair) : AvailableTravel{};
  }
  const Joint* joint = find_joint(model, contact.item);
  const bool stop = contact.kind == Kind::lower_limit || contact.kind == Kind::upper_limit;
  if (joint && stop && joint->limits) return available_travel(*joint->limits);
  if (joint && contact.kind == Kind::clearance && joint->clearance)
    return available_travel(*joint->clearance);
  return {};
}

void find_tunnelling(const Model& model, const System& system, const Trial& trial,
                     Findings& findings) {
  const double step = equal_step(model.simulation);
  if (step == 0) return;
  for (const auto& [key, approach] : trial.approach) {
    const ContactInfo& info = system.info().contacts[static_cast<std::size_t>(key.pair)];
    const AvailableTravel travel = available_travel(model, info.origin);
    const std::string_view unit = name(info.unit);
    const double distance = approach.speed * step;
    if (!(travel.size > 0) || !(distance > notable * travel.size)) continue;
    findings.push_back(
        {.severity = distance > much * travel.size ? Severity::warning : Severity::note,
         .item = fmt::format("contact '{}'", system.contact_name(key)),
         .where = location_of(model, info.origin),
         .message = fmt::format("closes at {:.4g} {}/s at t = {:g} s, which is {:.4g} {} in a step "
                                "of {:g} s; {} is {:.4g} {}",
                                approach.speed, unit, approach.t, distance, unit, step, travel.what,
                                travel.size, unit),
         .advice = fmt::format("choose simulation.step of at most {:.2g} s",
                               0.5 * notable * travel.size / approach.speed)});
  }
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "backlash/check/lints.h"
#include "backlash/dynamics/assembly/assembly_errors.h"
#include "backlash/dynamics/assembly/provenance.h"

namespace backlash {
namespace {

void report_redundant(const Model& model, const AssemblyReport& assembly, Findings& findings) {
  for (const BilateralInfo& row : assembly.redundant)
    findings.push_back(
        {.severity = Severity::note,
         .item = fmt::format("constraint '{}'", row.name),
         .where = location_of(model, row.origin),
         .message = "follows from the other constraints where the mechanism starts: the motion is "
                    "right, but how the reactions share the load is not determined",
         .advice = "none needed for the motion; for the reactions, free what the joint need not "
                   "hold (a point_on_line in the place of a revolute, say)"});
}

/// More constraints than degrees of freedom, or fewer than it seems.
void report_count(const AssemblyReport& assembly, Findings& findings) {
  if (assembly.dofs == 0)
    findings.push_back({.severity = Severity::warning,
                        .message =
                            "the mechanism has no degree of freedom: its joints hold it where "
                            "it is",
                        .advice = "leave out a joint, or give one clearance"});
  else if (assembly.redundant.empty() && assembly.dofs != assembly.dofs_by_counting)
    findings.push_back({.severity = Severity::note,
                        .message = fmt::format(
                            "counting bodies and joints gives {} degrees of freedom, the rank of "
                            "the constraints {}",
                            assembly.dofs_by_counting, assembly.dofs),
                        .advice = "look whether the mechanism starts in a dead point"});
}

bool held(const Model& model, const std::string& body) {
  return std::ranges::any_of(model.joints, [&](const Joint& joint) {
    return (joint.body_A == body || joint.body_B == body) &&
           !std::holds_alternative<Planar>(joint.kind);
  });
}

bool touches(const Model& model, const std::string& body) {
  const auto names = [&](const std::vector<ShapeName>& side) {
    return std::ranges::any_of(side, [&](const ShapeName& shape) { return shape.body == body; });
  };
  return std::ranges::any_of(
      model.contacts, [&](const ContactPair& pair) { return names(pair.A) || names(pair.B); });
}

void report_loose_bodies(const Model& model, Findings& findings) {
  for (const Body& body : model.bodies)
    if (!held(model, body.name) && !touches(model, body.name))
      findings.push_back({.severity = Severity::note,
                          .item = fmt::format("body '{}'", body.name),
                          .where = body.where,
                          .message = "no joint holds it and no contact stops it: it flies freely",
                          .advice = "give it a joint or a contact, unless that is meant"});
}

/// True if the user gave the coordinate that assembly had to change.
bool was_given(const Model& model, const Adjustment& change) {
  if (change.origin.kind == Origin::Kind::body) {
    const Body* body = find_body(model, change.origin.item);
    return body && body->initial.has_value();
  }
  const Joint* joint = find_joint(model, change.origin.item);
  if (!joint) return false;
  const auto number = static_cast<std::size_t>(change.origin.index);
  const InitialCoordinate& initial = joint->initial[std::min(number, joint->initial.size() - 1)];
  return change.quantity == Adjustment::Quantity::speed ? initial.speed.has_value()
                                                        : initial.position.has_value();
}

void report_adjustments(const Model& model, const AssemblyReport& assembly, Findings& findings) {
  for (const Adjustment& change : assembly.adjusted) {
    if (!was_given(model, change)) continue;
    findings.push_back(
        {.severity = Severity::warning,
         .item = fmt::format("coordinate '{}'", change.coordinate),
         .where = location_of(model, change.origin),
         .message = fmt::format("was given as {:.6g}, but the loops ({}) close only with {:.6g}",
                                change.from, fmt::join(assembly.loops, ", "), change.to),
         .advice = "leave out the initial values that may give way, so that the others are kept"});
  }
}

}  // namespace

void report_dofs(const Model& model, const AssemblyReport& assembly, Findings& findings) {
  report_count(assembly, findings);
  report_redundant(model, assembly, findings);
  report_adjustments(model, assembly, findings);
  report_loose_bodies(model, findings);
  for (const std::string& warning : assembly.warnings)
    findings.push_back({.severity = Severity::warning, .message = warning});
}

namespace {

/// What becomes of an overlap that is allowed.
std::string describe_overlap(const Model& model, const ContactInfo& info, double depth) {
  const std::string& method = model.simulation.method;
  if (info.compliant && method == "compliant")
    return fmt::format(
        "its law gives {:.4g} {} there, and an elastic energy of {:.4g} J that drives the bodies "
        "apart",
        normal_force(info.compliant->normal, depth, 0, 1),
        info.unit == GapUnit::radian ? "N m" : "N", elastic_energy(info.compliant->normal, depth));
  if (method == "optimisation") return "it does not deepen, and stays until the bodies part";
  return "the first step moves the bodies apart, and what that takes is booked with switching, "
         "beside the balance of the energy";
}

}  // namespace

void find_overlaps(const Model& model, const System& system, std::span<const ContactFrame> contacts,
                   Findings& findings) {
  const double rounding = 1e-12 * system.info().length;
  const double usual = SimulationOptions{}.initial_penetration;
  for (const ContactFrame& contact : contacts) {
    const double length = gap_length(system.info(), contact.key);
    const double allowed = model.simulation.initial_penetration / length;
    const double depth = -contact.gap;
    if (!(depth * length > rounding)) continue;
    const ContactInfo& info = system.info().contacts[static_cast<std::size_t>(contact.key.pair)];
    const bool beyond_play = exceeds_play(info, contact.gap);
    const bool too_deep = beyond_play || depth > allowed;
    const bool deep = depth * length > usual;
    const double limit = beyond_play ? std::min(allowed, info.play) : allowed;
    findings.push_back(
        {.severity = too_deep ? Severity::error
                     : deep   ? Severity::warning
                              : Severity::note,
         .item = fmt::format("contact '{}'", system.contact_name(contact.key)),
         .where = location_of(model, info.origin),
         .message =
             fmt::format("overlaps by {:.4g} {} at the start{}", depth, name(info.unit),
                         too_deep ? fmt::format(", allowed are {:.4g} {}", limit, name(info.unit))
                         : deep   ? ": " + describe_overlap(model, info, depth)
                                  : ""),
         .advice = beyond_play ? std::string(advice_on_play)
                   : too_deep  ? "move the bodies apart at the start, or allow it with "
                                 "simulation.initial_penetration"
                   : deep      ? "move the bodies apart at the start, unless it is meant"
                               : "none: it is within simulation.initial_penetration"});
  }
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/check/lints.h"

namespace backlash {
namespace {

/// What a function of an angle jumps by where a turn ends and the next begins [m].
double jump_at_seam(const Expression& f) {
  return f.jet(0).value - f.jet(2 * std::numbers::pi).value;
}

void find_seams(const Body& body, Findings& findings) {
  constexpr double small = 1e-9;  // [m]
  for (const BodyShape& shape : body.shapes) {
    const auto* cam = std::get_if<CamProfile>(&shape.shape);
    const auto* formula = cam ? std::get_if<Expression>(&cam->function) : nullptr;
    if (!formula) continue;
    const double jump = jump_at_seam(*formula);
    if (!(std::abs(jump) > small)) continue;
    findings.push_back(
        {.severity = Severity::warning,
         .item = fmt::format("shape '{}.{}'", body.name, shape.name),
         .where = shape.where,
         .message = fmt::format("its profile jumps by {:.4g} mm at phi = 0, where a turn ends: the "
                                "formula does not have the period of a turn",
                                1e3 * std::abs(jump)),
         .advice = "make the value at phi = 2*pi that at 0: cos(2*phi) in the place of "
                   "cos(2.5*phi), say"});
  }
}

}  // namespace

void find_cam_seams(const Model& model, Findings& findings) {
  find_seams(model.ground, findings);
  for (const Body& body : model.bodies) find_seams(body, findings);
}

}  // namespace backlash

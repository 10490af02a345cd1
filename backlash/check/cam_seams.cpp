// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "backlash/check/lints.h"
#include "backlash/geometry/cam_curve.h"

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

/// Where the slope of a cam's function jumps by a tenth of its largest, beyond what its bend makes
/// it change by [rad].
std::optional<double> slope_jump(const CamCurve& cam) {
  constexpr int samples = 7200;
  constexpr double turn = 2 * std::numbers::pi, part = turn / samples, share = 0.1;
  double largest = 0, most = 0, at = 0;
  Jet before = cam.function(turn - 0.5 * part);
  for (int k = 0; k < samples; ++k) {
    const Jet now = cam.function((k + 0.5) * part);
    const double jump =
        std::abs(now.first - before.first - 0.5 * part * (now.second + before.second));
    largest = std::max(largest, std::abs(now.first));
    if (jump > most) {
      most = jump;
      at = k * part;
    }
    before = now;
  }
  return most > share * largest ? std::optional(at) : std::nullopt;
}

void find_corners(const Body& body, Findings& findings) {
  for (const BodyShape& shape : body.shapes) {
    const auto* cam = std::get_if<CamProfile>(&shape.shape);
    const std::optional<double> angle = cam ? slope_jump(CamCurve(*cam)) : std::nullopt;
    if (!angle) continue;
    findings.push_back(
        {.severity = Severity::warning,
         .item = fmt::format("shape '{}.{}'", body.name, shape.name),
         .where = shape.where,
         .message = fmt::format("the slope of its function jumps near phi = {:.4g} deg: there the "
                                "follower is hit or thrown off at any speed",
                                *angle * 180 / std::numbers::pi),
         .advice = "take a law that is level where it begins and ends, as cycloidal(x), or "
                   "interpolation: cubic for a table"});
  }
}

}  // namespace

void find_cam_seams(const Model& model, Findings& findings) {
  find_seams(model.ground, findings);
  find_corners(model.ground, findings);
  for (const Body& body : model.bodies) {
    find_seams(body, findings);
    find_corners(body, findings);
  }
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <numbers>

#include <fmt/format.h>

#include "backlash/check/lints.h"
#include "backlash/geometry/cam_curve.h"

namespace backlash {
namespace {

void find_undercuts(const Body& body, Findings& findings) {
  for (const BodyShape& shape : body.shapes) {
    const auto* cam = std::get_if<CamProfile>(&shape.shape);
    if (!cam) continue;
    const std::optional<double> angle = CamCurve(*cam).undercut();
    if (!angle) continue;
    findings.push_back(
        {.severity = Severity::warning,
         .item = fmt::format("shape '{}.{}'", body.name, shape.name),
         .where = shape.where,
         .message = fmt::format("near phi = {:.0f} deg no cam that is cut from metal gives this "
                                "lift: its profile would cross itself (undercut)",
                                *angle * 180 / std::numbers::pi),
         .advice = "enlarge base, take a longer angle for the lift, or a smaller roller"});
  }
}

}  // namespace

void find_undercut_cams(const Model& model, Findings& findings) {
  find_undercuts(model.ground, findings);
  for (const Body& body : model.bodies) find_undercuts(body, findings);
}

}  // namespace backlash

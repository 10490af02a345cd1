// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "backlash/check/lints.h"

namespace backlash {
namespace {

constexpr double strongest_gravity = 100;  ///< of a machine, a slow centrifuge included [m/s²]
constexpr double lightest_solid = 50;      ///< foam [kg/m³]
constexpr double heaviest_solid = 3e4;     ///< osmium, and some [kg/m³]

void check_density(const Body& body, Findings& findings) {
  if (body.density == 0 || (lightest_solid <= body.density && body.density <= heaviest_solid))
    return;
  findings.push_back(
      {.severity = Severity::warning,
       .item = fmt::format("body '{}'", body.name),
       .where = body.where,
       .message = fmt::format("the density is {:g} kg/m³, that of steel 7850", body.density),
       .advice = "write the unit: 7.85 g/cm^3, or 7850 kg/m^3"});
}

}  // namespace

void find_slipped_units(const Model& model, Findings& findings) {
  const double gravity = model.gravity.norm();
  if (gravity > strongest_gravity)
    findings.push_back(
        {.severity = Severity::warning,
         .item = "gravity",
         .where = {},
         .message = fmt::format("{:g} m/s², {:.3g} times the earth's", gravity, gravity / 9.81),
         .advice = "numbers without unit are in SI: write 9.81, or 9810 mm/s^2"});
  for (const Body& body : model.bodies) check_density(body, findings);
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/moreau_options.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

Scheme parse_scheme(const std::string& text) {
  for (const Scheme scheme : {Scheme::midpoint, Scheme::theta})
    if (text == name(scheme)) return scheme;
  throw InputError(fmt::format("simulation.scheme must be midpoint or theta, is '{}'", text));
}

}  // namespace

ForceVelocity parse_force_velocity(const std::string& text, const std::string& item) {
  for (const ForceVelocity velocity : {ForceVelocity::start, ForceVelocity::midpoint})
    if (text == name(velocity)) return velocity;
  throw InputError(fmt::format("{} must be start or midpoint, is '{}'", item, text));
}

MoreauOptions moreau_options(const SimulationOptions& s) {
  MoreauOptions options;
  options.solver = s.solver;
  options.solver_options.tolerance = s.tolerance;
  options.solver_options.max_iterations = s.max_iterations;
  options.scheme = parse_scheme(s.scheme);
  options.force_velocity = parse_force_velocity(s.force_velocity, "simulation.force_velocity");
  options.theta = s.theta;
  options.penetration_limit = s.penetration_limit;
  validate(options);
  return options;
}

std::string_view name(Scheme scheme) { return scheme == Scheme::midpoint ? "midpoint" : "theta"; }

std::string_view name(ForceVelocity velocity) {
  return velocity == ForceVelocity::midpoint ? "midpoint" : "start";
}

}  // namespace backlash

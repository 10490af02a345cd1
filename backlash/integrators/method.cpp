// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/moreau/moreau_options.h"

namespace backlash {
namespace {

/// The member of that name among all; else throws InputError naming `item`.
template <class Choice, std::size_t n>
Choice parse(const std::string& text, const std::array<Choice, n>& all, const char* item) {
  std::vector<std::string_view> names;
  for (const Choice choice : all) {
    if (text == name(choice)) return choice;
    names.push_back(name(choice));
  }
  throw InputError(
      fmt::format("simulation.{} must be one of {}, is '{}'", item, fmt::join(names, ", "), text));
}

double either(double given, double otherwise) { return given > 0 ? given : otherwise; }

}  // namespace

Method method_of(const SimulationOptions& s, const SystemInfo& info) {
  if (s.method == "moreau") return moreau_options(s);
  if (s.method == "compliant") return compliant_options(s, info);
  throw InputError(fmt::format("method '{}' does not exist; there are: {}", s.method,
                               fmt::join(method_names, ", ")));
}

CompliantOptions compliant_options(const SimulationOptions& s, const SystemInfo& info) {
  constexpr std::array integrators{OdeMethod::adams, OdeMethod::bdf, OdeMethod::rk4};
  constexpr std::array onsets{Onset::root, Onset::procedure_1, Onset::procedure_2, Onset::none};
  const double relative = s.relative_tolerance;
  CompliantOptions options{
      .integrator = parse(s.integrator, integrators, "integrator"),
      .onset = parse(s.onset, onsets, "onset"),
      .relative_tolerance = relative,
      .position_tolerance = either(s.position_tolerance, 0.01 * relative * info.length),
      .angle_tolerance = either(s.angle_tolerance, 0.01 * relative),
      .speed_tolerance = either(s.speed_tolerance, relative * info.length),
      .angular_speed_tolerance = either(s.angular_speed_tolerance, relative),
      .step = s.step,
      .max_step = s.max_step,
      .max_onset_penetration = s.max_onset_penetration,
      .min_step = s.min_step,
      .live_contacts = s.live_contacts,
      .projection = s.projection,
      .stabilisation = {s.alpha, s.beta},
      .smoothing = {s.smoothing_speed, s.smoothing_length}};
  validate(options);
  return options;
}

}  // namespace backlash

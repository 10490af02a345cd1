// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/compliant_options.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

constexpr NumberRange positive{NumberRange::Kind::positive},
    not_negative{NumberRange::Kind::not_negative};

OptionInfo tolerance(const char* key, const char* unit, const char* what) {
  return {.key = key,
          .unit = unit,
          .range = positive,
          .fallback = "follows from relative_tolerance",
          .meaning = fmt::format("absolute, for {}", what)};
}

}  // namespace

std::string_view name(OdeMethod method) {
  switch (method) {
    case OdeMethod::adams:
      return "adams";
    case OdeMethod::bdf:
      return "bdf";
    case OdeMethod::rk4:
      return "rk4";
  }
  return "?";
}

std::string_view name(Onset onset) {
  switch (onset) {
    case Onset::root:
      return "root";
    case Onset::procedure_1:
      return "procedure-1";
    case Onset::procedure_2:
      return "procedure-2";
    case Onset::none:
      return "none";
  }
  return "?";
}

void validate(const CompliantOptions& o) {
  require_choice(o.integrator, OdeMethod::rk4, "integrator");
  require_choice(o.onset, Onset::none, "onset");
  require_positive(o.relative_tolerance, "relative tolerance", "-");
  require_positive(o.position_tolerance, "position tolerance", "m");
  require_positive(o.angle_tolerance, "angle tolerance", "rad");
  require_positive(o.speed_tolerance, "speed tolerance", "m/s");
  require_positive(o.angular_speed_tolerance, "angular speed tolerance", "rad/s");
  require_positive(o.step, "step", "s");
  if (!(o.max_step > 0))
    throw InputError(
        fmt::format("max_step must be positive (infinity: any) [s], is {}", o.max_step));
  if (!(o.max_steps > 0))
    throw InputError(fmt::format("max_steps must be positive (infinity: any), is {}", o.max_steps));
  require_positive(o.max_onset_penetration, "max_onset_penetration", "m");
  require_not_negative(o.min_step, "min_step", "s");
  require_not_negative(o.stabilisation.alpha, "alpha of the stabilisation", "1/s");
  require_not_negative(o.stabilisation.beta, "beta of the stabilisation", "1/s");
  require_positive(o.smoothing.speed, "smoothing speed", "m/s");
  require_positive(o.smoothing.length, "smoothing length", "m");
  if (o.onset == Onset::procedure_2 && o.integrator == OdeMethod::rk4)
    throw InputError(
        "the onset procedure-2 tries shorter steps, and those of rk4 are of one length; choose the "
        "integrator adams or bdf, or another onset");
  if (o.live_contacts && o.onset != Onset::none)
    throw InputError("live_contacts is for the onset none");
}

const OptionRows<CompliantOptions>& compliant_option_rows() {
  using O = CompliantOptions;
  static const OptionRows<O> rows{
      choice_row<O>(
          {.key = "integrator",
           .meaning = "variable steps, bdf for stiff forces and for contacts that rest; "
                      "or equal ones, rk4"},
          std::vector{OdeMethod::adams, OdeMethod::bdf, OdeMethod::rk4},
          [](auto& o) -> auto& { return o.integrator; }),
      choice_row<O>(
          {.key = "onset", .meaning = "what a step does that finds a contact"},
          std::vector{Onset::root, Onset::procedure_1, Onset::procedure_2, Onset::none},
          [](auto& o) -> auto& { return o.onset; }),
      number_row<O>(
          {.key = "relative_tolerance", .range = positive, .meaning = "of each step"},
          [](auto& o) -> auto& { return o.relative_tolerance; }),
      number_row<O>(
          tolerance("position_tolerance", "m", "positions"),
          [](auto& o) -> auto& { return o.position_tolerance; }),
      number_row<O>(
          tolerance("angle_tolerance", "rad", "angles"),
          [](auto& o) -> auto& { return o.angle_tolerance; }),
      number_row<O>(
          tolerance("speed_tolerance", "m/s", "velocities"),
          [](auto& o) -> auto& { return o.speed_tolerance; }),
      number_row<O>(
          tolerance("angular_speed_tolerance", "rad/s", "angular velocities"),
          [](auto& o) -> auto& { return o.angular_speed_tolerance; }),
      number_row<O>(
          {.key = "step",
           .unit = "s",
           .range = positive,
           .meaning = "length of a step",
           .only_with = {"integrator", "rk4"}},
          [](auto& o) -> auto& { return o.step; }),
      number_row<O>(
          {.key = "max_step",
           .unit = "s",
           .range = positive,
           .fallback = "any",
           .meaning = "no step is longer",
           .formerly = "longest_step"},
          [](auto& o) -> auto& { return o.max_step; }),
      max_steps_row<O>(),
      number_row<O>(
          {.key = "min_step",
           .unit = "s",
           .range = positive,
           .fallback = "what the depth asks for",
           .meaning = "then a deeper contact is taken, and warned of",
           .formerly = "shortest_step",
           .only_with = {"onset", "procedure-2"}},
          [](auto& o) -> auto& { return o.min_step; }),
      number_row<O>(
          {.key = "max_onset_penetration",
           .unit = "m",
           .range = positive,
           .meaning =
               "a new contact may be so deep; an angle counts by its arc at the size of the model",
           .formerly = "depth_limit",
           .only_with = {"onset", "procedure-2"}},
          [](auto& o) -> auto& { return o.max_onset_penetration; }),
      flag_row<O>(
          {.key = "live_contacts",
           .meaning = "contacts push within the step they begin in",
           .only_with = {"onset", "none"}},
          [](auto& o) -> auto& { return o.live_contacts; }),
      number_row<O>(
          {.key = "alpha",
           .unit = "s^-1",
           .range = not_negative,
           .meaning = "of Baumgarte's stabilisation of joints that close loops"},
          [](auto& o) -> auto& { return o.stabilisation.alpha; }),
      number_row<O>(
          {.key = "beta", .unit = "s^-1", .range = not_negative, .meaning = "likewise"},
          [](auto& o) -> auto& { return o.stabilisation.beta; }),
      flag_row<O>(
          {.key = "projection", .meaning = "drift of joints is taken out"},
          [](auto& o) -> auto& { return o.projection; }),
      number_row<O>(
          {.key = "smoothing_speed",
           .unit = "m/s",
           .range = positive,
           .meaning = "dry friction of joints is full there"},
          [](auto& o) -> auto& { return o.smoothing.speed; }),
      number_row<O>(
          {.key = "smoothing_length",
           .unit = "m",
           .range = positive,
           .meaning = "a preload is full there",
           .formerly = "smoothing_way"},
          [](auto& o) -> auto& { return o.smoothing.length; }),
  };
  return rows;
}

CompliantOptions compliant_options(const Options& chosen, const SystemInfo& info) {
  CompliantOptions o = options_from("compliant", compliant_option_rows(), chosen);
  const double relative = o.relative_tolerance;
  if (!find_option(chosen, "position_tolerance"))
    o.position_tolerance = 0.01 * relative * info.length;
  if (!find_option(chosen, "angle_tolerance")) o.angle_tolerance = 0.01 * relative;
  if (!find_option(chosen, "speed_tolerance")) o.speed_tolerance = relative * info.length;
  if (!find_option(chosen, "angular_speed_tolerance")) o.angular_speed_tolerance = relative;
  validate(o);
  return o;
}

}  // namespace backlash

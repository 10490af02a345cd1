// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/moreau_options.h"

#include "backlash/integrators/moreau/automatic_steps.h"

namespace backlash {
namespace {

constexpr NumberRange positive{NumberRange::Kind::positive};

std::vector<std::string_view> solver_names() {
  std::vector<std::string_view> names;
  for (const SolverEntry& solver : solver_table()) names.push_back(solver.name);
  return names;
}

}  // namespace

const OptionRows<MoreauOptions>& moreau_option_rows() {
  using O = MoreauOptions;
  static const OptionRows<O> rows{
      number_or_word_row<O>(
          {.key = "step",
           .unit = "s",
           .range = positive,
           .meaning = "length of a step; auto: as the motion needs it"},
          "auto", [](auto& o) -> auto& { return o.step; },
          [](auto& o) -> auto& { return o.automatic_step; }),
      number_row<O>(
          {.key = "step_tolerance",
           .range = positive,
           .meaning = "error of the positions that a step may make, as a part of the model's "
                      "length; of angles in rad",
           .only_with = {"step", "auto"}},
          [](auto& o) -> auto& { return o.step_tolerance; }),
      number_row<O>(
          {.key = "max_step",
           .unit = "s",
           .range = positive,
           .meaning = "the longest step",
           .only_with = {"step", "auto"}},
          [](auto& o) -> auto& { return o.max_step; }),
      number_row<O>(
          {.key = "min_step",
           .unit = "s",
           .range = positive,
           .fallback = "step_tolerance*max_step",
           .meaning = "the shortest step, which is taken whatever its error",
           .only_with = {"step", "auto"}},
          [](auto& o) -> auto& { return o.min_step; }),
      max_steps_row<O>({"step", "auto"}),
      choice_row<O>(
          {.key = "solver", .meaning = "of the contact problems"}, solver_names(),
          [](auto& o) -> auto& { return o.solver; }),
      choice_row<O>(
          {.key = "scheme", .meaning = "explicit in the forces, or implicit for stiff ones"},
          std::vector{Scheme::midpoint, Scheme::theta}, [](auto& o) -> auto& { return o.scheme; }),
      choice_row<O>(
          {.key = "contact_scheme",
           .meaning = "lasting: second order while contact lasts; original: as papers print it",
           .only_with = {"scheme", "midpoint"}},
          std::vector{ContactScheme::lasting, ContactScheme::original},
          [](auto& o) -> auto& { return o.contact_scheme; }),
      choice_row<O>(
          {.key = "force_velocity",
           .meaning = "at which velocity forces are evaluated; start as papers print it",
           .only_with = {"scheme", "midpoint"}},
          std::vector{ForceVelocity::midpoint, ForceVelocity::start},
          [](auto& o) -> auto& { return o.force_velocity; }),
      number_row<O>(
          {.key = "theta",
           .range = {NumberRange::Kind::between, 0.5, 1},
           .meaning = "0.5: second order; 1: most damping",
           .only_with = {"scheme", "theta"}},
          [](auto& o) -> auto& { return o.theta; }),
      number_row<O>(
          {.key = "tolerance",
           .range = positive,
           .meaning = "residual velocity that the solver may leave, as a part of the velocities of "
                      "the contact problem",
           .formerly = "tol"},
          [](auto& o) -> auto& { return o.solver_options.tolerance; }),
      integer_row<O>(
          {.key = "max_iterations",
           .range = {NumberRange::Kind::between, 1, 1e9},
           .meaning = "of the solver"},
          [](auto& o) -> auto& { return o.solver_options.max_iterations; }),
      number_row<O>(
          {.key = "penetration_limit",
           .unit = "m",
           .range = positive,
           .fallback = "none",
           .meaning = "deeper penetration is projected to this depth; an angle counts by its arc "
                      "at the size of the model"},
          [](auto& o) -> auto& { return o.penetration_limit; }),
  };
  return rows;
}

MoreauOptions moreau_options(const Options& chosen) {
  MoreauOptions options = options_from("moreau", moreau_option_rows(), chosen);
  validate(options);
  if (options.automatic_step) options.min_step = min_step(options);
  return options;
}

std::string_view name(Scheme scheme) { return scheme == Scheme::midpoint ? "midpoint" : "theta"; }

std::string_view name(ContactScheme scheme) {
  return scheme == ContactScheme::lasting ? "lasting" : "original";
}

std::string_view name(ForceVelocity velocity) {
  return velocity == ForceVelocity::midpoint ? "midpoint" : "start";
}

}  // namespace backlash

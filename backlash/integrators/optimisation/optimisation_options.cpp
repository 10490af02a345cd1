// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/optimisation/optimisation_options.h"

#include "backlash/base/input_error.h"

namespace backlash {

const OptionRows<OptimisationOptions>& optimisation_option_rows() {
  using O = OptimisationOptions;
  constexpr NumberRange positive{NumberRange::Kind::positive};
  static const OptionRows<O> rows{
      number_row<O>(
          {.key = "step",
           .unit = "s",
           .range = positive,
           .meaning = "length of a step",
           .only_with = {"step_control", "fixed"}},
          [](auto& o) -> auto& { return o.step; }),
      choice_row<O>(
          {.key = "step_control",
           .meaning = "fixed: equal steps; free: the optimiser chooses them within bounds"},
          std::vector{StepControl::fixed, StepControl::free},
          [](auto& o) -> auto& { return o.step_control; }),
      number_row<O>(
          {.key = "min_step",
           .unit = "s",
           .range = positive,
           .meaning = "the shortest step",
           .only_with = {"step_control", "free"}},
          [](auto& o) -> auto& { return o.min_step; }),
      number_row<O>(
          {.key = "max_step",
           .unit = "s",
           .range = positive,
           .meaning = "the longest step",
           .only_with = {"step_control", "free"}},
          [](auto& o) -> auto& { return o.max_step; }),
      number_row<O>(
          {.key = "step_preference",
           .range = positive,
           .meaning = "what a long step is worth beside forces of contact that are small; the "
                      "smaller, the nearer steps end at the beginning of a contact",
           .only_with = {"step_control", "free"}},
          [](auto& o) -> auto& { return o.step_preference; }),
      max_steps_row<O>(),
      choice_row<O>(
          {.key = "optimiser",
           .meaning = "ipopt: interior points; slsqp: sequential quadratic programming, which "
                      "takes a tenth of the "
                      "time in small models"},
          std::vector{Optimiser::ipopt, Optimiser::slsqp},
          [](auto& o) -> auto& { return o.optimiser; }),
      choice_row<O>(
          {.key = "warm_start",
           .meaning = "active_set: steps in which the same contacts touch and stick as in the last "
                      "one are solved by Newton's method, and the others by the optimiser; point: "
                      "the optimiser in every step with contacts, from the forces of the last one"},
          std::vector{WarmStart::active_set, WarmStart::point},
          [](auto& o) -> auto& { return o.warm_start; }),
      choice_row<O>(
          {.key = "impacts",
           .meaning = "law: bodies bounce by the restitution of their law; plastic: they do not"},
          std::vector{Impacts::law, Impacts::plastic}, [](auto& o) -> auto& { return o.impacts; }),
      number_row<O>(
          {.key = "relaxation",
           .range = positive,
           .meaning = "of complementarity, when the optimiser ends: scaled products of gaps and "
                      "forces; Newton's method then makes it exact"},
          [](auto& o) -> auto& { return o.relaxation; }),
      number_row<O>(
          {.key = "optimiser_tolerance",
           .range = positive,
           .meaning = "of the optimiser, on its scaled conditions"},
          [](auto& o) -> auto& { return o.tolerance; }),
      integer_row<O>(
          {.key = "optimiser_iterations",
           .range = {NumberRange::Kind::between, 1, 1e9},
           .meaning = "of the optimiser"},
          [](auto& o) -> auto& { return o.max_iterations; }),
  };
  return rows;
}

OptimisationOptions optimisation_options(const Options& chosen) {
  const OptimisationOptions options =
      options_from("optimisation", optimisation_option_rows(), chosen);
  const Option* bound = find_option(chosen, "max_step");
  if (!bound) bound = find_option(chosen, "min_step");
  try {
    validate(options);
  } catch (const InputError& error) {  // each option was in its range when it was read
    throw InputError(bound ? bound->where : SourceLocation{}, error.message());
  }
  return options;
}

std::string_view name(StepControl control) {
  return control == StepControl::fixed ? "fixed" : "free";
}

std::string_view name(Optimiser optimiser) {
  return optimiser == Optimiser::ipopt ? "ipopt" : "slsqp";
}

std::string_view name(WarmStart start) {
  return start == WarmStart::active_set ? "active_set" : "point";
}

std::string_view name(Impacts impacts) { return impacts == Impacts::law ? "law" : "plastic"; }

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "backlash/check/lints.h"
#include "backlash/integrators/integrator_table.h"

namespace backlash {

void find_idle_rows(const Model& model, Findings& findings) {
  constexpr double rounding = 1 - 1e-9;
  const double every = model.output.every.value_or(0), step = equal_step(model.simulation);
  if (every == 0 || step == 0 || every >= rounding * step) return;
  findings.push_back(
      {.severity = Severity::warning,
       .item = "output",
       .where = model.output.where,
       .message = fmt::format("a row every {:g} s, {:.3g} of them in each step of {:g} s: rows "
                              "within a step are interpolated",
                              every, step / every, step),
       .advice = "'every: step' writes all that is computed; for more, take shorter steps"});
}

}  // namespace backlash

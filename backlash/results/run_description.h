// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "backlash/model/model_text.h"
#include "backlash/model/plot_set.h"
#include "backlash/scene/scene.h"

namespace backlash {

/// A value with a name: an option of a run, or a parameter of its model.
struct NamedValue {
  std::string name;
  std::variant<double, std::int64_t, std::string> value;
  bool operator==(const NamedValue&) const = default;
};

/// When and how a run was asked for, from who knows; empty: not known.
struct Provenance {
  std::string date{};     ///< of its begin, as in 2026-01-31T12:00:00Z
  std::string command{};  ///< as it can be typed again
};

/// What a result says of the run that it comes from, so that the run can be repeated.
struct RunDescription {
  std::string title{};
  std::vector<ModelText> model{};        ///< the main file first; empty: a built-in mechanism
  std::vector<NamedValue> options{};     ///< method, solver, step, …
  std::vector<NamedValue> parameters{};  ///< of the model, SI, as they were in this run
  Scene scene{};                         ///< what it looks like; empty: not known
  std::vector<PlotSet> plots{};          ///< that the model names
  double expected_rows = 0;              ///< of output; 0: not known
  Provenance provenance{};
};

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/model/plot_set.h"

namespace backlash {

/// Sets of plots as results.h5 holds them: {"<set>": [{"name", "title", "x", "y": [...]}, ...]}.
std::string plots_json(const std::vector<PlotSet>& sets);

/// Throws InputError for what is none.
std::vector<PlotSet> parse_plots(const std::string& text);

}  // namespace backlash

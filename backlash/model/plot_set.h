// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace backlash {

/// Channels of the results over the time, or over another channel.
struct PlotDescription {
  std::string name{};
  std::string title{};
  std::string x{};               ///< a channel; empty: the time
  std::vector<std::string> y{};  ///< channels; `*` stands for any letters
  bool operator==(const PlotDescription&) const = default;
};

/// Plots that belong together, such as the figures of a paper.
struct PlotSet {
  std::string name{};
  std::vector<PlotDescription> plots{};
  bool operator==(const PlotSet&) const = default;
};

}  // namespace backlash

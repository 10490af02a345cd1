// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backlash/base/number_range.h"
#include "backlash/model/options.h"

/// What options a method has. The model file, its schema and reference, the command line and the
/// summary of a run all follow from this.
namespace backlash {

struct OptionInfo {
  enum class Kind { number, integer, flag, choice };

  std::string key{};
  Kind kind = Kind::number;
  std::string unit{};                  ///< of a number, in SI: "m/s"; empty: a plain number
  NumberRange range{};                 ///< of a number or an integer
  std::vector<std::string> choices{};  ///< of a choice; of a number: words in its place
  std::string fallback{};              ///< what holds without it: "1e-4", "auto"
  std::string meaning{};
  std::string formerly{};  ///< the key under which it was known
  /// It has a use only if the choice of that key is this one; an empty key: always.
  struct Condition {
    std::string key{}, choice{};
  } only_with{};
};

/// The option of that key, or null.
const OptionInfo* find_option(std::span<const OptionInfo> options, std::string_view key);

/// Whether an option has a use beside those that were chosen.
bool applies(const OptionInfo& option, std::span<const OptionInfo> all, const Options& chosen);

/// Throws InputError for the first that the method of that name has no use for.
void check_options(std::string_view method, std::span<const OptionInfo> all, const Options& chosen);

/// Without those that the method has no use for.
Options applicable(std::span<const OptionInfo> all, const Options& chosen);

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/option_info.h"

#include <algorithm>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"

namespace backlash {
namespace {

/// What is chosen of a choice.
std::string choice_of(std::string_view key, std::span<const OptionInfo> all,
                      const Options& chosen) {
  if (const Option* option = find_option(chosen, key)) return to_string(option->value);
  const OptionInfo* info = find_option(all, key);
  return info ? info->fallback : std::string();
}

[[noreturn]] void fail(const Option& option, const std::string& message) {
  const std::string where = to_string(option.where);
  throw InputError(where.empty() ? fmt::format("option '{}': {}", option.key, message)
                                 : fmt::format("{}: {}", where, message));
}

}  // namespace

const OptionInfo* find_option(std::span<const OptionInfo> options, std::string_view key) {
  const auto found = std::ranges::find(options, key, &OptionInfo::key);
  return found == options.end() ? nullptr : &*found;
}

bool applies(const OptionInfo& option, std::span<const OptionInfo> all, const Options& chosen) {
  const auto& [key, choice] = option.only_with;
  return key.empty() || choice_of(key, all, chosen) == choice;
}

void check_options(std::string_view method, std::span<const OptionInfo> all,
                   const Options& chosen) {
  for (const Option& option : chosen) {
    const OptionInfo* info = find_option(all, option.key);
    if (!info) {
      std::vector<std::string> names;
      for (const OptionInfo& known : all) names.push_back(known.key);
      fail(option, fmt::format("the method {} has no option '{}'{}", method, option.key,
                               did_you_mean(option.key, names)));
    }
    if (applies(*info, all, chosen)) continue;
    const auto& [key, choice] = info->only_with;
    fail(option, fmt::format("it has a use only with {}: {}, and {} is {}; remove it, or choose "
                             "{}: {}",
                             key, choice, key, choice_of(key, all, chosen), key, choice));
  }
}

Options applicable(std::span<const OptionInfo> all, const Options& chosen) {
  Options kept;
  for (const Option& option : chosen) {
    const OptionInfo* info = find_option(all, option.key);
    if (info && applies(*info, all, chosen)) kept.push_back(option);
  }
  return kept;
}

}  // namespace backlash

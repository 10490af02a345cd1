// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/integrators/option_info.h"

/// From the options of a method to the struct that the method takes, and back. Each method has one
/// table of these rows, which is the only place that knows both.
namespace backlash {

/// An option, and where it is in the struct of its method.
template <class O>
struct OptionRow {
  OptionInfo info{};
  std::function<void(const OptionValue&, O&)> set{};
  std::function<OptionValue(const O&)> get{};
};

template <class O>
using OptionRows = std::vector<OptionRow<O>>;

/// The value as a T; else throws InputError.
template <class T>
T value_as(const OptionInfo& info, const OptionValue& value) {
  if (const T* exact = std::get_if<T>(&value)) return *exact;
  if constexpr (std::is_same_v<T, double>)
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  throw InputError(fmt::format("option '{}' cannot be {}", info.key, to_string(value)));
}

/// The fallback is what the struct says, unless the row says something else.
template <class O>
OptionRow<O> with_fallback(OptionRow<O> row) {
  if (row.info.fallback.empty()) row.info.fallback = to_string(row.get(O{}));
  return row;
}

/// Of a field, as field(options) gives it: [](auto& o) -> auto& { return o.theta; }.
template <class O, class Field>
OptionRow<O> number_row(OptionInfo info, Field field) {
  info.kind = OptionInfo::Kind::number;
  return with_fallback<O>(
      {info, [=](const OptionValue& v, O& o) { field(o) = value_as<double>(info, v); },
       [=](const O& o) { return OptionValue(field(o)); }});
}

/// A number, or a word in its place, as chosen(options) says.
template <class O, class Field, class Chosen>
OptionRow<O> number_or_word_row(OptionInfo info, const std::string& word, Field field,
                                Chosen chosen) {
  info.kind = OptionInfo::Kind::number;
  info.choices = {word};
  return with_fallback<O>(
      {info,
       [=](const OptionValue& v, O& o) {
         const auto* text = std::get_if<std::string>(&v);
         chosen(o) = text && *text == word;
         if (!chosen(o)) field(o) = value_as<double>(info, v);
       },
       [=](const O& o) { return chosen(o) ? OptionValue(word) : OptionValue(field(o)); }});
}

template <class O, class Field>
OptionRow<O> integer_row(OptionInfo info, Field field) {
  info.kind = OptionInfo::Kind::integer;
  return with_fallback<O>({info,
                           [=](const OptionValue& v, O& o) {
                             field(o) = static_cast<int>(value_as<std::int64_t>(info, v));
                           },
                           [=](const O& o) { return OptionValue(std::int64_t{field(o)}); }});
}

template <class O, class Field>
OptionRow<O> flag_row(OptionInfo info, Field field) {
  info.kind = OptionInfo::Kind::flag;
  return with_fallback<O>({info,
                           [=](const OptionValue& v, O& o) { field(o) = value_as<bool>(info, v); },
                           [=](const O& o) { return OptionValue(bool{field(o)}); }});
}

/// Of names themselves.
inline std::string_view name(std::string_view text) { return text; }

/// One of several, each with a name().
template <class O, class Choice, class Field>
OptionRow<O> choice_row(OptionInfo info, std::vector<Choice> all, Field field) {
  info.kind = OptionInfo::Kind::choice;
  for (const Choice& choice : all) info.choices.emplace_back(name(choice));
  return with_fallback<O>({info,
                           [=](const OptionValue& v, O& o) {
                             const std::string text = to_string(v);
                             for (const Choice& choice : all)
                               if (text == name(choice)) {
                                 field(o) = choice;
                                 return;
                               }
                             throw InputError(fmt::format("option '{}' must be one of {}, is '{}'",
                                                          info.key, fmt::join(info.choices, ", "),
                                                          text));
                           },
                           [=](const O& o) { return OptionValue(std::string(name(field(o)))); }});
}

/// Of every method whose steps may become short: see ReachWatch.
template <class O>
OptionRow<O> max_steps_row(OptionInfo::Condition only_with = {}) {
  return number_row<O>(
      {.key = "max_steps",
       .range = {NumberRange::Kind::positive},
       .meaning = "a run ends where more steps than that are left at the pace of the last ones",
       .only_with = only_with},
      [](auto& o) -> auto& { return o.max_steps; });
}

template <class O>
std::vector<OptionInfo> infos(const OptionRows<O>& rows) {
  std::vector<OptionInfo> all;
  for (const OptionRow<O>& row : rows) all.push_back(row.info);
  return all;
}

/// The struct, from what was chosen. Throws InputError for what the method has no use for.
template <class O>
O options_from(std::string_view method, const OptionRows<O>& rows, const Options& chosen) {
  check_options(method, infos(rows), chosen);
  O options;
  for (const OptionRow<O>& row : rows)
    if (const Option* option = find_option(chosen, row.info.key)) row.set(option->value, options);
  return options;
}

/// All that apply, as they are in the struct; infinite ones are none.
template <class O>
Options all_options(const OptionRows<O>& rows, const O& options) {
  Options all;
  for (const OptionRow<O>& row : rows)
    all.push_back({.key = row.info.key, .value = row.get(options)});
  all = applicable(infos(rows), all);
  std::erase_if(all, [](const Option& option) {
    const double* number = std::get_if<double>(&option.value);
    return number && !std::isfinite(*number);
  });
  return all;
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backlash/base/source_location.h"
#include "backlash/io/model/yaml_document.h"

/// Slips that people make in YAML and in numbers, recognised so that messages can say what is
/// meant.
namespace backlash::reading {

/// What is wrong with a key that a mapping does not have, if it is one of these slips: `mass:0.1`,
/// a decimal comma, a formula with commas and no quotes, a merge key. Else empty.
std::string slip_in_key(const YamlNode& mapping, std::size_t index,
                        std::span<const std::string> known);

/// The key of a kind of mapping that a word for it stands for, which others use or which is a key
/// elsewhere: `mu` of friction; empty if none is known. `what` is "friction".
std::string key_for(std::string_view what, std::string_view word,
                    std::span<const std::string> known);

/// "; write 0.1, not 0,1" for a number with a decimal comma, and what a formula needs that a comma
/// has cut; else empty.
std::string slip_in_number(const YamlNode& number);

/// "; a formula with commas needs quotes" for a list that a formula fell into; else empty.
std::string slip_in_list(const YamlNode& list);

/// "; a unit has no spaces about '/': N/mm" for a unit, or one with a power, that stands where a
/// parameter could; else empty.
std::string slip_in_name(std::string_view word);

/// "; 'N' is the unit here: as 360 deg / N it is the parameter" for a unit in a formula that has
/// the name of a parameter; else empty.
std::string slip_in_unit_if(std::string_view formula,
                            const std::function<bool(std::string_view)>& is_parameter);
template <class Parameters>
std::string slip_in_unit(std::string_view formula, const Parameters& parameters) {
  return slip_in_unit_if(formula, [&](std::string_view word) { return parameters.contains(word); });
}

/// "; for example {gap: 0.1 mm, law: steel}" for kinds of mapping that are easily taken for a
/// value; else empty. `what` is "a clearance".
std::string example_of(std::string_view what);

/// [x, y] where two points are expected: two scalars that are not both names.
bool looks_like_one_point(const YamlNode& node);

/// What is wrong with a text that is not YAML, and where it began.
struct YamlSlip {
  int line = 0, column = 0;  ///< from 1
  std::string message{};
};

/// Quotes that are not closed, which the parser takes for a text up to the end of the file.
std::optional<YamlSlip> find_open_quote(std::string_view text);

/// A key that is longer than YAML's keys are, which the parser takes for something else.
std::optional<YamlSlip> find_long_key(std::string_view text);

/// `line` and `column`, from 1, are where the parser gave up, and `complaint` is what it said.
YamlSlip find_yaml_slip(std::string_view text, int line, int column, const std::string& complaint);

}  // namespace backlash::reading

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/option_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace backlash {
namespace reading {
namespace {

Dimension dimension_of_unit(std::string_view unit) {
  return unit.empty() ? dimensions::none : read_unit(unit).dimension;
}

/// A text of the command line as a value of a file.
template <class Read>
auto with_value(const std::string& text, const std::string& name, Read read) {
  const YamlNode node{
      .kind = YamlNode::Kind::scalar, .text = text, .file = std::make_shared<const std::string>()};
  Context context;
  return read(Value(node, context, name));
}

}  // namespace

Dimension dimension_of(const OptionInfo& option) { return dimension_of_unit(option.unit); }

OptionValue read_option(const OptionInfo& option, const Value& value) {
  switch (option.kind) {
    case OptionInfo::Kind::number:
      if (value.is_scalar() &&
          std::ranges::find(option.choices, value.text()) != option.choices.end())
        return value.text();
      return value.number(dimension_of(option), option.range);
    case OptionInfo::Kind::integer:
      return std::int64_t{value.integer(static_cast<int>(option.range.lower),
                                        static_cast<int>(option.range.upper))};
    case OptionInfo::Kind::flag:
      return value.flag();
    case OptionInfo::Kind::choice:
      break;
  }
  const std::vector<std::string_view> choices(option.choices.begin(), option.choices.end());
  return std::string(choices[value.choice(choices)]);
}

}  // namespace reading

std::string command_line_name(std::string_view key) {
  std::string name = fmt::format("--{}", key);
  std::ranges::replace(name, '_', '-');
  return name;
}

Option parse_option(const OptionInfo& option, const std::string& text) {
  const std::string name = command_line_name(option.key);
  return {.key = option.key,
          .value = reading::with_value(
              text, name,
              [&](const reading::Value& value) { return reading::read_option(option, value); }),
          .where = {.path = name}};
}

double parse_quantity(const std::string& text, std::string_view unit, const NumberRange& range,
                      const std::string& name) {
  return reading::with_value(text, name, [&](const reading::Value& value) {
    return value.number(reading::dimension_of_unit(unit), range);
  });
}

}  // namespace backlash

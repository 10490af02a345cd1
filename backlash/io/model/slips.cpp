// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/slips.h"

#include <algorithm>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/units.h"

namespace backlash::reading {
namespace {

bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}
bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}
bool ends_with_digit(std::string_view text) { return !text.empty() && is_digit(text.back()); }

/// More '(' than ')'.
bool is_open(std::string_view text) {
  return std::ranges::count(text, '(') > std::ranges::count(text, ')');
}

constexpr std::string_view quotes_needed =
    "a formula with commas needs quotes inside of [ ] and { }: \"if(t < 1, 5, 0)\"";

/// Whether the text ends with a unit that follows a number: "2*360 deg", "5 N*m".
bool ends_with_unit(std::string_view text) {
  const auto belongs = [](char c) {
    return is_letter(c) || is_digit(c) || c == '^' || c == '/' || c == '*';
  };
  std::size_t begin = text.size();
  while (begin > 0 && belongs(text[begin - 1])) --begin;
  while (begin < text.size() && is_digit(text[begin])) ++begin;
  if (begin == text.size() || !is_letter(text[begin])) return false;
  const std::size_t before = text.substr(0, begin).find_last_not_of(' ');
  return before != std::string_view::npos && is_digit(text[before]);
}

/// An entry without a value, such as commas in a mapping make.
bool is_bare(const YamlEntry& entry) {
  return entry.value && entry.value->kind == YamlNode::Kind::empty;
}

/// Whether an entry stands behind a formula that a comma has cut.
bool is_rest_of_formula(const YamlNode& mapping, std::size_t index) {
  while (index > 0 && is_bare(mapping.entries[index])) --index;
  const YamlEntry& first = mapping.entries[index];
  return first.value && is_open(first.value->text);
}

struct LookAlike {
  std::string_view sign, meant;
};
/// Signs that texts which were copied from a page have in numbers.
constexpr LookAlike look_alikes[] = {
    {"\u00a0", "there is a no-break space in it: write a plain one"},
    {"\u202f", "there is a narrow no-break space in it: write a plain one"},
    {"\u2009", "there is a thin space in it: write a plain one"},
    {"\u2212", "there is the minus sign of print in it: write the hyphen '-'"},
    {"\u2013", "there is a dash in it: write the hyphen '-'"},
};

struct Example {
  std::string_view what, text;
};
constexpr Example examples[] = {
    {"a clearance", "clearance: {gap: 0.1 mm, law: steel}"},
    {"a drive", "drive: {speed: 300 rpm}"},
    {"limits", "limits: {lower: 0, upper: 90 deg, law: steel}"},
    {"friction", "friction: {coefficient: 0.1, radius: 10 mm}"},
    {"an initial motion", "initial: {position: [0, 0], velocity: [1 m/s, 0]}"},
    {"a shape", "shape: {circle: 20 mm}"},
    {"a body", "{mass: 0.1 kg, inertia: 1e-4 kg m^2}"},
    {"a law", "{restitution: 0.4, friction: 0.1}"},
    {"a state", "{rate: (12 - 2*current)/0.01, initial: 0}"},
    {"a point", "{body: rod, at: [50 mm, 0]}"},
    {"an event", "{when: main.u > 300, deactivate: [motor]}"},
    {"a contact", "{between: [ground, ball], law: steel}"},
    {"a joint", "{type: revolute, between: [ground, crank]}"},
    {"a force", "{type: joint_spring, joint: main, stiffness: 20 N m/rad}"},
};

/// What a key is called in other programs, or elsewhere in the file.
struct OtherWord {
  std::string_view what, word, key;
};
constexpr OtherWord other_words[] = {
    {"a body", "m", "mass"},
    {"a body", "J", "inertia"},
    {"a body", "moment_of_inertia", "inertia"},
    {"a body", "center_of_mass", "com"},
    {"a body", "cog", "com"},
    {"a clearance", "play", "gap"},
    {"a clearance", "radius", "journal_radius"},
    {"a contact", "bodies", "between"},
    {"a contact", "material", "law"},
    {"a drive", "velocity", "speed"},
    {"a drive", "rpm", "speed"},
    {"a drive", "angle", "position"},
    {"a law", "mu", "friction"},
    {"a law", "coefficient_of_restitution", "restitution"},
    {"a model", "actuators", "forces"},
    {"a model", "constants", "parameters"},
    {"a model", "constraints", "joints"},
    {"a model", "couplings", "joints"},
    {"a model", "dampers", "forces"},
    {"a model", "functions", "tables"},
    {"a model", "loads", "forces"},
    {"a model", "materials", "laws"},
    {"a model", "motors", "forces"},
    {"a model", "options", "simulation"},
    {"a model", "settings", "simulation"},
    {"a model", "solver", "simulation"},
    {"a model", "springs", "forces"},
    {"a model", "variables", "parameters"},
    {"a point", "position", "at"},
    {"a state", "derivative", "rate"},
    {"a state", "start", "initial"},
    {"a state", "value", "initial"},
    {"an event", "condition", "when"},
    {"an event", "disable", "deactivate"},
    {"an event", "enable", "activate"},
    {"an event", "end", "stop"},
    {"an event", "if", "when"},
    {"an event", "time", "at"},
    {"an event", "trigger", "when"},
    {"an event", "unlock", "release"},
    {"friction", "dynamic", "kinetic"},
    {"friction", "length", "radius"},
    {"friction", "mu", "coefficient"},
    {"friction", "radius", "length"},
    {"output", "dt", "every"},
    {"output", "interval", "every"},
    {"output", "step", "every"},
};

}  // namespace

std::string key_for(std::string_view what, std::string_view word,
                    std::span<const std::string> known) {
  for (const auto& [of, other, key] : other_words)
    if (of == what && other == word && std::ranges::find(known, key) != known.end())
      return std::string(key);
  return {};
}

std::string slip_in_number(const YamlNode& number) {
  const std::string& text = number.text;
  if (is_open(text) && !number.quoted) return fmt::format("; {}", quotes_needed);
  for (const auto& [sign, meant] : look_alikes)
    if (text.find(sign) != std::string::npos) return fmt::format("; {}", meant);
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || comma == 0 || comma + 1 >= text.size()) return {};
  if (!is_digit(text[comma - 1]) || !is_digit(text[comma + 1])) return {};
  std::string right = text;
  right[comma] = '.';
  return fmt::format("; decimals have a point: {}", right);
}

std::string slip_in_list(const YamlNode& list) {
  const auto open = [](const auto& item) { return is_open(item->text); };
  if (std::ranges::any_of(list.items, open)) return fmt::format("; {}", quotes_needed);
  return {};
}

std::string slip_in_key(const YamlNode& mapping, std::size_t index,
                        std::span<const std::string> known) {
  const YamlEntry& entry = mapping.entries[index];
  if (entry.key == "<<")
    return "merge keys (<<) are not supported; write the keys, or include a file";
  const std::size_t colon = entry.key.find(':');
  if (colon != std::string::npos &&
      std::ranges::find(known, entry.key.substr(0, colon)) != known.end())
    return fmt::format("there is no space after the colon in '{}'; write '{}: {}'", entry.key,
                       entry.key.substr(0, colon), entry.key.substr(colon + 1));
  if (index == 0 || !is_bare(entry)) return {};
  if (is_rest_of_formula(mapping, index)) return std::string(quotes_needed);
  const YamlEntry& before = mapping.entries[index - 1];
  const bool scalar = before.value && before.value->kind == YamlNode::Kind::scalar;
  if (scalar && all_digits(entry.key.substr(0, 1)) && ends_with_digit(before.value->text))
    return fmt::format("decimals have a point: '{}: {}.{}', not '{},{}'", before.key,
                       before.value->text, entry.key, before.value->text, entry.key);
  return {};
}

std::string slip_in_name(std::string_view word) {
  const std::size_t letters =
      static_cast<std::size_t>(std::ranges::find_if(word, is_digit) - word.begin());
  try {
    if (read_unit(word.substr(0, letters)).length != letters) return {};
  } catch (const InputError&) {
    return {};
  }
  if (letters == word.size())
    return fmt::format(
        "; the unit '{}' belongs to a number: a unit has no spaces about '/' and '*', as in N/mm",
        word);
  if (!all_digits(word.substr(letters))) return {};
  return fmt::format("; powers of units are written with ^: {}^{}", word.substr(0, letters),
                     word.substr(letters));
}

std::string slip_in_unit_if(std::string_view formula,
                            const std::function<bool(std::string_view)>& is_parameter) {
  for (std::size_t i = 1; i + 1 < formula.size(); ++i) {
    const char sign = formula[i];
    if ((sign != '/' && sign != '*') || !ends_with_unit(formula.substr(0, i))) continue;
    std::size_t end = i + 1;
    while (end < formula.size() && is_letter(formula[end])) ++end;
    const std::string_view word = formula.substr(i + 1, end - i - 1);
    if (word.empty() || !is_parameter(word)) continue;
    return fmt::format("; '{}' is the unit here: with spaces, as in {} {} {}, it is the parameter",
                       word, formula.substr(0, i), sign, formula.substr(i + 1));
  }
  return {};
}

std::string example_of(std::string_view what) {
  const auto found = std::ranges::find(examples, what, &Example::what);
  return found == std::end(examples) ? std::string() : fmt::format("; for example {}", found->text);
}

bool looks_like_one_point(const YamlNode& node) {
  const auto scalar = [](const auto& item) { return item->kind == YamlNode::Kind::scalar; };
  const auto name = [](const auto& item) { return is_identifier(item->text); };
  return node.kind == YamlNode::Kind::list && node.items.size() == 2 &&
         std::ranges::all_of(node.items, scalar) && !std::ranges::all_of(node.items, name);
}

}  // namespace backlash::reading

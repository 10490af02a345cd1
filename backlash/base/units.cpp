// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "backlash/base/nearest_name.h"

namespace backlash {
namespace {

namespace dim = dimensions;
using std::numbers::pi;

constexpr Dimension pressure{.kg = 1, .m = -1, .s = -2}, watt{.kg = 1, .m = 2, .s = -3},
    impulse{.kg = 1, .m = 1, .s = -1}, volume{.m = 3}, angular_acceleration{.s = -2, .rad = 1},
    angular_momentum{.kg = 1, .m = 2, .s = -1}, hertz_stiffness{.kg = 1, .m = -0.5, .s = -2},
    ampere{.A = 1}, volt{.kg = 1, .m = 2, .s = -3, .A = -1}, ohm{.kg = 1, .m = 2, .s = -3, .A = -2},
    henry{.kg = 1, .m = 2, .s = -2, .A = -2}, farad{.kg = -1, .m = -2, .s = 4, .A = 2};

constexpr double pound = 0.45359237, inch = 0.0254, standard_gravity = 9.80665;

constexpr UnitName units[] = {
    {"m", 1, dim::length, true},
    {"in", inch, dim::length, false},
    {"ft", 12 * inch, dim::length, false},
    {"g", 1e-3, dim::mass, true},
    {"t", 1e3, dim::mass, false},
    {"lb", pound, dim::mass, false},
    {"s", 1, dim::time, true},
    {"min", 60, dim::time, false},
    {"h", 3600, dim::time, false},
    {"rad", 1, dim::angle, true},
    {"deg", pi / 180, dim::angle, false},
    {"°", pi / 180, dim::angle, false},
    {"rev", 2 * pi, dim::angle, false},
    {"turn", 2 * pi, dim::angle, false},
    {"rpm", pi / 30, dim::angular_velocity, false},
    {"Hz", 1, dim::frequency, true},
    {"N", 1, dim::force, true},
    {"lbf", pound* standard_gravity, dim::force, false},
    {"kgf", standard_gravity, dim::force, false},
    {"Nm", 1, dim::torque, true},
    {"Nmm", 1e-3, dim::torque, false},
    {"Ns", 1, impulse, false},
    {"J", 1, dim::torque, true},
    {"W", 1, watt, true},
    {"Pa", 1, pressure, true},
    {"bar", 1e5, pressure, false},
    {"psi", pound* standard_gravity / (inch * inch), pressure, false},
    {"A", 1, ampere, true},
    {"V", 1, volt, true},
    {"ohm", 1, ohm, true},
    {"Ω", 1, ohm, true},
    {"H", 1, henry, true},
    {"F", 1, farad, true},
    {"%", 0.01, dim::none, false},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6}, {"μ", 1e-6}, {"m", 1e-3},
                               {"c", 1e-2}, {"d", 1e-1}, {"k", 1e3},  {"M", 1e6},  {"G", 1e9}};

struct DimensionEntry {
  Dimension dimension;
  std::string_view name;
  std::string_view si;
};
constexpr DimensionEntry dimension_table[] = {
    {dim::none, "plain number", ""},
    {dim::length, "length", "m"},
    {dim::mass, "mass", "kg"},
    {dim::time, "time", "s"},
    {dim::angle, "angle", "rad"},
    {dim::area, "area", "m^2"},
    {volume, "volume", "m^3"},
    {dim::velocity, "velocity", "m/s"},
    {dim::acceleration, "acceleration", "m/s^2"},
    {dim::angular_velocity, "angular velocity", "rad/s"},
    {angular_acceleration, "angular acceleration", "rad/s^2"},
    {dim::frequency, "frequency", "Hz"},
    {dim::force, "force", "N"},
    {dim::torque, "torque", "N m"},
    {dim::stiffness, "stiffness", "N/m"},
    {dim::torsional_stiffness, "torsional stiffness", "N m/rad"},
    {dim::damping, "damping", "N s/m"},
    {dim::torsional_damping, "torsional damping", "N m s/rad"},
    {dim::inertia, "inertia", "kg m^2"},
    {dim::density, "density", "kg/m^3"},
    {impulse, "impulse", "N s"},
    {angular_momentum, "angular momentum", "N m s"},
    {pressure, "pressure", "Pa"},
    {watt, "power", "W"},
    {hertz_stiffness, "Hertz stiffness", "N/m^1.5"},
    {ampere, "current", "A"},
    {volt, "voltage", "V"},
    {ohm, "resistance", "ohm"},
    {henry, "inductance", "H"},
    {farad, "capacitance", "F"},
    {{.kg = 1, .m = 2, .s = -2, .A = -1}, "torque constant", "N m/A"},
    {{.m = -1}, "inverse length", "1/m"},
    {{.m = -1, .s = 1}, "inverse velocity", "s/m"},
};

bool is_ascii_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

std::optional<Unit> find_unit(std::string_view name) {
  for (const UnitName& unit : units)
    if (unit.name == name) return Unit{unit.factor, unit.dimension};
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const std::string_view rest = name.substr(prefix.name.size());
    for (const UnitName& unit : units)
      if (unit.prefixes && unit.name == rest)
        return Unit{prefix.factor * unit.factor, unit.dimension};
  }
  return std::nullopt;
}

struct Alias {
  std::string_view name, unit;
};
/// What people write; said rather than taken, so that files look alike.
constexpr Alias aliases[] = {
    {"degree", "deg"}, {"degrees", "deg"}, {"radian", "rad"},  {"radians", "rad"},
    {"sec", "s"},      {"secs", "s"},      {"second", "s"},    {"seconds", "s"},
    {"minute", "min"}, {"minutes", "min"}, {"hour", "h"},      {"hours", "h"},
    {"meter", "m"},    {"meters", "m"},    {"metre", "m"},     {"metres", "m"},
    {"inch", "in"},    {"inches", "in"},   {"foot", "ft"},     {"feet", "ft"},
    {"gram", "g"},     {"grams", "g"},     {"kilogram", "kg"}, {"kilograms", "kg"},
    {"newton", "N"},   {"newtons", "N"},   {"Newton", "N"},    {"RPM", "rpm"},
    {"U/min", "rpm"},  {"revs", "rev"},    {"turns", "turn"},  {"Joule", "J"},
    {"joule", "J"},    {"Watt", "W"},      {"watt", "W"},
};

[[noreturn]] void no_unit(std::string_view name) {
  const auto alias = std::ranges::find(aliases, name, &Alias::name);
  if (alias != std::end(aliases))
    throw InputError(fmt::format("there is no unit '{}'; write '{}'", name, alias->unit));
  std::vector<std::string> names;
  for (const UnitName& unit : units) {
    names.emplace_back(unit.name);
    if (unit.prefixes)
      for (const Prefix& prefix : prefixes)
        names.push_back(fmt::format("{}{}", prefix.name, unit.name));
  }
  throw InputError(fmt::format("there is no unit '{}'{}", name, did_you_mean(name, names)));
}

/// Reads names, powers and parentheses; see read_unit().
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  Unit read() {
    Unit unit = product(0);
    unit.length = at_;
    return unit;
  }

 private:
  /// The letters of a unit's name at a place.
  std::string_view word(std::size_t at) const {
    std::size_t end = at;
    for (bool more = true; more && end < text_.size();) {
      more = false;
      if (is_ascii_letter(text_[end]) || text_[end] == '%') {
        ++end;
        more = true;
      }
      for (const std::string_view letter : {"µ", "μ", "°", "Ω"})
        if (text_.substr(end).starts_with(letter)) {
          end += letter.size();
          more = true;
        }
    }
    return text_.substr(at, end - at);
  }

  bool take(std::string_view sign) {
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  Unit product(int depth) {
    if (depth > 8) throw InputError("the unit is too deeply nested");
    Unit result = factor(depth);
    while (true) {
      const std::size_t before = at_;
      const bool divided = take("/"), multiplied = !divided && (take("*") || take("·"));
      if (!divided && !multiplied) skip_spaces();
      const bool enclosed = text_.substr(at_).starts_with("(");
      const bool time = multiplied && word(at_ + (enclosed ? 1 : 0)) ==
                                          "t";  // 50 N/s*t and 5 m*(t - 1 s) are no tonnes
      if (at_ == before || time || !unit_follows()) {
        at_ = before;
        return result;
      }
      const Unit next = factor(depth);
      result.factor = divided ? result.factor / next.factor : result.factor * next.factor;
      result.dimension =
          divided ? result.dimension / next.dimension : result.dimension * next.dimension;
    }
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool unit_follows() const {
    const std::size_t at = at_ + (text_.substr(at_).starts_with("(") ? 1 : 0);
    const std::string_view name = word(at);
    const std::size_t end = at + name.size();
    const bool longer = end < text_.size() && (text_[end] == '_' || text_[end] == '.' ||
                                               ('0' <= text_[end] && text_[end] <= '9'));
    return !longer && !name.empty() && find_unit(name).has_value();
  }

  Unit factor(int depth) {
    Unit unit;
    if (take("(")) {
      unit = product(depth + 1);
      if (!take(")")) not_closed();
    } else {
      const std::string_view name = word(at_);
      const std::optional<Unit> found = find_unit(name);
      if (!found) no_unit(whole_word());
      unit = *found;
      at_ += name.size();
      if (continues_as_name()) no_unit(whole_word(at_ - name.size()));
    }
    const double exponent = take("²") ? 2 : take("³") ? 3 : take("^") ? number() : 1;
    return {std::pow(unit.factor, exponent), power(unit.dimension, exponent)};
  }

  [[noreturn]] void not_closed() const {
    const bool goes_on = at_ < text_.size();
    throw InputError(fmt::format(
        "the unit's '(' is not closed{}",
        goes_on ? "; a '*' or '/' without spaces behind a unit belongs to it: '5 m * (…)' is a "
                  "product"
                : ""));
  }

  bool continues_as_name() const {
    return at_ < text_.size() && (text_[at_] == '_' || ('0' <= text_[at_] && text_[at_] <= '9'));
  }

  std::string_view whole_word() const { return whole_word(at_); }
  std::string_view whole_word(std::size_t at) const {
    return text_.substr(at, std::min(text_.find_first_of(" \t+-*/^(),<>=", at), text_.size()) - at);
  }

  double number() {
    const bool enclosed = take("(");
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || std::abs(value) > 12)
      throw InputError("the power of a unit must be a number between -12 and 12");
    at_ += static_cast<std::size_t>(end - begin);
    if (enclosed && !take(")")) throw InputError("the '(' of the unit's power is not closed");
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.kg + b.kg, a.m + b.m, a.s + b.s, a.rad + b.rad, a.cycle + b.cycle, a.A + b.A};
}

Dimension operator/(const Dimension& a, const Dimension& b) { return a * power(b, -1); }

Dimension power(const Dimension& a, double p) {
  return {p * a.kg, p * a.m, p * a.s, p * a.rad, p * a.cycle, p * a.A};
}

bool fits(const Dimension& found, const Dimension& expected) {
  if (found.kg != expected.kg || found.m != expected.m || found.s != expected.s ||
      found.cycle != expected.cycle || found.A != expected.A)
    return false;
  const bool pure = found.kg == 0 && found.m == 0 && found.s == 0 && found.A == 0;
  return !pure || found.rad == 0 || expected.rad != 0;
}

std::string dimension_name(const Dimension& dimension) {
  for (const DimensionEntry& entry : dimension_table)
    if (entry.dimension == dimension) return std::string(entry.name);
  for (const DimensionEntry& entry : dimension_table)
    if (fits(dimension, entry.dimension)) return std::string(entry.name);
  return fmt::format("quantity in {}", si_unit(dimension));
}

std::string si_unit(const Dimension& dimension) {
  for (const DimensionEntry& entry : dimension_table)
    if (entry.dimension == dimension) return std::string(entry.si);
  std::string text;
  const std::pair<std::string_view, double> parts[] = {
      {"kg", dimension.kg},   {"m", dimension.m},         {"s", dimension.s},
      {"rad", dimension.rad}, {"cycle", dimension.cycle}, {"A", dimension.A}};
  for (const auto& [name, exponent] : parts) {
    if (exponent == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : " ", name);
    if (exponent != 1) text += fmt::format("^{:g}", exponent);
  }
  return text;
}

std::string dimension_phrase(const Dimension& dimension) {
  const std::string name = dimension_name(dimension);
  const bool vowel = std::string_view("aeiou").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + name;
}

Unit read_unit(std::string_view text) { return UnitReader(text).read(); }

std::span<const UnitName> unit_table() { return units; }

}  // namespace backlash

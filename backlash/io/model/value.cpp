// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/formula_dimension.h"
#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/io/model/condition.h"
#include "backlash/io/model/slips.h"

namespace backlash::reading {
namespace {

std::string quoted_list(std::span<const std::string_view> options) {
  return fmt::format("'{}'", fmt::join(options, "', '"));
}

std::optional<Binding> no_variable(std::string_view) { return std::nullopt; }

/// The value of an index, in what is repeated.
std::optional<Binding> bound_index(const YamlNode& node, std::string_view word) {
  if (!node.indices) return std::nullopt;
  const auto found = std::ranges::find(*node.indices, word, &YamlIndex::name);
  if (found == node.indices->end()) return std::nullopt;
  return BoundConstant{static_cast<double>(found->value)};
}

/// What other programs call the ground.
bool is_world(std::string_view name, std::string_view what) {
  constexpr std::string_view names[] = {"world", "World", "Ground", "base",
                                        "earth", "frame", "fixed"};
  return what == "body" && std::ranges::find(names, name) != std::end(names);
}

}  // namespace

void Context::report(const InputError& error) {
  constexpr std::size_t most = 1000;
  const auto same = [&](const InputError& other) {
    return std::string_view(other.what()) == error.what();
  };
  if (errors.size() < most && std::ranges::none_of(errors, same)) errors.push_back(error);
}

bool Context::attempt(const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    report(error);
  } catch (const Reported&) {
  }
  return false;
}

SourceLocation Value::where() const { return {*node_->file, node_->line, node_->column, path_}; }

void Value::fail(const std::string& message) const { throw InputError(where(), message); }

void Value::fail(const YamlEntry& at, const std::string& message) const {
  const YamlNode& in = at.value ? *at.value : *node_;  // what is included comes from another file
  throw InputError({*in.file, at.line, at.column, path_}, message);
}

void Value::fail_in_text(const std::string& message, int column) const {
  SourceLocation place = where();
  const bool one_line = node_->text.find('\n') == std::string::npos;
  if (one_line) place.column += column - 1 + (node_->quoted ? 1 : 0);
  throw InputError(place, fmt::format("in '{}': {}", node_->text, message));
}

Value Value::child(const YamlEntry& entry) const {
  return {*entry.value, *context_, path_.empty() ? entry.key : path_ + "." + entry.key};
}

std::optional<Value> Value::find(std::string_view key) const {
  const YamlEntry* entry = find_entry(*node_, key);
  if (entry == nullptr) return std::nullopt;
  return child(*entry);
}

std::vector<Value> Value::items(int count, std::string_view expected) const {
  if (!is_list()) fail(fmt::format("expected {}, found {}", expected, describe(*node_)));
  if (count >= 0 && std::ssize(node_->items) != count)
    fail(fmt::format("expected {}, found a list of {}{}", expected, node_->items.size(),
                     slip_in_list(*node_)));
  std::vector<Value> values;
  for (std::size_t i = 0; i < node_->items.size(); ++i)
    values.emplace_back(*node_->items[i], *context_, fmt::format("{}[{}]", path_, i + 1));
  return values;
}

std::string Value::text() const {
  if (!is_scalar()) fail(fmt::format("expected text, found {}", describe(*node_)));
  return node_->text;
}

bool Value::flag() const {
  if (is_scalar() && node_->text == "true") return true;
  if (is_scalar() && node_->text == "false") return false;
  fail(fmt::format("expected true or false, found {}", describe(*node_)));
}

int Value::integer(int lower, int upper) const {
  int value = 0;
  const std::string& text = node_->text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = is_scalar() && error == std::errc() && end == text.data() + text.size();
  if (!whole || value < lower || value > upper)
    fail(fmt::format("expected a whole number from {} to {}, found {}", lower, upper,
                     describe(*node_)));
  return value;
}

std::size_t Value::choice(std::span<const std::string_view> options) const {
  if (is_scalar()) {
    const auto found = std::ranges::find(options, std::string_view(node_->text));
    if (found != options.end()) return static_cast<std::size_t>(found - options.begin());
  }
  const std::vector<std::string> known(options.begin(), options.end());
  fail(fmt::format("expected {}{}, found {}{}", options.size() > 1 ? "one of " : "",
                   quoted_list(options), describe(*node_),
                   is_scalar() ? did_you_mean(node_->text, known) : ""));
}

std::string Value::reference(std::span<const std::string> known, std::string_view what) const {
  if (!is_scalar())
    fail(fmt::format("expected the name of a {}, found {}", what, describe(*node_)));
  if (std::ranges::find(known, node_->text) != known.end()) return node_->text;
  std::vector<std::string> possible;  // names that are refused are no advice
  std::ranges::copy_if(known, std::back_inserter(possible), is_name);
  const std::string other = what_it_is(names(), node_->text);
  fail(fmt::format("there is no {} {}{}", what, describe(*node_),
                   is_world(node_->text, what)
                       ? fmt::format("; the world is called '{}'", ground_name)
                   : other.empty() ? did_you_mean(node_->text, possible)
                                   : other));
}

Value::Compiled Value::compile(const std::string& text, const FindName& variable,
                               std::string_view expected) const {
  if (!is_scalar()) fail(fmt::format("expected {}, found {}", expected, describe(*node_)));
  Compiled result;
  std::exception_ptr elsewhere;  // an error in another parameter, with its own place
  const auto tag = [&](const Dimension& dimension) {
    result.tags.push_back(dimension);
    return static_cast<int>(result.tags.size()) - 1;
  };
  const auto name = [&](std::string_view word) -> std::optional<Binding> {
    if (const std::optional<Binding> index = bound_index(*node_, word)) return index;
    if (std::optional<Binding> found = variable(word)) return found;
    try {
      if (context_->prepare_parameter && !elsewhere) context_->prepare_parameter(word);
    } catch (...) {
      elsewhere = std::current_exception();
    }
    if (elsewhere) return BoundConstant{};
    auto& parameters = context_->names.parameters;
    const auto found = parameters.find(word);
    if (context_->names.unreadable.contains(word)) throw Reported{};
    if (context_->names.states.contains(word))
      throw InputError(
          fmt::format("the state variable '{}' changes while the model moves; formulas "
                      "of forces, events and states may use it, and nothing else",
                      word));
    if (context_->names.set_by_events.contains(word) && !context_->prepare_parameter)
      throw InputError(
          fmt::format("an event sets the parameter '{}' while the model moves; formulas of forces, "
                      "events and states may use it, and nothing else",
                      word));
    if (found == parameters.end()) {
      std::vector<std::string> known;
      for (const auto& [parameter, unused] : parameters) known.push_back(parameter);
      const std::string slip = slip_in_name(word);
      throw InputError(fmt::format("there is no parameter '{}'{}", word,
                                   slip.empty() ? did_you_mean(word, known) : slip));
    }
    found->second.used = true;
    const auto& [value, dimension, used] = found->second;
    return BoundConstant{value, dimension ? tag(*dimension) : open_tag};
  };
  const auto unit = [&](std::string_view rest) {
    const Unit found = read_unit(rest);
    if (found.factor != 1) result.scaled = true;
    return UnitMatch{found.length, found.factor, tag(found.dimension)};
  };
  const auto table = [&](std::string_view word) -> BoundTable {
    const auto found = names().tables.find(word);
    if (found == names().tables.end()) return {};
    if (!found->second.table) throw Reported{};
    const auto tag_of = [&](const Known& known) { return known ? tag(*known) : -1; };
    return {found->second.table, tag_of(found->second.argument), tag_of(found->second.value)};
  };
  std::vector<std::string> tables;
  for (const auto& [known, unused] : names().tables) tables.push_back(known);
  try {
    result.code = compile_expression(
        text, {.name = name, .unit = unit, .table = table, .tables = std::move(tables)});
  } catch (const ExpressionError& error) {
    if (!elsewhere) fail_in_text(error.what() + slip_in_number(*node_), error.column);
  }
  if (elsewhere) std::rethrow_exception(elsewhere);
  return result;
}

Value::Known Value::dimension_of(const Compiled& compiled, std::span<const Known> variables) const {
  try {
    return formula_dimension(compiled.code, compiled.tags, variables);
  } catch (const ExpressionError& error) {
    fail_in_text(error.what() + slip_in_unit(node_->text, names().parameters), error.column);
  }
}

void Value::check_dimension(const Compiled& compiled, const Known& expected,
                            std::span<const Known> variables) const {
  const Known found = dimension_of(compiled, variables);
  if (!found || !expected || backlash::fits(*found, *expected)) return;
  const bool turns = *found == dim::frequency && *expected == dim::angular_velocity;
  fail(fmt::format(
      "expected {}, found {} ({}){}", dimension_phrase(*expected), node_->text,
      dimension_name(*found),
      turns ? "; turns per second are rev/s" : slip_in_unit(node_->text, names().parameters)));
}

Value::Quantity Value::quantity() const {
  const Compiled compiled = compile(node_->text, no_variable, "a number");
  const std::optional<Dimension> dimension = dimension_of(compiled, {});
  const double value = Expression(compiled.code, {}).constant();
  if (!std::isfinite(value)) fail(fmt::format("must be finite, found {}", node_->text));
  const bool number = std::ranges::all_of(compiled.code, [](const Instruction& i) {
    return (i.operation == Operation::literal && i.index < 0) || i.operation == Operation::negate;
  });
  return {value, dimension, number && compiled.code.size() <= 2, compiled.scaled,
          !compiled.tags.empty()};
}

double Value::number(const Dimension& expected, const Range& range) const {
  const Compiled compiled = compile(node_->text, no_variable, dimension_phrase(expected));
  check_dimension(compiled, expected, {});
  const double value = Expression(compiled.code, {}).constant();
  const auto out_of_range = [&](const std::string& bound) {
    const std::string unit = si_unit(expected);
    const std::string result = fmt::format("{}{}{}", value, unit.empty() ? "" : " ", unit);
    fail(fmt::format("must be {}, found {}{}", bound, node_->text,
                     result == node_->text || fmt::format("{}", value) == node_->text
                         ? ""
                         : fmt::format(" = {}", result)));
  };
  if (!std::isfinite(value)) out_of_range("finite");
  if (range.kind == Range::Kind::positive && !(value > 0)) out_of_range("positive");
  if (range.kind == Range::Kind::not_negative && !(value >= 0)) out_of_range("zero or positive");
  if (range.kind == Range::Kind::between && !(range.lower <= value && value <= range.upper))
    out_of_range(fmt::format("in [{}, {}]", range.lower, range.upper));
  return value;
}

int Value::whole_number(int lower, int upper) const {
  const double value = number(dimensions::none), nearest = std::round(value);
  const bool whole = std::abs(value - nearest) <= 1e-9 * std::max(1.0, std::abs(value));
  if (!whole || !(lower <= nearest && nearest <= upper))
    fail(fmt::format("expected a whole number from {} to {}, found {}{}", lower, upper, node_->text,
                     node_->text == fmt::format("{}", value) ? "" : fmt::format(" = {}", value)));
  return static_cast<int>(nearest);
}

Vec2 Value::vector(const Dimension& expected) const {
  const std::vector<Value> parts =
      items(2, fmt::format("a list of two: [x, y], each {}", dimension_phrase(expected)));
  return {parts[0].number(expected), parts[1].number(expected)};
}

Vec2 Value::direction() const {
  if (is_scalar()) {
    const double angle = number(dimensions::angle);
    return {std::cos(angle), std::sin(angle)};
  }
  if (!is_list() || node_->items.size() != 2)
    fail(fmt::format("expected a direction: [x, y] or an angle, found {}", describe(*node_)));
  const Vec2 v = vector(dimensions::none);
  const double length = v.stableNorm();
  if (!(length > 0) || !std::isfinite(length)) fail("a direction must not be [0, 0]");
  return (v / length).normalized();
}

Expression Value::formula(const Dimension& expected, std::span<const Variable> variables) const {
  const auto variable = [&](std::string_view word) -> std::optional<Binding> {
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (variables[i].name == word) return BoundVariable{static_cast<int>(i)};
    return std::nullopt;
  };
  std::vector<Known> kinds;
  for (const Variable& v : variables) kinds.push_back(v.dimension);
  const Compiled compiled = compile(node_->text, variable, dimension_phrase(expected));
  check_dimension(compiled, expected, kinds);
  Expression expression(compiled.code, node_->text);
  if (expression.is_constant() && !std::isfinite(expression.constant()))
    fail(fmt::format("must be finite, found {}", node_->text));
  return expression;
}

SignalExpression Value::any_signal_formula(const std::optional<Dimension>& expected,
                                           FindSignal find, Translate translate) const {
  SignalExpression result;
  std::vector<Known> kinds;
  const auto set_parameter = [&](std::string_view word) -> std::pair<Signal, Known> {
    const auto known = context_->names.parameters.find(word);
    if (known == context_->names.parameters.end()) throw Reported{};
    known->second.used = true;
    return {Signal{SignalKind::parameter, std::string(word)}, known->second.dimension};
  };
  const auto variable = [&](std::string_view word) -> std::optional<Binding> {
    auto found = find(names(), word);
    if (!found && names().set_by_events.contains(word)) found = set_parameter(word);
    if (!found) return std::nullopt;
    const auto same = std::ranges::find(result.signals, found->first);
    const auto index = static_cast<int>(same - result.signals.begin());
    if (same == result.signals.end()) {
      result.signals.push_back(found->first);
      kinds.push_back(found->second);
    }
    return BoundVariable{index};
  };
  const Compiled compiled =
      compile(node_->text, variable, expected ? dimension_phrase(*expected) : "a formula");
  check_dimension(compiled, expected, kinds);
  result.expression = Expression(translate ? translate(compiled.code) : compiled.code, node_->text);
  if (result.expression.is_constant()) {
    result.signals.clear();
    if (!std::isfinite(result.expression.constant()))
      fail(fmt::format("must be finite, found {}", node_->text));
  }
  return result;
}

SignalExpression Value::signal_formula(const Dimension& expected) const {
  return any_signal_formula(expected, find_signal);
}

SignalExpression Value::signal_formula() const {
  return any_signal_formula(std::nullopt, find_signal);
}

SignalExpression Value::tension_formula() const {
  return any_signal_formula(dimensions::force, find_tension_signal);
}

SignalExpression Value::condition_formula() const {
  return any_signal_formula(std::nullopt, find_condition_signal, comparison_as_difference);
}

OutputQuantity Value::channel_formula(const std::string& name,
                                      std::span<const OutputQuantity> earlier) const {
  OutputQuantity result{.name = name, .where = where()};
  const auto is_channel = [&](std::string_view word) {
    return word == "t" || word.find('.') != std::string_view::npos ||
           names().states.contains(word) ||
           std::ranges::find(earlier, word, &OutputQuantity::name) != earlier.end();
  };
  const auto variable = [&](std::string_view word) -> std::optional<Binding> {
    const auto parameter = context_->names.parameters.find(word);
    const bool set = names().set_by_events.contains(word);
    if (!is_channel(word) && !set) return std::nullopt;
    if (set && parameter != context_->names.parameters.end()) parameter->second.used = true;
    const std::string channel = set ? std::string(word) + ".value" : std::string(word);
    const auto same = std::ranges::find(result.channels, channel);
    const auto index = static_cast<int>(same - result.channels.begin());
    if (same == result.channels.end()) result.channels.push_back(channel);
    return BoundVariable{index};
  };
  Compiled compiled = compile(node_->text, variable, "a formula");
  result.expression = Expression(compiled.code, node_->text);
  if (result.expression.is_constant()) {
    result.channels.clear();
    if (!std::isfinite(result.expression.constant()))
      fail(fmt::format("must be finite, found {}", node_->text));
  }
  result.code = std::move(compiled.code);
  result.tags = std::move(compiled.tags);
  return result;
}

Signal Value::signal() const {
  if (!is_scalar())
    fail(fmt::format("expected a quantity such as t or crank.q, found {}", describe(*node_)));
  try {
    if (const auto found = find_signal(names(), node_->text)) return found->first;
  } catch (const InputError& error) {
    fail(error.what());
  }
  fail(fmt::format("expected a quantity such as t or crank.q, found {}", describe(*node_)));
}

}  // namespace backlash::reading

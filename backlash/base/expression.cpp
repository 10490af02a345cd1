// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/expression.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/motion_laws.h"
#include "backlash/base/nearest_name.h"

namespace backlash {
namespace {

double value_of(double x) { return x; }
double value_of(const Jet& x) { return x.value; }

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/// y0 below x0, y1 above x1, and a cubic with level ends between.
template <class T>
T smooth_step(const T& x, const T& x0, const T& y0, const T& x1, const T& y1) {
  if (value_of(x) <= value_of(x0)) return y0;
  if (value_of(x) >= value_of(x1)) return y1;
  const T s = (x - x0) / (x1 - x0);
  return y0 + (y1 - y0) * s * s * (T(3) - T(2) * s);
}

template <class T>
T modulo(const T& a, const T& b) {
  return a - b * T(std::floor(value_of(a) / value_of(b)));
}

/// Truth of a and b, of a or b: 1, 0, or not a number where that depends on one that is none.
double both(double a, double b) { return a == 0 || b == 0 ? 0 : std::isunordered(a, b) ? NAN : 1; }
double either(double a, double b) {
  const auto holds = [](double x) { return !std::isnan(x) && x != 0; };
  return holds(a) || holds(b) ? 1 : std::isunordered(a, b) ? NAN : 0;
}

/// The result of an operation on the arguments a[0], a[1], … What is not a number is never lost:
/// comparisons, too, give none where they have none.
template <class T>
T apply(Operation operation, const T* a) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
      std::log, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  const auto truth = [](bool yes) { return T(yes ? 1.0 : 0.0); };
  const auto value = [&](int i) { return value_of(a[i]); };
  const auto compared = [&](bool yes) {
    return std::isunordered(value(0), value(1)) ? T(NAN) : truth(yes);
  };
  switch (operation) {
    case Operation::literal:
    case Operation::variable:
    case Operation::table:
      break;
    case Operation::negate:
      return -a[0];
    case Operation::invert:
      return std::isnan(value(0)) ? a[0] : truth(value(0) == 0);
    case Operation::add:
      return a[0] + a[1];
    case Operation::subtract:
      return a[0] - a[1];
    case Operation::multiply:
      return a[0] * a[1];
    case Operation::divide:
      return a[0] / a[1];
    case Operation::power:
      return pow(a[0], a[1]);
    case Operation::less:
      return compared(value(0) < value(1));
    case Operation::less_equal:
      return compared(value(0) <= value(1));
    case Operation::greater:
      return compared(value(0) > value(1));
    case Operation::greater_equal:
      return compared(value(0) >= value(1));
    case Operation::equal:
      return compared(value(0) == value(1));
    case Operation::not_equal:
      return compared(value(0) != value(1));
    case Operation::both:
      return T(both(value(0), value(1)));
    case Operation::either:
      return T(either(value(0), value(1)));
    case Operation::sine:
      return sin(a[0]);
    case Operation::cosine:
      return cos(a[0]);
    case Operation::tangent:
      return tan(a[0]);
    case Operation::arc_sine:
      return asin(a[0]);
    case Operation::arc_cosine:
      return acos(a[0]);
    case Operation::arc_tangent:
      return atan(a[0]);
    case Operation::arc_tangent_2:
      return atan2(a[0], a[1]);
    case Operation::hyperbolic_sine:
      return sinh(a[0]);
    case Operation::hyperbolic_cosine:
      return cosh(a[0]);
    case Operation::hyperbolic_tangent:
      return tanh(a[0]);
    case Operation::square_root:
      return sqrt(a[0]);
    case Operation::exponential:
      return exp(a[0]);
    case Operation::logarithm:
      return log(a[0]);
    case Operation::absolute:
      return abs(a[0]);
    case Operation::minimum:
      return value(1) < value(0) || std::isnan(value(1)) ? a[1] : a[0];
    case Operation::maximum:
      return value(1) > value(0) || std::isnan(value(1)) ? a[1] : a[0];
    case Operation::sign:
      return T(sign_of(value(0)));
    case Operation::heaviside:
      return std::isnan(value(0)) ? a[0] : truth(value(0) >= 0);
    case Operation::smooth_step:
      return smooth_step(a[0], a[1], a[2], a[3], a[4]);
    case Operation::round_down:
      return T(std::floor(value(0)));
    case Operation::modulo:
      return modulo(a[0], a[1]);
    case Operation::choose:
      return std::isnan(value(0)) ? a[0] : value(0) != 0 ? a[1] : a[2];
    case Operation::harmonic:
      return motion_laws::harmonic(a[0]);
    case Operation::cycloidal:
      return motion_laws::cycloidal(a[0]);
    case Operation::modified_sine:
      return motion_laws::modified_sine(a[0]);
    case Operation::polynomial_345:
      return motion_laws::polynomial_345(a[0]);
    case Operation::polynomial_4567:
      return motion_laws::polynomial_4567(a[0]);
  }
  return T(0);
}

/// Step of a compiled formula: with the count of its arguments at hand.
struct Step {
  Operation operation;
  int arguments;
  int index;
  double value;
  std::shared_ptr<const TableFunction> table{};
};

double look_up(const TableFunction& table, double x) { return table.at(x); }
Jet look_up(const TableFunction& table, const Jet& x) {
  const Jet f = table.jet(x.value);
  return {f.value, f.first * x.first, f.second * x.first * x.first + f.first * x.second};
}

template <class T>
T run(std::span<const Step> steps, std::span<const T> variables) {
  std::array<T, max_expression_depth> stack;
  T* end = stack.data();
  for (const Step& step : steps) {
    if (step.operation == Operation::literal) {
      *end++ = T(step.value);
    } else if (step.operation == Operation::variable) {
      *end++ = variables[static_cast<std::size_t>(step.index)];
    } else {
      end -= step.arguments;
      *end = step.table ? look_up(*step.table, *end) : apply(step.operation, end);
      ++end;
    }
  }
  return stack[0];
}

/// Throw InputError unless every operation finds its arguments, and one value is left at the end.
void validate(const ExpressionCode& code, const std::string& text) {
  const auto refuse = [&](const char* what) {
    throw InputError(fmt::format("formula '{}': its code {}", text, what));
  };
  int depth = 0;
  for (const Instruction& instruction : code) {
    if (instruction.operation > Operation::table) refuse("has an unknown operation");
    if ((instruction.operation == Operation::table) != (instruction.table != nullptr))
      refuse("has a table that is not there");
    if (instruction.operation == Operation::variable && instruction.index < 0)
      refuse("has a variable with a negative number");
    depth -= arguments(instruction.operation);
    if (depth < 0) refuse("has an operation without its arguments");
    if (++depth > max_expression_depth) refuse("holds too many values at a time");
  }
  if (depth > 1) refuse("leaves more than one value");
}

[[noreturn]] void refuse_variables(std::size_t found, int expected, const std::string& text) {
  throw InputError(
      fmt::format("formula '{}' needs {} variables, is given {}", text, expected, found));
}

/// The steps of the code, with operations on literals alone carried out.
std::vector<Step> folded(const ExpressionCode& code) {
  std::vector<Step> steps;
  for (const Instruction& instruction : code) {
    const Operation operation = instruction.operation;
    const int count = arguments(operation);
    steps.push_back({operation, count, instruction.index, instruction.value, instruction.table});
    const auto first = steps.end() - 1 - count;
    const bool foldable = count > 0 && std::all_of(first, steps.end() - 1, [](const Step& s) {
                            return s.operation == Operation::literal;
                          });
    if (!foldable) continue;
    const double value = run<double>(std::span(first, steps.end()), {});
    steps.erase(first, steps.end());
    steps.push_back({Operation::literal, 0, -1, value});
  }
  return steps;
}

}  // namespace

struct Expression::Program {
  std::vector<Step> steps{};
  int variables = 0;
  std::string text{};
};

Expression::Expression(ExpressionCode code, std::string text) {
  validate(code, text);
  Program program{.steps = folded(code), .text = std::move(text)};
  if (program.steps.empty()) return;
  if (program.steps.size() == 1 && program.steps[0].operation == Operation::literal) {
    constant_ = program.steps[0].value;
    return;
  }
  for (const Step& step : program.steps)
    if (step.operation == Operation::variable)
      program.variables = std::max(program.variables, step.index + 1);
  program_ = std::make_shared<const Program>(std::move(program));
}

int Expression::variables() const { return program_ ? program_->variables : 0; }

bool Expression::uses(int variable) const {
  return program_ && std::ranges::any_of(program_->steps, [&](const Step& step) {
           return step.operation == Operation::variable && step.index == variable;
         });
}

std::string Expression::text() const {
  return program_ ? program_->text : fmt::format("{}", constant_);
}

double Expression::operator()(std::span<const double> variables) const {
  if (!program_) return constant_;
  if (std::ssize(variables) < program_->variables)
    refuse_variables(variables.size(), program_->variables, program_->text);
  return run<double>(program_->steps, variables);
}

Jet Expression::operator()(std::span<const Jet> variables) const {
  if (!program_) return constant_;
  if (std::ssize(variables) < program_->variables)
    refuse_variables(variables.size(), program_->variables, program_->text);
  return run<Jet>(program_->steps, variables);
}

Expression parse_expression(std::string_view text, std::span<const std::string_view> variables) {
  const auto name = [&](std::string_view word) -> std::optional<Binding> {
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (variables[i] == word) return BoundVariable{static_cast<int>(i)};
    const std::vector<std::string> known(variables.begin(), variables.end());
    throw InputError(fmt::format("there is no '{}' here{}", word, did_you_mean(word, known)));
  };
  return Expression(compile_expression(text, {.name = name}), std::string(text));
}

}  // namespace backlash

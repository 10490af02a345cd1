// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/formula_dimension.h"

#include <fmt/format.h>

namespace backlash {
namespace {

using Known = std::optional<Dimension>;  ///< nothing: open

[[noreturn]] void fail(const Instruction& at, const std::string& message) {
  throw ExpressionError(message, at.column);
}

/// Of things that are added, compared or chosen among: those that are known agree.
Known common(const Instruction& at, const Known& a, const Known& b, std::string_view deed) {
  if (!a || !b) return a ? a : b;
  if (fits(*a, *b)) return b;
  if (fits(*b, *a)) return a;
  fail(at, fmt::format("{} {} and {}", deed, dimension_phrase(*a), dimension_phrase(*b)));
}

void require_plain(const Instruction& at, const Known& a, std::string_view what) {
  if (a && !fits(*a, dimensions::angle))
    fail(at, fmt::format("{} needs a plain number, found {}", what, dimension_phrase(*a)));
}

Known power_of(const Instruction& at, const Known& base, const Known& exponent,
               const Instruction& last) {
  require_plain(at, exponent, "a power");
  if (!base || last.operation != Operation::literal) return std::nullopt;
  return power(*base, last.value);
}

/// Whether the dimension of a product follows from those of its two factors.
bool has_factors(const Known* a, BareFactors factors) {
  return factors == BareFactors::plain ? a[0] || a[1] : a[0] && a[1];
}
Dimension or_plain(const Known& a) { return a.value_or(Dimension{}); }

/// Of an operation's result, from those of its arguments a[0], a[1], …; `last` is the instruction
/// before it.
Known result_of(const Instruction& at, const Known* a, const Instruction& last,
                BareFactors factors) {
  switch (at.operation) {
    case Operation::literal:
    case Operation::variable:
    case Operation::table:
    case Operation::invert:
    case Operation::both:
    case Operation::either:
      return std::nullopt;
    case Operation::negate:
    case Operation::absolute:
    case Operation::round_down:
      return a[0];
    case Operation::add:
      return common(at, a[0], a[1], "adds");
    case Operation::subtract:
      return common(at, a[0], a[1], "subtracts");
    case Operation::minimum:
    case Operation::maximum:
    case Operation::modulo:
      return common(at, a[0], a[1], "compares");
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::equal:
    case Operation::not_equal:
      common(at, a[0], a[1], "compares");
      return std::nullopt;
    case Operation::multiply:
      return has_factors(a, factors) ? Known(or_plain(a[0]) * or_plain(a[1])) : std::nullopt;
    case Operation::divide:
      return has_factors(a, factors) ? Known(or_plain(a[0]) / or_plain(a[1])) : std::nullopt;
    case Operation::power:
      return power_of(at, a[0], a[1], last);
    case Operation::square_root:
      return a[0] ? Known(power(*a[0], 0.5)) : std::nullopt;
    case Operation::arc_tangent_2:
      common(at, a[0], a[1], "compares");
      return dimensions::angle;
    case Operation::arc_sine:
    case Operation::arc_cosine:
    case Operation::arc_tangent:
      require_plain(at, a[0], "an arc function");
      return dimensions::angle;
    case Operation::sine:
    case Operation::cosine:
    case Operation::tangent:
      require_plain(at, a[0], "an angle function");
      return std::nullopt;
    case Operation::hyperbolic_sine:
    case Operation::hyperbolic_cosine:
    case Operation::hyperbolic_tangent:
    case Operation::exponential:
    case Operation::logarithm:
    case Operation::harmonic:
    case Operation::cycloidal:
    case Operation::modified_sine:
    case Operation::polynomial_345:
    case Operation::polynomial_4567:
      require_plain(at, a[0], "this function");
      return std::nullopt;
    case Operation::sign:
    case Operation::heaviside:
      return std::nullopt;
    case Operation::smooth_step:
      common(at, common(at, a[0], a[1], "compares"), a[3], "compares");
      return common(at, a[2], a[4], "steps between");
    case Operation::choose:
      return common(at, a[1], a[2], "chooses between");
  }
  return std::nullopt;
}

template <class Dimensions>
Known tagged(int tag, const Dimensions& of) {
  const auto index = static_cast<std::size_t>(tag);
  return tag >= 0 && index < of.size() ? Known(of[index]) : std::nullopt;
}
template <class Dimensions>
Known operand(const Instruction& at, const Dimensions& of) {
  return tagged(at.index, of);
}

}  // namespace

std::optional<Dimension> formula_dimension(const ExpressionCode& code,
                                           std::span<const Dimension> tags,
                                           std::span<const Known> variables, BareFactors factors) {
  std::vector<Known> stack;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Instruction& at = code[i];
    if (at.operation == Operation::literal || at.operation == Operation::variable) {
      stack.push_back(at.operation == Operation::literal ? operand(at, tags)
                                                         : operand(at, variables));
      continue;
    }
    const auto count = static_cast<std::size_t>(arguments(at.operation));
    const Known* first = stack.data() + stack.size() - count;
    if (at.operation == Operation::table)
      common(at, tagged(at.argument, tags), *first, "has a table over");
    const Known result = at.operation == Operation::table
                             ? tagged(at.index, tags)
                             : result_of(at, first, code[i - 1], factors);
    stack.resize(stack.size() - count);
    stack.push_back(result);
  }
  return stack.back();
}

std::optional<Dimension> formula_dimension(const ExpressionCode& code,
                                           std::span<const Dimension> tags,
                                           std::span<const Known> variables) {
  return formula_dimension(code, tags, variables, BareFactors::open);
}

}  // namespace backlash

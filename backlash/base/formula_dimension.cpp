// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/formula_dimension.h"

#include <algorithm>

#include <fmt/format.h>

namespace backlash {
namespace {

using Known = std::optional<Dimension>;  ///< nothing: open

/// What is known of a part of a formula.
struct Found {
  enum class Kind {
    open,      ///< of any dimension: a parameter without unit, say
    bare,      ///< a plain number, as one that is written without unit, or a sine
    variable,  ///< of a dimension that variables alone give it
    written    ///< of a dimension that a unit gives it
  };
  Kind kind = Kind::open;
  Dimension dimension{};

  bool known() const { return kind >= Kind::variable; }
};

constexpr Found open{}, bare{.kind = Found::Kind::bare};

Found known_as(Found::Kind kind, const Dimension& dimension) { return {kind, dimension}; }
Found variable_of(const Known& dimension) {
  return dimension ? known_as(Found::Kind::variable, *dimension) : open;
}

[[noreturn]] void fail(const Instruction& at, const std::string& message) {
  throw ExpressionError(message, at.column);
}

/// Of things that are added, compared or chosen among: those that are known agree.
Found common(const Instruction& at, const Found& a, const Found& b, std::string_view deed) {
  if (!a.known() || !b.known()) {
    if (a.known() || b.known()) return a.known() ? a : b;
    return a.kind == b.kind ? a : open;
  }
  const Found::Kind kind = std::min(a.kind, b.kind);  // 2*(main.u - 3 rad/s) is as 2*main.u
  if (fits(a.dimension, b.dimension)) return known_as(kind, b.dimension);
  if (fits(b.dimension, a.dimension)) return known_as(kind, a.dimension);
  fail(at, fmt::format("{} {} and {}", deed, dimension_phrase(a.dimension),
                       dimension_phrase(b.dimension)));
}

/// Of a table.
void require_argument(const Instruction& at, const Found& expected, const Found& found) {
  if (!expected.known() || !found.known() || fits(found.dimension, expected.dimension) ||
      fits(expected.dimension, found.dimension))
    return;
  fail(at, fmt::format("calls a table over {} with {}", dimension_phrase(expected.dimension),
                       dimension_phrase(found.dimension)));
}

void require_plain(const Instruction& at, const Found& a, std::string_view what) {
  if (a.known() && !fits(a.dimension, dimensions::angle))
    fail(at, fmt::format("{} needs a plain number, found {}", what, dimension_phrase(a.dimension)));
}

Found power_of(const Instruction& at, const Found& base, const Found& exponent,
               const Instruction& last) {
  require_plain(at, exponent, "a power");
  if (base.kind == Found::Kind::bare && exponent.kind == Found::Kind::bare) return bare;
  if (!base.known() || last.operation != Operation::literal) return open;
  return known_as(base.kind, power(base.dimension, last.value));
}

/// Of a product, whose dimension is `dimension` if bare factors are plain numbers. They are beside
/// units; beside variables alone, as in 2*t, they are SI values of whatever is expected, and beside
/// Hz they may turn cycles into radians.
Found product(const Found& a, const Found& b, const Dimension& dimension, BareFactors factors) {
  using Kind = Found::Kind;
  if (a.known() && b.known()) return known_as(std::max(a.kind, b.kind), dimension);
  if (factors == BareFactors::plain && (a.known() || b.known()))
    return known_as(Kind::variable, dimension);
  if (a.kind == Kind::bare && b.kind == Kind::bare) return bare;
  const auto are = [](const Found& x, const Found& y) {
    return x.kind == Kind::bare && y.kind == Kind::written && y.dimension.cycle == 0;
  };
  if (!are(a, b) && !are(b, a)) return open;
  const Dimension& of_unit = a.known() ? a.dimension : b.dimension;
  return of_unit == dimensions::none ? bare : known_as(Kind::written, dimension);  // a ratio
}

/// Of an operation's result, from those of its arguments a[0], a[1], …; `last` is the instruction
/// before it.
Found result_of(const Instruction& at, const Found* a, const Instruction& last,
                BareFactors factors) {
  const Found angle = known_as(Found::Kind::variable, dimensions::angle);
  switch (at.operation) {
    case Operation::literal:
    case Operation::variable:
    case Operation::table:
      return open;
    case Operation::invert:
    case Operation::both:
    case Operation::either:
      return bare;
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
      return bare;
    case Operation::multiply:
      return product(a[0], a[1], a[0].dimension * a[1].dimension, factors);
    case Operation::divide:
      return product(a[0], a[1], a[0].dimension / a[1].dimension, factors);
    case Operation::power:
      return power_of(at, a[0], a[1], last);
    case Operation::square_root:
      return a[0].known() ? known_as(a[0].kind, power(a[0].dimension, 0.5)) : a[0];
    case Operation::arc_tangent_2:
      common(at, a[0], a[1], "compares");
      return angle;
    case Operation::arc_sine:
    case Operation::arc_cosine:
    case Operation::arc_tangent:
      require_plain(at, a[0], "an arc function");
      return angle;
    case Operation::sine:
    case Operation::cosine:
    case Operation::tangent:
      require_plain(at, a[0], "an angle function");
      return bare;
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
      return bare;
    case Operation::sign:
    case Operation::heaviside:
      return bare;
    case Operation::smooth_step:
      common(at, common(at, a[0], a[1], "compares"), a[3], "compares");
      return common(at, a[2], a[4], "steps between");
    case Operation::choose:
      return common(at, a[1], a[2], "chooses between");
  }
  return open;
}

template <class Dimensions>
Known tagged(int tag, const Dimensions& of) {
  const auto index = static_cast<std::size_t>(tag);
  return tag >= 0 && index < of.size() ? Known(of[index]) : std::nullopt;
}

Found literal_of(const Instruction& at, std::span<const Dimension> tags) {
  const Known dimension = tagged(at.index, tags);
  if (dimension) return known_as(Found::Kind::written, *dimension);
  return at.index == open_tag ? open : bare;
}

Found of_table(const Known& dimension) {
  return dimension ? known_as(Found::Kind::written, *dimension) : open;
}

}  // namespace

std::optional<Dimension> formula_dimension(const ExpressionCode& code,
                                           std::span<const Dimension> tags,
                                           std::span<const Known> variables, BareFactors factors) {
  std::vector<Found> stack;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Instruction& at = code[i];
    if (at.operation == Operation::literal || at.operation == Operation::variable) {
      stack.push_back(at.operation == Operation::literal
                          ? literal_of(at, tags)
                          : variable_of(tagged(at.index, variables)));
      continue;
    }
    const auto count = static_cast<std::size_t>(arguments(at.operation));
    const Found* first = stack.data() + stack.size() - count;
    if (at.operation == Operation::table)
      require_argument(at, of_table(tagged(at.argument, tags)), *first);
    const Found result = at.operation == Operation::table
                             ? of_table(tagged(at.index, tags))
                             : result_of(at, first, code[i - 1], factors);
    stack.resize(stack.size() - count);
    stack.push_back(result);
  }
  const Found& whole = stack.back();
  return whole.known() ? Known(whole.dimension) : std::nullopt;
}

std::optional<Dimension> formula_dimension(const ExpressionCode& code,
                                           std::span<const Dimension> tags,
                                           std::span<const Known> variables) {
  return formula_dimension(code, tags, variables, BareFactors::open);
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.h"

#include <cmath>

#include "backlash/base/expression.h"
#include "backlash/base/table.h"

namespace backlash {
namespace {

using test::expect_refused;

TEST(Misuse, OfExpressionsIsRefused) {
  const std::string_view names[] = {"x", "y"};
  const Expression f = parse_expression("x + 2*y", names);
  const auto code = [](ExpressionCode instructions) {
    return [instructions] { Expression(instructions, "code"); };
  };
  const Instruction x{.operation = Operation::variable, .index = 0},
      add{.operation = Operation::add};
  expect_refused({
      {[&] { f(std::vector<double>{1}); }, "formula 'x + 2*y' needs 2 variables, is given 1"},
      {[&] { f(std::span<const double>{}); }, "is given 0"},
      {[&] { f(std::vector<Jet>{Jet(1)}); }, "needs 2 variables, is given 1"},
      {[&] { f.at(1); }, "needs 2 variables"},
      {[&] { f.jet(1); }, "needs 2 variables"},
      {code({add}), "formula 'code': its code has an operation without its arguments"},
      {code({x, add}), "without its arguments"},
      {code({x, x}), "leaves more than one value"},
      {code({{.operation = Operation::variable, .index = -3}}), "negative number"},
      {code({x, {.operation = static_cast<Operation>(200)}}), "unknown operation"},
      {code(ExpressionCode(max_expression_depth + 1, x)), "too many values"},
  });
  EXPECT_EQ(f(std::vector<double>{1, 2, 99}), 5);  // more than it needs is no harm
}

TEST(Misuse, OfTablesIsRefused) {
  const auto table = [](std::vector<double> x, std::vector<double> y,
                        Extension extension = Extension::hold) {
    return [=] { TableFunction({x, y, Interpolation::cubic, extension}); };
  };
  expect_refused({
      {table({}, {}), "table: a table needs 2 points or more, has 0"},
      {table({0}, {0}), "has 1"},
      {table({0, 1}, {0}), "must have size 2, has 1"},
      {table({0, 0}, {0, 1}), "points must increase"},
      {table({0, NAN}, {0, 1}), "point 2 of the table must be finite, is nan"},
      {table({0, 1}, {INFINITY, 1}), "value 1 of the table must be finite, is inf"},
      {table({-1e308, 1e308}, {0, 1}), "width must be finite"},
      {table({0, 1}, {0, 1}, Extension::periodic), "must end with the value that it begins with"},
  });
}

}  // namespace
}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/base/expression.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

namespace backlash {
namespace {

using std::numbers::pi;

double value(std::string_view text) {
  const Expression expression = parse_expression(text);
  EXPECT_TRUE(expression.is_constant()) << text;
  return expression.constant();
}

Expression of_x(std::string_view text) {
  constexpr std::array<std::string_view, 1> names{"x"};
  return parse_expression(text, names);
}

TEST(Expression, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("5 - 3 - 1"), 1);
  EXPECT_EQ(value("-3^2"), -9);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--2"), 2);
  EXPECT_EQ(value("2 - -3"), 5);
  EXPECT_EQ(value("1.5e-3*2"), 3e-3);
  EXPECT_EQ(value(".5"), 0.5);
}

TEST(Expression, ComparesChoosesAndJoins) {
  EXPECT_EQ(value("1 < 2"), 1);
  EXPECT_EQ(value("2 <= 1"), 0);
  EXPECT_EQ(value("1 == 1 and 2 != 3"), 1);
  EXPECT_EQ(value("1 > 2 or not 0"), 1);
  EXPECT_EQ(value("if(3 > 2, 10, 20)"), 10);
  EXPECT_EQ(value("if(3 < 2, 10, 20)"), 20);
}

TEST(Expression, KnowsItsFunctions) {
  EXPECT_EQ(value("sin(pi/2)"), 1);
  EXPECT_EQ(value("atan2(1, -1)"), std::atan2(1, -1));
  EXPECT_EQ(value("log(e)"), 1);
  EXPECT_EQ(value("min(3, 1, 2)"), 1);
  EXPECT_EQ(value("max(3, 1, 2, 7)"), 7);
  EXPECT_EQ(value("sign(-3)"), -1);
  EXPECT_EQ(value("step(-1e-9)"), 0);
  EXPECT_EQ(value("step(0)"), 1);
  EXPECT_EQ(value("step(0.5, 0, 1, 1, 3)"), 2);
  EXPECT_EQ(value("step(-1, 0, 1, 1, 3)"), 1);
  EXPECT_EQ(value("step(2, 0, 1, 1, 3)"), 3);
  EXPECT_EQ(value("floor(-1.5)"), -2);
  EXPECT_EQ(value("mod(-1, 3)"), 2);
}

TEST(Expression, IsConstantOnlyWithoutVariables) {
  EXPECT_TRUE(of_x("2*pi").is_constant());
  EXPECT_FALSE(of_x("2*x").is_constant());
  EXPECT_FALSE(of_x("0*x").is_constant());
  EXPECT_TRUE(of_x("x").uses(0));
  EXPECT_EQ(of_x("x + 1").variables(), 1);
  EXPECT_EQ(of_x("x + 1").text(), "x + 1");
}

TEST(Expression, DerivativesAgreeWithDifferencesForEveryFunction) {
  const char* formulas[] = {"x^3 - 2*x",
                            "1/x",
                            "x^2.5",
                            "2^x",
                            "x^x",
                            "sin(x)*cos(x)",
                            "tan(x)",
                            "asin(x/2)",
                            "acos(x/2)",
                            "atan(x)",
                            "atan2(x, 2 - x)",
                            "sinh(x)",
                            "cosh(x)",
                            "tanh(x)",
                            "sqrt(x)",
                            "exp(-x^2)",
                            "log(x)",
                            "abs(-x^3)",
                            "min(x, 2)^2",
                            "max(x, 0.1)^2",
                            "step(x, 0.2, 1, 1.7, 3)",
                            "mod(x, 0.31)*x",
                            "if(x > 0, x^2, x)",
                            "sign(x)*x^2",
                            "floor(x)*x^2",
                            "harmonic(x)",
                            "cycloidal(x)",
                            "modified_sine(x)",
                            "modified_sine(0.1*x)",
                            "modified_sine(1.3*x)",
                            "poly_345(x)",
                            "poly_4567(x)"};
  constexpr double x = 0.713, d = 1e-4;
  for (const char* formula : formulas) {
    SCOPED_TRACE(formula);
    const Expression f = of_x(formula);
    const Jet jet = f.jet(x);
    const double before = f.at(x - d), here = f.at(x), after = f.at(x + d);
    EXPECT_DOUBLE_EQ(jet.value, here);
    EXPECT_NEAR(jet.first, (after - before) / (2 * d), 1e-6 * (1 + std::abs(jet.first)));
    EXPECT_NEAR(jet.second, (after - 2 * here + before) / (d * d),
                1e-5 * (1 + std::abs(jet.second)));
  }
}

TEST(Expression, PowersHaveTheirDerivativesAtZeroToo) {
  EXPECT_EQ(of_x("x^2").jet(0).first, 0);
  EXPECT_EQ(of_x("x^2").jet(0).second, 2);
  EXPECT_EQ(of_x("x^1").jet(0).second, 0);
  EXPECT_EQ(of_x("x^2").jet(-3).first, -6);
}

TEST(Expression, ADriveGivesSpeedAndAccelerationAlongTime) {
  constexpr std::array<std::string_view, 2> names{"t", "w"};
  const Expression angle = parse_expression("w*t + 0.1*sin(3*t)", names);
  const double t = 0.4, w = 5;
  const std::array<Jet, 2> along{Jet::variable(t), Jet(w)};
  const Jet motion = angle(along);
  EXPECT_DOUBLE_EQ(motion.value, w * t + 0.1 * std::sin(3 * t));
  EXPECT_DOUBLE_EQ(motion.first, w + 0.3 * std::cos(3 * t));
  EXPECT_NEAR(motion.second, -0.9 * std::sin(3 * t), 1e-15);
}

struct BadFormula {
  const char* text;
  int column;
  const char* message;
};

TEST(Expression, ErrorsNameTheColumnAndWhatWasExpected) {
  const BadFormula formulas[] = {
      {"", 1, "an empty formula, expected a number or a name"},
      {"1 +", 4, "found the end, expected a number, a name or '('"},
      {"(1 + 2", 7, "found the end, expected ')'"},
      {"1 2", 3, "found '2', expected an operator or the end"},
      {"50 1/m*2", 4, "found '1', expected an operator or the end; the unit 1/m is m^-1"},
      {"2(3)", 2, "found '(', expected an operator or the end"},
      {"2*y", 3, "there is no 'y' here"},
      {"2*vlocity", 3, "there is no 'vlocity' here; did you mean 'velocity'?"},
      {"3 + sine(1)", 5, "there is no function 'sine'; did you mean 'sin'?"},
      {"atan2(1)", 1, "atan2 takes 2 arguments, found 1"},
      {"step(1, 2)", 1, "step takes 1 or 5 arguments, found 2"},
      {"max(1)", 1, "max takes 2 or more arguments, found 1"},
      {"2**3", 2, "found '**', expected '^' for a power"},
      {"1 < 2 < 3", 7, "a comparison of a comparison; join the two by 'and'"},
      {"1e999", 1, "the number is too large or too small"},
      {"2 $ 3", 3, "found '$', expected an operator or the end"},
      {"1.2.3", 4, "found '.', expected an operator or the end"},
      {"3 mm", 3, "found 'mm', expected an operator or the end"},
  };
  constexpr std::array<std::string_view, 1> names{"velocity"};
  for (const BadFormula& bad : formulas) {
    SCOPED_TRACE(bad.text);
    try {
      parse_expression(bad.text, names);
      ADD_FAILURE() << "accepted";
    } catch (const ExpressionError& error) {
      EXPECT_STREQ(error.what(), bad.message);
      EXPECT_EQ(error.column, bad.column);
    }
  }
}

TEST(Expression, DeepNestingIsRefusedAndLongChainsAreNot) {
  const std::string open(1000, '('), close(1000, ')');
  EXPECT_THROW(parse_expression(open + "1" + close), ExpressionError);
  std::string powers = "1", sum = "1";
  for (int i = 0; i < 1000; ++i) powers += "^1";
  EXPECT_THROW(parse_expression(powers), ExpressionError);
  for (int i = 0; i < 1000; ++i) sum += "+1";
  EXPECT_EQ(value(sum), 1001);
  EXPECT_EQ(value(std::string(1001, '-') + "1"), -1);
}

}  // namespace
}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backlash/base/expression_code.h"
#include "backlash/base/jet.h"

namespace backlash {

/// A formula of numbered variables, as a user wrote it: immutable, cheap to copy, shareable between
/// threads, evaluated without allocation. A drive θ(t) evaluated on a Jet gives θ̇ and θ̈.
/// Non-smooth functions (abs, min, sign, step of one argument, floor, mod, if) have one-sided
/// derivatives; a jump has none.
class Expression {
 public:
  Expression(double constant = 0) : constant_(constant) {}  // NOLINT: a number is an expression
  /// Throws InputError for code that is no formula; compile_expression() makes none such.
  Expression(ExpressionCode code, std::string text);

  bool is_constant() const { return program_ == nullptr; }
  double constant() const { return constant_; }  ///< only if is_constant()
  int variables() const;                         ///< how many variables a call must give
  bool uses(int variable) const;
  std::string text() const;  ///< as written

  /// Throws InputError if there are fewer than variables().
  double operator()(std::span<const double> variables) const;
  Jet operator()(std::span<const Jet> variables) const;

  /// Of one variable: f(x), and f with f′ and f″ at x.
  double at(double x) const { return (*this)(std::span<const double>(&x, 1)); }
  Jet jet(double x) const {
    const Jet variable = Jet::variable(x);
    return (*this)(std::span<const Jet>(&variable, 1));
  }

 private:
  struct Program;
  double constant_ = 0;
  std::shared_ptr<const Program> program_{};  ///< null: constant
};

/// Reads a formula of the variables with these names. Throws ExpressionError.
Expression parse_expression(std::string_view text,
                            std::span<const std::string_view> variables = {});

}  // namespace backlash

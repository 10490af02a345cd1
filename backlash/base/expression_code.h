// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backlash/base/input_error.h"
#include "backlash/base/table.h"

namespace backlash {

/// A formula that cannot be read. The message says what was found and what was expected.
class ExpressionError : public InputError {
 public:
  ExpressionError(const std::string& message, int column_) : InputError(message), column(column_) {}
  int column;  ///< in the text of the formula, from 1
};

/// What an instruction does with the top of the stack. The table of functions in
/// expression_code.cpp gives their names.
enum class Operation : unsigned char {
  literal,
  variable,
  negate,
  invert,
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
  sine,
  cosine,
  tangent,
  arc_sine,
  arc_cosine,
  arc_tangent,
  arc_tangent_2,
  hyperbolic_sine,
  hyperbolic_cosine,
  hyperbolic_tangent,
  square_root,
  exponential,
  logarithm,
  absolute,
  minimum,
  maximum,
  sign,
  heaviside,
  smooth_step,
  round_down,
  modulo,
  choose,
  harmonic,
  cycloidal,
  modified_sine,
  polynomial_345,
  polynomial_4567,
  table,  ///< a function that is given by points
};

/// One step of a formula in postfix order.
struct Instruction {
  Operation operation = Operation::literal;
  int index = -1;    ///< of the variable; of a literal: the tag that the names or units gave it
  double value = 0;  ///< of a literal
  int column = 0;    ///< where it stands in the text, from 1
  std::shared_ptr<const TableFunction> table{};  ///< of that operation; `index` is its value's tag
  int argument = -1;                             ///< and this the tag of its argument
};

using ExpressionCode = std::vector<Instruction>;

/// What a name in a formula means.
struct BoundVariable {
  int index = 0;
};
struct BoundConstant {
  double value = 0;
  int tag = -1;  ///< kept in Instruction::index
};
using Binding = std::variant<BoundVariable, BoundConstant>;

/// What the name of a function means that is given by points.
struct BoundTable {
  std::shared_ptr<const TableFunction> table{};  ///< null: there is none of that name
  int argument = -1, value = -1;                 ///< tags
};

/// A unit after a number, such as "N/mm".
struct UnitMatch {
  std::size_t length = 0;  ///< characters of the text that belong to it
  double factor = 1;       ///< SI value of one such unit
  int tag = -1;
};

/// How names and units are understood; each may be absent. `name` returns nothing, or throws
/// InputError with a better sentence, if there is no such name. `unit` gets the text from the first
/// letter after a number on, and throws InputError if no unit stands there.
struct ExpressionNames {
  std::function<std::optional<Binding>(std::string_view name)> name{};
  std::function<UnitMatch(std::string_view text)> unit{};
  std::function<BoundTable(std::string_view name)> table{};
  std::vector<std::string> tables{};  ///< their names
};

/// Checks and translates a formula; nothing is computed. Throws ExpressionError.
ExpressionCode compile_expression(std::string_view text, const ExpressionNames& names);

/// Most values that a formula may hold at a time while it is evaluated.
inline constexpr int max_expression_depth = 64;

/// How many values an operation takes from the stack.
int arguments(Operation operation);

/// Names of the functions and constants that formulas may use; parameters cannot have them.
std::vector<std::string_view> expression_function_names();

}  // namespace backlash

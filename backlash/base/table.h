// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "backlash/base/jet.h"

namespace backlash {

enum class Interpolation {
  linear,
  cubic  ///< spline with continuous curvature; natural at the ends, or periodic
};

/// What a table says beyond its ends.
enum class Extension {
  hold,     ///< the value at the end
  linear,   ///< the slope at the end
  periodic  ///< the same again; the first and the last value are equal
};

/// A function given by points.
struct Table {
  std::vector<double> x{};  ///< increasing
  std::vector<double> y{};
  Interpolation interpolation = Interpolation::linear;
  Extension extension = Extension::hold;
};

/// Throw InputError unless the table is a function; `item` names it in the message.
void validate(const Table& table, std::string_view item);

/// A table ready for evaluation: const after construction.
class TableFunction {
 public:
  explicit TableFunction(Table table);

  double at(double x) const { return jet(x).value; }
  Jet jet(double x) const;  ///< with slope and curvature
  const Table& table() const { return table_; }

 private:
  Table table_;
  std::vector<double> curvature_;  ///< y″ at the points
};

}  // namespace backlash

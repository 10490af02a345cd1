// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <variant>
#include <vector>

#include "backlash/base/expression.h"
#include "backlash/base/number_range.h"
#include "backlash/base/table.h"
#include "backlash/base/types.h"
#include "backlash/geometry/nurbs/lines_and_arcs.h"

/// How a shape S is written in the model file: the reader, the schema and the reference come from
/// this. Each value says where it goes in an S; lengths are in [m], angles in [rad].
namespace backlash {

template <class S>
struct NumberValue {
  double S::*member;
  NumberRange range{};
  std::string_view unit;      ///< SI
  std::string_view phrase{};  ///< for people; empty: what is of that unit
};

/// [x, y].
template <class S>
struct PointValue {
  Vec2 S::*member;
};

/// [x, y] or an angle; of length 1.
template <class S>
struct DirectionValue {
  Vec2 S::*member;
};

/// [[x, y], …].
template <class S>
struct PointListValue {
  int count = -1;             ///< −1: any number
  std::string_view phrase;    ///< for people
  std::string_view expected;  ///< for messages
  void (*set)(S&, std::vector<Vec2>);
};

/// A path of lines and arcs: a list of points [x, y], each of which an arc may lead to.
template <class S>
struct PathValue {
  void (*set)(S&, std::vector<PathPoint>);
};

/// [length, width], both positive.
template <class S>
struct SizeValue {
  void (*set)(S&, double length, double width);
};

/// One of the names.
template <class S>
struct ChoiceValue {
  std::vector<std::string_view> names;
  void (*set)(S&, std::size_t);
};

/// true or false.
template <class S>
struct FlagValue {
  bool S::*member;
};

/// A whole number.
template <class S>
struct CountValue {
  int S::*member;
  int lower, upper;
};

/// A length as a formula of an angle.
template <class S>
struct FormulaValue {
  std::string_view variable;
  void (*set)(S&, Expression);
};

/// A length over an angle, by points.
template <class S>
struct TableValue {
  std::string_view phrase;  ///< for people
  void (*set)(S&, Table);
};

/// A curve, by the name of a profile of the model.
template <class S>
struct CurveValue {
  void (*set)(S&, NurbsCurveData<2>);
};

template <class S>
struct ShapeKey;

/// Keys of its own.
template <class S>
struct MappingValue {
  std::string_view item;  ///< for messages: "a line"
  std::string_view description;
  std::vector<ShapeKey<S>> keys;           ///< in the order in which they are read
  std::vector<std::string_view> one_of{};  ///< exactly one of these must be there

  using HasKey = std::function<bool(std::string_view)>;
  std::string_view (*objection)(const S&, const HasKey&) = nullptr;  ///< empty: none
};

template <class S>
using ShapeValue =
    std::variant<NumberValue<S>, PointValue<S>, DirectionValue<S>, PointListValue<S>, PathValue<S>,
                 SizeValue<S>, ChoiceValue<S>, FlagValue<S>, CountValue<S>, FormulaValue<S>,
                 TableValue<S>, CurveValue<S>, MappingValue<S>>;

template <class S>
struct ShapeKey {
  std::string_view name;
  ShapeValue<S> value;
  std::string_view meaning;
  std::string_view fallback{};  ///< what holds without the key; empty: nothing to say
  bool needed = false;
};

template <class S>
using ShapeKeys = std::vector<ShapeKey<S>>;

}  // namespace backlash

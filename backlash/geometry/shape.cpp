// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/shape.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

template <class S>
concept Plate = requires(const S& s) {
  area_of(s);
};

template <class... S>
std::vector<std::string_view> plate_names(const std::variant<S...>*) {
  std::vector<std::string_view> names;
  ((Plate<S> ? names.push_back(S::name) : void()), ...);
  return names;
}

}  // namespace

void validate(const Shape& shape, std::string_view item) {
  std::visit([&](const auto& s) { check(s, item); }, shape);
}

std::string_view kind_name(const Shape& shape) {
  return std::visit([]<class S>(const S&) { return S::name; }, shape);
}

Boundary boundary(const Shape& shape) {
  validate(shape, kind_name(shape));
  return std::visit([](const auto& s) { return boundary_of(s); }, shape);
}

Shape mirrored(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) -> Shape {
        if constexpr (requires { mirrored_of(s); }) return mirrored_of(s);
        throw InputError(fmt::format(
            "a {} cannot be mirrored: write its function for the other sense of rotation",
            S::name));
      },
      shape);
}

AreaProperties area_properties(const Shape& shape) {
  return std::visit(
      []<class S>(const S& s) {
        if constexpr (Plate<S>) return area_of(s);
        return AreaProperties{};
      },
      shape);
}

std::string plate_kinds() {
  const std::vector<std::string_view> names = plate_names(static_cast<const Shape*>(nullptr));
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
    text += names[i];
  }
  return text;
}

double thickness(const Shape& shape) {
  return std::visit(
      [&](const auto& s) {
        if constexpr (requires { thickness_of(s); }) return thickness_of(s);
        const Boundary edge = boundary(shape);
        return edge.closed && !edge.hole ? least_width(edge.points) : INFINITY;
      },
      shape);
}

}  // namespace backlash

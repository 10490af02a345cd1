// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/material.h"

#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

/// σ = (1 − ν²)/E [1/Pa].
double softness(const Material& m) { return (1 - m.poisson * m.poisson) / m.elasticity; }

}  // namespace

const Material* find_material(std::string_view name) {
  for (const NamedMaterial& entry : material_table)
    if (entry.name == name) return &entry.material;
  return nullptr;
}

double hertz_stiffness(const Material& a, const Material& b, double radius_a, double radius_b,
                       std::string_view item) {
  for (const Material* material : {&a, &b}) validate(*material, fmt::format("{}: material", item));
  if (radius_a == 0 || radius_b == 0)
    throw InputError(fmt::format(
        "{}: a corner has no radius for Hertz' stiffness; round it, or give the stiffness", item));
  const double curvature = 1 / radius_a + 1 / radius_b;
  if (std::isnan(curvature) || curvature <= 0)
    throw InputError(
        fmt::format("{}: surfaces of the radii {} m and {} m do not touch in a point, as Hertz' "
                    "stiffness needs; give the stiffness",
                    item, radius_a, radius_b));
  return 4 / (3 * (softness(a) + softness(b)) * std::sqrt(curvature));
}

void validate(const Material& material, std::string_view item) {
  require_positive(material.elasticity, fmt::format("{}: E", item), "Pa");
  require_in_range(material.poisson, 0, 0.5, fmt::format("{}: nu", item), "-");
}

}  // namespace backlash

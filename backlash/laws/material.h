// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <string_view>

namespace backlash {

/// What Hertz' theory knows of a solid.
struct Material {
  double elasticity = 0;  ///< Young's modulus E > 0 [Pa]
  double poisson = 0;     ///< Poisson's ratio ν in [0, 1/2]
};

struct NamedMaterial {
  std::string_view name;
  Material material;
};

/// Materials by name: usual values at room temperature. Alloys scatter by a few per cent and
/// polymers by much more; whoever needs them precisely gives E and ν.
inline constexpr std::array<NamedMaterial, 16> material_table = {{
    {"steel", {207e9, 0.3}},
    {"stainless-steel", {193e9, 0.3}},
    {"cast-iron", {110e9, 0.26}},
    {"aluminium", {70e9, 0.33}},
    {"brass", {105e9, 0.34}},
    {"bronze", {110e9, 0.34}},
    {"copper", {120e9, 0.34}},
    {"titanium", {114e9, 0.34}},
    {"zinc", {97e9, 0.25}},
    {"tungsten-carbide", {620e9, 0.22}},
    {"silicon-nitride", {310e9, 0.27}},
    {"glass", {70e9, 0.22}},
    {"nylon", {2.8e9, 0.4}},
    {"acetal", {3e9, 0.36}},
    {"ptfe", {0.5e9, 0.46}},
    {"rubber", {5e6, 0.49}},
}};

/// The material of that name, or null.
const Material* find_material(std::string_view name);

/// The radius of a plane [m].
inline constexpr double flat = std::numeric_limits<double>::infinity();

/// Hertz' stiffness K = 4/(3 (σ_a + σ_b)) √R of two balls, σ = (1 − ν²)/E, 1/R = 1/R_a + 1/R_b
/// (theory 9.3) [N/m^1.5]. A radius is positive outside of a ball, negative inside of a socket,
/// `flat` for a plane. Throws InputError for a corner (radius 0), and where the two do not touch in
/// a point: planes, or a ball as large as its socket; `item` names the contact.
double hertz_stiffness(const Material& a, const Material& b, double radius_a, double radius_b,
                       std::string_view item = "contact");

/// Throw InputError unless the numbers make sense; `item` names the material in the message.
void validate(const Material& material, std::string_view item);

}  // namespace backlash

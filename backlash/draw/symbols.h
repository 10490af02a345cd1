// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/types.h"
#include "backlash/draw/svg.h"

/// Symbols of mechanical engineering, of a fixed size in the picture [px].
namespace backlash::drawing {

void draw_pin(const Vec2& at, Svg& svg);                      ///< of a revolute joint
void draw_support(const Vec2& at, Svg& svg);                  ///< a pin that the ground holds
void draw_weld(const Vec2& at, Svg& svg);                     ///< of a fixed joint
void draw_slide(const Vec2& at, const Vec2& axis, Svg& svg);  ///< of a prismatic joint
void draw_centre_of_mass(const Vec2& at, std::string_view colour, Svg& svg);
void draw_cross(const Vec2& at, Svg& svg);  ///< a point of the output
void draw_spring(const Vec2& a, const Vec2& b, Svg& svg);
void draw_damper(const Vec2& a, const Vec2& b, Svg& svg);
void draw_turning(const Vec2& at, Svg& svg);                    ///< a torque or a motor
void draw_spiral(const Vec2& at, Svg& svg);                     ///< a torsion spring
void draw_arrow(const Vec2& from, const Vec2& to, Svg& svg);    ///< a force
void draw_touch(const Vec2& at, const Vec2& normal, Svg& svg);  ///< where a contact would be

/// Short strokes along a line from a to b, on the side of the material.
struct Edge {
  Vec2 a, b;
};
void draw_hatching(const Edge& edge, const Vec2& out_of_material, std::string_view colour,
                   Svg& svg);

/// A stop across an axis.
void draw_stop(const Vec2& at, const Vec2& axis, Svg& svg);

inline constexpr std::string_view force_colour = "#0060a0", contact_colour = "#c81e1e",
                                  joint_colour = "#000000", ground_colour = "#777777";

}  // namespace backlash::drawing

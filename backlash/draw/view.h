// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backlash/base/types.h"
#include "backlash/draw/svg.h"

/// Parts of the drawing of a mechanism that do not know mechanisms.
namespace backlash::drawing {

/// The part of the world that a picture shows.
struct Box {
  Vec2 low = Vec2::Constant(INFINITY), high = Vec2::Constant(-INFINITY);  ///< [m]

  void include(const Vec2& p);
  bool empty() const { return !(low.x() <= high.x() && low.y() <= high.y()); }
  Vec2 centre() const { return 0.5 * (low + high); }
  Vec2 size() const { return high - low; }
};

/// From the world to the picture.
class View {
 public:
  /// Shows all of the box and some space around it.
  explicit View(const Box& box);
  /// The same in a part of a picture, from its upper left corner on [px].
  View(const Box& box, const Vec2& corner, const Vec2& size);

  Vec2 px(const Vec2& p_W) const;         ///< [m] → [px]
  Vec2 direction(const Vec2& d_W) const;  ///< a unit direction in the picture
  double length(double metres) const { return metres * scale_; }  ///< [px]
  const Box& box() const { return box_; }
  Vec2 corner() const { return corner_; }  ///< upper left, of the part with the mechanism [px]
  Vec2 size() const { return size_; }      ///< of that part [px]
  Vec2 whole() const;                      ///< size of the picture [px]

 private:
  Box box_;
  double scale_ = 1;  ///< [px/m]
  Vec2 corner_, size_;
};

/// Ticks and numbers along the left and lower side, in mm or m.
void draw_axes(const View& view, Svg& svg);

/// Words that belong to a place.
struct Label {
  Vec2 at = Vec2::Zero();  ///< [px]
  std::string words{};
  std::string_view colour = "#000000";
  double size = 12;  ///< [px]
};

/// What labels should not cover.
struct Obstacles {
  std::vector<Vec2> points{};  ///< symbols [px]
  std::vector<Vec2> lines{};   ///< points along lines, every few pixels [px]

  void add_line(const Vec2& a, const Vec2& b);
};

/// Puts labels near their places, so that they cover neither each other nor the obstacles, as far
/// as there is room.
void draw_labels(const std::vector<Label>& labels, const Obstacles& obstacles, const View& view,
                 Svg& svg);

}  // namespace backlash::drawing

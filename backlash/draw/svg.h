// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "backlash/base/types.h"

namespace backlash {

/// How lines and areas look.
struct SvgStyle {
  std::string_view stroke = "#000000";
  double width = 1;  ///< [px]
  std::string_view fill = "none";
  double fill_opacity = 1;
  double stroke_opacity = 1;
  std::string_view dashes = "";  ///< "4 3": lengths of dash and space
};

struct SvgText {
  std::string_view colour = "#000000";
  double size = 12;                    ///< [px]
  std::string_view anchor = "start";   ///< start, middle, end
  std::string_view weight = "normal";  ///< normal, bold
  double turned = 0;                   ///< clockwise, about its place [°]
};

/// A picture being drawn, in pixels from the upper left corner.
class Svg {
 public:
  Svg(double width, double height, const std::string& title);

  /// One whose size is known only in the end.
  Svg() = default;

  void line(const Vec2& a, const Vec2& b, const SvgStyle& style);
  void polyline(std::span<const Vec2> points, const SvgStyle& style);
  void polygon(std::span<const Vec2> points, const SvgStyle& style);
  void circle(const Vec2& centre, double radius, const SvgStyle& style);
  void text(const Vec2& at, const std::string& words, const SvgText& style);

  /// What follows is cut off outside of this rectangle, until end_clip().
  void begin_clip(const Vec2& corner, const Vec2& size);
  void end_clip();

  std::string finish();
  std::string finish(double width, double height, const std::string& title) const;

 private:
  std::string body_;
};

}  // namespace backlash

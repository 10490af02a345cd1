// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace backlash::drawing {
namespace {

constexpr double width = 900, least_height = 320, most_height = 900;  // of the part [px]
constexpr double left = 64, right = 20, above = 40, below = 52;       // beside it [px]
constexpr SvgStyle frame{.stroke = "#888888", .width = 1};
constexpr SvgStyle grid{.stroke = "#eeeeee", .width = 1};

/// 1, 2 or 5 times a power of ten, at least `length`.
double round_step(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= length) return factor * power;
  return 10 * power;
}

/// Multiples of the step from low to high; not more than fit on an axis.
std::vector<double> ticks(double low, double high, double step) {
  constexpr int most = 40;
  std::vector<double> values;
  const double first = std::ceil(low / step);
  for (int i = 0; i < most && (first + i) * step <= high; ++i) values.push_back((first + i) * step);
  return values;
}

/// A rectangle of a label [px].
struct Area {
  Vec2 low, high;

  double shared(const Area& other) const {
    const Vec2 size = high.cwiseMin(other.high) - low.cwiseMax(other.low);
    return size.x() > 0 && size.y() > 0 ? size.x() * size.y() : 0;
  }
  bool holds(const Vec2& p) const {
    return (p.array() > low.array()).all() && (p.array() < high.array()).all();
  }
};

Area area_of(const Label& label, const Vec2& centre) {
  const Vec2 half(0.29 * label.size * static_cast<double>(label.words.size()) + 2,
                  0.5 * label.size + 2);
  return {centre - half, centre + half};
}

struct Placing {
  const std::vector<Area>& taken;
  const Obstacles& obstacles;
  Area room;
};

/// What speaks against a place [px²].
double cost(const Area& area, double distance, const Placing& placing) {
  double sum = 0.3 * distance;
  for (const Area& other : placing.taken) sum += 3 * area.shared(other);
  for (const Vec2& p : placing.obstacles.points) sum += area.holds(p) ? 80 : 0;
  for (const Vec2& p : placing.obstacles.lines) sum += area.holds(p) ? 5 : 0;
  const Vec2 size = area.high - area.low;
  return sum + 5 * (size.x() * size.y() - area.shared(placing.room));
}

Vec2 best_centre(const Label& label, const Placing& placing) {
  Vec2 best = label.at;
  double least = INFINITY;
  const Vec2 half = 0.5 * (area_of(label, label.at).high - area_of(label, label.at).low);
  for (const double distance : {8.0, 16.0, 28.0, 44.0, 66.0, 95.0})
    for (int i = 0; i < 16; ++i) {
      const double angle = 2 * M_PI * (i + 0.5) / 16;
      const Vec2 d(std::cos(angle), -std::sin(angle));
      const Vec2 centre = label.at + distance * d + half.cwiseProduct(d);
      const double found = cost(area_of(label, centre), distance, placing);
      if (found >= least) continue;
      least = found;
      best = centre;
    }
  return best;
}

}  // namespace

void Box::include(const Vec2& p) {
  if (!p.allFinite()) return;
  low = low.cwiseMin(p);
  high = high.cwiseMax(p);
}

namespace {

/// With some space around it.
Box with_margin(Box box) {
  if (box.empty()) box = {Vec2(-1, -1), Vec2(1, 1)};
  const double farthest = std::max(box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff());
  const double largest = std::max({box.size().maxCoeff(), 1e-9, 1e-9 * farthest});
  const Vec2 margin = Vec2::Constant(0.09 * largest);
  return {box.low - margin, box.high + margin};
}

/// Of a part as wide as it may be, and as high as the box needs [px].
Vec2 size_for(const Box& box) {
  const Vec2 needed = with_margin(box).size();
  const double scale = std::min(width / needed.x(), most_height / needed.y());
  return {width, std::clamp(needed.y() * scale, least_height, most_height)};
}

}  // namespace

View::View(const Box& box) : View(box, Vec2(left, above), size_for(box)) {}

View::View(const Box& box, const Vec2& corner, const Vec2& size) : corner_(corner), size_(size) {
  const Box wide = with_margin(box);
  scale_ = size.cwiseQuotient(wide.size()).minCoeff();
  const Vec2 half = 0.5 * size_ / scale_, centre = wide.centre();
  box_ = {centre - half, centre + half};
}

Vec2 View::px(const Vec2& p_W) const {
  return corner_ + Vec2(p_W.x() - box_.low.x(), box_.high.y() - p_W.y()) * scale_;
}

Vec2 View::direction(const Vec2& d_W) const { return Vec2(d_W.x(), -d_W.y()).normalized(); }

Vec2 View::whole() const { return corner_ + size_ + Vec2(right, below); }

void draw_axes(const View& view, Svg& svg) {
  const Box& box = view.box();
  const bool millimetres = box.size().maxCoeff() < 2;
  const double unit = millimetres ? 1e-3 : 1;
  const double step = round_step(box.size().maxCoeff() / 10);
  const Vec2 corner = view.corner(), end = corner + view.size();
  const SvgText text{.colour = "#555555", .size = 11, .anchor = "middle"};
  const auto number = [&](double value) { return fmt::format("{:.6g}", value / unit + 0.0); };
  for (const double value : ticks(box.low.x(), box.high.x(), step)) {
    const double x = view.px(Vec2(value, 0)).x();
    svg.line({x, corner.y()}, {x, end.y()}, grid);
    svg.line({x, end.y()}, {x, end.y() + 5}, frame);
    svg.text({x, end.y() + 18}, number(value), text);
  }
  for (const double value : ticks(box.low.y(), box.high.y(), step)) {
    const double y = view.px(Vec2(0, value)).y();
    svg.line({corner.x(), y}, {end.x(), y}, grid);
    svg.line({corner.x() - 5, y}, {corner.x(), y}, frame);
    svg.text({corner.x() - 9, y + 4}, number(value),
             {.colour = "#555555", .size = 11, .anchor = "end"});
  }
  const char* name = millimetres ? "mm" : "m";
  svg.text({0.5 * (corner.x() + end.x()), end.y() + 36}, fmt::format("x [{}]", name), text);
  svg.text({corner.x() - 9, corner.y() - 10}, fmt::format("y [{}]", name), text);
  const Vec2 corners[] = {corner, {end.x(), corner.y()}, end, {corner.x(), end.y()}};
  svg.polygon(corners, frame);
}

void Obstacles::add_line(const Vec2& a, const Vec2& b) {
  constexpr double apart = 6;  // [px]
  const double length = (b - a).norm();
  for (double s = 0; s <= length && lines.size() < 20000; s += apart)
    lines.emplace_back(a + (length > 0 ? s / length : 0) * (b - a));
}

void draw_labels(const std::vector<Label>& labels, const Obstacles& obstacles, const View& view,
                 Svg& svg) {
  std::vector<Area> taken;
  const Area room{view.corner(), view.corner() + view.size()};
  for (const Label& label : labels) {
    const Vec2 centre = best_centre(label, {taken, obstacles, room});
    const Area area = area_of(label, centre);
    taken.push_back(area);
    const Vec2 nearest = label.at.cwiseMax(area.low).cwiseMin(area.high);
    if ((nearest - label.at).norm() > 20)
      svg.line(label.at, nearest, {.stroke = label.colour, .width = 0.6, .stroke_opacity = 0.6});
    svg.text(centre + Vec2(0, 0.35 * label.size), label.words,
             {.colour = label.colour, .size = label.size, .anchor = "middle"});
  }
}

}  // namespace backlash::drawing

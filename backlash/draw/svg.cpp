// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/draw/svg.h"

#include <iterator>

#include <fmt/format.h>

#include "backlash/base/printable.h"

namespace backlash {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : plain_text(text)) switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) result.push_back(c);
    }
  return result;
}

std::string attributes(const SvgStyle& s) {
  std::string text =
      fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"{:g}\"", s.fill, s.stroke, s.width);
  const auto out = std::back_inserter(text);
  if (s.fill_opacity < 1) fmt::format_to(out, " fill-opacity=\"{:g}\"", s.fill_opacity);
  if (s.stroke_opacity < 1) fmt::format_to(out, " stroke-opacity=\"{:g}\"", s.stroke_opacity);
  if (!s.dashes.empty()) fmt::format_to(out, " stroke-dasharray=\"{}\"", s.dashes);
  return text;
}

std::string listed(std::span<const Vec2> points) {
  std::string text;
  for (const Vec2& p : points)
    fmt::format_to(std::back_inserter(text), "{}{:.2f},{:.2f}", text.empty() ? "" : " ", p.x(),
                   p.y());
  return text;
}

std::string opening(double width, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 "
      "{0:g} "
      "{1:g}\" font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\" stroke-linecap=\"round\" "
      "stroke-linejoin=\"round\">\n<title>{2}</title>\n"
      "<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"#ffffff\"/>\n",
      width, height, escaped(title));
}

}  // namespace

Svg::Svg(double width, double height, const std::string& title)
    : body_(opening(width, height, title)) {}

void Svg::line(const Vec2& a, const Vec2& b, const SvgStyle& style) {
  body_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n",
                       a.x(), a.y(), b.x(), b.y(), attributes(style));
}

void Svg::polyline(std::span<const Vec2> points, const SvgStyle& style) {
  body_ += fmt::format("<polyline points=\"{}\" {}/>\n", listed(points), attributes(style));
}

void Svg::polygon(std::span<const Vec2> points, const SvgStyle& style) {
  body_ += fmt::format("<polygon points=\"{}\" {}/>\n", listed(points), attributes(style));
}

void Svg::circle(const Vec2& centre, double radius, const SvgStyle& style) {
  body_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" {}/>\n", centre.x(),
                       centre.y(), radius, attributes(style));
}

void Svg::text(const Vec2& at, const std::string& words, const SvgText& s) {
  const std::string turn = s.turned == 0 ? ""
                                         : fmt::format(" transform=\"rotate({:g} {:.2f} {:.2f})\"",
                                                       s.turned, at.x(), at.y());
  body_ += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:g}\" font-weight=\"{}\" text-anchor=\"{}\" "
      "fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"{}>{}</text>\n",
      at.x(), at.y(), s.size, s.weight, s.anchor, s.colour, turn, escaped(words));
}

void Svg::begin_clip(const Vec2& corner, const Vec2& size) {
  body_ += fmt::format(
      "<svg x=\"{0:.2f}\" y=\"{1:.2f}\" width=\"{2:.2f}\" height=\"{3:.2f}\" viewBox=\"{0:.2f} "
      "{1:.2f} "
      "{2:.2f} {3:.2f}\">\n",
      corner.x(), corner.y(), size.x(), size.y());
}

void Svg::end_clip() { body_ += "</svg>\n"; }

std::string Svg::finish() { return body_ + "</svg>\n"; }

std::string Svg::finish(double width, double height, const std::string& title) const {
  return opening(width, height, title) + body_ + "</svg>\n";
}

}  // namespace backlash

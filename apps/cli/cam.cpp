// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/version.h"
#include "backlash/draw/chart.h"
#include "backlash/dynamics/cam_design.h"
#include "backlash/io/model/option_text.h"
#include "commands.h"
#include "model_file.h"
#include "numbers.h"
#include "picture_file.h"

namespace backlash::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A quantity of the points: where it is, what it is called, in which unit.
struct Quantity {
  const char* name;
  std::string unit;
  double CamDesignPoint::*value;
};

std::vector<Quantity> quantities_of(const CamDesign& design) {
  const std::string s(name(design.unit));
  return {{"angle", "rad", &CamDesignPoint::angle},
          {"position", s, &CamDesignPoint::position},
          {"lift", s, &CamDesignPoint::lift},
          {"slope", s + "/rad", &CamDesignPoint::slope},
          {"bend", s + "/rad^2", &CamDesignPoint::bend},
          {"pressure_angle", "rad", &CamDesignPoint::pressure_angle},
          {"cam_radius", "m", &CamDesignPoint::cam_radius},
          {"follower_radius", "m", &CamDesignPoint::follower_radius},
          {"force", "N", &CamDesignPoint::force},
          {"pressure", "Pa", &CamDesignPoint::pressure}};
}

/// Infinite radii (flat) are empty cells.
std::string csv_text(const CamDesign& design) {
  const std::vector<Quantity> quantities = quantities_of(design);
  std::string text;
  for (const Quantity& q : quantities)
    text += fmt::format("{}{} [{}]", text.empty() ? "" : ",", q.name, q.unit);
  text += '\n';
  for (const CamDesignPoint& point : design.points) {
    for (const Quantity& q : quantities) {
      if (&q != quantities.data()) text += ',';
      if (std::isfinite(point.*q.value)) text += fmt::format("{}", point.*q.value);
    }
    text += '\n';
  }
  return text;
}

Chart chart_of(const CamDesign& design, const Quantity& q) {
  std::string title = q.name;
  std::ranges::replace(title, '_', ' ');
  ChartSeries series{.name = title};
  for (const CamDesignPoint& point : design.points) {
    series.x.push_back(point.angle);
    series.y.push_back(std::isfinite(point.*q.value) ? point.*q.value : NAN);
  }
  return {.x = {.name = design.cam, .unit = "rad"},
          .y = {.name = title, .unit = q.unit},
          .series = {series}};
}

std::string picture_of(const CamDesign& design, const Model& model) {
  const std::vector<Quantity> quantities = quantities_of(design);
  ChartPage page{.title = model.title.empty() ? design.contact : model.title,
                 .notes = {fmt::format("contact '{}' at {:.6g} rad/s, without friction",
                                       design.contact, design.speed)},
                 .height = 200};
  for (const std::size_t i : {2, 5, 6, 8}) page.charts.push_back(chart_of(design, quantities[i]));
  if (design.largest_pressure > 0) page.charts.push_back(chart_of(design, quantities[9]));
  return chart_svg(page);
}

double degrees(double angle) { return angle * 180 / std::numbers::pi; }
double rpm(double speed) { return speed * 30 / std::numbers::pi; }

void print_tables(const CamArguments& a, const Model& model, const CamDesign& design) {
  const auto line = [](const char* what, const std::string& value) {
    fmt::print("  {:<28}{}\n", what, value);
  };
  fmt::print("{}: {}\n", a.model.file.string(), model.title.empty() ? "no title" : model.title);
  fmt::print("  cam on '{}', follower on '{}', contact '{}', {} points of a turn\n", design.cam,
             design.follower, design.contact, design.points.size());
  line("lift", fmt::format("{:.6g} {}", design.lift, name(design.unit)));
  line("largest pressure angle", fmt::format("{:.4g} deg", degrees(design.largest_pressure_angle)));
  line("smallest radius of the cam", std::isfinite(design.smallest_radius)
                                         ? fmt::format("{:.6g} m", design.smallest_radius)
                                         : "none, it does not bulge");
  line("contact force",
       fmt::format("{:.6g} to {:.6g} N at {:.6g} rad/s ({:.6g} rpm)", design.smallest_force,
                   design.largest_force, design.speed, rpm(design.speed)));
  if (a.width)
    line("largest Hertz pressure", fmt::format("{:.4g} MPa", 1e-6 * design.largest_pressure));
  if (design.corner_angle)
    line("slope jumps",
         fmt::format("near {:.4g} deg: there the follower is hit or thrown off at any speed",
                     degrees(*design.corner_angle)));
  line(design.corner_angle ? "lifts off elsewhere" : "lifts off",
       std::isfinite(design.lift_off_speed)
           ? fmt::format("from {:.6g} rad/s ({:.6g} rpm) on, at {:.4g} deg", design.lift_off_speed,
                         rpm(design.lift_off_speed), degrees(design.lift_off_angle))
           : "at no speed");
}

Json json_of(const Model& model, const CamDesign& design) {
  const auto finite = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  Json json{{"format", "backlash cam"},
            {"format_version", 1},
            {"program_version", version()},
            {"title", model.title},
            {"cam", design.cam},
            {"follower", design.follower},
            {"contact", design.contact},
            {"unit", name(design.unit)},
            {"speed", design.speed},
            {"lift", design.lift},
            {"largest_pressure_angle", design.largest_pressure_angle},
            {"smallest_radius", finite(design.smallest_radius)},
            {"smallest_force", design.smallest_force},
            {"largest_force", design.largest_force},
            {"largest_pressure", design.largest_pressure},
            {"lift_off_speed", finite(design.lift_off_speed)},
            {"lift_off_angle", design.lift_off_angle},
            {"corner_angle", design.corner_angle ? Json(*design.corner_angle) : Json(nullptr)}};
  for (const Quantity& q : quantities_of(design))
    for (const CamDesignPoint& point : design.points)
      json["points"][q.name].push_back(finite(point.*q.value));
  return json;
}

CamQuestion question_of(const CamArguments& a) {
  using Range = NumberRange;
  constexpr double steel_on_steel = 207e9 / (2 * (1 - 0.3 * 0.3));
  CamQuestion question{.contact = a.contact, .points = parse_count(a.points, 4, "--points")};
  if (a.speed) question.speed = parse_quantity(*a.speed, "rad/s", {}, "--speed");
  if (a.width)
    question.hertz.width = parse_quantity(*a.width, "m", {Range::Kind::positive}, "--width");
  question.hertz.modulus =
      a.modulus ? parse_quantity(*a.modulus, "Pa", {Range::Kind::positive}, "--modulus")
                : steel_on_steel;
  return question;
}

}  // namespace

int run_cam(const CamArguments& a) {
  if (!a.drawing.empty()) require_picture_name(a.drawing);
  const CamQuestion question = question_of(a);
  const Model model = read_model_with(a.model);
  const CamDesign design = design_cam(model, question);
  if (!a.output.empty()) write_text(a.output, csv_text(design));
  if (!a.drawing.empty()) write_picture(a.drawing, picture_of(design, model));
  if (a.json)
    fmt::print("{}\n", json_of(model, design).dump(2, ' ', false, Json::error_handler_t::replace));
  else if (a.output != "-" && a.drawing != "-")
    print_tables(a, model, design);
  return exit_done;
}

}  // namespace backlash::cli

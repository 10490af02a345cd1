// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "backlash/base/plane.h"
#include "backlash/check/lints.h"
#include "backlash/geometry/nurbs/contact_boundary.h"

/// What profiles look like, and whether their partners fit them.
namespace backlash {
namespace {

/// Points along a curve, close enough to see what it does.
struct Sampled {
  struct Point {
    double u;
    Vec2 p;
    double curvature;  ///< > 0 bulges [1/m]
  };
  std::vector<Point> places{};
  bool closed = false;

  explicit Sampled(const NurbsCurve<2>& curve) : closed(curve.closed()) {
    constexpr int each = 32;
    const auto& pieces = curve.pieces();
    for (int i = 0; i < pieces.count(); ++i)
      for (int k = 0; k <= each; ++k) {
        if (k == each && (i + 1 < pieces.count() || closed)) continue;
        const double u = pieces.parameters(i, {static_cast<double>(k) / each})[0];
        const CurvePoint<2> at = curve.at(u);
        places.push_back({u, at.p, backlash::curvature(at)});
      }
  }
  std::size_t sides() const { return places.size() - (closed ? 0 : 1); }
  const Vec2& end(std::size_t side) const { return places[(side + 1) % places.size()].p; }

  const Point& sharpest() const { return *std::ranges::max_element(places, {}, &Point::curvature); }
  const Point& most_hollow() const {
    return *std::ranges::min_element(places, {}, &Point::curvature);
  }
};

bool cross_each_other(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return cross(b - a, c - a) * cross(b - a, d - a) < 0 &&
         cross(d - c, a - c) * cross(d - c, b - c) < 0;
}

/// Parameters where the curve meets itself.
std::optional<std::pair<double, double>> self_intersection(const Sampled& s) {
  for (std::size_t i = 0; i < s.sides(); ++i)
    for (std::size_t k = i + 2; k < s.sides(); ++k)
      if (cross_each_other(s.places[i].p, s.end(i), s.places[k].p, s.end(k)))
        return std::pair(s.places[i].u, s.places[k].u);
  return std::nullopt;
}

Finding finding(const ModelProfile& profile, Severity severity, std::string message,
                std::string advice = "") {
  return {.severity = severity,
          .item = fmt::format("profile '{}'", profile.name),
          .where = profile.where,
          .message = std::move(message),
          .advice = std::move(advice)};
}

std::string radius_text(const Sampled::Point& place) {
  return fmt::format("{:.4g} m at u = {:.4g}", 1 / std::abs(place.curvature), place.u);
}

/// "closed, 2 continuous derivatives, smallest radius …".
std::string description(const ModelProfile& profile, const NurbsCurve<2>& curve,
                        const Sampled& sampled) {
  std::string text =
      fmt::format("{}, {} continuous derivative{}, parameter u from {:.4g} to {:.4g}",
                  curve.closed() ? "closed" : "open", curve.continuity(),
                  curve.continuity() == 1 ? "" : "s", curve.first(), curve.last());
  if (sampled.sharpest().curvature > 0)
    text += fmt::format("; smallest radius {}", radius_text(sampled.sharpest()));
  if (sampled.most_hollow().curvature < 0)
    text += fmt::format("; tightest hollow of radius {}", radius_text(sampled.most_hollow()));
  if (profile.measured > 0)
    text += fmt::format("; made from {} points of '{}', the largest deviation is {:.3g} m",
                        profile.measured, profile.source, profile.max_deviation);
  if (profile.turned)
    text += curve.closed() ? "; runs the other way than its points, so that its material is on the "
                             "left of it"
                           : "; runs the other way than its points, as 'material' says";
  return text;
}

void look_at(const ModelProfile& profile, Findings& findings) {
  const NurbsCurve<2> curve(profile.curve, profile.name);
  const Sampled sampled(curve);
  findings.push_back(finding(profile, Severity::note, description(profile, curve, sampled)));
  if (const auto where = self_intersection(sampled))
    findings.push_back(finding(
        profile, Severity::warning,
        fmt::format("crosses itself near u = {:.4g} and u = {:.4g}", where->first, where->second),
        "its inside has no meaning there: move the control points, or cut it into two profiles"));
  const ContactBoundary<2> boundary(curve);
  for (const BoundaryVertex<2>& vertex : boundary.vertices())
    if (curve.closed() && vertex.parameter == curve.first())
      findings.push_back(finding(
          profile, Severity::warning,
          fmt::format("has a corner of {:.3g} deg at its seam, u = {:.4g}",
                      180 - std::acos(std::clamp(vertex.into[0].dot(vertex.into[1]), -1.0, 1.0)) *
                                360 / full_turn,
                      vertex.parameter),
          "if it should be smooth, write 'periodic: true' and each control point once"));
}

/// The smallest radius by which a shape bulges; nothing where it is not round.
std::optional<double> bulge(const Shape& shape) {
  if (const auto* circle = std::get_if<Circle>(&shape)) return circle->radius;
  if (const auto* profile = std::get_if<NurbsProfile>(&shape)) {
    const double curvature = Sampled(NurbsCurve<2>(profile->curve)).sharpest().curvature;
    if (curvature > 0) return 1 / curvature;
  }
  return std::nullopt;
}

/// A partner that is blunter than a hollow touches both of its sides, and never its floor.
void look_at_fit(const ContactPair& pair, const ShapeName& owner, const Shape& shape,
                 const ShapeName& other, const Shape& partner, Findings& findings) {
  const auto* profile = std::get_if<NurbsProfile>(&shape);
  if (profile == nullptr) return;
  const std::optional<double> radius = bulge(partner);
  if (!radius) return;
  const Sampled sampled{NurbsCurve<2>(profile->curve)};
  const Sampled::Point& hollow = sampled.most_hollow();
  if (!(-hollow.curvature * *radius > 1)) return;
  findings.push_back(
      {.severity = Severity::note,
       .item = fmt::format("contact '{}'", pair.name),
       .where = pair.where,
       .message = fmt::format(
           "{}.{} has a hollow of radius {}, and {}.{} a smallest radius of {:.4g} "
           "m: it spans the hollow and touches it in two places",
           owner.body, owner.shape, radius_text(hollow), other.body, other.shape, *radius)});
}

}  // namespace

void find_profiles(const Model& model, Findings& findings) {
  for (const ModelProfile& profile : model.profiles) look_at(profile, findings);
  if (model.profiles.empty()) return;
  for (const ContactPair& pair : model.contacts)
    for (const ShapeName& a : pair.A)
      for (const ShapeName& b : pair.B) {
        const BodyShape *A = find_shape(model, a), *B = find_shape(model, b);
        if (A == nullptr || B == nullptr || a.body == b.body) continue;
        look_at_fit(pair, a, A->shape, b, B->shape, findings);
        look_at_fit(pair, b, B->shape, a, A->shape, findings);
      }
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "backlash/base/plane.h"
#include "backlash/check/lints.h"
#include "backlash/geometry/nurbs/contact_boundary.h"
#include "backlash/geometry/sweep.h"

/// What profiles look like, and whether their partners fit them.
namespace backlash {
namespace {

/// Points along a curve, close enough to see what it does.
struct Sampled {
  struct Place {
    double u;
    Vec2 p;
    double curvature;  ///< > 0 bulges [1/m]
  };
  std::vector<Place> places{};
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

  const Place& sharpest() const { return *std::ranges::max_element(places, {}, &Place::curvature); }
  const Place& most_hollow() const {
    return *std::ranges::min_element(places, {}, &Place::curvature);
  }
};

/// A point on the other line counts as left of it: where polygons cross in a corner, one of its
/// sides does.
bool cross_each_other(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const auto left = [](const Vec2& from, const Vec2& to, const Vec2& p) {
    return cross(to - from, p - from) >= 0;
  };
  return left(a, b, c) != left(a, b, d) && left(c, d, a) != left(c, d, b);
}

Box2 box_of(const Vec2& a, const Vec2& b) {
  const Vec2 low = a.cwiseMin(b), high = a.cwiseMax(b);
  return {{low.x(), low.y()}, {high.x(), high.y()}};
}

/// Parameters where the curve meets itself first.
std::optional<std::pair<double, double>> self_intersection(const Sampled& s) {
  std::vector<Box2> boxes;
  for (std::size_t i = 0; i < s.sides(); ++i) boxes.push_back(box_of(s.places[i].p, s.end(i)));
  SweepOrder order;
  std::vector<BoxPair> near;
  sweep(boxes, 0, order, near);
  std::optional<std::pair<std::size_t, std::size_t>> first;
  for (const BoxPair& pair : near) {
    const auto i = static_cast<std::size_t>(std::min(pair.first, pair.second));
    const auto k = static_cast<std::size_t>(std::max(pair.first, pair.second));
    const bool neighbours = k <= i + 1 || (s.closed && i == 0 && k + 1 == s.sides());
    if (!neighbours && cross_each_other(s.places[i].p, s.end(i), s.places[k].p, s.end(k)))
      first = std::min(first.value_or(std::pair(i, k)), std::pair(i, k));
  }
  if (!first) return std::nullopt;
  return std::pair(s.places[first->first].u, s.places[first->second].u);
}

Finding finding(const ModelProfile& profile, Severity severity, std::string message,
                std::string advice = "") {
  return {.severity = severity,
          .item = fmt::format("profile '{}'", profile.name),
          .where = profile.where,
          .message = std::move(message),
          .advice = std::move(advice)};
}

std::string radius_text(const Sampled::Place& place) {
  return fmt::format("{:.4g} m at u = {:.4g}", 1 / std::abs(place.curvature), place.u);
}

/// How smooth a curve is between its corners, whatever its parameter does: a circle of four
/// quarters has no continuous derivative, but is as smooth as any.
std::string_view geometric_smoothness(const NurbsCurve<2>& curve) {
  const auto& pieces = curve.pieces();
  const int n = pieces.count();
  bool tangents = true, curvatures = true;
  for (int i = curve.closed() ? 0 : 1; i < n; ++i) {
    const auto point = [&](int piece, double t) {
      const auto jet = pieces.at_piece(piece, {t});
      return CurvePoint<2>{nurbs::vec<2>(jet.p), nurbs::vec<2>(jet.d[0]),
                           nurbs::vec<2>(jet.dd[0][0])};
    };
    const CurvePoint<2> before = point((i + n - 1) % n, 1), after = point(i, 0);
    tangents = tangents && std::abs(cross(before.d.normalized(), after.d.normalized())) < 1e-6 &&
               before.d.dot(after.d) > 0;
    curvatures =
        curvatures &&
        std::abs(backlash::curvature(before) - backlash::curvature(after)) * pieces.size() < 1e-6;
  }
  if (!tangents) return "has corners";
  return curvatures ? "its tangent and curvature are continuous"
                    : "its tangent is continuous, its curvature jumps";
}

/// "closed, 2 continuous derivatives, smallest radius …".
std::string description(const ModelProfile& profile, const NurbsCurve<2>& curve,
                        const Sampled& sampled) {
  std::string text =
      fmt::format("{}, {} continuous derivative{}, parameter u from {:.4g} to {:.4g}",
                  curve.closed() ? "closed" : "open", curve.continuity(),
                  curve.continuity() == 1 ? "" : "s", curve.first(), curve.last());
  if (curve.continuity() < 2) text += fmt::format(" ({})", geometric_smoothness(curve));
  const double straight = 1e-6 / curve.pieces().size();  // round-off of straight stretches
  if (sampled.sharpest().curvature > straight)
    text += fmt::format("; smallest radius {}", radius_text(sampled.sharpest()));
  if (sampled.most_hollow().curvature < -straight)
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

/// By how much a curve turns at a corner [deg].
double turn_at(const BoundaryVertex<2>& corner) {
  return 180 -
         std::acos(std::clamp(corner.into[0].dot(corner.into[1]), -1.0, 1.0)) * 360 / full_turn;
}

/// At the seam of a closed curve, and inside; ends are none.
void look_at_corners(const ModelProfile& profile, const NurbsCurve<2>& curve, Findings& findings) {
  std::vector<BoundaryVertex<2>> corners = ContactBoundary<2>(curve).vertices();
  std::erase_if(corners, [](const BoundaryVertex<2>& vertex) {
    return vertex.kind == BoundaryVertex<2>::Kind::flat;
  });
  std::erase_if(corners, [&](const BoundaryVertex<2>& corner) {
    const bool at_end = corner.parameter == curve.first() || corner.parameter == curve.last();
    if (at_end && curve.closed())
      findings.push_back(
          finding(profile, Severity::warning,
                  fmt::format("has a corner of {:.3g} deg at its seam, u = {:.4g}", turn_at(corner),
                              corner.parameter),
                  "if it should be smooth, write 'periodic: true' and each control point once"));
    return at_end;
  });
  if (corners.empty()) return;
  const BoundaryVertex<2>& sharpest = *std::ranges::max_element(corners, {}, turn_at);
  const std::string text = fmt::format(
      "has {} corner{} inside, the sharpest of {:.3g} deg at u = {:.4g}", corners.size(),
      corners.size() == 1 ? "" : "s", turn_at(sharpest), sharpest.parameter);
  const bool meant = profile.curve.degree == 1 || !profile.source.empty();
  findings.push_back(meant ? finding(profile, Severity::note, text)
                           : finding(profile, Severity::warning, text,
                                     "a knot that is repeated as often as the degree makes a "
                                     "corner: if it should be smooth, repeat it less often"));
}

/// Control points that follow each other in the same place; they make the curve bend sharply.
void look_at_control_points(const ModelProfile& profile, const NurbsCurve<2>& curve,
                            Findings& findings) {
  if (!profile.source.empty() || profile.curve.degree == 1) return;
  const NurbsCurveData<2> written = profile.turned ? reversed(profile.curve) : profile.curve;
  const std::vector<Vec2>& points = written.points;
  const std::size_t n = points.size();
  const bool around = written.ends == SplineEnds::periodic;
  for (std::size_t i = 0; i + (around ? 0 : 1) < n; ++i) {
    const std::size_t next = (i + 1) % n;
    if ((points[next] - points[i]).norm() > 1e-9 * curve.pieces().size()) continue;
    findings.push_back(finding(
        profile, Severity::warning,
        fmt::format("its control points {} and {} are the same", i + 1, next + 1),
        next == 0
            ? "a periodic profile closes by itself: give each control point once; for a corner, "
              "repeat a knot instead"
            : "the curve bends sharply there: give the point once; for a corner, repeat a knot "
              "instead"));
    return;
  }
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
  look_at_corners(profile, curve, findings);
  look_at_control_points(profile, curve, findings);
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
  const Sampled::Place& hollow = sampled.most_hollow();
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

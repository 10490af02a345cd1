// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/cam_curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "backlash/base/plane.h"

namespace backlash {
namespace {

constexpr double spacing = full_turn / CamCurve::samples;

double sample_angle(int k) { return spacing * k; }

const CamProfile& checked(const CamProfile& profile) {
  check(profile, "cam");
  return profile;
}

std::variant<Expression, TableFunction> evaluator(const std::variant<Expression, Table>& function) {
  if (const auto* table = std::get_if<Table>(&function)) return TableFunction(*table);
  return std::get<Expression>(function);
}

/// First and second derivative of what is minimised.
struct Slope {
  double first, second;
};

/// An interval that has shrunk onto a minimum.
struct Bracket {
  double lower, angle, upper;
};

/// The minimum next to a sample that is lower than its neighbours: Newton's method, or bisection
/// where it would leave the bracket. It ends with a step of Newton's after which another would be
/// lost in rounding, or with the bracket.
template <class SlopeAt>
Bracket refined(int sample, const SlopeAt& slope_at) {
  Bracket b{sample_angle(sample - 1), sample_angle(sample), sample_angle(sample + 1)};
  constexpr int newton_steps = 40, halvings = 60;
  for (int i = 0; i < newton_steps + halvings && b.upper - b.lower > 2e-15; ++i) {
    const Slope g = slope_at(b.angle);
    const double newton = b.angle - g.first / g.second;
    if (g.second > 0 && std::abs(newton - b.angle) < 1e-10) {
      b.angle = newton;
      break;
    }
    (g.first > 0 ? b.upper : b.lower) = b.angle;
    const bool usable = i < newton_steps && g.second > 0 && b.lower < newton && newton < b.upper;
    const double middle = 0.5 * (b.lower + b.upper);
    b.angle = usable ? newton : middle;
  }
  return b;
}

}  // namespace

struct CamCurve::Place {
  Vec2 p, first, second;
};

CamCurve::CamCurve(const CamProfile& profile)
    : f_(evaluator(checked(profile).function)),
      base_(profile.base),
      meaning_(profile.meaning),
      offset_(profile.meaning == CamFunction::roller ? profile.roller_radius : 0) {
  Vec2 before = Vec2::Zero();
  double max_step = 0;
  for (int k = 0; k <= samples; ++k) {
    const double angle = sample_angle(k % samples);
    const Vec2 n = unit_vector(angle);
    const Jet rho = function(angle);
    Vec2 p = place(angle).p;
    if (meaning_ == CamFunction::flat) p = rho.value * n + rho.first * left_of(n);
    const auto i = static_cast<std::size_t>(k % samples);
    const Vec2 sampled = meaning_ == CamFunction::flat ? n : p;
    x_[i] = sampled.x();
    y_[i] = sampled.y();
    support_[i] = rho.value;
    largest_radius_ = std::max(largest_radius_, p.norm());
    const double inner = meaning_ == CamFunction::flat ? rho.value : p.norm() - offset_;
    smallest_radius_ = std::max(0.0, std::min(smallest_radius_, inner));
    if (meaning_ != CamFunction::flat && radius_at(place(angle)) < 0) hollow_ = true;
    if (k > 0) max_step = std::max(max_step, (p - before).norm());
    before = p;
  }
  largest_radius_ += 0.5 * max_step;
  make_blocks();
}

void CamCurve::make_blocks() {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::size_t first = i * block_size, middle = first + block_size / 2;
    Block& block = blocks_[i] = {x_[middle], y_[middle], 0, INFINITY};
    for (std::size_t k = first; k < first + block_size; ++k) {
      block.radius = std::max(block.radius, std::hypot(x_[k] - block.x, y_[k] - block.y));
      block.support = std::min(block.support, support_[k]);
    }
    block.radius *= 1 + 1e-9;  // bounds must hold in spite of rounding
  }
}

/// The first sample with the least value, `bound` being no more than any value of a block.
template <class Value, class Bound>
int CamCurve::best_sample(const Value& value, const Bound& bound) const {
  std::array<double, blocks> bounds;
  std::size_t likely = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    bounds[i] = bound(blocks_[i]);
    if (bounds[i] < bounds[likely]) likely = i;
  }
  double least = INFINITY;
  for (std::size_t k = likely * block_size; k < (likely + 1) * block_size; ++k)
    least = std::min(least, value(k));
  std::size_t best = samples;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (bounds[i] > least) continue;
    for (std::size_t k = i * block_size; k < (i + 1) * block_size; ++k) {
      const double v = value(k);
      if (v > least || (v == least && best < samples)) continue;
      least = v;
      best = k;
    }
  }
  return static_cast<int>(best == samples ? 0 : best);
}

Jet CamCurve::function(double angle) const {
  const double wrapped = angle - full_turn * std::floor(angle / full_turn);
  return Jet(base_) + std::visit([&](const auto& f) { return f.jet(wrapped); }, f_);
}

/// The curve of radius R = ρ + offset: C = R e, C′ = R′ e + R e⊥, C″ = (R″ − R) e + 2 R′ e⊥.
CamCurve::Place CamCurve::place(double angle) const {
  const Vec2 e = unit_vector(angle), t = left_of(e);
  const Jet R = function(angle) + Jet(offset_);
  return {R.value * e, R.first * e + R.value * t, (R.second - R.value) * e + 2 * R.first * t};
}

CamProfilePoint CamCurve::profile_point(double angle) const {
  if (meaning_ == CamFunction::flat) {
    const Vec2 n = unit_vector(angle), t = left_of(n);
    const Jet h = function(angle);
    return {h.value * n + h.first * t, (h.value + h.second) * t};
  }
  const Place c = place(angle);
  const double length = c.first.norm();
  const Vec2 t = c.first / length;  // it turns by C′ × C″/|C′|² per angle
  const double turn = cross(c.first, c.second) / (length * length);
  return {c.p + offset_ * left_of(t), c.first - offset_ * turn * t};
}

/// |C′|³/(C′ × C″) of the curve, less the offset (theory 7.19).
double CamCurve::radius_at(const Place& c) const {
  const double length = c.first.norm();
  return length * length * length / cross(c.first, c.second) - offset_;
}

CamPoint CamCurve::closest_to_point(const Vec2& p) const {
  return meaning_ == CamFunction::flat ? closest_on_envelope(p) : closest_on_curve(p);
}

/// The tangent that p is farthest outside of (theory 7.13).
CamPoint CamCurve::closest_on_envelope(const Vec2& p) const {
  const double length = p.norm();
  const int best = best_sample(
      [&](std::size_t k) { return support_[k] - (p.x() * x_[k] + p.y() * y_[k]); },
      [&](const Block& b) { return b.support - (p.x() * b.x + p.y() * b.y) - length * b.radius; });
  const double angle = refined(best, [&](double phi) {
                         const Vec2 n = unit_vector(phi);
                         const Jet h = function(phi);
                         return Slope{h.first - p.dot(left_of(n)), h.second + p.dot(n)};
                       }).angle;
  const Vec2 n = unit_vector(angle);
  const double distance = p.dot(n) - function(angle).value;
  const Jet h = function(angle);
  return {p - distance * n, n, distance, h.value + h.second};
}

int CamCurve::nearest_sample(const Vec2& p) const {
  return best_sample(
      [&](std::size_t k) {
        const double dx = p.x() - x_[k], dy = p.y() - y_[k];
        return dx * dx + dy * dy;
      },
      [&](const Block& b) {
        const double apart = std::hypot(p.x() - b.x, p.y() - b.y) - b.radius;
        return apart > 0 ? apart * apart : 0.0;
      });
}

bool CamCurve::outside_curve(const Vec2& p) const {
  return p.norm() > function(std::atan2(p.y(), p.x())).value + offset_;
}

/// (p − C) · C′ = 0 (theory 7.15), or a kink of the curve.
CamPoint CamCurve::closest_on_curve(const Vec2& p) const {
  const Bracket b = refined(nearest_sample(p), [&](double angle) {
    const Place c = place(angle);
    const Vec2 v = p - c.p;
    return Slope{-v.dot(c.first), c.first.squaredNorm() - v.dot(c.second)};
  });
  Place c = place(b.angle);
  Vec2 n = right_of(c.first).normalized();
  const double distance = (p - c.p).norm();
  const double aside = std::abs((p - c.p).dot(left_of(n)));
  double radius = radius_at(c);
  if (aside > 1e-6 * distance + 1e-13 * largest_radius_) {  // p does not lie on the normal
    for (const double angle : {b.lower, b.upper})           // both sides of a kink or jump
      if (const Place other = place(angle); (p - other.p).norm() < (p - c.p).norm()) c = other;
    n = (outside_curve(p) ? 1.0 : -1.0) * (p - c.p).normalized();
    radius = -offset_;
  }
  return {c.p - offset_ * n, n, (p - c.p).dot(n) + offset_, radius};
}

CamPoint CamCurve::farthest(const Vec2& d) const {
  if (meaning_ == CamFunction::flat) {  // (theory 7.12)
    const Jet h = function(std::atan2(d.y(), d.x()));
    return {h.value * d + h.first * left_of(d), d, -h.value, h.value + h.second};
  }
  const int best =
      best_sample([&](std::size_t k) { return -(d.x() * x_[k] + d.y() * y_[k]); },
                  [&](const Block& b) { return -(d.x() * b.x + d.y() * b.y) - b.radius; });
  const Bracket b = refined(best, [&](double angle) {  // C′ · d = 0 (theory 7.16)
    const Place c = place(angle);
    return Slope{-c.first.dot(d), -c.second.dot(d)};
  });
  Place c = place(b.angle);
  const double higher =
      1e-13 * largest_radius_;                   // than round-off, by which a tangent has no summit
  for (const double angle : {b.lower, b.upper})  // both sides of a jump
    if (const Place other = place(angle); other.p.dot(d) > c.p.dot(d) + higher) c = other;
  return {c.p - offset_ * d, d, offset_ - c.p.dot(d), radius_at(c)};
}

std::optional<double> CamCurve::undercut() const {
  for (int k = 0; k < samples; ++k)
    if (undercut_between(k)) return sample_angle(k);
  return std::nullopt;
}

/// Whether the profile runs backwards, or jumps, between this sample and the next.
bool CamCurve::undercut_between(int sample) const {
  const double angle = sample_angle(sample);
  if (meaning_ == CamFunction::radius) return false;
  if (meaning_ ==
      CamFunction::roller) {  // the pitch curve bends more than the roller (theory 7.17)
    const Place c = place(angle);
    const double bend = c.first.x() * c.second.y() - c.first.y() * c.second.x();
    return bend * offset_ > (1 + 1e-9) * std::pow(c.first.norm(), 3);
  }
  const Jet a = function(angle), b = function(angle + spacing);
  const double mean = 0.5 * (a.value + b.value);
  const double length = b.first - a.first + mean * spacing;  // ∫ (h + h″) dφ (theory 7.14)
  const double jump = b.value - a.value - 0.5 * (a.first + b.first) * spacing;
  const double most = spacing * (std::abs(a.first) + std::abs(b.first) + 0.5 * mean);
  return length < -1e-9 * mean || std::abs(jump) > most;
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/free_impact.h"

#include <cmath>
#include <numbers>

#include "backlash/base/bisection.h"
#include "backlash/base/input_error.h"
#include "backlash/laws/hysteresis.h"

namespace backlash {
namespace {

// Hysteretic forces, in units of L = (m v²/K)^{1/(n+1)}, L/v and K Lⁿ, where only a and n are left.

/// e^v − 1 − v, also where v is small.
double chi(double v) {
  if (std::abs(v) > 0.1) return std::expm1(v) - v;
  double sum = 0;
  for (int k = 18; k >= 2; --k) sum = (1 + sum) * v / k;
  return sum * v;
}

/// One half of an impact, in v = ln(1 + a δ̇) and from the end where the depth is zero (theory 9.8).
struct Half {
  double end;  ///< v there: ln(1 + a) at entry, ln(1 − a e) at exit
  double a, n;
  double length() const { return std::abs(end); }
};

/// χ(v) − χ(v + step) without cancellation.
double chi_drop(double v, double step) {
  if (std::abs(step) > 1) return std::exp(v) - std::exp(v + step) + step;
  return -step * std::expm1(v) - std::exp(v) * chi(step);
}

/// The depth at the distance w from the end: sⁿ⁺¹/(n+1) = (χ(end) − χ(end ∓ w))/a².
double depth(const Half& half, double w) {
  const double stored = chi_drop(half.end, half.end > 0 ? -w : w) / (half.a * half.a);
  return std::pow((half.n + 1) * stored, 1 / (half.n + 1));
}

/// ∫₀¹ f(x) dx, where f may grow without bound towards 0: the double-exponential rule, its step
/// halved until nothing changes.
template <class Function>
double integral_from_singular_end(Function f) {
  const auto term = [&](double t) {
    const double x = 1 / (1 + std::exp(-std::numbers::pi * std::sinh(t)));
    const double rest = 1 / (1 + std::exp(std::numbers::pi * std::sinh(t)));
    const double slope = std::numbers::pi * std::cosh(t) * x * rest;
    return slope > 0 ? f(x) * slope : 0;
  };
  double step = 1, sum = 0, last = 0;
  for (double t = -6; t <= 6; t += 1) sum += term(t);
  for (int level = 0; level < 8; ++level) {
    last = sum * step;
    for (double t = -6 + step / 2; t < 6; t += step) sum += term(t);
    step /= 2;
    if (std::abs(sum * step - last) < 1e-13 * std::abs(last)) break;
  }
  return sum * step;
}

/// The duration of a half (theory 9.8).
double duration(const Half& half) {
  const auto integrand = [&](double x) {
    return std::pow(depth(half, x * half.length()), -half.n);
  };
  return half.length() / half.a * integral_from_singular_end(integrand);
}

/// The greatest force, where a sⁿ⁺¹ = n δ̇ (theory 9.9).
double peak_force(const Half& entry) {
  const double a = entry.a, n = entry.n;
  const auto surplus = [&](double w) {
    return a * std::pow(depth(entry, w), n + 1) - n / a * std::expm1(entry.end - w);
  };
  const double w = bisect(surplus, 0, entry.end);
  return std::pow(depth(entry, w), n) * std::exp(entry.end - w);
}

FreeImpact scaled_impact(double a, double n) {
  const double e = delivered_restitution(a);
  const Half entry{std::log1p(a), a, n};
  // ln(1 − a e) = ln(1 + a) − a (1 + e) (theory 9.6), which does not cancel where 1 − a e is small.
  const Half exit{a > 1 ? entry.end - a * (1 + e) : std::log1p(-a * e), a, n};
  return {.restitution = e,
          .compression_time = duration(entry),
          .restitution_time = duration(exit),
          .peak_force = peak_force(entry),
          .peak_depth = depth(entry, entry.end)};
}

/// Without hysteresis: s_max = ((n+1)/2)^{1/(n+1)}, and a Beta function for the time (theory 9.9).
FreeImpact scaled_elastic_impact(double n) {
  const double p = 1 / (n + 1);
  const double depth = std::pow((n + 1) / 2, p);
  const double beta = std::tgamma(p) * std::sqrt(std::numbers::pi) / std::tgamma(p + 0.5);
  const double half = p * beta * depth;
  return {.restitution = 1,
          .compression_time = half,
          .restitution_time = half,
          .peak_force = std::pow(depth, n),
          .peak_depth = depth};
}

FreeImpact impact(const HystereticForce& f, double mass, double speed) {
  FreeImpact s = f.hysteresis < 1e-12 ? scaled_elastic_impact(f.exponent)
                                      : scaled_impact(f.hysteresis, f.exponent);
  const double length = std::pow(mass * speed * speed / f.stiffness, 1 / (f.exponent + 1));
  s.compression_time *= length / speed;
  s.restitution_time *= length / speed;
  s.peak_force *= f.stiffness * std::pow(length, f.exponent);
  s.peak_depth *= length;
  return s;
}

/// e^{−ζτ} times sin and cos of √(1−ζ²) τ, the sine divided by √(1−ζ²); hyperbolic beyond ζ = 1.
struct DampedWave {
  double sine, cosine;
};
DampedWave damped_wave(double ratio, double tau) {
  const double square = 1 - ratio * ratio;
  const double W = std::sqrt(std::abs(square));
  if (W < 1e-6) return {tau * std::exp(-ratio * tau), std::exp(-ratio * tau)};
  if (square > 0)
    return {std::sin(W * tau) / W * std::exp(-ratio * tau),
            std::cos(W * tau) * std::exp(-ratio * tau)};
  const double slow = std::exp((W - ratio) * tau), fast = std::exp(-(W + ratio) * tau);
  return {(slow - fast) / (2 * W), (slow + fast) / 2};
}

/// The first τ > 0 at which W τ has the tangent W y/x, with W² = 1 − ζ² and x² + (W y)² = 1;
/// hyperbolic beyond ζ = 1.
double time_of_tangent(double ratio, double y, double x) {
  const double square = 1 - ratio * ratio;
  const double W = std::sqrt(std::abs(square));
  if (W < 1e-6) return y / x;
  return (square > 0 ? std::atan2(W * y, x) : std::asinh(W * y)) / W;
}

/// In closed form (theory 9.11); τ = ω t with ω² = K/m.
FreeImpact impact(const KelvinVoigt& f, double mass, double speed) {
  const double omega = std::sqrt(f.stiffness / mass);
  const double zeta = f.damping / (2 * mass * omega);
  const double turn = time_of_tangent(zeta, 1, zeta);  // δ̇ = 0
  const double exit_x = 2 * zeta * zeta - 1;           // F = 0
  const double exit = time_of_tangent(zeta, 2 * zeta, exit_x);
  const double peak =  // Ḟ = 0, or at entry
      zeta >= 0.5 ? 0 : time_of_tangent(zeta, 1 - 4 * zeta * zeta, zeta * (3 - 4 * zeta * zeta));
  const auto depth = [&](double tau) { return damped_wave(zeta, tau).sine * speed / omega; };
  const auto rate = [&](double tau) {
    const DampedWave wave = damped_wave(zeta, tau);
    return speed * (wave.cosine - zeta * wave.sine);
  };
  return {.restitution = -rate(exit) / speed,
          .compression_time = turn / omega,
          .restitution_time = (exit - turn) / omega,
          .peak_force = f.stiffness * depth(peak) + f.damping * rate(peak),
          .peak_depth = depth(turn)};
}

template <class Force>
FreeImpact impact(const Force& f, double mass, double speed) {
  return integrated_impact(f, mass, speed);
}

}  // namespace

void validate_impact(const NormalForce& force, double mass, double speed) {
  validate(force, "free impact");
  require_positive(mass, "free impact: mass", "kg");
  require_positive(speed, "free impact: speed", "m/s");
}

FreeImpact free_impact(const NormalForce& force, double mass, double speed) {
  validate_impact(force, mass, speed);
  return std::visit([&](const auto& f) { return impact(f, mass, speed); }, force);
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/one_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace backlash {
namespace {

int rows(const OneContact& contact) { return (contact.has_normal ? 1 : 0) + contact.tangents; }
int first_tangent(const OneContact& contact) { return contact.has_normal ? 1 : 0; }

double velocity(const OneContact& contact, const double impulse[3], int row) {
  double sum = contact.b[row];
  for (int j = 0; j < rows(contact); ++j) sum += contact.G[row][j] * impulse[j];
  return sum;
}

/// ξ_T = 0 with Λ_N given.
void stick_tangentially(const OneContact& contact, double impulse[3]) {
  const int t = first_tangent(contact);
  const double normal = contact.has_normal ? impulse[0] : 0;
  const auto load = [&](int i) {
    return contact.b[i] + (contact.has_normal ? contact.G[i][0] * normal : 0);
  };
  if (contact.tangents == 1) {
    impulse[t] = -load(t) / contact.G[t][t];
    return;
  }
  const auto& G = contact.G;
  const double det = G[t][t] * G[t + 1][t + 1] - G[t][t + 1] * G[t + 1][t];
  impulse[t] = (-load(t) * G[t + 1][t + 1] + load(t + 1) * G[t][t + 1]) / det;
  impulse[t + 1] = (-load(t + 1) * G[t][t] + load(t) * G[t + 1][t]) / det;
}

double tangential_size(const OneContact& contact, const double impulse[3]) {
  const int t = first_tangent(contact);
  return contact.tangents == 2
             ? std::sqrt(impulse[t] * impulse[t] + impulse[t + 1] * impulse[t + 1])
             : std::abs(impulse[t]);
}

/// A symmetric 2 × 2 matrix as λ_1 q qᵀ + λ_2 p pᵀ with unit q ⊥ p, λ_1 ≥ λ_2 ≥ 0.
struct Spectrum {
  double lambda[2];
  double q[2];

  /// Components of a vector along q and p, and back.
  void to_axes(const double v[2], double axes[2]) const {
    axes[0] = q[0] * v[0] + q[1] * v[1];
    axes[1] = q[0] * v[1] - q[1] * v[0];
  }
  void from_axes(const double axes[2], double v[2]) const {
    v[0] = q[0] * axes[0] - q[1] * axes[1];
    v[1] = q[1] * axes[0] + q[0] * axes[1];
  }
};

Spectrum spectrum_of(double a, double b, double c) {  // of (a b; b c)
  const double mean = (a + c) / 2, half = (a - c) / 2, radius = std::sqrt(half * half + b * b);
  Spectrum result{{mean + radius, mean - radius}, {1, 0}};
  if (!(result.lambda[1] > 1e-13 * result.lambda[0])) result.lambda[1] = 0;
  double x = half >= 0 ? half + radius : b, y = half >= 0 ? b : radius - half;
  const double length = std::sqrt(x * x + y * y);
  if (length > 0) {
    result.q[0] = x / length;
    result.q[1] = y / length;
  }
  return result;
}

/// ‖Λ‖ for (λ_i + s) Λ_i = −b_i.
double shifted_size(const Spectrum& G, const double b[2], double s, double impulse[2]) {
  for (int i = 0; i < 2; ++i) impulse[i] = b[i] == 0 ? 0 : -b[i] / (G.lambda[i] + s);
  return std::sqrt(impulse[0] * impulse[0] + impulse[1] * impulse[1]);
}

/// Two rows with ‖Λ‖ ≤ radius: Λ = −G⁻¹b if that is within the disk, and otherwise on its rim,
/// (G + s I) Λ = −b with the s > 0 that Newton finds on 1/‖Λ‖, rising monotonically.
void solve_disk_in_axes(const Spectrum& G, const double b[2], double radius, double impulse[2]) {
  impulse[0] = impulse[1] = 0;
  if (radius == 0) return;
  if (shifted_size(G, b, 0, impulse) <= radius) return;
  double s = 0;
  for (int i = 0; i < 2; ++i) s = std::max(s, std::abs(b[i]) / radius - G.lambda[i]);
  double size = shifted_size(G, b, s, impulse);
  for (int k = 0; k < 100 && size > radius; ++k) {
    double slope = 0;  // d‖Λ‖/ds
    for (int i = 0; i < 2; ++i)
      if (b[i] != 0) slope -= impulse[i] * impulse[i] / (G.lambda[i] + s) / size;
    const double next = s + (1 - size / radius) * size / slope;
    if (!(next > s)) break;
    s = next;
    size = shifted_size(G, b, s, impulse);
  }
  if (!(size > 0)) return;
  for (int i = 0; i < 2; ++i) impulse[i] *= radius / size;
}

/// Friction of given strength `radius`, Λ_N = 0: ‖Λ_T‖ ≤ radius.
void solve_disk(const OneContact& contact, double radius, double impulse[3]) {
  const int t = first_tangent(contact);
  if (contact.has_normal) impulse[0] = 0;
  if (contact.tangents == 1) {
    stick_tangentially(contact, impulse);
    if (!(std::abs(impulse[t]) <= radius)) impulse[t] = contact.b[t] > 0 ? -radius : radius;
    return;
  }
  const Spectrum G = spectrum_of(contact.G[t][t], contact.G[t][t + 1], contact.G[t + 1][t + 1]);
  double b[2], in_axes[2];
  G.to_axes(contact.b + t, b);
  if (G.lambda[1] == 0 && std::abs(b[1]) <= 1e-13 * std::abs(b[0])) b[1] = 0;  // round-off
  solve_disk_in_axes(G, b, radius, in_axes);
  G.from_axes(in_axes, impulse + t);
}

bool open(const OneContact& contact, double impulse[3]) {
  impulse[0] = 0;
  if (contact.offset > 0)
    solve_disk(contact, contact.offset, impulse);
  else
    for (int i = 1; i < rows(contact); ++i) impulse[i] = 0;
  double terms = std::abs(contact.b[0]);
  for (int i = 1; i < rows(contact); ++i) terms += std::abs(contact.G[0][i] * impulse[i]);
  const double round_off = contact.offset > 0 ? 1e-15 * terms : 0;
  return velocity(contact, impulse, 0) >= -round_off;
}

/// ξ_N = 0 and ξ_T = 0: the tangents are eliminated first.
bool stick(const OneContact& contact, double impulse[3]) {
  impulse[0] = 0;
  stick_tangentially(contact, impulse);
  const double free = velocity(contact, impulse, 0);
  double unit[3] = {1, 0, 0};
  stick_tangentially(contact, unit);
  const double mobility = velocity(contact, unit, 0) - free;
  if (!(mobility > 1e-14 * contact.G[0][0])) return false;
  impulse[0] = -free / mobility;
  stick_tangentially(contact, impulse);
  return impulse[0] >= 0 &&
         tangential_size(contact, impulse) <= contact.friction * impulse[0] + contact.offset;
}

/// Slip in the unit direction d: Λ_T = −(μ Λ_N + a) d and ξ_N = 0, all times the determinant
/// G_NN − μ G_NTᵀd, so that nothing has a pole.
struct Slip {
  double determinant = 0;
  double normal = 0;  ///< Λ_N times the determinant
  double along = 0;   ///< ξ_T · d times the determinant; ξ_T must point along d
  double across = 0;  ///< ξ_T × d times the determinant; must vanish
  double terms = 0;   ///< size of the terms that `along` is the sum of
};

Slip slip_towards(const OneContact& contact, const double d[2]) {
  double coupling = 0;
  for (int i = 0; i < contact.tangents; ++i) coupling += contact.G[0][1 + i] * d[i];
  Slip slip;
  slip.determinant = contact.G[0][0] - contact.friction * coupling;
  slip.normal = contact.offset * coupling - contact.b[0];
  const double limit = contact.friction * slip.normal + contact.offset * slip.determinant;
  double xi[2] = {0, 0};
  for (int i = 0; i < contact.tangents; ++i) {
    xi[i] = contact.b[1 + i] * slip.determinant + contact.G[1 + i][0] * slip.normal;
    for (int j = 0; j < contact.tangents; ++j) xi[i] -= contact.G[1 + i][1 + j] * d[j] * limit;
  }
  slip.terms = std::abs(slip.determinant) * (std::abs(contact.b[1]) + std::abs(contact.b[2])) +
               std::abs(limit) * contact.G[1][1];
  slip.along = xi[0] * d[0] + xi[1] * d[1];
  slip.across = xi[0] * d[1] - xi[1] * d[0];
  return slip;
}

/// Writes the impulse if the slip is a state of the contact: Λ_N ≥ 0, ξ_T along d (up to round-off:
/// where the contact can both stick and slip, ξ_T vanishes).
bool accept_slip(const OneContact& contact, const Slip& slip, const double d[2],
                 double impulse[3]) {
  if (!(std::abs(slip.determinant) > 1e-13 * contact.G[0][0])) return false;
  const double normal = slip.normal / slip.determinant;
  const double along = slip.determinant > 0 ? slip.along : -slip.along;
  if (!(normal >= 0) || !(along >= -1e-14 * slip.terms)) return false;
  impulse[0] = normal;
  for (int i = 0; i < contact.tangents; ++i)
    impulse[1 + i] = -(contact.friction * normal + contact.offset) * d[i];
  return true;
}

bool slip_in_plane(const OneContact& contact, double impulse[3]) {
  for (const double sign : {1.0, -1.0}) {
    const double d[2] = {sign, 0};
    if (accept_slip(contact, slip_towards(contact, d), d, impulse)) return true;
  }
  return false;
}

Slip slip_at(const OneContact& contact, double angle) {
  const double d[2] = {std::cos(angle), std::sin(angle)};
  return slip_towards(contact, d);
}

/// The root of `across` between two angles with values of opposite sign, by the Illinois variant of
/// regula falsi. True if it is a state of slip.
bool refine_slip(const OneContact& contact, double lower, double f_lower, double upper,
                 double f_upper, double impulse[3]) {
  Slip slip;
  double angle = upper;
  for (int k = 0; k < 80 && std::abs(upper - lower) > 1e-15; ++k) {
    angle = upper - f_upper * (upper - lower) / (f_upper - f_lower);
    slip = slip_at(contact, angle);
    if (slip.across == 0) break;
    if ((slip.across > 0) != (f_upper > 0)) {
      lower = upper;
      f_lower = f_upper;
    } else {
      f_lower /= 2;
    }
    upper = angle;
    f_upper = slip.across;
    if (std::abs(slip.across) <= 1e-16 * std::abs(slip.along)) break;
  }
  const double d[2] = {std::cos(angle), std::sin(angle)};
  return accept_slip(contact, slip, d, impulse);
}

bool slip_in_space(const OneContact& contact, double impulse[3]) {
  constexpr int directions = 24;
  const double step = 2 * std::numbers::pi / directions;
  // Begin where the free velocity points, or against the impulse of the last time.
  double start = std::atan2(contact.b[2], contact.b[1]);
  if (impulse[1] != 0 || impulse[2] != 0) start = std::atan2(-impulse[2], -impulse[1]);
  // Outwards from there: 0, +1, −1, +2, −2 … intervals.
  for (int k = 0; k < directions; ++k) {
    const int interval = k % 2 == 0 ? k / 2 : -(k / 2) - 1;
    const double lower = start + (interval - 0.5) * step, upper = lower + step;
    const double f_lower = slip_at(contact, lower).across;
    const double f_upper = slip_at(contact, upper).across;
    if ((f_lower > 0) == (f_upper > 0)) continue;
    if (refine_slip(contact, lower, f_lower, upper, f_upper, impulse)) return true;
  }
  return false;
}

void take_prox_step(const OneContact& contact, const double start[3], double impulse[3]) {
  double largest = 0, xi[3] = {};
  for (int i = 0; i < rows(contact); ++i) {
    xi[i] = velocity(contact, start, i);
    largest = std::max(largest, contact.G[i][i]);
  }
  for (int i = 0; i < rows(contact); ++i)
    impulse[i] = start[i] - (largest > 0 ? xi[i] / largest : 0);
  if (contact.has_normal) impulse[0] = std::max(0.0, impulse[0]);
  if (contact.tangents == 0) return;
  const double limit = contact.friction * (contact.has_normal ? impulse[0] : 0) + contact.offset;
  const double size = tangential_size(contact, impulse);
  if (size <= limit) return;
  for (int i = first_tangent(contact); i < rows(contact); ++i) impulse[i] *= limit / size;
}

}  // namespace

bool solve_one_contact(const OneContact& contact, double impulse[3]) {
  const double start[3] = {impulse[0], rows(contact) > 1 ? impulse[1] : 0,
                           rows(contact) > 2 ? impulse[2] : 0};
  if (!contact.has_normal) {
    solve_disk(contact, contact.offset, impulse);
    return true;
  }
  if (contact.tangents == 0) {
    impulse[0] = contact.G[0][0] > 0 ? std::max(0.0, -contact.b[0] / contact.G[0][0]) : 0;
    return contact.G[0][0] > 0 || contact.b[0] >= 0;
  }
  if (open(contact, impulse) || stick(contact, impulse)) return true;
  std::copy(start, start + rows(contact), impulse);
  if (contact.tangents == 1 ? slip_in_plane(contact, impulse) : slip_in_space(contact, impulse))
    return true;
  take_prox_step(contact, start, impulse);
  return false;
}

}  // namespace backlash

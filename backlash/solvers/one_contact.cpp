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
  return contact.tangents == 2 ? std::sqrt(impulse[t] * impulse[t] + impulse[t + 1] * impulse[t + 1]) : std::abs(impulse[t]);
}

/// ‖Λ_T‖ for (G_TT + s I) Λ_T = −b_T, Λ_N = 0, and its derivative: d‖Λ_T‖/ds =
/// −Λ_Tᵀ (G_TT + s I)⁻¹ Λ_T / ‖Λ_T‖.
double shifted_size(const OneContact& contact, double s, double impulse[3], double& slope) {
  const int t = first_tangent(contact);
  OneContact shifted{.has_normal = false, .tangents = 2};
  for (int i = 0; i < 2; ++i) {
    shifted.b[i] = contact.b[t + i];
    for (int j = 0; j < 2; ++j) shifted.G[i][j] = contact.G[t + i][t + j] + (i == j ? s : 0);
  }
  double solution[3] = {}, change[3] = {};
  stick_tangentially(shifted, solution);
  for (int i = 0; i < 2; ++i) shifted.b[i] = -(impulse[t + i] = solution[i]);
  stick_tangentially(shifted, change);
  const double size = tangential_size(contact, impulse);
  slope = -(solution[0] * change[0] + solution[1] * change[1]) / size;
  return size;
}

/// Two tangents on the rim of the disk: the s > 0 for which ‖Λ_T‖ = radius, by Newton on 1/‖Λ_T‖,
/// which rises monotonically towards the root.
void slide_on_disk(const OneContact& contact, double radius, double impulse[3]) {
  const int t = first_tangent(contact);
  const double trace = contact.G[t][t] + contact.G[t + 1][t + 1];
  double s = 1e-12 * trace, slope = 0;
  double size = shifted_size(contact, s, impulse, slope);
  for (int k = 0; k < 100 && size > radius; ++k) {
    const double next = s + (1 - size / radius) * size / slope;
    if (!(next > s)) break;
    s = next;
    size = shifted_size(contact, s, impulse, slope);
  }
  if (size <= radius * (1 - 1e-12)) return;  // singular, but it need not slip
  // Nothing moves (trace = 0), or no friction at all (radius = 0): against the free velocity.
  if (!(size > 0) || radius == 0) {
    for (int i = 0; i < 2; ++i) impulse[t + i] = -contact.b[t + i];
    size = tangential_size(contact, impulse);
  }
  for (int i = t; i < t + 2; ++i) impulse[i] = size > 0 ? impulse[i] * radius / size : 0;
}

/// Friction of given strength `radius`, Λ_N = 0: ‖Λ_T‖ ≤ radius.
void solve_disk(const OneContact& contact, double radius, double impulse[3]) {
  const int t = first_tangent(contact);
  if (contact.has_normal) impulse[0] = 0;
  stick_tangentially(contact, impulse);
  if (tangential_size(contact, impulse) <= radius) return;  // false for NaN of a singular G
  if (contact.tangents == 1)
    impulse[t] = contact.b[t] > 0 ? -radius : radius;
  else
    slide_on_disk(contact, radius, impulse);
}

bool open(const OneContact& contact, double impulse[3]) {
  impulse[0] = 0;
  if (contact.offset > 0)
    solve_disk(contact, contact.offset, impulse);
  else
    for (int i = 1; i < rows(contact); ++i) impulse[i] = 0;
  return velocity(contact, impulse, 0) >= 0;
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
  slip.along = xi[0] * d[0] + xi[1] * d[1];
  slip.across = xi[0] * d[1] - xi[1] * d[0];
  return slip;
}

/// Writes the impulse if the slip is a state of the contact: Λ_N ≥ 0, ξ_T along d.
bool accept_slip(const OneContact& contact, const Slip& slip, const double d[2],
                 double impulse[3]) {
  if (!(std::abs(slip.determinant) > 1e-13 * contact.G[0][0])) return false;
  const double normal = slip.normal / slip.determinant;
  if (!(normal >= 0) || !(slip.along / slip.determinant >= 0)) return false;
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
  if (contact.tangents == 0 && contact.G[0][0] > 0) {
    impulse[0] = std::max(0.0, -contact.b[0] / contact.G[0][0]);
    return true;
  }
  if (open(contact, impulse) || stick(contact, impulse)) return true;
  std::copy(start, start + rows(contact), impulse);
  if (contact.tangents == 1 ? slip_in_plane(contact, impulse) : slip_in_space(contact, impulse))
    return true;
  take_prox_step(contact, start, impulse);
  return false;
}

}  // namespace backlash

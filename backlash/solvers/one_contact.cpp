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

/// Friction of given strength `radius`, Λ_N = 0: ‖Λ_T‖ ≤ radius. With two tangents the multiplier
/// s ≥ 0 of (G + s I) Λ_T = −b, ‖Λ_T‖ = radius, is found by Newton on 1/‖Λ_T‖.
void solve_disk(const OneContact& contact, double radius, double impulse[3]) {
  const int t = first_tangent(contact);
  if (contact.has_normal) impulse[0] = 0;
  stick_tangentially(contact, impulse);
  const double size = tangential_size(contact, impulse);
  if (size <= radius) return;  // false for NaN, which a singular G gives
  if (contact.tangents == 1) {
    impulse[t] = contact.b[t] > 0 ? -radius : radius;
    return;
  }
  OneContact shifted = contact;
  double s = 0;
  for (int k = 0; k < 100; ++k) {
    shifted.G[t][t] = contact.G[t][t] + s;
    shifted.G[t + 1][t + 1] = contact.G[t + 1][t + 1] + s;
    stick_tangentially(shifted, impulse);
    const double length = tangential_size(contact, impulse);
    if (!(std::abs(length - radius) > 1e-15 * radius)) break;
    // d‖Λ‖/ds = −Λᵀ(G + s I)⁻¹Λ / ‖Λ‖
    OneContact derivative = shifted;
    derivative.has_normal = false;
    for (int i = 0; i < 2; ++i) {
      derivative.b[i] = -impulse[t + i];
      for (int j = 0; j < 2; ++j) derivative.G[i][j] = shifted.G[t + i][t + j];
    }
    double v[3] = {};
    stick_tangentially(derivative, v);
    const double slope = -(impulse[t] * v[0] + impulse[t + 1] * v[1]) / length;
    const double next = s + (1 - length / radius) * length / slope;
    if (!(next > s)) break;  // rises monotonically towards the root
    s = next;
  }
  const double length = tangential_size(contact, impulse);
  for (int i = t; i < t + 2; ++i) impulse[i] *= radius / length;
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

/// Slip in the unit direction d: Λ_T = −(μ Λ_N + a) d and ξ_N = 0. Returns ξ_T × d, which must
/// vanish, and in `along` ξ_T · d, which must not be negative.
double slip_equation(const OneContact& contact, const double d[2], double impulse[3],
                     double& along) {
  double coupling = 0;
  for (int i = 0; i < contact.tangents; ++i) coupling += contact.G[0][1 + i] * d[i];
  impulse[0] =
      -(contact.b[0] - contact.offset * coupling) / (contact.G[0][0] - contact.friction * coupling);
  const double limit = contact.friction * impulse[0] + contact.offset;
  for (int i = 0; i < contact.tangents; ++i) impulse[1 + i] = -limit * d[i];
  const double x = velocity(contact, impulse, 1);
  const double y = contact.tangents == 2 ? velocity(contact, impulse, 2) : 0;
  along = x * d[0] + y * d[1];
  return x * d[1] - y * d[0];
}

bool slip_in_plane(const OneContact& contact, double impulse[3]) {
  for (const double sign : {1.0, -1.0}) {
    const double d[2] = {sign, 0};
    double along = 0;
    slip_equation(contact, d, impulse, along);
    if (impulse[0] >= 0 && along >= 0) return true;
  }
  return false;
}

/// slip_equation as a function of the direction's angle.
double slip_at(const OneContact& contact, double angle, double impulse[3], double& along) {
  const double d[2] = {std::cos(angle), std::sin(angle)};
  return slip_equation(contact, d, impulse, along);
}

/// The root between two angles with values of opposite sign, by the Illinois variant of regula
/// falsi. True if it is a state of slip.
bool refine_slip(const OneContact& contact, double lower, double f_lower, double upper,
                 double f_upper, double impulse[3]) {
  double along = 0;
  for (int k = 0; k < 80 && std::abs(upper - lower) > 1e-16; ++k) {
    const double angle = upper - f_upper * (upper - lower) / (f_upper - f_lower);
    const double f = slip_at(contact, angle, impulse, along);
    if (f == 0) break;
    if ((f > 0) != (f_upper > 0)) {
      lower = upper;
      f_lower = f_upper;
    } else {
      f_lower /= 2;
    }
    upper = angle;
    f_upper = f;
    if (std::abs(f) <= 1e-16 * std::abs(along)) break;
  }
  return impulse[0] >= 0 && along >= 0;
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
    double along_lower = 0, along_upper = 0, lower_impulse[3], upper_impulse[3];
    const double f_lower = slip_at(contact, lower, lower_impulse, along_lower);
    const double f_upper = slip_at(contact, upper, upper_impulse, along_upper);
    if (lower_impulse[0] < 0 && upper_impulse[0] < 0) continue;
    if (along_lower < 0 && along_upper < 0) continue;
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

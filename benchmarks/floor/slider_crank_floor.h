// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

namespace backlash::benchmarks {

/// Where h takes its velocity: at the step's start, or at a mid-velocity predicted without contact,
/// u_pred = u_A + ½Δt M⁻¹ h(q_M, u_A).
enum class ForceVelocity { start, midpoint };

/// What a corner does in a step: ξ_N > 0, or ξ_N = 0 with ξ_T ≥ 0, ξ_T ≤ 0 or ξ_T = 0.
enum class CornerState : unsigned char { open, slip_plus, slip_minus, stick };

/// Moreau's midpoint rule for the slider-crank with translational clearance, written out for this
/// mechanism alone: the floor that the general code is timed against. Equation numbers are those of
/// Flores, Leine and Glocker, "Modeling and analysis of rigid multibody systems with translational
/// clearance joints based on the nonsmooth dynamics approach".
///
/// Coordinates are the three absolute angles. Corners 1 and 2 face the upper guide, 3 and 4 the
/// lower one. In the first two coordinates all normals are ∓p and all tangents t, with
/// p = (l1 cos θ1, l2 cos θ2), t = −(l1 sin θ1, l2 sin θ2); so every direction of (106)–(113) is a
/// triple of coefficients on p, t and θ3, and the contact problem lives in that 3-space.
template <ForceVelocity V = ForceVelocity::midpoint>
struct SliderCrankFloor {
  double q[3] = {0, 0, 0};         ///< θ1, θ2, θ3 [rad]
  double u[3] = {150, -75, 0};     ///< [rad/s]
  double step_size = 1e-5;         ///< Δt [s]
  double friction = 0.01;          ///< μ
  double normal_impulse[4] = {};   ///< Λ_N of the last step [N s]; of active corners only
  double tangent_impulse[4] = {};  ///< Λ_T of the last step [N s]; of active corners only
  CornerState state[4] = {};       ///< of the last step; of active corners only
  unsigned active = 0;             ///< bit i: corner i + 1 had gap(q_M) ≤ 0 in the last step
  long corrections = 0;            ///< steps whose first guess of the contact states was wrong

  /// Whether the last step had an active corner.
  bool in_contact() const { return active != 0; }

  void step();

 private:
  struct Vec3 {
    double p, t, r;  ///< coefficients on p, t and the slider's rotation
  };

  /// The contact problem of one step: ξ = ξ_free + Wᵀ M⁻¹ W Λ over the active corners.
  struct Contacts {
    double Gpp, Gpt, Gtt;  ///< pᵀM⁻¹p, pᵀM⁻¹t, tᵀM⁻¹t [1/kg]
    double normal_r[4];    ///< ∂g_N/∂θ3 of the active corners [m]
    double tangent_r[4];   ///< ∂g_T/∂θ3 [m]
    double side[4];        ///< coefficient of w_N on p: −1 above, +1 below
    double xi_n[4];        ///< ξ_N without impulses [m/s]
    double xi_t[4];        ///< ξ_T without impulses [m/s]
    int corner[4];         ///< index of the corner
    int size;
  };

  /// What a guess of the contact states leads to.
  struct Outcome {
    double normal[4], tangent[4];  ///< impulses [N s]
    Vec3 resultant;                ///< Σ W Λ
    double violation;              ///< largest violation of a contact law [m/s]
  };

  /// A guess, one state for each active corner.
  struct States {
    CornerState of[4];
    CornerState& operator[](int i) { return of[i]; }
    CornerState operator[](int i) const { return of[i]; }
  };

  static constexpr double l1 = 0.153, l2 = 0.306;              // [m]
  static constexpr double a = 0.05, b = 0.025, c = 0.001;      // slider's half sides, clearance [m]
  static constexpr double m1 = 0.038, m2 = 0.038, m3 = 0.076;  // [kg]
  static constexpr double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;    // [kg m²]
  static constexpr double gravity = 9.81;                           // [m/s²]
  static constexpr double restitution_n = 0.4, restitution_t = 0;   // ε_N, ε_T
  static constexpr double M11 = J1 + (m1 / 4 + m2 + m3) * l1 * l1;  // (90)
  static constexpr double M22 = J2 + (m2 / 4 + m3) * l2 * l2;       // (93)
  static constexpr double coupling = (m2 / 2 + m3) * l1 * l2;       // of (91)
  static constexpr double weight1 = (m1 / 2 + m2 + m3) * gravity;   // of (95)
  static constexpr double weight2 = (m2 / 2 + m3) * gravity;        // of (96)
  static constexpr double half_guide = b + c;                       // d/2 [m]
  static constexpr double tolerance = 1e-12;  ///< on a violation of the contact laws [m/s]

  static double dot(const Contacts& k, const Vec3& x, const Vec3& y) {
    return x.p * (k.Gpp * y.p + k.Gpt * y.t) + x.t * (k.Gpt * y.p + k.Gtt * y.t) +
           x.r * y.r * (1 / J3);
  }
  static double slip_sign(CornerState s) { return s == CornerState::slip_plus ? 1.0 : -1.0; }

  bool slide(const Contacts& k, const States& guess, Outcome& out) const;
  bool evaluate(const Contacts& k, const States& guess, Outcome& out) const;
  void correct(const Contacts& k, States& guess, Outcome& out) const;
  Vec3 solve(const Contacts& k);
};

template <ForceVelocity V>
inline void SliderCrankFloor<V>::step() {
  const double dt = step_size;
  const double q1 = q[0] + 0.5 * dt * u[0];
  const double q2 = q[1] + 0.5 * dt * u[1];
  const double q3 = q[2] + 0.5 * dt * u[2];
  const double s1 = std::sin(q1), c1 = std::cos(q1);
  const double s2 = std::sin(q2), c2 = std::cos(q2);
  const double s3 = std::sin(q3), c3 = std::cos(q3);
  const double p1 = l1 * c1, p2 = l2 * c2, t1 = -l1 * s1, t2 = -l2 * s2;

  const double M12 = coupling * (c1 * c2 + s1 * s2);
  const double gyro = coupling * (s2 * c1 - c2 * s1);
  const double inverse_det = 1 / (M11 * M22 - M12 * M12);
  const double dt_det = dt * inverse_det;  // Δt M⁻¹h = dt_det (M22 h1 − M12 h2, M11 h2 − M12 h1)
  const double load1 = weight1 * p1, load2 = weight2 * p2;

  double w1 = u[0], w2 = u[1];
  if constexpr (V == ForceVelocity::midpoint) {
    const double h1 = gyro * (u[1] * u[1]) - load1, h2 = -gyro * (u[0] * u[0]) - load2;
    w1 += 0.5 * dt_det * (M22 * h1 - M12 * h2);
    w2 += 0.5 * dt_det * (M11 * h2 - M12 * h1);
  }
  const double h1 = gyro * (w2 * w2) - load1, h2 = -gyro * (w1 * w1) - load2;  // (95), (96)
  double v1 = u[0] + dt_det * (M22 * h1 - M12 * h2);
  double v2 = u[1] + dt_det * (M11 * h2 - M12 * h1);
  double v3 = u[2];

  const double height = -(t1 + t2), tilt = a * s3, room = half_guide - b * c3;
  if (room - std::abs(height) - std::abs(tilt) > 0) {
    active = 0;
  } else {
    const double ac = a * c3, bs = b * s3, bc = b * c3;
    const double gap[4] = {room - height + tilt, room - height - tilt,   // (98), (100)
                           room + height - tilt, room + height + tilt};  // (102), (104)
    const double normal_r[4] = {bs + ac, bs - ac, bs - ac, bs + ac};
    const double tangent_r[4] = {tilt - bc, -tilt - bc, tilt + bc, bc - tilt};
    const double A11 = M22 * inverse_det, A12 = -M12 * inverse_det, A22 = M11 * inverse_det;
    const double mp1 = A11 * p1 + A12 * p2, mp2 = A12 * p1 + A22 * p2;  // M⁻¹p
    const double mt1 = A11 * t1 + A12 * t2, mt2 = A12 * t1 + A22 * t2;  // M⁻¹t
    // ξ_free = Wᵀ(u_free + ε u_A), split as W is
    const double xp = p1 * (v1 + restitution_n * u[0]) + p2 * (v2 + restitution_n * u[1]);
    const double xt = t1 * (v1 + restitution_t * u[0]) + t2 * (v2 + restitution_t * u[1]);
    const double rn = v3 + restitution_n * u[2], rt = v3 + restitution_t * u[2];
    Contacts k;
    k.Gpp = p1 * mp1 + p2 * mp2;
    k.Gpt = t1 * mp1 + t2 * mp2;
    k.Gtt = t1 * mt1 + t2 * mt2;
    k.size = 0;
    unsigned now = 0;
    for (int i = 0; i < 4; ++i) {
      if (gap[i] > 0) continue;
      const int n = k.size++;
      now |= 1u << i;
      k.corner[n] = i;
      k.side[n] = i < 2 ? -1.0 : 1.0;
      k.normal_r[n] = normal_r[i];
      k.tangent_r[n] = tangent_r[i];
      k.xi_n[n] = k.side[n] * xp + normal_r[i] * rn;
      k.xi_t[n] = xt + tangent_r[i] * rt;
      if (!(active >> i & 1)) {
        state[i] = k.xi_t[n] >= 0 ? CornerState::slip_plus : CornerState::slip_minus;
      }
    }
    active = now;
    const Vec3 f = solve(k);
    v1 += mp1 * f.p + mt1 * f.t;
    v2 += mp2 * f.p + mt2 * f.t;
    v3 += f.r * (1 / J3);
  }

  q[0] = q1 + 0.5 * dt * v1;  // (44)
  q[1] = q2 + 0.5 * dt * v2;
  q[2] = q3 + 0.5 * dt * v3;
  u[0] = v1;
  u[1] = v2;
  u[2] = v3;
}

/// Impulses of the active corners; keeps them and the states found. No impulse at all is tried
/// first, then the last step's states, then every other combination.
template <ForceVelocity V>
inline typename SliderCrankFloor<V>::Vec3 SliderCrankFloor<V>::solve(const Contacts& k) {
  bool leaving = true;
  for (int i = 0; i < k.size; ++i) leaving = leaving && k.xi_n[i] >= 0;
  if (leaving) {
    for (int i = 0; i < k.size; ++i) {
      normal_impulse[k.corner[i]] = tangent_impulse[k.corner[i]] = 0;
      state[k.corner[i]] = CornerState::open;
    }
    return {0, 0, 0};
  }
  States guess;
  for (int i = 0; i < k.size; ++i) guess[i] = state[k.corner[i]];
  Outcome out;
  if (!slide(k, guess, out) && !(evaluate(k, guess, out) && out.violation <= tolerance)) {
    ++corrections;
    correct(k, guess, out);
  }
  for (int i = 0; i < k.size; ++i) {
    normal_impulse[k.corner[i]] = out.normal[i];
    tangent_impulse[k.corner[i]] = out.tangent[i];
    state[k.corner[i]] = guess[i];
  }
  return out.resultant;
}

/// The usual guess, every active corner slips, for one or two corners; false if it is another
/// guess or does not hold.
template <ForceVelocity V>
inline bool SliderCrankFloor<V>::slide(const Contacts& k, const States& guess, Outcome& out) const {
  const auto slips = [&](int i) {
    return guess[i] == CornerState::slip_plus || guess[i] == CornerState::slip_minus;
  };
  if (k.size > 2 || !slips(0) || (k.size == 2 && !slips(1))) return false;
  const double s0 = slip_sign(guess[0]), mu0 = friction * s0;
  const Vec3 n0{k.side[0], 0, k.normal_r[0]}, t0{0, 1, k.tangent_r[0]};
  const Vec3 d0{k.side[0], -mu0, k.normal_r[0] - mu0 * k.tangent_r[0]};  // w_N − μ sign(ξ_T) w_T
  const double A00 = dot(k, n0, d0);
  if (k.size == 1) {
    const double x0 = -k.xi_n[0] / A00;
    out.resultant = {d0.p * x0, d0.t * x0, d0.r * x0};
    out.normal[0] = x0;
    out.tangent[0] = -mu0 * x0;
    return x0 >= 0 && s0 * (k.xi_t[0] + dot(k, t0, out.resultant)) >= 0;
  }
  const double s1 = slip_sign(guess[1]), mu1 = friction * s1;
  const Vec3 n1{k.side[1], 0, k.normal_r[1]}, t1{0, 1, k.tangent_r[1]};
  const Vec3 d1{k.side[1], -mu1, k.normal_r[1] - mu1 * k.tangent_r[1]};
  const double A01 = dot(k, n0, d1), A10 = dot(k, n1, d0), A11 = dot(k, n1, d1);
  const double inverse_det = 1 / (A00 * A11 - A01 * A10);
  const double x0 = (A01 * k.xi_n[1] - A11 * k.xi_n[0]) * inverse_det;
  const double x1 = (A10 * k.xi_n[0] - A00 * k.xi_n[1]) * inverse_det;
  out.resultant = {d0.p * x0 + d1.p * x1, d0.t * x0 + d1.t * x1, d0.r * x0 + d1.r * x1};
  out.normal[0] = x0;
  out.normal[1] = x1;
  out.tangent[0] = -mu0 * x0;
  out.tangent[1] = -mu1 * x1;
  return x0 >= 0 && x1 >= 0 && s0 * (k.xi_t[0] + dot(k, t0, out.resultant)) >= 0 &&
         s1 * (k.xi_t[1] + dot(k, t1, out.resultant)) >= 0;
}

/// Impulses of any guess: ξ_N = 0 of the closed and ξ_T = 0 of the sticking corners, at most three
/// equations. False if they are more, or singular: whatever motion such a guess allows is also
/// found by one with fewer sticking or closed corners (a basic solution).
template <ForceVelocity V>
inline bool SliderCrankFloor<V>::evaluate(const Contacts& k, const States& guess,
                                          Outcome& out) const {
  Vec3 row[3], column[3];
  double x[3], A[3][3];
  int size = 0;
  int first[4];
  for (int i = 0; i < k.size; ++i) {
    first[i] = size;
    if (guess[i] == CornerState::open) continue;
    const bool stick = guess[i] == CornerState::stick;
    if (size + (stick ? 2 : 1) > 3) return false;
    const double m = stick ? 0.0 : friction * slip_sign(guess[i]);
    row[size] = {k.side[i], 0, k.normal_r[i]};
    column[size] = {k.side[i], -m, k.normal_r[i] - m * k.tangent_r[i]};
    x[size++] = -k.xi_n[i];
    if (!stick) continue;
    row[size] = column[size] = {0, 1, k.tangent_r[i]};
    x[size++] = -k.xi_t[i];
  }
  double largest = 0;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      A[i][j] = dot(k, row[i], column[j]);
      largest = std::max(largest, std::abs(A[i][j]));
    }
  }
  for (int i = 0; i < size; ++i) {
    int pivot = i;
    for (int j = i + 1; j < size; ++j) {
      if (std::abs(A[j][i]) > std::abs(A[pivot][i])) pivot = j;
    }
    if (std::abs(A[pivot][i]) <= 1e-12 * largest) return false;
    std::swap(A[i], A[pivot]);
    std::swap(x[i], x[pivot]);
    for (int j = i + 1; j < size; ++j) {
      const double factor = A[j][i] / A[i][i];
      for (int l = i; l < size; ++l) A[j][l] -= factor * A[i][l];
      x[j] -= factor * x[i];
    }
  }
  for (int i = size - 1; i >= 0; --i) {
    for (int j = i + 1; j < size; ++j) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }

  out.resultant = {0, 0, 0};
  for (int i = 0; i < size; ++i) {
    out.resultant.p += column[i].p * x[i];
    out.resultant.t += column[i].t * x[i];
    out.resultant.r += column[i].r * x[i];
  }
  out.violation = 0;
  for (int i = 0; i < k.size; ++i) {
    const Vec3 n{k.side[i], 0, k.normal_r[i]}, t{0, 1, k.tangent_r[i]};
    const double weight = dot(k, n, n);  // an impulse as a velocity
    double worst = 0;
    out.normal[i] = out.tangent[i] = 0;
    if (guess[i] == CornerState::open) {
      worst = -(k.xi_n[i] + dot(k, n, out.resultant));
    } else {
      const double normal = out.normal[i] = x[first[i]];
      worst = -weight * normal;
      if (guess[i] == CornerState::stick) {
        out.tangent[i] = x[first[i] + 1];
        worst = std::max(worst, weight * (std::abs(out.tangent[i]) - friction * normal));
      } else {
        const double sign = slip_sign(guess[i]);
        out.tangent[i] = -friction * sign * normal;
        worst = std::max(worst, -sign * (k.xi_t[i] + dot(k, t, out.resultant)));
      }
    }
    out.violation = std::max(out.violation, worst);
  }
  return true;
}

/// The first combination of states within the tolerance, or the one that violates the laws least.
template <ForceVelocity V>
inline void SliderCrankFloor<V>::correct(const Contacts& k, States& guess, Outcome& out) const {
  out.violation = HUGE_VAL;
  for (unsigned code = 0; code < 1u << 2 * k.size && out.violation > tolerance; ++code) {
    States trial{};
    for (int i = 0; i < k.size; ++i) trial[i] = static_cast<CornerState>(code >> 2 * i & 3);
    Outcome tried;
    if (!evaluate(k, trial, tried) || !(tried.violation < out.violation)) continue;
    out = tried;
    guess = trial;
  }
}

}  // namespace backlash::benchmarks

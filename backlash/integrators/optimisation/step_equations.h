// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/integrators/state_rule.h"

/// The equations of one implicit Euler step (theory 12.1 to 12.4), and their derivatives.
namespace backlash {

/// A contact that may push in the step.
struct Candidate {
  ContactKey key{};
  const ContactInfo* info = nullptr;
  ContactFrame frame{};  ///< at the end of the step
  bool placed = true;    ///< there is something to touch
  int box = -1;          ///< its friction among the box rows; −1: frictionless
  double overlap = 0;    ///< with which the step begins; it does not deepen [m] (theory 12.21)
};

/// A force between limits that a velocity or a displacement decides (theory 12.5): it is at the
/// lower limit where that is positive, at the upper where it is negative, in between where it is
/// zero.
struct BoxRow {
  int candidate = -1;           ///< friction: the contact whose normal force sets the limits
  int relay = -1;               ///< else a relay
  double friction = 0;          ///< μ, of friction
  double lower = 0, upper = 0;  ///< of a relay [N, N m]
  bool by_displacement = false;

  /// Whether it is a relay that can do nothing, as friction of strength zero.
  bool is_powerless() const { return relay >= 0 && !(upper > lower); }
};

/// A motion of the step.
struct StepPoint {
  Vector u;         ///< at its end
  Vector impulses;  ///< of all rows [N s]
};

/// The step that is to be solved, and the point where its equations were evaluated last. Rows:
/// normal forces of the candidates, bilateral rows, box rows.
class StepEquations {
 public:
  explicit StepEquations(const System& system);

  /// A step from a state to the time t_end, with no candidates.
  void begin(const State& state, const Vector& switches, double t_end);

  /// Adds a contact with its friction, unless it is there. False if it was. Where it is on curves
  /// is what it is followed from, whatever motion is tried: its place keeps its name.
  bool add_candidate(const ContactKey& key);
  bool add_candidate(const ContactKey& key, const std::array<double, 4>& parameters);

  /// With which the contact begins the step, beyond what steps leave [m, rad] (theory 12.21).
  double overlap_of(const ContactKey& key) const;

  /// Length of the step [s]; of a free step it changes while it is solved.
  void set_length(double h);
  double length() const { return h_; }

  /// Everything at u and the impulses of the rows [N s]; with derivatives if they are wanted.
  enum class Order { values, derivatives };
  void evaluate(const Vector& u, const Vector& impulses, Order order);

  Eigen::Index velocities() const { return u_start_.size(); }
  Eigen::Index contacts() const { return static_cast<Eigen::Index>(candidates_.size()); }
  Eigen::Index bilaterals() const { return bilaterals_; }
  Eigen::Index boxes() const { return static_cast<Eigen::Index>(boxes_.size()); }
  Eigen::Index rows() const { return contacts() + bilaterals() + boxes(); }
  Eigen::Index first_bilateral() const { return contacts(); }
  Eigen::Index first_box() const { return contacts() + bilaterals(); }

  const System& system() const { return system_; }
  const std::vector<Candidate>& candidates() const { return candidates_; }
  std::span<const ContactRecord> followed() const { return followed_; }
  const std::vector<BoxRow>& box_rows() const { return boxes_; }
  const Vector& start_velocity() const { return u_start_; }
  /// Limits of a box row's impulse, from the impulses of all rows [N s].
  double lower(Eigen::Index box, const Vector& impulses) const;
  double upper(Eigen::Index box, const Vector& impulses) const;

  // At the point of the last evaluate():
  const Configuration& configuration() const { return end_; }
  Configuration& configuration() { return end_; }
  Vector velocity() const { return u_start_ + difference_; }
  const Matrix& mass() const { return M_; }
  const Vector& force() const { return force_; }          ///< h(t, q, u) [N, N m]
  const Vector& unbalance() const { return unbalance_; }  ///< M (u − u_A) − h f − W Λ [N s, N m s]
  const Matrix& directions() const { return W_; }         ///< one column per row
  const Vector& rates() const { return rates_; }          ///< γ = Wᵀu + w of each row
  /// Per row: the gap beside the overlap that the step began with, the error [m, rad]; of box rows
  /// γ, or a displacement over the step's length [m/s, rad/s].
  const Vector& values() const { return values_; }
  /// What the rounding of the coordinates and of the time is felt as in the gap or the error of a
  /// row (theory 12.13) [m, rad].
  double round_off(Eigen::Index row) const;
  /// And what that of the coordinates is felt as in the unbalance of a velocity; needs derivatives
  /// [N s, N m s].
  double unbalance_round_off(Eigen::Index velocity) const;

  // Derivatives there.
  const Matrix& unbalance_by_velocity() const { return dR_du_; }
  const Vector& unbalance_by_length() const { return dR_dh_; }
  /// Of the values, one column per row.
  const Matrix& values_by_velocity() const { return dv_du_; }
  const Vector& values_by_length() const { return dv_dh_; }

  /// ∂(M a)/∂u and ∂(W Λ)/∂u for given a and Λ, at that point.
  void add_mass_change(const Vector& a, double factor, Matrix& J);
  void add_row_change(const Vector& impulses, double factor, Matrix& J);

 private:
  void find_overlaps(const State& state);
  double rounding(const Vector& lever) const;
  void place_candidates();
  void write_rows();
  void write_values();
  void place_states(const Vector& u);
  void add_state_change(const Vector& u);
  void write_derivatives(const Vector& u, const Vector& impulses);

  const System& system_;
  Eigen::Index bilaterals_ = 0;
  double t_start_ = 0, h_ = 0;
  Vector q_start_, u_start_;
  std::vector<Candidate> candidates_;
  std::vector<ContactRecord> followed_;  ///< where candidates were found, in the order of keys
  std::vector<BoxRow> boxes_;
  std::vector<ContactFrame> overlaps_;  ///< that the step begins with
  Configuration end_;
  Matrix M_, W_, relay_W_, dR_du_, dR_dq_, dv_du_, change_, dh_du_, dh_dq_;
  Vector force_, unbalance_, rates_, values_, w_, relay_w_, relay_limit_, displacement_;
  Vector dR_dh_, dv_dh_, difference_, dh_dt_, relay_impulse_, errors_;
  StateRule states_;
  Matrix dx_du_, dh_dx_;  ///< of the state variables
  Vector dx_dh_;
};

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backlash/dynamics/elements/constraint.h"
#include "backlash/dynamics/elements/contact_element.h"
#include "backlash/dynamics/elements/force_element.h"
#include "backlash/dynamics/elements/joint_output.h"
#include "backlash/dynamics/elements/planar_shapes.h"
#include "backlash/dynamics/elements/relay_element.h"
#include "backlash/dynamics/kernel/tree.h"
#include "backlash/dynamics/system.h"

namespace backlash {

/// A part that may belong to a joint, and that events may turn on and off.
template <class Kind>
struct Element {
  Kind kind{};
  int item = -1;   ///< index into SystemInfo::switches; −1: always on
  int owner = -1;  ///< index into Parts::joints; −1: it belongs to no joint

  bool on(const Configuration& c) const { return item < 0 || c.switches[item] != 0; }
};

/// The shapes that touch: in space none yet.
template <class S>
struct ShapesOf;
template <>
struct ShapesOf<Plane> {
  using Type = PlanarShapes;
};
template <>
struct ShapesOf<Space> {
  struct Type {};
};

/// A force of the last step that a condition uses.
struct Measure {
  enum class Kind {
    contact,          ///< normal forces of an entry of the model's contacts, in sum [N]
    reaction_force,   ///< of a joint, its magnitude [N]
    reaction_torque,  ///< of a joint about Q, its magnitude [N m]
    row               ///< of a bilateral row: what a lock or a drive carries, its magnitude
  };
  Kind kind = Kind::contact;
  int index = 0;  ///< of the entry, among Parts::joints, or of the row
};

/// What a mechanism is made of. The lists of names and laws in the SystemInfo are parallel to
/// these; laws of shapes come after those of other contacts.
template <class S>
struct Parts {
  Tree<S> tree{{}};
  std::vector<Constraint<S>> constraints{};
  std::vector<Element<CoordinateRelay<S>>> relays{};
  std::vector<Element<ContactKind<S>>> contacts{};
  typename ShapesOf<S>::Type shapes{};
  std::vector<Element<ForceKind<S>>> forces{};
  std::vector<std::string> force_names{};  ///< in the model, of each of them
  std::vector<Formula<S>> states{};        ///< rates of the state variables
  std::vector<Formula<S>> conditions{};    ///< of the events; zero for those with a time
  std::vector<Measure> measures{};         ///< of forces that these use
  std::vector<int> numbers{};              ///< that events set: indices into SystemInfo::switches
  std::vector<int> body_of{};              ///< for each of SystemInfo::bodies its body in the tree
  std::vector<JointOutput<S>> joints{};    ///< for output: joints, set-valued forces, drives
  std::vector<ForceOutput> force_outputs{};
  typename S::Vec gravity = S::Vec::Zero();  ///< [m/s²]

  /// Whether the contact is one of shapes, and none of `contacts`.
  bool is_of_shapes(const ContactKey& key) const {
    return key.pair >= static_cast<int>(contacts.size());
  }

  /// What visit(kind) gives for a contact.
  template <class Visit>
  auto visit_contact(const ContactKey& key, Visit&& visit) const {
    if constexpr (S::dimension == 2)
      if (is_of_shapes(key)) {
        const ContactKind<S> contact = shapes.contact(key);
        return visit(contact);
      }
    return visit(contacts[static_cast<std::size_t>(key.pair)].kind);
  }
};

/// An assembled model as a System; S is Plane or Space.
template <class S>
class Mechanism final : public System {
 public:
  Mechanism(SystemInfo info, Parts<S> parts);

  void configure(Configuration& c) const override;
  void position_rate(const Configuration& c, const Vector& u, VectorRef rate) const override;
  void write_state_rates(const Configuration& c, const Vector& u, VectorRef rates) const override;
  void advance(const Vector& q, const Vector& u, double dt, Vector& end) const override;
  void mass(const Configuration& c, MatrixRef M) const override;
  bool factor_mass(const Configuration& c, Matrix& factors) const override;
  void solve_mass(const Configuration& c, const Matrix& factors, VectorRef x) const override;
  void solve_mass_blocks(const Configuration& c, const Matrix& factors, std::span<const int> blocks,
                         VectorRef x) const override;
  double kinetic_energy(const Configuration& c, const Vector& u) const override;
  void force(const Configuration& c, const Vector& u, VectorRef h) const override;
  void force_velocity_jacobian(const Configuration& c, const Vector& u,
                               MatrixRef dh_du) const override;
  void force_position_jacobian(const Configuration& c, const Vector& u,
                               MatrixRef dh_dq) const override;
  void force_time_derivative(const Configuration& c, const Vector& u,
                             VectorRef dh_dt) const override;
  void state_rate_state_jacobian(const Configuration& c, const Vector& u,
                                 MatrixRef df_dx) const override;
  void state_rate_velocity_jacobian(const Configuration& c, const Vector& u,
                                    MatrixRef df_du) const override;
  void state_rate_position_jacobian(const Configuration& c, const Vector& u,
                                    MatrixRef df_dq) const override;
  void state_rate_time_derivative(const Configuration& c, const Vector& u,
                                  VectorRef df_dt) const override;
  void force_state_jacobian(const Configuration& c, const Vector& u,
                            MatrixRef dh_dx) const override;
  void mass_position_jacobian(const Configuration& c, const Vector& a,
                              MatrixRef dMa_dq) const override;
  void add_contact_jacobian(const Configuration& c, const ContactFrame& frame,
                            const ContactVelocity& lambda, MatrixRef J) const override;
  void add_bilateral_jacobian(const Configuration& c, const VectorView& lambda,
                              MatrixRef J) const override;
  void add_relay_jacobian(const Configuration& c, const VectorView& lambda,
                          MatrixRef J) const override;
  void find_contacts(const Configuration& c, double reach,
                     std::span<const ContactRecord> remembered,
                     std::vector<ContactFrame>& frames) const override;
  bool find_contact(const Configuration& c, const ContactKey& key,
                    ContactFrame& frame) const override;
  bool follow_contact(const Configuration& c, const ContactKey& key,
                      std::span<const ContactRecord> remembered,
                      ContactFrame& frame) const override;
  void write_contact_rows(const Configuration& c, const ContactFrame& frame, MatrixRef W,
                          VectorRef w) const override;
  void write_contact_biases(const Configuration& c, const Vector& u,
                            std::span<const ContactFrame> frames,
                            std::span<ContactVelocity> biases) const override;
  void write_contact_velocities(const Configuration& c, const Vector& u,
                                std::span<const ContactFrame> frames,
                                std::span<ContactVelocity> velocities) const override;
  double passing_travel(const Configuration& c, const Vector& u, double step) const override;
  void write_passing_limits(const Configuration& c, const Vector& u,
                            std::span<const ContactFrame> frames,
                            std::span<PassingLimit> limits) const override;
  std::string contact_name(const ContactKey& key) const override;
  std::optional<Origin> find_not_finite(const Configuration& c, const Vector& u) const override;
  void bilateral_errors(const Configuration& c, VectorRef g) const override;
  void bilateral_rows(const Configuration& c, MatrixRef W, VectorRef w) const override;
  double bilateral_row(const Configuration& c, int row, VectorRef W) const override;
  std::optional<RatesAround> jump_of_drive(const Configuration& c, int row, double before,
                                           double after) const override;
  void bilateral_bias(const Configuration& c, const Vector& u, VectorRef b) const override;
  void relay_rows(const Configuration& c, MatrixRef W, VectorRef w, VectorRef limit) const override;
  double relay_row(const Configuration& c, int row, VectorRef W, double& limit) const override;
  void relay_loads(const LastStep& step, VectorRef loads) const override;
  void relay_displacements(const Configuration& c, VectorRef x) const override;
  double potential_energy(const Configuration& c) const override;
  double applied_power(const Configuration& c, const Vector& u, const Vector& along) const override;
  void event_conditions(const Configuration& c, const Vector& u, VectorRef values) const override;
  void capture(Configuration& c, int item) const override;
  void measure(const LastStep& last, VectorRef measured) const override;
  BodyMotion body_motion(const Configuration& c, const Vector& u, int body) const override;
  void body_motions(const Configuration& c, const Vector& u,
                    std::span<BodyMotion> motions) const override;
  void reactions(const LastStep& last, VectorRef values) const override;
  void outputs(const OutputContext& context, VectorRef values) const override;

  const Parts<S>& parts() const { return parts_; }

 private:
  void prepare_contacts();
  double least_gap(const Configuration& c, int entry) const;

  Parts<S> parts_;
  std::vector<BodyRange> block_bodies_{};    ///< of each mass block
  std::vector<BlockList> contact_blocks_{};  ///< of each of Parts::contacts
  bool dense_ =
      false;  ///< few degrees of freedom: M written out and factored is faster than its tree
  bool has_power_ = false;  ///< some force may do work that no potential accounts for
};

extern template class Mechanism<Plane>;
extern template class Mechanism<Space>;

}  // namespace backlash

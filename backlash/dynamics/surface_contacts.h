// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "backlash/dynamics/contact_frame.h"
#include "backlash/dynamics/contact_search.h"
#include "backlash/dynamics/system.h"
#include "backlash/geometry/nurbs/pair_rates.h"

/// Contacts of surfaces in space, for Systems of one's own: from two shapes on moving bodies to
/// frames, rows and the exact bias of these (theory 11.18 to 11.25).
namespace backlash {

/// What may touch a surface: another one, a ball or a half-space, in the frame of its body.
using SpaceShape = std::variant<std::shared_ptr<const SurfaceBoundary>, SolidBall<3>, HalfSpace<3>>;

/// A surface of body a and a shape of body b; −1 is the ground, in the frame of the world.
struct SurfacePair {
  int a = -1, b = -1;
  std::shared_ptr<const SurfaceBoundary> A{};
  SpaceShape B{};
};

/// The contacts of pairs of shapes. Pair i has the contacts with the key {first_pair + i, …}.
class SurfaceContacts {
 public:
  using Poses = std::span<const Pose3>;             ///< of the bodies' frames, X_WB
  using Motions = std::span<const FrameMotion<3>>;  ///< of the bodies' frames

  /// Throws InputError for a pair without a surface.
  explicit SurfaceContacts(std::vector<SurfacePair> pairs, int first_pair = 0);

  /// Those within reach [m], in ascending order of their keys, appended to `frames`. Places that
  /// are among `remembered` keep their keys. `memory` makes it faster: pairs of surfaces are
  /// followed from the last search (theory 11.16).
  void find(Poses bodies, double reach, std::span<const ContactRecord> remembered,
            ContactSearch& memory, std::vector<ContactFrame>& frames) const;

  /// One contact wherever it is; false if it has no place now.
  bool find_one(Poses bodies, const ContactKey& key, std::span<const ContactRecord> remembered,
                ContactSearch& memory, ContactFrame& frame) const;

  /// Calls add(body, p_W, force, column) for what unit forces along the normal (column 0) and the
  /// tangents do to the two bodies: the generalised force of `force` on `body` at p_W, added to
  /// column `column` of W, makes the rows.
  template <class Add>
  void for_each_row(const ContactFrame& frame, int rows, Add&& add) const {
    const SurfacePair& pair = pair_of(frame.key);
    for (int i = 0; i < rows; ++i) {
      const Vec3& e = i == 0 ? frame.n_W : frame.t_W[static_cast<std::size_t>(i - 1)];
      if (pair.b >= 0) add(pair.b, frame.p_WB, e, i);
      if (pair.a >= 0) add(pair.a, frame.p_WA, Vec3(-e), i);
    }
  }

  /// The rates of the normal row and of the tangents [m/s].
  ContactVelocity velocities(const ContactFrame& frame, Poses bodies, Motions motions) const;

  /// The rates of these rates [m/s²] while the bodies have the accelerations of `motions`: with
  /// those of u̇ = 0, the bias (theory 11.23). Where the contact is singular, as if it stayed in its
  /// place on body a.
  ContactVelocity biases(const ContactFrame& frame, Poses bodies, Motions motions) const;

  /// How far shapes that may pass through each other in a step move against each other in it, at
  /// most; 0 if none can [m]: see System::passing_travel().
  double passing_travel(Poses bodies, Motions motions, double step) const;

  /// How far it is searched for these at once: see System::passing_reach().
  double passing_reach(Poses bodies, double travel) const;

  /// Whether the bodies of a contact may; the accelerations are those of u̇ = 0.
  PassingLimit passing_limit(const ContactFrame& frame, Poses bodies, Motions motions) const;

  const SurfacePair& pair_of(const ContactKey& key) const {
    return pairs_[static_cast<std::size_t>(key.pair - first_pair_)];
  }

 private:
  void find_pair(int pair, Poses bodies, double reach, ContactSearch& memory) const;

  /// What is known of a pair once and for all.
  struct Prepared {
    double reach;   ///< to which its places are known ahead [m]
    double margin;  ///< of motion, between two searches [m]
    double depth;   ///< overlap from which it is pushed apart again (theory 7.27) [m]
    bool hollow;    ///< one of its surfaces is
  };

  std::vector<SurfacePair> pairs_;
  std::vector<Prepared> prepared_{};
  int first_pair_;
};

/// Two unit tangents to a normal, which turn with it smoothly where it is not along the x axis; and
/// how they turn where it turns by n_rate (theory 11.24).
std::array<Vec3, 2> surface_tangents(const Vec3& n);
std::array<Vec3, 2> surface_tangent_rates(const Vec3& n, const Vec3& n_rate);

}  // namespace backlash

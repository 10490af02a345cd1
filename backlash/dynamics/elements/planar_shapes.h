// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backlash/dynamics/contact_frame.h"
#include "backlash/dynamics/elements/planar_contact.h"
#include "backlash/dynamics/system.h"
#include "backlash/geometry/shape_features.h"

/// Contacts of planar shapes. They are found, not listed: boxes around the shapes show which pairs
/// are near (theory 7.18, 7.22), and only of these the candidates are looked at.
namespace backlash {

/// A shape that may touch others.
struct ContactShape {
  int body = -1;   ///< of the tree; −1: the ground
  int block = -1;  ///< mass block that it moves in; −1: none
  std::shared_ptr<const ShapeFeatures> features{};
  ShapeBound bound{};
  std::string body_name{}, name{};
};

/// Shapes that may touch: each of A each of B that belongs to another body. Two that are on both
/// sides meet once, the one that is earlier in A as A.
struct ShapeGroup {
  std::string name{};
  std::vector<int> A{}, B{};  ///< indices of shapes, none twice
  int first_pair = 0;         ///< index into SystemInfo::contacts of its first law
  int item = -1;              ///< index into SystemInfo::switches; −1: always on

  // Where laws depend on what touches, shapes of one class have the same ones.
  std::vector<int> class_A{}, class_B{};  ///< of the shapes of A and B; empty: there is one law
  int classes = 0;
  std::vector<int> first_law{};  ///< of each pair of classes, in `laws`
  std::vector<int> laws{};       ///< of each candidate of such a pair: first_pair + this

  /// The law of a candidate of shapes a of A and b of B: index into SystemInfo::contacts.
  int pair_of(int a, int b, int candidate) const;
};

/// Where a shape is in the group; −1: not on that side.
struct Membership {
  int shape = 0;
  int a = -1, b = -1;  ///< index into A and B
};

/// Each shape of the group once: those of A in their order, then the others of B.
std::vector<Membership> memberships(const ShapeGroup& group);

/// Two shapes of a group as A and B.
struct ShapePair {
  int a = -1, b = -1;  ///< index into A and B; −1: they do not meet
};
ShapePair meeting(const Membership& p, const Membership& q);

class PlanarShapes {
 public:
  PlanarShapes() = default;

  PlanarShapes(std::vector<ContactShape> shapes, std::vector<ShapeGroup> groups);

  /// Sets the mass blocks of the shapes from those of the bodies of the tree.
  void set_blocks(std::span<const int> block_of_body);

  /// Those that contacts of a pair may act on.
  std::vector<int> blocks(int pair) const;

  bool empty() const { return groups_.empty(); }

  ShapeContact contact(const ContactKey& key) const;
  BlockList blocks(const ContactKey& key) const;
  std::string name(const ContactKey& key) const;

  /// How deep contacts may overlap without being pushed through (theory 7.27), the least of all or
  /// less [m]; and the greatest speed of a point of a shape [m/s]. `size` stands for the radius of
  /// endless ones [m].
  double least_passing_depth() const { return least_depth_; }
  double greatest_speed(const Motion<Plane>& motion, double size) const;

  /// Of one contact, and of the shapes that touch in it.
  PassingLimit passing_limit(const ContactFrame& frame, const Motion<Plane>& motion,
                             double size) const;

  /// Those within reach, in ascending order of their keys, appended to `frames`. Profiles keep the
  /// names of places that are remembered.
  void find(const Configuration& c, const Motion<Plane>& motion, double reach,
            std::span<const ContactRecord> remembered, std::vector<ContactFrame>& frames) const;

  /// All of one group, wherever they are and whether it is on or not, appended to `frames`.
  void find_entry(const Configuration& c, const Motion<Plane>& motion, int group,
                  std::vector<ContactFrame>& frames) const;
  /// The group that a pair of laws belongs to.
  int entry_of(int pair) const;

  /// One contact wherever it is; false if it has no place now.
  bool find_one(const Configuration& c, const Motion<Plane>& motion, const ContactKey& key,
                std::span<const ContactRecord> remembered, ContactFrame& frame) const;

 private:
  /// Of a group of few: a pair with its candidates.
  struct ListedPair {
    ShapePair pair{};
    Candidates candidates{};
  };
  struct PreparedGroup {
    ShapeGroup group{};
    std::vector<ListedPair> few{};      ///< all pairs, if they are few; else
    std::vector<Membership> members{};  ///< first many that have boxes,
    std::size_t first_alone = 0;        ///< then those that each are compared with all before
    bool sweeps = false;                ///< whether the many may touch each other
    int pairs = 0;                      ///< of shapes
  };
  struct Search;

  const PreparedGroup& group_of(int pair) const;
  const ContactShape& shape(int i) const { return shapes_[static_cast<std::size_t>(i)]; }
  const ContactShape& shape_A(const ShapeGroup& group, int a) const;
  const ContactShape& shape_B(const ShapeGroup& group, int b) const;
  std::string label(const std::vector<int>& side, int i) const;
  void prepare(PreparedGroup& prepared) const;
  double least_depth_of(const PreparedGroup& prepared) const;
  void begin_search(ContactSearch& memory) const;
  void find_few(const PreparedGroup& prepared, const Search& search) const;
  void find_near_boxes(const PreparedGroup& prepared, SweepOrder& order,
                       const Search& search) const;
  void find_many(const PreparedGroup& prepared, SweepOrder& order, const Search& search) const;
  void look_at(const ShapeGroup& group, const ShapePair& pair, const Candidates& all,
               const Search& search) const;
  std::size_t find_near_places(const ShapeGroup& group, const ShapePair& pair,
                               const Candidates& all, const Search& search,
                               std::span<NearCandidate> near) const;

  std::vector<ContactShape> shapes_{};
  std::vector<PreparedGroup> groups_{};
  std::vector<int> group_of_pair_{};  ///< from the first pair of the first group on
  double least_depth_ = INFINITY;
};

}  // namespace backlash

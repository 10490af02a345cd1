// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/dynamics/kernel/tree.h"
#include "backlash/model/model.h"

namespace backlash {

/// Which joints carry the bodies, and where the bodies are at the start.
template <class S>
struct SpanningTree {
  std::vector<TreeBody<S>> bodies{};
  std::vector<int> body_of{};                 ///< of each body of the model, its place in the tree
  std::vector<const Joint*> inboard_joint{};  ///< of each body of the tree; null: free from ground
  std::vector<const Joint*> loop_joints{};    ///< joints that are not in the tree
  std::vector<const Joint*> placing{};  ///< those of them that say where a free body is at first
  std::vector<double> position{}, speed{};            ///< of each coordinate at the start
  std::vector<bool> position_given{}, speed_given{};  ///< by the user; one for each velocity

  int find(const Model& model, const std::string& body) const;  ///< −1: the ground
};

/// Ideal joints first, from the ground on, in the order of the file; then joints that hold nothing
/// (planar in the plane, or with clearance); what is left is free. With absolute coordinates every
/// body is free. The bodies of each tree that grows from the ground follow each other.
template <class S>
SpanningTree<S> span_tree(const Model& model);

extern template struct SpanningTree<Plane>;
extern template struct SpanningTree<Space>;

}  // namespace backlash

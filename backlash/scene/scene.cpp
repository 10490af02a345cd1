// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/scene/scene.h"

#include <algorithm>

namespace backlash {

const SceneContact* find_origin(const Scene& scene, std::string_view contact) {
  const SceneContact* found = nullptr;  // the longest, where one item's name begins another's
  for (const SceneContact& origin : scene.contacts) {
    const bool own = contact == origin.item ||
                     (contact.starts_with(origin.item) && contact[origin.item.size()] == '.');
    if (own && (!found || found->item.size() < origin.item.size())) found = &origin;
  }
  return found;
}

const SceneJoint* find_joint(const Scene& scene, std::string_view name) {
  const auto found = std::ranges::find(scene.joints, name, &SceneJoint::name);
  return found == scene.joints.end() ? nullptr : &*found;
}

}  // namespace backlash

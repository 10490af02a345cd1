// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/touch_radii.h"

#include <cstdlib>
#include <utility>

namespace backlash {
namespace {

template <class T>
TouchRadii radii(const CornersOn<T>& touch, int k) {
  if constexpr (InPieces<T>) {
    const auto [corner, piece] = std::div(k, piece_count(*touch.outline));
    return {touch.corners[static_cast<std::size_t>(corner)].radius,
            touch_radius(piece_of(*touch.outline, piece))};
  } else {
    return {touch.corners[static_cast<std::size_t>(k)].radius, touch_radius(*touch.outline)};
  }
}
template <class Face>
TouchRadii radii(const FaceOnCam<Face>& touch, int) {
  return {touch_radius(*touch.face), touch_radius(*touch.cam)};
}

TouchRadii radii(const ProfileTouch& touch, int) {
  if (const auto* corner = std::get_if<const Corner*>(&touch.other))
    return {std::nullopt, (*corner)->radius};
  if (const auto* face = std::get_if<const HalfPlane*>(&touch.other))
    return {std::nullopt, touch_radius(**face)};
  return {};
}

}  // namespace

TouchRadii touch_radii(const Candidates& all, int k) {
  const std::pair<const Candidates::Part&, int> place = all.find(k);
  const Candidates::Part& part = place.first;
  TouchRadii found =
      std::visit([&](const auto& touch) { return radii(touch, place.second); }, part.touch);
  if (part.first == Role::B) std::swap(found.A, found.B);
  return found;
}

}  // namespace backlash

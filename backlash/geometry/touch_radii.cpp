// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/touch_radii.h"

#include <cmath>
#include <utility>

namespace backlash {
namespace {

using Radius = std::optional<double>;

Radius radius(const Corner& f) { return f.radius; }
Radius radius(const HalfPlane&) { return INFINITY; }
Radius radius(const Wall&) { return INFINITY; }
Radius radius(const OutlinePiece&) { return INFINITY; }
Radius radius(const ConvexArc& f) { return f.radius; }
Radius radius(const ConcaveArc& f) { return -f.radius; }
Radius radius(const Cam&) { return std::nullopt; }

template <class T>
TouchRadii radii(const CornerOn<T>& touch) {
  return {radius(touch.corner), radius(touch.outline)};
}
template <class Face>
TouchRadii radii(const FaceOnCam<Face>& touch) {
  return {radius(touch.face), radius(touch.cam)};
}

}  // namespace

TouchRadii touch_radii(const FeaturePair& pair) {
  TouchRadii found = std::visit([](const auto& touch) { return radii(touch); }, pair.touch);
  if (pair.first == Role::B) std::swap(found.A, found.B);
  return found;
}

}  // namespace backlash

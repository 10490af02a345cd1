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
Radius radius(const Outline&) { return INFINITY; }
Radius radius(const ConvexArc& f) { return f.radius; }
Radius radius(const ConcaveArc& f) { return -f.radius; }
Radius radius(const Cam&) { return std::nullopt; }

template <class T>
TouchRadii radii(const CornersOn<T>& touch, int k) {
  return {radius(touch.corners[static_cast<std::size_t>(k)]), radius(*touch.outline)};
}
TouchRadii radii(const CornersOn<Outline>& touch, int k) {
  return {radius(touch.corners[static_cast<std::size_t>(k / touch.outline->pieces)]),
          radius(*touch.outline)};
}
template <class Face>
TouchRadii radii(const FaceOnCam<Face>& touch, int) {
  return {radius(*touch.face), radius(*touch.cam)};
}

}  // namespace

TouchRadii touch_radii(const Candidates& all, int k) {
  const std::span<const Candidates::Part> parts = all.parts();
  const bool in_first = k < parts[0].count;
  const Candidates::Part& part = parts[in_first ? 0 : 1];
  const int own = in_first ? k : k - parts[0].count;
  TouchRadii found = std::visit([&](const auto& touch) { return radii(touch, own); }, part.touch);
  if (part.first == Role::B) std::swap(found.A, found.B);
  return found;
}

}  // namespace backlash

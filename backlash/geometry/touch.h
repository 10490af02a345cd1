// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <variant>

#include "backlash/geometry/outline.h"
#include "backlash/geometry/profile_touch.h"

namespace backlash {

/// Corners against an outline: each corner is a candidate for touching, one on each piece of it.
template <class T>
struct CornersOn {
  std::span<const Corner> corners{};
  const T* outline = nullptr;
};

/// A flat face against a cam; the face's ends, if it has any, are corners of their own.
template <class Face>
struct FaceOnCam {
  const Face* face = nullptr;
  const Cam* cam = nullptr;
};

template <class Outlines>
struct TouchOf;
template <class... T>
struct TouchOf<std::variant<T...>> {
  using Type = std::variant<CornersOn<T>..., FaceOnCam<HalfPlane>, FaceOnCam<Wall>, ProfileTouch>;
};

/// All ways of touching: corners on each outline of the list, flat faces on cams, and
/// profiles of any form on anything.
using Touch = TouchOf<Outline>::Type;

enum class Role { A, B };

}  // namespace backlash

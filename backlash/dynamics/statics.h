// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "backlash/dynamics/equilibrium.h"
#include "backlash/laws/set_valued.h"

/// The balance of forces of a mechanism at rest, and how it changes (theory 6.16).
namespace backlash {

/// Rows with set-valued laws: contacts first, then relays. `offset` is what their laws speak of
/// before any move: gaps, displacements of preloads, zero for what slides.
struct StaticRows {
  Matrix W{};  ///< one column per row
  Vector offset{};
  std::vector<Law> laws{};
};

/// Forces λ along these rows, and μ along the bilateral ones [N, N m].
struct StaticLoads {
  Vector rows{}, bilaterals{};
};

/// A mechanism at rest in one position.
struct Statics {
  Configuration c{};
  Vector force{};      ///< h, with what compliant contacts push [N, N m]
  Matrix mass{};       ///< M
  Matrix stiffness{};  ///< K = −∂(force + W λ + W_B μ)/∂q N, its symmetric part
  std::vector<ContactFrame> compliant{}, rigid{};  ///< that push, and that are near
  StaticRows rows{};
  Vector relay_loads{};      ///< that friction of joints is a part of, as System::relay_loads()
  Vector bilateral_error{};  ///< [m, rad]
  Matrix bilateral_W{};
};

/// The forces and rows at q, with rigid contacts up to `reach` apart [m]. The stiffness is left as
/// it is.
void write_forces(const System& system, const Vector& q, double reach, Statics& statics);

/// What presses the faces of joints together, whose friction is a part of it, under these loads.
Vector loads_of_relays(const System& system, const Statics& statics, const StaticLoads& loads);

/// The stiffness there under these loads.
void write_stiffness(const System& system, const StaticLoads& loads, Statics& statics);

/// What a compliant contact pushes with at rest [N].
double force_at_rest(const ContactInfo& contact, double gap);

/// The loads of the contacts that carry, in ascending order of keys.
std::vector<ContactLoad> contact_loads(const System& system, const Statics& statics,
                                       const StaticLoads& loads);

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/model/force.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/model/member.h"

namespace backlash {
namespace {

/// Of one whose numbers say their ranges, or that has none.
template <class Element>
void check(const Element& element, const std::string& item) {
  check_numbers(element, item);
}

void check(const Spring& f, const std::string& item) {
  require_not_negative(f.stiffness, item + ": stiffness", "N/m");
  require_not_negative(f.length, item + ": length", "m");
  require_finite(f.preload, item + ": preload");
  require_not_negative(f.damping, item + ": damping", "N s/m");
  require_not_negative(f.dead_band, item + ": dead band", "m");
  if (f.acts != TensionSides::both && f.preload != 0 && (f.dead_band > 0 || f.stiffness == 0))
    throw InputError(fmt::format(
        "{}: a preload of a one-sided spring needs a stiffness, and no dead band", item));
}
void check(const Damper& f, const std::string& item) {
  require_not_negative(f.damping, item + ": damping", "N s/m");
}
void check(const TorsionSpring& f, const std::string& item) {
  require_not_negative(f.stiffness, item + ": stiffness", "N m/rad");
  require_finite(f.angle, item + ": angle");
  require_finite(f.preload, item + ": preload");
  require_not_negative(f.damping, item + ": damping", "N m s/rad");
  require_not_negative(f.dead_band, item + ": dead band", "rad");
}
void check(const Bushing& f, const std::string& item) {
  require_finite(f.X_AF.p, item + ": origin on the first body");
  require_finite(f.X_AF.rotation, item + ": rotation on the first body");
  require_finite(f.X_BG.p, item + ": origin on the second body");
  require_finite(f.X_BG.rotation, item + ": rotation on the second body");
  for (int i = 0; i < 3; ++i) {
    require_not_negative(f.stiffness[i], item + ": stiffness", "N/m, N m/rad");
    require_not_negative(f.angular_stiffness[i], item + ": stiffness", "N/m, N m/rad");
    require_not_negative(f.damping[i], item + ": damping", "N s/m, N m s/rad");
    require_not_negative(f.angular_damping[i], item + ": damping", "N s/m, N m s/rad");
  }
}
void check(const Motor& f, const std::string& item) {
  require_finite(f.stall_torque, item + ": stall torque");
  require_positive(f.no_load_speed, item + ": no-load speed", "rad/s");
  require_finite(f.ratio, item + ": ratio");
  if (f.ratio == 0) throw InputError(item + ": ratio must not be 0");
  require_not_negative(f.inertia, item + ": inertia", "kg m^2");
}
void check(const TableForce& f, const std::string& item) { validate(f.table, item); }
void check(const OneWayClutch& f, const std::string& item) {
  if (f.direction != 1 && f.direction != -1)
    throw InputError(fmt::format("{}: direction must be 1 or -1, is {}", item, f.direction));
  if (!(f.capacity > 0))
    throw InputError(fmt::format("{}: capacity must be positive [N m], is {}", item, f.capacity));
}
void check(const PreloadedSpring& f, const std::string& item) {
  require_not_negative(f.stiffness, item + ": stiffness", "N/m or N m/rad");
  require_not_negative(f.preload, item + ": preload", "N or N m");
  require_finite(f.rest, item + ": rest");
  require_not_negative(f.dead_band, item + ": dead band", "m or rad");
  require_not_negative(f.damping, item + ": damping", "N s/m or N m s/rad");
}

}  // namespace

void validate(const Force& force) {
  const std::string item = fmt::format("force '{}'", force.name);
  std::visit([&](const auto& element) { check(element, item); }, force.element);
}

std::string_view kind_name(const ForceElement& element) {
  return std::visit([](const auto& e) { return e.info().name; }, element);
}

}  // namespace backlash

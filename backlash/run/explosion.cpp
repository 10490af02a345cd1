// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/explosion.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "backlash/check/contact_impact.h"
#include "backlash/check/stability.h"
#include "backlash/integrators/integrator_table.h"

namespace backlash {
namespace {

/// Where the motion was still sound, with what is switched on: an event may have turned on what
/// makes it explode.
Configuration calm_configuration(const FailedRun& run, const Vector& switches) {
  const CalmState& calm = run.watch.calm();
  Configuration c = configuration(run.setup.system, calm.t, calm.q);
  c.switches = switches;
  run.setup.system.configure(c);
  return c;
}

/// The step beside the fastest mode there; of a large mechanism without the force that makes it,
/// which takes as long again for each.
std::string describe_step(const FailedRun& run) {
  constexpr Eigen::Index most_velocities = 250;
  const RunSetup& setup = run.setup;
  const CalmState& calm = run.watch.calm();
  if (calm.u.size() > most_velocities) return {};
  const Vector now = run.state.z.size() > 0
                         ? Vector(Memory(setup.system.info()).switches(run.state.z))
                         : calm.switches;
  for (const Vector* switches : {&now, &calm.switches}) {
    if (switches != &now && now == calm.switches) break;
    const FastestMode mode = fastest_mode(setup.system, calm_configuration(run, *switches), calm.u);
    if (describe_unstable_step(mode, run.step, setup.simulation, nullptr).empty()) continue;
    const bool small = calm.u.size() <= most_velocities_of_modes;
    const Force* culprit = setup.model && small ? find_culprit(*setup.model, mode) : nullptr;
    return describe_unstable_step(mode, run.step, setup.simulation, culprit);
  }
  return {};
}

/// How long an impact of a contact that is a force lasts, met in the next steps at the speed that
/// it has; infinity: it does not meet [s].
double duration_of_impact(const System& system, const Configuration& c, const Mobility& mobility,
                          const ContactFrame& frame, double travel, double speed) {
  const auto& law = system.info().contacts[static_cast<std::size_t>(frame.key.pair)].compliant;
  if (!law || frame.gap > travel) return INFINITY;
  const double mass = felt_mass(system, c, mobility, frame);
  if (!(mass > 0)) return INFINITY;
  const FreeImpact impact = free_impact(law->normal, mass, std::max(speed, law->slowest_entry));
  return impact.complete ? impact.compression_time + impact.restitution_time : INFINITY;
}

/// A step of equal ones that jumps over whole impacts on contacts that are forces.
std::string describe_impacts(const FailedRun& run) {
  constexpr double steps = 3;  // until a contact is met
  const System& system = run.setup.system;
  const CalmState& calm = run.watch.calm();
  if (!(equal_step(run.setup.simulation) > 0) || run.setup.simulation.method != "compliant")
    return {};
  const Configuration c = calm_configuration(run, calm.switches);
  const Mobility mobility(system, c);
  if (!mobility.valid()) return {};
  std::vector<ContactFrame> frames;
  system.find_contacts(c, INFINITY, {}, frames);
  std::vector<ContactVelocity> velocities(frames.size());
  system.write_contact_velocities(c, calm.u, frames, velocities);
  double shortest = run.step;
  std::string text;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double speed = -velocities[i][0];
    const double duration =
        duration_of_impact(system, c, mobility, frames[i], steps * speed * run.step, speed);
    if (!(duration < shortest)) continue;
    shortest = duration;
    text = fmt::format("the step {:g} s is longer than an impact of contact '{}', {:.2g} s",
                       run.step, system.contact_name(frames[i].key), duration);
  }
  return text;
}

/// "there slider.u is 9.7e+99 m/s": what is faster than light.
std::string describe_speed(const SystemInfo& info, const Vector& u) {
  constexpr double light = 299792458;  // [m/s]
  double fastest = light;
  std::string text;
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool angular = k < info.angular.size() && info.angular[k];
    const double speed = std::abs(u[i]) * (angular ? info.length : 1);
    if (!(speed > fastest)) continue;
    fastest = speed;
    text = fmt::format(
        "there {} is {:.2g} {}/s",
        info.velocity_names.empty() ? fmt::format("u{}", i + 1) : info.velocity_names[k], u[i],
        angular ? "rad" : "m");
  }
  return text;
}

}  // namespace

std::string describe_explosion(const FailedRun& run) {
  constexpr double much = 0.1;  // of the energy at hand
  if (const std::string step = describe_step(run); !step.empty()) return step;
  if (const std::string impact = describe_impacts(run); !impact.empty()) return impact;
  const std::string speed = describe_speed(run.setup.system.info(), run.state.u);
  if (speed.empty()) return {};
  const bool by_method = !(std::abs(run.made) <= much * run.watch.at_hand());
  return speed + (by_method
                      ? ", by what the method itself has made"
                      : ", by the work of forces: a force on it grows without bound, as of a wrong "
                        "sign or at a pole of its formula");
}

}  // namespace backlash

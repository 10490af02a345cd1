// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/run_report.h"

#include <cmath>

#include <fmt/format.h>

#include "backlash/run/pushing_drives.h"

namespace backlash {
namespace {

/// The middle of a step that failed, and the contacts that were closed there.
struct Middle {
  Configuration c;
  std::vector<ContactFrame> closed{};
};

Middle middle_of(const System& system, const State& state, const StepResult& result) {
  Vector q = state.q;
  system.advance(state.q, state.u, 0.5 * result.step, q);
  Middle middle{configuration(system, result.t_start + 0.5 * result.step, q)};
  if (state.z.size() > 0) {
    middle.c.switches = Memory(system.info()).switches(state.z);
    system.configure(middle.c);
  }
  system.find_contacts(middle.c, 0, state.contacts, middle.closed);
  return middle;
}

/// What drives ask for, where a step found nothing because there is no motion or position to be
/// found.
std::string describe_drives(const System& system, const State& state, const StepResult& result) {
  constexpr double nearly_singular = 0.1;
  const Middle middle = middle_of(system, state, result);
  const std::string contradiction = describe_contradiction(system, middle.c);
  if (!contradiction.empty() || result.status != StepStatus::drift_not_projected)
    return contradiction;
  return describe_singular_drives(system, middle.c, nearly_singular);
}

/// "; 'slide.drive' leads the loops …"
std::string describe_singular(const System& system, const State& state) {
  constexpr double singular = 0.01;
  const std::string drives =
      describe_singular_drives(system, configuration(system, state), singular);
  return drives.empty() ? drives : "; " + drives;
}

bool may_be_of_drives(StepStatus status) {
  return status == StepStatus::contact_not_solved || status == StepStatus::drift_not_projected ||
         status == StepStatus::optimum_not_found || status == StepStatus::singular_position;
}

/// Which contacts were closed, and why or how they are not solved.
std::string describe_contacts(const System& system, const State& state, const StepResult& result) {
  if (!std::isfinite(result.residual))
    return ": the impulses of the step are beyond all numbers; is a stiffness, a damping or a mass "
           "right?";
  const Middle middle = middle_of(system, state, result);
  const std::string drives = describe_pushing_drives(system, middle.c, middle.closed);
  if (!drives.empty())
    return fmt::format(
        ": {}; let it drive by a force, or stop before, or give the contacts a compliant law",
        drives);
  std::string names;
  for (const ContactFrame& contact : middle.closed)
    names += (names.empty() ? "" : ", ") + system.contact_name(contact.key);
  return fmt::format(
      " (closed: {}; residual {:.3g} m/s, relative {:.3g}; {} after {} iterations); try another "
      "solver (--solver proximal-newton), a larger tolerance (--tolerance) or a shorter step",
      names.empty() ? "none" : names, result.residual, result.relative_residual,
      name(result.solver_status), result.iterations);
}

bool turns(const SystemInfo& info, int velocity) {
  const auto i = static_cast<std::size_t>(velocity);
  return i < info.angular.size() && info.angular[i];
}

std::string name_of_velocity(const SystemInfo& info, int i) {
  return info.velocity_names.empty() ? fmt::format("u{}", i + 1)
                                     : info.velocity_names[static_cast<std::size_t>(i)];
}

/// "; crank.omega makes 0.6 rad in a step": the way that is the longest beside the model.
std::string describe_travel(const SystemInfo& info, const State& state, double step) {
  double longest = 0;
  int fastest = 0;
  for (int i = 0; i < info.velocities; ++i) {
    const double way = std::abs(state.u[i]) * step / (turns(info, i) ? 1 : info.length);
    if (!(way > longest)) continue;
    longest = way;
    fastest = i;
  }
  constexpr double far = 0.05;  // of the model's size, or an angle
  if (!(longest > far)) return "; try a shorter step";
  const bool angle = turns(info, fastest);
  return fmt::format("; {} makes {:.2g} {} in a step: take steps shorter than {:.1g} s",
                     name_of_velocity(info, fastest), std::abs(state.u[fastest]) * step,
                     angle ? "rad" : "m", step * far / longest);
}

/// "; there j.u is -1.4e+05 m/s, and changes at -1e+15 m/s²: a force grows without bound", of the
/// coordinate that the forces change most.
std::string describe_growth(const System& system, const State& state) {
  const SystemInfo& info = system.info();
  const Configuration c = configuration(system, state);
  Vector a = Vector::Zero(info.velocities);
  Matrix factors = Matrix::Zero(a.size(), a.size());
  system.force(c, state.u, a);
  if (!system.factor_mass(c, factors)) return {};
  system.solve_mass(c, factors, a);
  int fastest = -1;
  double most = 0;
  for (int i = 0; i < info.velocities; ++i) {
    const double size = std::abs(a[i]) * (turns(info, i) ? info.length : 1);
    if (!std::isnan(size) && size <= most) continue;
    most = std::isnan(size) ? INFINITY : size;
    fastest = i;
  }
  constexpr double ordinary = 1e9;  // [m/s²]
  if (fastest < 0 || most < ordinary) return {};
  const char* unit = turns(info, fastest) ? "rad" : "m";
  return fmt::format(
      "; there {} is {:.2g} {}/s and changes at {:.2g} {}/s²: a force on it grows without bound, "
      "as "
      "at a pole of its formula",
      name_of_velocity(info, fastest), state.u[fastest], unit, a[fastest], unit);
}

}  // namespace

std::string_view name(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  return "?";
}

std::string describe_failure(const System& system, const State& state, const StepResult& result) {
  if (result.status == StepStatus::done)
    return fmt::format("at t = {} s the condition of an event is not a number", state.t);
  std::string text = fmt::format("the step from t = {} s of {} s failed: ", state.t, result.step);
  if (may_be_of_drives(result.status))
    if (const std::string drives = describe_drives(system, state, result); !drives.empty())
      return text + drives;
  text += name(result.status);
  if (result.status == StepStatus::singular_position) text += describe_singular(system, state);
  if (result.status == StepStatus::contact_not_solved)
    text += describe_contacts(system, state, result);
  if (result.status == StepStatus::drift_not_projected)
    text += describe_travel(system.info(), state, result.step);
  if (!result.trouble.empty()) text += fmt::format(" ({})", result.trouble);
  if (result.element >= 0)
    text += fmt::format(" ({})", name_of_velocity(system.info(), result.element));
  const bool unexplained =
      result.status == StepStatus::tolerance_not_met || result.status == StepStatus::not_finite;
  if (unexplained && result.element < 0 && !result.contact) text += describe_growth(system, state);
  if (result.contact) {
    const std::string contact = system.contact_name(*result.contact);
    text +=
        result.status == StepStatus::tolerance_not_met || result.status == StepStatus::would_pass
            ? fmt::format(" (contact in question: {})", contact)
            : fmt::format(" (gap of {})", contact);
  }
  return text;
}

}  // namespace backlash

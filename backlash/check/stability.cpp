// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/check/stability.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

#include <fmt/format.h>

#include "backlash/base/decompositions.h"
#include "backlash/base/input_error.h"
#include "backlash/check/mobility.h"
#include "backlash/integrators/compliant/compliant_options.h"
#include "backlash/integrators/moreau/moreau_options.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Complex = std::complex<double>;

/// d/dt (s δq, δu) = A (s δq, δu) (theory 8.3), with s such that both columns of A are as large:
/// what is very stiff would lose its small numbers in round-off.
std::optional<Matrix> linearised(const System& system, const Configuration& c, const Vector& u) {
  const Index n = u.size();
  const Mobility mobility(system, c);
  if (!mobility.valid()) return std::nullopt;
  Matrix h_q = Matrix::Zero(n, n), h_u = Matrix::Zero(n, n), A = Matrix::Zero(2 * n, 2 * n);
  system.force_position_jacobian(c, u, h_q);
  system.force_velocity_jacobian(c, u, h_u);
  A.topRightCorner(n, n).setIdentity();
  for (Index j = 0; j < n; ++j) {
    A.col(j).tail(n) = mobility.acceleration(h_q.col(j));
    A.col(n + j).tail(n) = mobility.acceleration(h_u.col(j));
  }
  const double scale = std::sqrt(A.bottomLeftCorner(n, n).cwiseAbs().maxCoeff());
  if (scale > 0 && std::isfinite(scale)) {
    A.topRightCorner(n, n) *= scale;
    A.bottomLeftCorner(n, n) /= scale;
  }
  return A.allFinite() ? std::optional(A) : std::nullopt;
}

/// By what a step of Runge and Kutta's method multiplies a mode with z = λ Δt (theory 8.4).
double growth_by_runge_kutta(Complex z) {
  return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))));
}

/// The largest |z| of that direction with which no step up to it lets the mode grow.
double limit_of_runge_kutta(double damping) {
  constexpr double fine = 1e-3, slack = 1e-9, most = 3;
  damping = std::clamp(damping, 0.0, 1.0);
  const Complex direction(-damping, std::sqrt(1 - damping * damping));
  double size = fine;
  while (size < most && growth_by_runge_kutta(size * direction) <= 1 + slack) size += fine;
  return size;
}

/// What is switched on in a mode, but for a force that is to be left out.
void set_switches_without(const SystemInfo& info, const FastestMode& mode, const Force& force,
                          Configuration& c) {
  if (c.switches.size() != mode.switches.size()) return;
  c.switches = mode.switches;
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    if (info.switches[i].kind == Origin::Kind::force && info.switches[i].name == force.name)
      c.switches[static_cast<Index>(i)] = 0;
}

/// How fast the mode is without a force; as fast if that cannot be said.
double rate_without(const Model& model, std::size_t force, const FastestMode& mode) {
  Model without = model;
  without.simulation.initial_penetration = INFINITY;
  without.initial = InitialPositions::given;
  without.forces[force].active = false;
  try {
    const Assembly assembly = assemble(without);
    const System& system = *assembly.system;
    Configuration c = configuration(system, mode.t, mode.q);
    set_switches_without(system.info(), mode, model.forces[force], c);
    system.configure(c);
    return fastest_mode(system, c, mode.u).rate;
  } catch (const InputError&) {
    return mode.rate;
  }
}

}  // namespace

FastestMode fastest_mode(const System& system, const Configuration& c, const Vector& u) {
  FastestMode mode{.t = c.t, .q = c.q, .u = u, .switches = c.switches};
  const std::optional<Matrix> A = linearised(system, c, u);
  if (!A) return mode;
  const Index n = u.size();
  const Modes modes = eigenmodes(*A);
  if (modes.values.size() == 0) return mode;
  Matrix M = Matrix::Zero(n, n);
  system.mass(c, M);
  constexpr double round_off = 1e-6;  // of two that are as fast the one that grows
  for (Index i = 0; i < 2 * n; ++i) {
    const Complex value = modes.values[i];
    const double rate = std::abs(value);
    const bool grows = value.real() > round_off * rate;
    if (!(rate > mode.rate * (grows ? 1 - round_off : 1 + round_off))) continue;
    mode.rate = rate;
    mode.damping = -value.real() / mode.rate;
    const Eigen::VectorXcd x = modes.shapes.col(i).tail(n);
    (x.cwiseAbs2().cwiseProduct(M.diagonal())).maxCoeff(&mode.velocity);
  }
  return mode;
}

double stability_limit(const FastestMode& mode, const SimulationOptions& simulation) {
  constexpr double of_midpoint = 2;
  constexpr double growing = -0.1;
  if (mode.damping < growing) return INFINITY;  // as it does by itself
  if (simulation.method == "moreau")
    return moreau_options(simulation.options).scheme == Scheme::midpoint ? of_midpoint : INFINITY;
  const Option* integrator = find_option(simulation.options, "integrator");
  const bool rk4 = simulation.method == "compliant" && integrator &&
                   to_string(integrator->value) == name(OdeMethod::rk4);
  return rk4 ? limit_of_runge_kutta(mode.damping) : INFINITY;
}

const Force* find_culprit(const Model& model, const FastestMode& mode) {
  const Force* found = nullptr;
  double slowest = 0.7 * mode.rate;
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const double rate = rate_without(model, i, mode);
    if (rate >= slowest) continue;
    slowest = rate;
    found = &model.forces[i];
  }
  return found;
}

std::string describe_unstable_step(const FastestMode& mode, double step,
                                   const SimulationOptions& simulation, const Force* culprit) {
  const double limit = stability_limit(mode, simulation);
  if (!(mode.rate * step >= limit)) return {};
  return fmt::format(
      "the step {:g} s is beyond the stability limit {:.2g} s of {}", step, limit / mode.rate,
      culprit ? fmt::format("force '{}'", culprit->name) : std::string("the fastest free motion"));
}

bool is_calm(const System& system, const EnergyLedger& start, const State& state) {
  constexpr double exploded = 0.3;
  if (state.z.size() == 0) return state.q.allFinite() && state.u.allFinite();
  const EnergyLedger now = energy_ledger(system, state);
  const double made = std::abs(made_by_method(start, now));
  const double at_hand = now.kinetic + std::abs(now.potential - start.potential) +
                         std::abs(now.contacts) + std::abs(now.relays) + std::abs(now.bilaterals) +
                         std::abs(now.applied) + std::abs(now.switching);
  return std::isfinite(at_hand) && !(made > exploded * at_hand);
}

}  // namespace backlash

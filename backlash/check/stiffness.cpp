// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "backlash/base/decompositions.h"
#include "backlash/check/lints.h"
#include "backlash/check/mobility.h"
#include "backlash/integrators/integrator_table.h"
#include "backlash/integrators/moreau/moreau_options.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

constexpr Index most_velocities = 150;  ///< the eigenvalues of more take longer than a check may
constexpr std::size_t states_looked_at = 4;
constexpr double stable = 2;                            ///< largest |λ| Δt of the midpoint scheme
constexpr double accurate = 2 * std::numbers::pi / 20;  ///< |λ| Δt: twenty steps per period

/// The fastest mode of the free motion around a state.
struct Mode {
  double rate = 0;      ///< |λ| [1/s]
  double damping = 0;   ///< −Re λ/|λ|: 0 oscillates, 1 decays
  Index velocity = -1;  ///< that takes the largest part, by kinetic energy
  double t = 0;         ///< [s]
  Vector q{}, u{};
};

/// d/dt (δq, δu) = A (δq, δu) (theory 8.3).
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
  return A.allFinite() ? std::optional(A) : std::nullopt;
}

Mode fastest_mode(const System& system, const Configuration& c, const Vector& u) {
  Mode mode{.t = c.t, .q = c.q, .u = u};
  const std::optional<Matrix> A = linearised(system, c, u);
  if (!A) return mode;
  const Index n = u.size();
  const Modes modes = eigenmodes(*A);
  if (modes.values.size() == 0) return mode;
  Matrix M = Matrix::Zero(n, n);
  system.mass(c, M);
  for (Index i = 0; i < 2 * n; ++i) {
    const std::complex<double> value = modes.values[i];
    if (!(std::abs(value) > mode.rate)) continue;
    mode.rate = std::abs(value);
    mode.damping = -value.real() / mode.rate;
    const Eigen::VectorXcd x = modes.shapes.col(i).tail(n);
    (x.cwiseAbs2().cwiseProduct(M.diagonal())).maxCoeff(&mode.velocity);
  }
  return mode;
}

/// The force without which the mode is slowest, if that makes a difference.
const Force* culprit(const Model& model, const Mode& mode) {
  const Force* found = nullptr;
  double slowest = 0.7 * mode.rate;
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    if (!model.forces[i].active) continue;
    Model without = model;
    without.simulation.initial_penetration = INFINITY;
    without.forces[i].active = false;
    const Assembly assembly = assemble(without);
    const Configuration c = configuration(*assembly.system, mode.t, mode.q);
    const double rate = fastest_mode(*assembly.system, c, mode.u).rate;
    if (rate >= slowest) continue;
    slowest = rate;
    found = &model.forces[i];
  }
  return found;
}

/// Some of the states that the first steps came by.
std::vector<const State*> states_of(const Trial& trial, Index velocities) {
  std::vector<const State*> states;
  const std::size_t count = velocities > most_velocities / 3 ? 1 : states_looked_at;
  for (std::size_t i = 0; i < count && i < trial.samples.size(); ++i)
    states.push_back(
        &trial.samples[i * (trial.samples.size() - 1) / std::max<std::size_t>(1, count - 1)]);
  return states;
}

std::string describe(const Mode& mode, const System& system, double step) {
  const std::string motion = mode.damping > 0.7
                                 ? fmt::format("decays within {:.3g} s", 1 / mode.rate)
                                 : fmt::format("swings at {:.4g} rad/s (period {:.3g} s)",
                                               mode.rate, 2 * std::numbers::pi / mode.rate);
  const auto& names = system.info().velocity_names;
  const std::string velocity = mode.velocity >= 0 && !names.empty()
                                   ? names[static_cast<std::size_t>(mode.velocity)]
                                   : std::string("the mechanism");
  return fmt::format("{} {} at t = {:g} s; the step is {:g} s", velocity, motion, mode.t, step);
}

}  // namespace

Stiffness find_stiffness(const Model& model, const Assembly& assembly, const Trial& trial,
                         Findings& findings) {
  const System& system = *assembly.system;
  const Index n = system.info().velocities;
  if (n > most_velocities) {
    findings.push_back(
        {.severity = Severity::note,
         .message = fmt::format("with {} velocities it is too large to look at its "
                                "eigenfrequencies",
                                n),
         .advice = equal_step(model.simulation) > 0
                       ? "halve the step and compare"
                       : fmt::format("tighten {} tenfold and compare",
                                     model.simulation.method == "moreau" ? "step_tolerance"
                                                                         : "relative_tolerance")});
    return {};
  }
  Mode fastest;
  for (const State* state : states_of(trial, n)) {
    Mode mode = fastest_mode(system, configuration(system, *state), state->u);
    if (mode.rate > fastest.rate) fastest = std::move(mode);
  }
  const SimulationOptions& s = model.simulation;
  const double step = equal_step(s), turn = fastest.rate * step;
  if (!(turn > accurate)) return {.fastest_rate = fastest.rate};
  const bool unstable = turn >= stable && s.method == "moreau" &&
                        moreau_options(s.options).scheme == Scheme::midpoint;
  const Force* force = culprit(model, fastest);
  const std::string item = force ? fmt::format("force '{}'", force->name) : "simulation";
  findings.push_back(
      {.severity = unstable ? Severity::warning : Severity::note,
       .item = item,
       .where = force ? force->where : s.where,
       .message = describe(fastest, system, step) +
                  (unstable ? ", beyond the limit of stability of the midpoint scheme"
                            : ", fewer than twenty steps for a period"),
       .advice =
           fmt::format("choose simulation.step of at most {:.2g} s{}", accurate / fastest.rate,
                       unstable ? ", or scheme: theta, which stays stable" : "")});
  if (!unstable) return {.fastest_rate = fastest.rate};
  return {.fastest_rate = fastest.rate,
          .unstable_step =
              fmt::format("the step {:g} s is beyond the stability limit {:.2g} s of {}", step,
                          stable / fastest.rate, force ? item : "the fastest free motion")};
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/piles.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "backlash/dynamics/energy.h"
#include "backlash/integrators/moreau/moreau.h"
#include "support/models.h"
#include "support/random_problems.h"

namespace backlash::test {

std::string name_of(const Pile& pile) {
  return fmt::format("{} {}, friction {}, restitution {}, seed {}", pile.count,
                     pile.boxes ? "boxes" : "discs", pile.friction, pile.restitution, pile.seed);
}

PileBodies bodies_of(const Pile& pile) {
  Random random(pile.seed);
  const int columns = std::max(3, static_cast<int>(std::lround(std::sqrt(pile.count / 1.5))));
  const double pitch = pile.boxes ? 0.1 : 0.075;
  PileBodies all{.width = columns * pitch, .list = {}};
  for (int k = 0; k < pile.count; ++k) {
    PileBody body;
    const double a = random.uniform(0.03, 0.06), b = random.uniform(0.03, 0.06);
    body.edges = {a, b};
    body.radius = pile.boxes ? std::hypot(a, b) / 2 : random.uniform(0.02, 0.035);
    const double room = pitch / 2 - body.radius - 1e-4;
    body.x = (k % columns + 0.5) * pitch + random.uniform(-room, room);
    body.y = (k / columns + 0.5) * pitch + random.uniform(-room, room);
    body.mass = pile_density * (pile.boxes ? a * b : M_PI * body.radius * body.radius);
    body.inertia = body.mass * (pile.boxes ? (a * a + b * b) / 12 : body.radius * body.radius / 2);
    body.angle = pile.boxes ? random.uniform(-3, 3) : 0.0;
    body.v_x = random.uniform(-0.3, 0.3);
    body.v_y = random.uniform(-0.3, 0.3);
    all.list.push_back(body);
  }
  return all;
}

std::string model_of(const Pile& pile) { return model_of(pile, bodies_of(pile)); }

std::string model_of(const Pile& pile, const PileBodies& all) {
  std::string text = fmt::format(
      "gravity: [0, -9.81]\nlaws: {{dry: {{friction: {}, restitution: {}}}}}\n"
      "contacts:\n  bin: {{between: [walls, all], law: dry}}\n"
      "  each: {{between: [all, all], law: dry}}\nbodies:\n"
      "  ground: {{shapes: {{f: {{line: {{normal: [0, 1]}}, groups: [walls]}}, "
      "l: {{line: {{normal: [1, 0]}}, groups: [walls]}}, "
      "r: {{line: {{normal: [-1, 0], point: [{}, 0]}}, groups: [walls]}}}}}}\n",
      pile.friction, pile.restitution, all.width);
  int k = 0;
  for (const PileBody& body : all.list) {
    const std::string shape = pile.boxes
                                  ? fmt::format("box: [{}, {}]", body.edges[0], body.edges[1])
                                  : fmt::format("circle: {}", body.radius);
    text += fmt::format(
        "  b{}: {{mass: {}, inertia: {}, shape: {{{}, groups: [all]}}, initial: {{position: "
        "[{}, {}], angle: {}, velocity: [{}, {}]}}}}\n",
        k++, body.mass, body.inertia, shape, body.x, body.y, body.angle, body.v_x, body.v_y);
  }
  return text;
}

namespace {

/// The deepest of all contacts at the end of a step, and of those that lasted before it and after
/// it [m].
struct Depths {
  double any = 0, resting = 0;
};

Depths depths_of(const System& system, const State& now, const StepResult& result) {
  const Configuration c = configuration(system, now);
  Depths deepest;
  std::vector<ContactFrame> frames;
  system.find_contacts(c, 0, now.contacts, frames);
  for (const ContactFrame& found : frames) deepest.any = std::max(deepest.any, -found.gap);
  ContactFrame frame;
  for (const ContactOutcome& contact : result.contacts)
    if (lasts(contact.before) && lasts(contact.state) &&
        system.follow_contact(c, contact.key, now.contacts, frame))
      deepest.resting = std::max(deepest.resting, -frame.gap);
  return deepest;
}

}  // namespace

PileRun run_pile(const Pile& pile, double until) {
  constexpr double size = 0.05;  // of a body [m]
  const Assembly assembly = assembled(model_of(pile));
  const System& system = *assembly.system;
  Moreau integrator(system, {.step = 1e-3});
  State state = assembly.start;
  integrator.step(state, StepLimits{.until = until});
  const EnergyLedger start = energy_ledger(system, state);
  double least = start.mechanical();
  PileRun run;
  run.summary = simulate(integrator, state, until, [&](const State& now, const StepResult& result) {
    const double energy = energy_ledger(system, now).mechanical();
    run.risen = std::max(run.risen, energy - least);
    least = std::min(least, energy);
    const Depths depths = depths_of(system, now, result);
    run.penetration = std::max(run.penetration, depths.any / size);
    run.resting = std::max(run.resting, depths.resting / size);
  });
  run.t = state.t;
  const EnergyLedger end = energy_ledger(system, state);
  const double taken = end.contact_loss - start.contact_loss;
  run.made = made_by_method(start, end) / taken;
  run.risen /= taken;
  return run;
}

}  // namespace backlash::test

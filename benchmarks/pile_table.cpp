// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

/// Prints the tables of docs/verification/piles.md on time: how it grows with the number of bodies,
/// and beside Box2D.
///     pile_table growth [FRICTION] [MOST]   falling discs, 0.3 s in steps of 1 ms
///     pile_table box2d [COUNT] [UNTIL]      the same discs in both, until they overlap alike
///     pile_table pyramid [ROWS] [UNTIL]     a pyramid of boxes that stands, in both
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/integrators/moreau/moreau.h"
#include "backlash/integrators/simulate.h"
#include "backlash/io/model/model_reader.h"
#include "box2d/pile_box2d.h"
#include "support/models.h"
#include "support/piles.h"

namespace backlash {
namespace {

constexpr double size = 0.05;  // of a body [m]

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The most memory that this program has had [MB].
double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM")) return std::atof(line.c_str() + 6) / 1024;
  return NAN;
}

struct Timing {
  double time = 0;         ///< of the processor, in steps alone [s]
  double penetration = 0;  ///< the largest at the end of a step, over the size of a body
  long steps = 0;
  std::size_t contacts = 0;  ///< at the end
  StepStatus status = StepStatus::done;
};

Timing run_backlash(const std::string& model, double step, double until) {
  const Assembly assembly = test::assembled(model);
  Moreau integrator(*assembly.system, {.step = step});
  State state = assembly.start;
  Timing timing;
  std::vector<ContactFrame> frames;
  while (state.t < until - 0.5 * step && timing.status == StepStatus::done) {
    const double start = processor_time();
    const StepResult& result = integrator.step(state, {.until = until});
    timing.time += processor_time() - start;
    ++timing.steps;
    timing.status = result.status;
    timing.contacts = result.contacts.size();
    frames.clear();
    assembly.system->find_contacts(configuration(*assembly.system, state), 0, state.contacts,
                                   frames);
    for (const ContactFrame& frame : frames)
      timing.penetration = std::max(timing.penetration, -frame.gap / size);
  }
  return timing;
}

Timing run_box2d(const benchmarks::PileInBox2d& pile, double step, double until) {
  benchmarks::PileBox2d world(pile);
  Timing timing;
  for (double t = 0; t < until - 0.5 * step; t += step) {
    const double start = processor_time();
    world.step(step);
    timing.time += processor_time() - start;
    ++timing.steps;
    timing.penetration = std::max(timing.penetration, world.penetration() / size);
  }
  return timing;
}

void print_row(std::string_view program, double step, const Timing& timing) {
  fmt::print("| {} | {:.3g} ms | {:.1e} | {:.3g} ms | {:.3g} s |{}\n", program, 1e3 * step,
             timing.penetration, 1e3 * timing.time / static_cast<double>(timing.steps), timing.time,
             timing.status == StepStatus::done ? "" : fmt::format(" {}", name(timing.status)));
  std::fflush(stdout);
}

void print_growth(double friction, int most) {
  fmt::print(
      "| discs | contacts at the end | CPU per step | exponent | memory |\n"
      "|---|---|---|---|---|\n");
  double last = 0, last_count = 0;
  for (const int count : {100, 300, 1000, 3000, 10000}) {
    if (count > most) break;
    const Timing timing = run_backlash(
        test::model_of({.count = count, .friction = friction, .restitution = 0.2}), 1e-3, 0.3);
    const double each = timing.time / static_cast<double>(timing.steps);
    fmt::print(
        "| {} | {} | {:.3g} ms | {} | {:.0f} MB |{}\n", count, timing.contacts, 1e3 * each,
        last > 0 ? fmt::format("{:.2f}", std::log(each / last) / std::log(count / last_count)) : "",
        peak_memory(),
        timing.status == StepStatus::done ? "" : fmt::format(" {}", name(timing.status)));
    std::fflush(stdout);
    last = each;
    last_count = count;
  }
}

/// Box2D in ever shorter steps, until its bodies overlap as little.
void print_both(const std::string& model, const benchmarks::PileInBox2d& peer, double until) {
  fmt::print(
      "| | step | penetration / size | CPU per step | CPU in all |\n|---|---|---|---|---|\n");
  const Timing own = run_backlash(model, 1e-3, until);
  print_row("Backlash", 1e-3, own);
  for (double step = 1e-3; step > 5e-6; step /= 4) {
    const Timing other = run_box2d(peer, step, until);
    print_row("Box2D", step, other);
    if (other.penetration <= own.penetration) break;
  }
}

benchmarks::PileInBox2d in_box2d(const test::Pile& pile) {
  return {.pile = bodies_of(pile),
          .boxes = pile.boxes,
          .friction = pile.friction,
          .restitution = pile.restitution};
}

/// Boxes of 50 mm that stand on each other, one fewer in each row.
test::PileBodies pyramid(int rows) {
  constexpr double edge = 0.05, apart = 0.055;
  test::PileBodies all{.width = rows * apart + 1, .list = {}};
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows - row; ++i) {
      test::PileBody body;
      body.edges = {edge, edge};
      body.mass = test::pile_density * edge * edge;
      body.inertia = body.mass * edge * edge / 6;
      body.x = 0.5 + (i + 0.5 * row) * apart;
      body.y = (row + 0.5) * edge;
      all.list.push_back(body);
    }
  return all;
}

}  // namespace
}  // namespace backlash

int main(int argc, char** argv) {
  using namespace backlash;
  const std::string_view table = argc > 1 ? argv[1] : "growth";
  const auto number = [&](int k, double usual) { return argc > k ? std::atof(argv[k]) : usual; };
  if (table == "growth") {
    print_growth(number(2, 0.3), static_cast<int>(number(3, 10000)));
  } else if (table == "box2d") {
    const test::Pile pile{.count = static_cast<int>(number(2, 1000))};
    print_both(test::model_of(pile), in_box2d(pile), number(3, 1));
  } else if (table == "pyramid") {
    const test::PileBodies bodies = pyramid(static_cast<int>(number(2, 44)));
    const test::Pile pile{.boxes = true, .friction = 0.5, .restitution = 0};
    print_both(test::model_of(pile, bodies),
               {.pile = bodies, .boxes = true, .friction = 0.5, .restitution = 0}, number(3, 0.2));
  }
}

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/dynamics/hand_derived/cam_follower.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"
#include "runner.h"
#include "simulation_arguments.h"

namespace backlash::cli {
namespace {

/// A mechanism that the program knows by heart.
struct Demo {
  const char* name;
  const char* summary;
  std::unique_ptr<System> (*make)();
  State (*start)(const System&);
  double step, until, every;  ///< unless the user says otherwise [s]
};

const std::array demos{
    Demo{"slider-crank", "slider with play in its guide, crank thrown at 150 rad/s (paper 001)",
         [] { return std::unique_ptr<System>(new SliderCrank); },
         [](const System& system) { return slider_crank_start(system); }, 1e-5, 0.1, 1e-4},
    Demo{"cam-follower", "follower of a file-cutting machine on its six-lobed cam (paper 000)",
         [] { return std::unique_ptr<System>(new CamFollower); }, cam_follower_start, 1e-4, 0.3,
         1e-4},
};

const Demo& find_demo(const std::string& name) {
  for (const Demo& demo : demos)
    if (demo.name == name) return demo;
  throw InputError(fmt::format("demo '{}' does not exist; there are: {}{}", name,
                               fmt::join(demo_names(), ", "), did_you_mean(name, demo_names())));
}

}  // namespace

std::string list_demos() {
  std::string text;
  for (const Demo& demo : demos) text += fmt::format("\n  {}: {}", demo.name, demo.summary);
  return text;
}

std::vector<std::string> demo_names() {
  std::vector<std::string> names;
  for (const Demo& demo : demos) names.emplace_back(demo.name);
  return names;
}

int run_demo(const DemoArguments& a) {
  const Demo& demo = find_demo(a.name);
  const std::unique_ptr<System> system = demo.make();
  RunSetup setup{
      .title = fmt::format("{}: {}", demo.name, demo.summary),
      .system = *system,
      .start = demo.start(*system),
      .simulation = {.options = {{.key = "step", .value = demo.step}}, .until = demo.until},
      .output = {.every = demo.every}};
  apply(a.simulation, setup.simulation, setup.output);
  const auto start = [&](const RunRequest& request, RunObserver& observer) {
    return run(setup, request, observer);
  };
  return run_job(start, {.options = {{"demo", demo.name}}}, a.output);
}

}  // namespace backlash::cli

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/io/model/model_reader.h"
#include "conformance/integrator_variants.h"
#include "support/paths.h"

namespace backlash::test {
namespace {

/// The mechanisms of examples/, long enough for most to touch. Two files say nothing but other
/// options for the model beside them; a chain of many links, whose steps take a thousand times as
/// long, has tests of its own.
std::vector<Mechanism> example_mechanisms() {
  constexpr std::size_t many_bodies = 30;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(source_folder() + "/examples")) {
    const auto name = entry.path().filename();
    if (name.extension() == ".yaml" && name != "fixed_steps.yaml" && name != "no_control.yaml")
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Mechanism> list;
  for (const auto& file : files) {
    const Model model = read_model(file);
    if (model.bodies.size() > many_bodies) continue;
    Assembly assembly = assemble(model);
    const double equal = equal_step(model.simulation);
    // A file that asks for the implicit scheme has forces that the explicit one needs short steps
    // for.
    const bool stiff = find_option(model.simulation.options, "scheme") != nullptr;
    const double step = equal > 0 ? (stiff ? equal / 10 : equal) : 1e-5;
    const double longest = equal > 0 ? 3000 * equal : 0.6;
    list.push_back({(file.parent_path().filename() / file.filename()).string(),
                    std::move(assembly.system), std::move(assembly.start),
                    std::min(model.simulation.until, longest), step});
  }
  return list;
}

TEST(EveryIntegratorOnTheExamples, BalancesTheEnergy) {
  for_every_pair(example_mechanisms(), 4, [](const Variant& variant, const Mechanism& m) {
    if (!variant.is_crude()) expect_balance(variant, m, 0.01);
  });
}

TEST(EveryIntegratorOnTheExamples, GoesOnFromASavedState) {
  for_every_pair(example_mechanisms(), 4, [](const Variant& variant, const Mechanism& m) {
    if (!variant.is_crude()) expect_restart(variant, m, variant.damps() ? 20 : 100);
  });
}

}  // namespace
}  // namespace backlash::test

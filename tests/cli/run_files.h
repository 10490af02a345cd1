// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "backlash/io/results/results_file.h"
#include "support/same_results.h"

namespace backlash::test_run {

inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

inline void expect_files_agree(const std::filesystem::path& folder) {
  const Results results = read_results(folder / "results.h5");
  expect_same(results.states, folder / "states.csv");
  expect_same(results.contacts, folder / "contacts.csv");
  expect_same(results.events, folder / "events.csv");
}

/// A weight that hangs on nothing, pushed by a force that the test writes.
inline std::string falling_weight(const std::string& force) {
  return R"(backlash: 1
title: Weight
parameters: {F: 3 N, T: 1 s}
gravity: [0, -9.81]
bodies: {weight: {mass: 2, inertia: 1}}
joints: {guide: {type: prismatic, between: [ground, weight], axis: [0, 1]}}
forces: {push: {type: joint_force, joint: guide, force: ")" +
         force + R"("}}
simulation: {step: 1e-3, until: 1}
)";
}

}  // namespace backlash::test_run

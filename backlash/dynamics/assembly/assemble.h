// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backlash/dynamics/equilibrium.h"
#include "backlash/dynamics/state.h"
#include "backlash/dynamics/system.h"
#include "backlash/model/model.h"

namespace backlash {

/// A coordinate that assembly had to change so that the joints fit, or a speed.
struct Adjustment {
  enum class Quantity { position, speed };
  std::string coordinate{};  ///< "big.q"
  Origin origin{};
  Quantity quantity = Quantity::position;
  double from = 0, to = 0;  ///< [m, rad] or [m/s, rad/s]
};

/// The equilibrium that a run begins in.
struct StaticStart {
  Equilibrium equilibrium{};
  std::vector<Adjustment> moved{};  ///< coordinates, from where they were given
};

/// What `check` reports of a model.
struct AssemblyReport {
  int bodies = 0;
  int dofs_by_counting = 0;                ///< Grübler: 3 bodies − constraints
  int dofs = 0;                            ///< by the rank of the constraints
  std::vector<std::string> loops{};        ///< joints that close loops, by name
  std::vector<BilateralInfo> redundant{};  ///< constraint rows that say nothing new
  std::vector<Adjustment> adjusted{};      ///< what moved at the start
  std::vector<std::string> warnings{};     ///< one sentence each
  std::optional<StaticStart> rest{};       ///< if the model begins in equilibrium
};

/// A model made ready to run.
struct Assembly {
  std::unique_ptr<System> system{};
  State start{};
  AssemblyReport report{};
};

/// What becomes of a model whose loops cannot be closed.
enum class OpenLoops {
  refuse,  ///< it is an error
  keep     ///< its joints fit as well as they can: to look at, not to run
};

/// Spanning tree, loops, contacts and forces of a model, and its start with the joints closed, in
/// equilibrium if the model says so.
/// Throws InputError, naming the item and its place in the file, for what cannot be.
Assembly assemble(const Model& model, OpenLoops open_loops = OpenLoops::refuse);

}  // namespace backlash

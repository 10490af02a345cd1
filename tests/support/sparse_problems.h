// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "backlash/solvers/contact_problem.h"

/// Contact problems of many bodies that touch their neighbours alone, given as factors: one step of
/// 1 ms under gravity from nearly at rest. The same on every platform for the same seed.
namespace backlash::test {

/// Links that hang in each other, planar, with one or two contacts in each joint.
ContactProblem chain_problem(int links, std::uint64_t seed);

/// Discs of different masses in a bin, row upon row, each between two of the row below.
ContactProblem disc_pile(int columns, int rows, std::uint64_t seed);

/// Planar boxes on boxes in towers side by side: two contacts for each face, one tangent too many.
ContactProblem box_towers(int columns, int rows, std::uint64_t seed);

/// Balls in a box in space, on a cubic grid.
ContactProblem ball_pile(int edge, int layers, std::uint64_t seed);

/// Capsules side by side in layers that cross each other, in space: many more contacts than needed.
ContactProblem capsule_layers(int capsules, int layers, std::uint64_t seed);

/// A planar half-round arch of stones, each joint with two contacts.
ContactProblem arch(int stones, std::uint64_t seed);

/// A shaft that falls into a ball bearing, planar: balls between shaft, outer ring and cage.
ContactProblem ball_bearing(int balls, std::uint64_t seed);

/// Rods that slide on their tips with so much friction that they may jam (Painlevé), each beside
/// the next one.
ContactProblem painleve_rods(int rods, std::uint64_t seed);

/// The same problem with its matrix written out.
ContactProblem with_matrix(const ContactProblem& problem);

}  // namespace backlash::test

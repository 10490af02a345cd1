// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "backlash/solvers/contact_problem.h"

/// Frictional problems made from a seed, the same on every platform: bodies with masses, inertias
/// and velocities, contacts, joints and dry friction between them and the ground.
namespace backlash::test {

/// A small generator of pseudo-random numbers (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits();
  double uniform(double lower, double upper);
  int integer(int lower, int upper);  ///< both ends included
  bool chance(double probability) { return uniform(0, 1) < probability; }
  double magnitude(int lower, int upper);  ///< spread evenly from 2^lower to 2^upper in octaves
  Vector unit_vector(Eigen::Index size);

 private:
  std::uint64_t state_;
};

/// One problem in both forms.
struct RandomProblem {
  ContactProblem dense;
  ContactProblem factors;
  int contacts = 0;
};

/// Even seeds are planar, odd ones spatial. 1 to 12 contacts on 1 to 5 bodies, μ from 0 to 1.5,
/// masses in a ratio of up to 10⁶, parallel, opposite and duplicate contacts, joints with redundant
/// rows, dry friction, Newton's restitution and, now and then, Poisson's preload.
RandomProblem random_problem(std::uint64_t seed);

}  // namespace backlash::test

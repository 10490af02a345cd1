// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.h"

#include <cmath>

#include "backlash/laws/free_impact.h"
#include "backlash/laws/hysteresis.h"
#include "backlash/laws/material.h"
#include "backlash/laws/set_valued.h"
#include "backlash/model/compliant_description.h"

namespace backlash {
namespace {

using test::expect_refused;

TEST(Misuse, OfSetValuedLawsIsRefused) {
  const auto project_to = [](const Law& law, Eigen::Index size) {
    return [=] {
      Vector trial = Vector::Ones(size);
      project(law, trial);
    };
  };
  expect_refused({
      {project_to(Coulomb{.friction = 0.3, .tangents = 2}, 1), "must have size 3, has 1"},
      {project_to(Unilateral{}, 0), "must have size 1, has 0"},
      {project_to(Relay{.limit = 1, .rows = 2}, 3), "must have size 2, has 3"},
      {[] { validate(Law(Coulomb{.friction = NAN}), "contact 'c'"); }, "contact 'c': friction"},
      {[] { validate(Law(Coulomb{.tangents = 5}), "contact 'c'"); }, "between 1 and 2, is 5"},
  });
}

TEST(Misuse, OfCompliantLawsIsRefused) {
  const HystereticForce ball{1e8, 1.5, 0.1};
  const Material steel{2e11, 0.3};
  for (const auto impact : {free_impact, integrated_impact})
    expect_refused({
        {[&] { impact(ball, 0, 1); }, "free impact: mass must be positive and finite [kg], is 0"},
        {[&] { impact(ball, NAN, 1); }, "free impact: mass"},
        {[&] { impact(ball, 1, -1); }, "free impact: speed must be positive and finite [m/s]"},
        {[&] { impact(ball, 1, INFINITY); }, "free impact: speed"},
        {[&] {
           impact(HystereticForce{-1, 1.5, 0}, 1, 1);
         },
         "free impact: stiffness"},
    });
  expect_refused({
      {[] { delivered_restitution(-1); }, "hysteresis must be zero or positive"},
      {[] { calibrated_hysteresis(0); }, "restitution must lie in (0, 1] -, is 0"},
      {[] { calibrated_hysteresis(NAN); }, "restitution must lie in (0, 1] -, is nan"},
      {[] { anagnostopoulos(2, 1, 1); }, "restitution must lie in (0, 1] -, is 2"},
      {[] { anagnostopoulos(0.5, -1, 1); }, "stiffness must be positive"},
      {[] { anagnostopoulos(0.5, 1, NAN); }, "mass must be positive"},
      {[] { regularised_friction(-0.1, 1); }, "friction must be zero or positive"},
      {[] { regularised_friction(0.1, 0); }, "speed of the friction must be positive"},
      {[&] {
         hertz_stiffness({-1, 0.3}, steel, 1, flat, "contact 'c'");
       },
       "contact 'c': material: E must be positive"},
      {[&] {
         hertz_stiffness(steel, {2e11, 0.7}, 1, flat);
       },
       "nu must lie in [0, 0.5]"},
      {[&] { hertz_stiffness(steel, steel, NAN, flat); }, "do not touch in a point"},
  });
}

}  // namespace
}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backlash/integrators/optimisation/optimisation.h"
#include "cases/example.h"

// What a step by optimisation is accepted for, looked at from outside, by the System alone: no
// overlap, and the equations of motion, in every step of the examples.

namespace backlash::test::optimisation_exactness {
namespace {

using Index = Eigen::Index;

/// The terms of M (u_n − u_A)/h = f + W λ at the end of a step, and what their sizes add up to.
struct Balance {
  Vector rest, size;

  void add(const Vector& force) {
    rest += force;
    size += force.cwiseAbs();
  }
};

void add_contacts(const System& system, const Configuration& c, const StepResult& result,
                  Balance& balance) {
  for (const ContactOutcome& contact : result.contacts) {
    ContactFrame frame;
    ASSERT_TRUE(system.find_contact(c, contact.key, frame));
    const int rows = 1 + system.info().contacts[at(contact.key.pair)].tangents;
    Matrix W = Matrix::Zero(balance.rest.size(), rows);
    Vector w = Vector::Zero(rows);
    system.write_contact_rows(c, frame, W, w);
    for (int k = 0; k < rows; ++k) balance.add(W.col(k) * contact.impulse[k] / result.step);
  }
}

void add_joints(const System& system, const Configuration& c, const State& now, double step,
                Balance& balance) {
  const auto m = static_cast<Index>(system.info().bilaterals.size());
  Matrix W = Matrix::Zero(balance.rest.size(), m);
  Vector w = Vector::Zero(m);
  if (m > 0) system.bilateral_rows(c, W, w);
  const auto impulses = Memory(system.info()).impulses(now.z);
  for (Index i = 0; i < m; ++i) balance.add(W.col(i) * impulses[i] / step);
}

/// The largest entry of what is left of the equations of motion, over the largest of the sums of
/// their terms of its kind, and what is more than the round-off of the momenta.
double unbalance_of(const System& system, const Vector& u_before, const State& now,
                    const StepResult& result) {
  const Configuration c = configuration(system, now);
  const Index n = now.u.size();
  Balance balance{Vector::Zero(n), Vector::Zero(n)};
  Matrix M = Matrix::Zero(n, n);
  system.mass(c, M);
  Vector force = Vector::Zero(n);
  system.force(c, now.u, force);
  balance.add(force);
  add_contacts(system, c, result, balance);
  add_joints(system, c, now, result.step, balance);
  balance.add(M * (u_before - now.u) / result.step);
  const Vector momentum = M.cwiseAbs() * (now.u.cwiseAbs() + u_before.cwiseAbs());
  const std::vector<bool>& angular = system.info().angular;
  const auto kind = [&](Index i) { return at(i) < angular.size() && angular[at(i)] ? 1u : 0u; };
  double largest[2] = {1, 1};  // a newton, a newton metre
  for (Index i = 0; i < n; ++i) largest[kind(i)] = std::max(largest[kind(i)], balance.size[i]);
  double unbalance = 0;
  constexpr double round_off = 32 * 2.2e-16;
  for (Index i = 0; i < n; ++i)
    unbalance =
        std::max(unbalance, (std::abs(balance.rest[i]) - round_off * momentum[i] / result.step) /
                                largest[kind(i)]);
  return unbalance;
}

double overlap(const System& system, const State& state) {
  std::vector<ContactFrame> frames;
  system.find_contacts(configuration(system, state), 0, {}, frames);
  double deepest = 0;
  for (const ContactFrame& frame : frames) deepest = std::max(deepest, -frame.gap);
  return deepest;
}

/// With plastic impacts: those that bounce have their velocity from the law of impacts, after the
/// step's own.
void expect_exact_steps(const Example& example, double step, WarmStart warm) {
  SCOPED_TRACE(fmt::format("{} {} s", name(warm), step));
  const System& system = example.system();
  Optimisation integrator(system, {.step = step,
                                   .optimiser = Optimiser::slsqp,
                                   .warm_start = warm,
                                   .impacts = Impacts::plastic});
  State state = example.assembly.start;
  int with_contact = 0, followed = 0;
  while (with_contact < 150) {
    const Vector u_before = state.u;
    const StepResult& result = integrator.step(state, {});
    ASSERT_EQ(result.status, StepStatus::done) << result.trouble << " at " << state.t;
    EXPECT_LE(overlap(system, state), 1e-13 * system.info().length) << "at " << state.t;
    EXPECT_LE(example.loop_error(state), 1e-12 * system.info().length) << "at " << state.t;
    EXPECT_LE(unbalance_of(system, u_before, state, result), 1e-12) << "at " << state.t;
    with_contact += !result.contacts.empty();
    followed += !result.contacts.empty() && result.iterations == 0;
  }
  if (warm == WarmStart::active_set)
    EXPECT_GT(followed, 50);
  else
    EXPECT_EQ(followed, 0);
}

void expect_exact(const Example& example, double step) {
  for (const WarmStart warm : {WarmStart::active_set, WarmStart::point})
    expect_exact_steps(example, step, warm);
}

TEST(OptimisationExactness, OfTheSliderCrank) {
  expect_exact(Example("slider_crank/model.yaml"), 2e-5);
}

TEST(OptimisationExactness, OfTheFourBarWithClearances) {
  expect_exact(Example("four_bar/clearance.yaml"), 2e-5);
}

TEST(OptimisationExactness, OfAJournal) {
  expect_exact(Example("slider_crank_revolute_clearance/model.yaml"), 2e-5);
}

TEST(OptimisationExactness, OfCamsOfProfiles) {
  for (const double friction : {0.0, 0.2}) {
    Model model = Example("bouncing_cams/model.yaml").model;
    model.laws.front().law = ContactLaw{.restitution = 0, .friction = friction};
    expect_exact(Example(std::move(model)), 1e-4);
  }
}

TEST(OptimisationExactness, OfTheThreeCasesOfThePrismaticJoint) {
  const std::vector<std::string> cases[] = {{}, {"s_f=-0.5 mm"}, {"s_f=10 mm", "g=0"}};
  for (const auto& set : cases)
    for (const double step : {1e-4, 1e-3})
      expect_exact(Example("prismatic_clearance/model.yaml", set), step);
}

}  // namespace
}  // namespace backlash::test::optimisation_exactness

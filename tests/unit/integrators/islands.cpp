// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "backlash/dynamics/mechanism.h"
#include "support/models.h"
#include "support/runs.h"

/// Contacts taken apart into islands (theory 4.10) beside the same contacts as one problem.
namespace backlash::test {
namespace {

/// Three stacks of two disks each, not all alike, that fall on a floor; the first slides into the
/// second. A pendulum of two links, one tree, hangs between them and is hit.
std::string falling_stacks(const std::string& law) {
  std::string text = "gravity: [0, -9.81]\nlaws: {l: {" + law + R"(}}
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
)";
  const char* starts[] = {"[0, 0.1005]",   "[0.01, 0.301]", "[0.25, 0.1002]",
                          "[0.25, 0.302]", "[0.8, 0.101]",  "[0.81, 0.3012]"};
  const char* speeds[] = {"[1, 0]", "[1, 0]", "[0, 0]", "[0, 0]", "[0, -0.1]", "[0, 0]"};
  for (int i = 0; i < 6; ++i)
    text += "  d" + std::to_string(i) + ": {mass: " + std::to_string(1 + i) +
            ", inertia: 0.01, shapes: {rim: {circle: 0.1}}, initial: {position: " + starts[i] +
            ", velocity: " + speeds[i] + "}}\n";
  text += R"(  upper: {mass: 0.5, inertia: 0.002, com: [0.1, 0]}
  lower: {mass: 0.5, inertia: 0.002, com: [0.1, 0], shapes: {end: {circle: 0.02, at: [0.2, 0]}}}
joints:
  pivot: {type: revolute, between: [ground, upper], at: [[0.5, 0.6], [0, 0]], initial: {angle: -1.4}}
  knee: {type: revolute, between: [upper, lower], at: [[0.2, 0], [0, 0]]}
contacts:
)";
  int pairs = 0;
  const auto touch = [&](const std::string& a, const std::string& b) {
    text += "  p" + std::to_string(++pairs) + ": {between: [" + a + ", " + b + "], law: l}\n";
  };
  for (int i = 0; i < 6; ++i) {
    const std::string disk = "d" + std::to_string(i) + ".rim";
    touch("ground.floor", disk);
    touch("lower.end", disk);
    for (int j = i + 1; j < 6; ++j) touch(disk, "d" + std::to_string(j) + ".rim");
  }
  return text;
}

/// The same mechanism without the knowledge of its mass blocks.
Mechanism<Plane> in_one_piece(const System& system) {
  const auto& mechanism = dynamic_cast<const Mechanism<Plane>&>(system);
  SystemInfo info = mechanism.info();
  info.mass_blocks.clear();
  for (ContactInfo& contact : info.contacts) contact.blocks.clear();
  return {info, mechanism.parts()};
}

class Islands : public ::testing::TestWithParam<const char*> {};

TEST_P(Islands, MoveAsOneProblemWouldMoveThem) {
  const Assembly assembly = assembled(falling_stacks(GetParam()));
  ASSERT_EQ(assembly.system->info().mass_blocks.size(), 7u);  // six disks and one pendulum
  const Mechanism<Plane> whole = in_one_piece(*assembly.system);
  // Which bodies are free, whose landings are foreseen, is known by their mass blocks (theory 4.35):
  // a limit of the penetration keeps both from that.
  const MoreauOptions options{.penetration_limit = 1};
  Moreau apart(*assembly.system, options), together(whole, options);
  State a = assembly.start, b = assembly.start;
  int most = 0;
  for (int n = 0; n < 400; ++n) {  // round-off grows from impact to impact: compare step by step
    b = a;
    most = std::max(most, static_cast<int>(apart.step(a, 1e-3).contacts.size()));
    ASSERT_EQ(apart.last_result().status, StepStatus::done);
    ASSERT_EQ(together.step(b, 1e-3).status, StepStatus::done);
    ASSERT_LT((a.q - b.q).norm(), 1e-12) << "at t = " << a.t;
    ASSERT_LT((a.u - b.u).norm(), 1e-9) << "at t = " << a.t;
    ASSERT_LT((a.z - b.z).norm(), 1e-7) << "at t = " << a.t;
  }
  EXPECT_GE(most, 6);  // several islands at once, and some of several contacts
}

INSTANTIATE_TEST_SUITE_P(Laws, Islands,
                         ::testing::Values("restitution: 0.3, friction: 0.2", "friction: 0.2",
                                           "restitution: 0.5, friction: 0.3, impact: poisson"));

TEST(Islands, BlocksThatAreNotThereAreRefused) {
  const Assembly assembly = assembled(falling_stacks("friction: 0.2"));
  const auto& mechanism = dynamic_cast<const Mechanism<Plane>&>(*assembly.system);
  SystemInfo info = mechanism.info();
  info.contacts[0].blocks = {7};
  EXPECT_THROW(Mechanism<Plane>(info, mechanism.parts()), InputError);
  info = mechanism.info();
  info.mass_blocks.back().size -= 1;
  EXPECT_THROW(Mechanism<Plane>(info, mechanism.parts()), InputError);
}

}  // namespace
}  // namespace backlash::test

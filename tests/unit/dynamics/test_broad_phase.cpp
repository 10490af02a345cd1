// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "support/models.h"
#include "support/runs.h"

namespace backlash::test {
namespace {

/// Bodies of all sorts in one group, which touch each other and the floor.
constexpr const char* heap = R"(
gravity: [0, -9.81]
bodies:
  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}
  box: {mass: 1, inertia: 0.1, shape: {box: [0.4, 0.2], groups: [things]}, initial: {position: [0, 3]}}
  ball: {mass: 1, inertia: 0.1, shape: {circle: 0.1, groups: [things]}, initial: {position: [1, 3]}}
  hook:
    mass: 1
    inertia: 0.1
    shapes:
      outline: {polygon: [[0, 0], [0.3, 0], [0.3, 0.3], [0.2, 0.3], [0.2, 0.1], [0, 0.1]], groups: [things]}
      tip: {circle: 0.05, at: [0.25, 0.35], groups: [things]}
    initial: {position: [2, 3]}
  bar: {mass: 1, inertia: 0.1, shape: {box: [0.5, 0.05], groups: [things]}, initial: {position: [3, 3]}}
contacts:
  meet: {between: [things, things], law: wood}
  rest: {between: [things, ground.floor], law: wood}
laws: {wood: {restitution: 0.3, friction: 0.2}}
)";

TEST(BroadPhase, FindsJustTheContactsWithinReach) {
  const Assembly assembly = assembled(heap);
  const System& system = *assembly.system;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-0.6, 0.6), angle(-4, 4);
  Vector q = assembly.start.q;
  std::vector<ContactFrame> all, found;
  int closed = 0, skipped = 0;
  for (int trial = 0; trial < 500; ++trial) {
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = i % 3 == 2 ? angle(random) : place(random);
    const Configuration c = configuration(system, 0, q);
    const double reach = trial % 2 == 0 ? 0 : 0.05;
    all.clear();
    found.clear();
    system.find_contacts(c, INFINITY, {}, all);
    system.find_contacts(c, reach, {}, found);
    std::size_t next = 0;
    for (const ContactFrame& frame : all) {
      if (frame.gap > reach) {
        ++skipped;
        continue;
      }
      ++closed;
      ASSERT_LT(next, found.size()) << "trial " << trial;
      ASSERT_EQ(found[next].key, frame.key) << "trial " << trial;
      ASSERT_EQ(found[next].gap, frame.gap);
      ++next;
    }
    ASSERT_EQ(next, found.size());
  }
  EXPECT_GT(closed, 1000);
  EXPECT_GT(skipped, 10000);
}

TEST(BroadPhase, LetsThingsFallAndRestOnTheFloorAndOnEachOther) {
  const Assembly assembly = assembled(heap);
  const System& system = *assembly.system;
  int pushing = 0;
  const State end =
      run(system, assembly.start, 1e-3, 1.5, {}, [&](const State&, const StepResult& r) {
        pushing = 0;
        for (const ContactOutcome& c : r.contacts) pushing += c.impulse[0] > 0;
      });
  std::vector<ContactFrame> contacts;
  system.find_contacts(configuration(system, end), 0, {}, contacts);
  for (const ContactFrame& contact : contacts) EXPECT_GT(contact.gap, -0.02);
  EXPECT_GE(pushing, 5);
}

TEST(Contacts, OfAGroupWithItselfMeetOnce) {
  const Assembly assembly = assembled(R"(
bodies:
  a: {mass: 1, inertia: 1, shape: {circle: 0.1, groups: [balls]}}
  b: {mass: 1, inertia: 1, shape: {circle: 0.1, groups: [balls]}, initial: {position: [1, 0]}}
  c: {mass: 1, inertia: 1, shape: {circle: 0.1, groups: [balls]}, initial: {position: [2, 0]}}
contacts: {hit: {between: [balls, balls], law: steel}}
laws: {steel: {}}
)");
  EXPECT_EQ(assembly.system->info().contacts.size(), 3u);
}

}  // namespace
}  // namespace backlash::test

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "backlash/results/recorder.h"
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
  const System& system = *assembly.system;
  ASSERT_EQ(system.info().contacts.size(), 1u);
  EXPECT_EQ(system.info().contacts[0].candidates, 3);
  std::vector<ContactFrame> all;
  system.find_contacts(configuration(system, assembly.start), INFINITY, {}, all);
  std::vector<std::string> names;
  for (const ContactFrame& contact : all) names.push_back(system.contact_name(contact.key));
  EXPECT_EQ(names, (std::vector<std::string>{"hit.a-b", "hit.a-c", "hit.b-c"}));
}

TEST(Contacts, AreCalledByTheirShapesWhereABodyHasSeveral) {
  const Assembly assembly = assembled(heap);
  const System& system = *assembly.system;
  std::vector<ContactFrame> all;
  system.find_contacts(configuration(system, assembly.start), INFINITY, {}, all);
  std::set<std::string> names;
  for (const ContactFrame& contact : all)
    EXPECT_TRUE(names.insert(system.contact_name(contact.key)).second);
  for (const char* name : {"meet.box-ball", "meet.ball-hook.tip", "meet.hook.outline.corner3-bar",
                           "rest.ball-ground", "rest.hook.tip-ground", "rest.box.corner4"})
    EXPECT_TRUE(names.contains(name)) << name;
}

/// Bodies of all kinds of shapes, `count` in one group, with a floor and a ring.
std::string many_things(int count) {
  const char* shapes[] = {
      "circle: 0.1",
      "box: [0.4, 0.1]",
      "polygon: [[0, 0], [0.3, 0], [0.3, 0.3], [0.2, 0.3], [0.2, 0.1], [0, 0.1]]",
      "segment: [[0, 0], [0.3, 0.05]]",
      "arc: {radius: 0.15, from: 0.2, to: 2.5}",
      "circle: 0.02"};
  std::string bodies;
  for (int i = 0; i < count; ++i)
    bodies += fmt::format(
        "  b{}: {{mass: 1, inertia: 0.1, shape: {{{}, groups: [things]}}, initial: {{position: "
        "[{}, {}]}}}}\n",
        i, shapes[i % 6], i % 10, 3 + i / 10);
  return fmt::format(R"(
bodies:
  ground:
    shapes:
      floor: {{line: {{normal: [0, 1]}}, groups: [walls]}}
      wall: {{segment: [[2, 3], [2, 0]], groups: [walls]}}
      drum: {{ring: 9, at: [1, 1]}}
{}contacts:
  meet: {{between: [things, things], law: wood}}
  rest: {{between: [things, walls], law: wood}}
  hold: {{between: [ground.drum, things], law: wood}}
laws: {{wood: {{restitution: 0.3, friction: 0.2}}}}
simulation: {{initial_penetration: 100}}
)",
                     bodies);
}

/// The first frames of the second list that are within reach are the first list.
void expect_just_those_within(double reach, const std::vector<ContactFrame>& found,
                              const std::vector<ContactFrame>& all) {
  std::size_t next = 0;
  for (const ContactFrame& frame : all) {
    if (frame.gap > reach) continue;
    ASSERT_LT(next, found.size());
    ASSERT_EQ(found[next].key, frame.key);
    ASSERT_EQ(found[next].gap, frame.gap);
    ++next;
  }
  ASSERT_EQ(next, found.size());
}

TEST(BroadPhase, FindsTheContactsOfManyShapesOfAllKindsAsABruteForceDoes) {
  const Assembly assembly = assembled(many_things(60));
  const System& system = *assembly.system;
  EXPECT_EQ(system.info().contacts.size(), 3u);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-0.2, 3), angle(-4, 4), shift(-0.02, 0.02);
  Configuration c = configuration(system, assembly.start);  // keeps the order of its last search
  std::vector<ContactFrame> all, found;
  for (int trial = 0; trial < 120; ++trial) {
    SCOPED_TRACE(trial);
    const bool jump = trial % 6 == 0;
    for (Eigen::Index i = 0; i < c.q.size(); ++i) {
      if (jump) c.q[i] = i % 3 == 2 ? angle(random) : place(random);
      c.q[i] += shift(random);
    }
    system.configure(c);
    const double reach = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 0.05 : -0.01;
    all.clear();
    found.clear();
    system.find_contacts(configuration(system, 0, c.q), INFINITY, {}, all);
    system.find_contacts(c, reach, {}, found);
    EXPECT_EQ(static_cast<long>(all.size()), candidates(system.info()));
    EXPECT_GT(found.size(), 5u);
    expect_just_those_within(reach, found, all);
    for (const ContactFrame& frame : found) {
      ContactFrame again;
      ASSERT_TRUE(system.find_contact(c, frame.key, again));
      EXPECT_EQ(again.gap, frame.gap);
      EXPECT_EQ(again.blocks, frame.blocks);
    }
  }
}

constexpr double disc = 0.01;  ///< radius [m]

/// Discs in a square lattice, `side` by `side`, a hundredth of a radius apart.
std::string lattice(int side, std::string_view law) {
  std::string bodies;
  for (int i = 0; i < side * side; ++i)
    bodies += fmt::format(
        "  d{}: {{mass: 1, inertia: 0.1, shape: {{circle: {}, groups: [discs]}}, initial: "
        "{{position: [{}, {}]}}}}\n",
        i, disc, 2.01 * disc * (i % side), 2.01 * disc * (i / side));
  return fmt::format(R"(
bodies:
{}contacts: {{touch: {{between: [discs, discs], law: wood}}}}
laws: {{wood: {{{}}}}}
)",
                     bodies, law);
}

TEST(BroadPhase, FindsTheNeighboursInALatticeOfDiscs) {
  const int n = 12;
  const Assembly assembly = assembled(lattice(n, "friction: 0.2"));
  const System& system = *assembly.system;
  const Configuration c = configuration(system, assembly.start);
  std::vector<ContactFrame> found;
  const auto count_within = [&](double reach) {
    found.clear();
    system.find_contacts(c, reach, {}, found);
    return static_cast<int>(found.size());
  };
  EXPECT_EQ(count_within(0), 0);
  EXPECT_EQ(count_within(0.02 * disc), 2 * n * (n - 1));
  const double diagonal = (std::sqrt(2.0) * 2.01 - 2) * disc;
  EXPECT_EQ(count_within(1.01 * diagonal), 2 * n * (n - 1) + 2 * (n - 1) * (n - 1));
  EXPECT_EQ(candidates(system.info()), n * n * (n * n - 1) / 2);
}

TEST(Contacts, ThatAreManyAreNearWithinHalfAShapeAndAllWhereTheyAreFew) {
  EXPECT_EQ(assembled(lattice(4, "friction: 0.2")).system->info().reach, INFINITY);
  EXPECT_EQ(assembled(lattice(12, "friction: 0.2")).system->info().reach, 0.5 * disc);
}

TEST(Contacts, OfEqualShapesHaveOneLawBetweenThem) {
  for (const char* law :
       {"friction: 0.2", "model: hertz, stiffness: 1e9 N/m^1.5", "model: hertz, material: steel",
        "model: anagnostopoulos, stiffness: 1e6 N/m, restitution: 0.5"})
    EXPECT_EQ(assembled(lattice(3, law)).system->info().contacts.size(), 1u) << law;
}

TEST(Contacts, OfUnequalShapesHaveTheLawThatFollowsFromWhatTouches) {
  const Assembly assembly = assembled(R"(
bodies:
  a: {mass: 1, inertia: 1, shape: {circle: 0.1, groups: [balls]}}
  b: {mass: 1, inertia: 1, shape: {circle: 0.2, groups: [balls]}, initial: {position: [1, 0]}}
  c: {mass: 1, inertia: 1, shape: {circle: 0.2, groups: [balls]}, initial: {position: [2, 0]}}
  d: {mass: 1, inertia: 1, shape: {circle: 0.1, groups: [balls]}, initial: {position: [3, 0]}}
contacts: {hit: {between: [balls, balls], law: steel}}
laws: {steel: {model: hertz, material: steel}}
)");
  const System& system = *assembly.system;
  const std::vector<ContactInfo>& infos = system.info().contacts;
  std::vector<ContactFrame> all;
  system.find_contacts(configuration(system, assembly.start), INFINITY, {}, all);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, [](const ContactFrame& f) { return f.key; }));
  std::map<std::string, double> stiffness;
  for (const ContactFrame& frame : all)
    stiffness[system.contact_name(frame.key)] =
        std::get<HystereticForce>(infos[static_cast<std::size_t>(frame.key.pair)].compliant->normal)
            .stiffness;
  ASSERT_EQ(stiffness.size(), 6u);
  EXPECT_EQ(stiffness["hit.a-b"], stiffness["hit.c-d"]);
  EXPECT_EQ(stiffness["hit.a-b"], stiffness["hit.a-c"]);
  // K grows as the root of the reduced radius: 0.05, 1/15 and 0.1.
  EXPECT_NEAR(stiffness["hit.b-c"] / stiffness["hit.a-d"], std::sqrt(2), 1e-12);
  EXPECT_NEAR(stiffness["hit.a-b"] / stiffness["hit.a-d"], std::sqrt(4.0 / 3), 1e-12);
}

TEST(Contacts, KeepTheirKeysWhileOthersComeAndGo) {
  const Assembly assembly = assembled(many_things(30) + "gravity: [0, -9.81]\n");
  const System& system = *assembly.system;
  std::map<ContactKey, std::string> names;
  run(system, assembly.start, 1e-3, 1.0, {}, [&](const State&, const StepResult& result) {
    for (const ContactOutcome& contact : result.contacts) {
      const std::string name = system.contact_name(contact.key);
      EXPECT_EQ(names.try_emplace(contact.key, name).first->second, name);
    }
  });
  EXPECT_GT(names.size(), 20u);
  std::set<std::string> different;
  for (const auto& [key, name] : names) different.insert(name);
  EXPECT_EQ(different.size(), names.size());
}

TEST(Contacts, AreRecordedWhereTheyAreNearAndNowhereElse) {
  const int n = 20;
  const Assembly assembly = assembled(lattice(n, "friction: 0.2"));
  Recorder recorder(*assembly.system, assembly.start, {});
  const std::size_t neighbours = 2 * n * (n - 1);
  EXPECT_EQ(recorder.recording().contacts.size(), neighbours);
  EXPECT_EQ(recorder.recording().new_contacts.size(), neighbours);
}

}  // namespace
}  // namespace backlash::test

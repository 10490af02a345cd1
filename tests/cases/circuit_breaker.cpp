// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "cases/example.h"
#include "cases/reference_table.h"

// Paper 003: a circuit breaker with ten contacts. The reference is an independent program.

namespace backlash::test::circuit_breaker {
namespace {

const char* const file = "circuit_breaker/model.yaml";
constexpr double g = 9.81;

/// With rigid contacts in the place of the compliant ones.
Example rigid_breaker() {
  Model model = Example(file).model;
  for (NamedLaw& named : model.laws)
    if (std::holds_alternative<CompliantDescription>(named.law))
      named.law = ContactLaw{.restitution = named.name == "copper" ? 0.2 : 0.3};
  model.simulation.method = "moreau";
  model.simulation.options.clear();
  return Example(std::move(model));
}

std::map<std::string, double> loads_of(const Example& breaker) {
  std::map<std::string, double> loads;
  for (const ContactLoad& load : breaker.assembly.report.rest->equilibrium.loads)
    loads[breaker.system().contact_name(load.key)] = load.force[0];
  return loads;
}

double coordinate(const Example& breaker, const State& state, const std::string& name) {
  const std::vector<std::string>& names = breaker.system().info().position_names;
  const auto found = std::ranges::find(names, name);
  EXPECT_NE(found, names.end()) << name;
  return state.q[found - names.begin()];
}

std::string name_of(const Example& breaker, const ExampleRun& run, const Event& event) {
  if (event.contact < 0) return "";
  return breaker.system().contact_name(run.contacts[static_cast<std::size_t>(event.contact)].key);
}

/// The contacts that overlap, or that touch to within round-off, by name.
std::set<std::string> closed_contacts(const Example& breaker, const State& state) {
  std::vector<ContactFrame> frames;
  breaker.system().find_contacts(configuration(breaker.system(), state), 1e-12, {}, frames);
  std::set<std::string> names;
  for (const ContactFrame& frame : frames) names.insert(breaker.system().contact_name(frame.key));
  return names;
}

const std::set<std::string> latched{"K3", "K4", "K5", "K6"};

TEST(CircuitBreaker, HasTheCamOfTheReference) {
  const NurbsCurveData<2> cam = Example(file).model.profiles.at(0).curve;
  const auto table = reference_table("circuit_breaker_cam.csv");
  ASSERT_EQ(table.size(), 36u);
  ASSERT_EQ(cam.points.size(), 36u);
  EXPECT_EQ(cam.degree, 3);
  EXPECT_EQ(cam.ends, SplineEnds::periodic);
  for (std::size_t i = 0; i < table.size(); ++i)
    EXPECT_EQ(cam.points[i], Vec2(table[i][1], table[i][2])) << i;
}

TEST(CircuitBreaker, HasFiveDegreesOfFreedom) {
  const Example breaker(file);
  EXPECT_EQ(breaker.assembly.report.dofs, 5);
  EXPECT_EQ(breaker.assembly.report.dofs_by_counting, 5);
  EXPECT_EQ(breaker.model.contacts.size(), 10u);
}

TEST(CircuitBreaker, BeginsInTheEquilibriumOfTheReference) {
  const Example breaker(file);
  const std::map<std::string, double> reference{{"shaft.q", -0.000240109369},
                                                {"closing.q", 0.000576259025},
                                                {"main.q", -0.155556317687},
                                                {"opening.q", -0.139919856184},
                                                {"contact_guide.q", 0.252363899664}};
  for (const auto& [name, value] : reference)
    EXPECT_NEAR(coordinate(breaker, breaker.assembly.start, name), value, 1e-12) << name;
  const std::map<std::string, double> carried{
      {"K1", 106.48}, {"K3", 14.38}, {"K4", 24.50}, {"K7", 1174.16}, {"K8", 799.41}};
  const std::map<std::string, double> loads = loads_of(breaker);
  ASSERT_EQ(loads.size(), carried.size());
  for (const auto& [name, load] : carried) EXPECT_NEAR(loads.at(name), load, 0.005) << name;
  EXPECT_EQ(breaker.assembly.start.u.norm(), 0);
  EXPECT_FALSE(breaker.assembly.report.rest->equilibrium.escape);
}

TEST(CircuitBreaker, BeginsRigidWhereItsContactsJustTouch) {
  const Example breaker = rigid_breaker();
  const double carrier =
      0.05 * std::sin(-0.15) + std::sqrt(0.04 - std::pow(0.05 - 0.05 * std::cos(-0.15), 2));
  EXPECT_NEAR(coordinate(breaker, breaker.assembly.start, "shaft.q"), 0, 1e-14);
  EXPECT_NEAR(coordinate(breaker, breaker.assembly.start, "closing.q"), 0, 1e-14);
  EXPECT_NEAR(coordinate(breaker, breaker.assembly.start, "main.q"), -0.15, 1e-14);
  EXPECT_NEAR(coordinate(breaker, breaker.assembly.start, "opening.q"), -0.14439527, 5e-9);
  EXPECT_NEAR(coordinate(breaker, breaker.assembly.start, "contact_guide.q"), carrier + 0.06,
              1e-14);
  const std::map<std::string, double> loads = loads_of(breaker);
  ASSERT_EQ(loads.size(), 5u);
  EXPECT_NEAR(loads.at("K7"), 1200 - 1.5 * g, 1e-8);  // the spring less the weight
}

TEST(CircuitBreaker, ClosesInTheOrderAndAtTheTimesOfTheReference) {
  const Example breaker(file);
  const ExampleRun closing = run(breaker, compliant_options(breaker), 0.046);
  std::ifstream table(data_folder() + "/circuit_breaker_events.csv");
  std::string line, cell;
  std::getline(table, line);
  auto next = closing.events.begin();
  while (std::getline(table, line)) {
    SCOPED_TRACE(line);
    std::istringstream cells(line);
    std::vector<std::string> row;
    while (std::getline(cells, cell, ',')) row.push_back(cell);
    next = std::find_if(next, closing.events.end(), [&](const Event& event) {
      return name(event.kind) == row[1] && name_of(breaker, closing, event) == row[2];
    });
    ASSERT_NE(next, closing.events.end());
    EXPECT_NEAR(next->t, 1e-3 * std::stod(row[0]), 1e-6);
    if (row.size() > 3) {
      EXPECT_NEAR(-next->gamma_n_before, std::stod(row[3]), 5e-4);
    }
  }
}

/// The first event of a kind at a contact after a time [s].
double time_of(const Example& breaker, const ExampleRun& run, EventKind kind,
               const std::string& contact, double after) {
  for (const Event& event : run.events)
    if (event.kind == kind && event.t > after && name_of(breaker, run, event) == contact)
      return event.t;
  ADD_FAILURE() << contact;
  return NAN;
}

/// The closing latch alone, from where the cam has left it: its springs, its solenoid and its two
/// stops, by the rule of Runge and Kutta in steps of 0.1 µs.
struct LatchAlone {
  double t, angle, speed;

  double gap_of_stop() const { return -0.106 - 0.006 - pad(); }       // K3
  double gap_of_back_stop() const { return pad() - 0.006 + 0.1283; }  // K9
  double pad() const { return -0.112 + 0.030 * std::sin(angle); }

  static double force(double gap, double rate) {
    if (gap >= 0) return 0;
    const double s = std::min(1.0, -gap / 1e-4);
    return std::max(0.0, 2e8 * std::pow(-gap, 1.5) - 1200 * rate * s * s * (3 - 2 * s));
  }
  double acceleration() const {
    const double lever = 0.030 * std::cos(angle), rate = lever * speed;
    const double push = force(gap_of_back_stop(), rate) - force(gap_of_stop(), -rate);
    const double solenoid = t >= 0.005 && t < 0.030 ? -1.5 : 0;
    return (0.2 - 2 * angle - 5e-4 * speed + solenoid + lever * push) / 2e-4;
  }
  void step(double h) {
    const auto moved = [&](double by, double v, double a) {
      return LatchAlone{t + by, angle + by * v, speed + by * a};
    };
    const double v1 = speed, a1 = acceleration();
    const LatchAlone s2 = moved(h / 2, v1, a1);
    const double v2 = s2.speed, a2 = s2.acceleration();
    const LatchAlone s3 = moved(h / 2, v2, a2);
    const double v3 = s3.speed, a3 = s3.acceleration();
    const LatchAlone s4 = moved(h, v3, a3);
    *this = moved(h, (v1 + 2 * v2 + 2 * v3 + s4.speed) / 6,
                  (a1 + 2 * a2 + 2 * a3 + s4.acceleration()) / 6);
  }
};

/// The reference names the latch's return in the row of the contact's bounce, 43.575 ms, without a
/// time of its own.
TEST(CircuitBreaker, ReturnsItsClosingLatchWhenTheLatchAloneWould) {
  const Example breaker(file);
  constexpr double released = 0.010;
  LatchAlone latch{};
  const auto due = [](double t) { return t < released ? released : INFINITY; };
  const ExampleRun closing = attempt(breaker, compliant_options(breaker), 0.0436, due,
                                     [&](const State& state, const StepResult&) {
                                       if (state.t == released)
                                         latch = {released, coordinate(breaker, state, "closing.q"),
                                                  breaker.body(state, "closing_latch").w_W.z()};
                                     });
  ASSERT_EQ(latch.t, released);
  const double back = time_of(breaker, closing, EventKind::impact, "K3", 0.030);
  double before = latch.gap_of_stop();
  constexpr double h = 1e-7;
  while (latch.gap_of_stop() > 0) {
    before = latch.gap_of_stop();
    latch.step(h);
  }
  const double after = latch.gap_of_stop();
  EXPECT_NEAR(back, latch.t - h * after / (after - before), 1e-6);
  EXPECT_NEAR(back, 43.416e-3, 1e-6);
}

/// How far the wipe spring is stretched; negative: pressed [m].
double wipe_of(const Example& breaker, const State& state) {
  return breaker.body(state, "moving_contact").p_W.y() - breaker.body(state, "carrier").p_W.y() -
         breaker["play"];
}

/// What comes after the contacts have met, and the end.
TEST(CircuitBreaker, EndsLatchedClosed) {
  const Example breaker(file);
  const ExampleRun closing = run(breaker, compliant_options(breaker), 0.5);
  using enum EventKind;
  const double slips = time_of(breaker, closing, release, "K4", 0.044);
  const double swings = time_of(breaker, closing, impact, "K5", slips);
  const double lands = time_of(breaker, closing, impact, "K4", swings);
  const double buffer = time_of(breaker, closing, impact, "K10", lands);
  EXPECT_GT(time_of(breaker, closing, release, "K10", buffer), buffer);
  EXPECT_EQ(closed_contacts(breaker, closing.end), latched);
  const double wipe = wipe_of(breaker, closing.end);
  EXPECT_NEAR(wipe, -3.76e-3, 1e-5);
  ContactFrame K6;
  breaker.system().find_contact(configuration(breaker.system(), closing.end), breaker.contact("K6"),
                                K6);
  EXPECT_NEAR(1e9 * std::pow(-K6.gap, 1.5), 1200 - 1e5 * wipe - 1.5 * g, 1e-6);
  EXPECT_LT(std::abs(breaker.body(closing.end, "closing_latch").w_W.z()), 1e-9);
  EXPECT_LT(std::abs(breaker.body(closing.end, "lever").w_W.z()), 1e-6);
  EXPECT_LT(closing.imbalance(), 1e-7);
}

TEST(CircuitBreaker, HasTimesThatDoNotDependOnTheTolerance) {
  const Example breaker(file);
  CompliantOptions options = compliant_options(breaker);
  const ExampleRun usual = run(breaker, options, 0.046);
  options.relative_tolerance = 1e-11;
  options.position_tolerance = options.angle_tolerance = 1e-14;
  options.speed_tolerance = options.angular_speed_tolerance = 1e-11;
  const ExampleRun exact = run(breaker, options, 0.046);
  ASSERT_EQ(usual.events.size(), exact.events.size());
  for (std::size_t i = 0; i < usual.events.size(); ++i) {
    EXPECT_EQ(usual.events[i].kind, exact.events[i].kind);
    EXPECT_NEAR(usual.events[i].t, exact.events[i].t, 1e-7) << i;
  }
}

TEST(CircuitBreaker, EndsLatchedClosedWithRigidContactsToo) {
  const Example breaker = rigid_breaker();
  for (const double step : {1e-4, 3e-5}) {
    SCOPED_TRACE(step);
    const ExampleRun closing = run(breaker, step, 0.5);
    EXPECT_EQ(closed_contacts(breaker, closing.end), latched);
    EXPECT_EQ(time_of(breaker, closing, EventKind::release, "K3", 0), 5e-3 + 0.5 * step);
    const double face = breaker["carrier_y"] + breaker["play"] + breaker["stroke"];
    const double closed =
        0.05 * std::sin(0.14) + std::sqrt(0.04 - std::pow(0.05 - 0.05 * std::cos(0.14), 2));
    EXPECT_NEAR(wipe_of(breaker, closing.end), face - closed - breaker["play"], 1e-9);
    EXPECT_LT(std::abs(breaker.body(closing.end, "closing_latch").w_W.z()), 1e-6);
    EXPECT_LT(closing.imbalance(), 2e-3);
  }
}

}  // namespace
}  // namespace backlash::test::circuit_breaker

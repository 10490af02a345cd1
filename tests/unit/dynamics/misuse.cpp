// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.h"

#include <cmath>

#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/dynamics/energy.h"
#include "backlash/dynamics/hand_derived/slider_crank.h"

namespace backlash {
namespace {

using test::expect_refused;
using test::Misuse;

/// A pendulum, a wheel and a slider, with all that may be wrong about them.
Model mechanism() {
  Model model{.gravity = Vec3(0, -9.81, 0)};
  for (const char* name : {"arm", "wheel", "block"})
    model.bodies.push_back({.name = name, .mass = 1, .inertia = {.zz = 0.1}});
  model.bodies[2].shapes = {{.name = "face", .shape = Circle{Vec2::Zero(), 0.1}}};
  model.ground.shapes = {{.name = "floor", .shape = Line{Vec2(0, -5), Vec2::UnitY()}}};
  model.joints = {{.name = "pin", .body_A = "ground", .body_B = "arm", .kind = Revolute{}},
                  {.name = "axle", .body_A = "ground", .body_B = "wheel", .kind = Revolute{}},
                  {.name = "rail", .body_A = "ground", .body_B = "block", .kind = Prismatic{}},
                  {.name = "mesh", .kind = Gear{"pin", "axle", -2}}};
  model.joints[2].drive = Drive{0.0};
  model.laws = {{"hard", ContactLaw{.restitution = 0.5}}};
  model.contacts = {
      {.name = "hit", .A = {{"ground", "floor"}}, .B = {{"block", "face"}}, .law = "hard"}};
  model.forces = {{.name = "motor", .element = Motor{{"pin", 0}, 1, 10, {Expression(1), {}}}}};
  model.events = {{.name = "off", .when = 1.0, .actions = {{.item = "motor", .on = false}}}};
  return model;
}

using Change = std::function<void(Model&)>;

Misuse assembling(const Change& change, const std::string& complaint) {
  return {[=] {
            Model model = mechanism();
            change(model);
            assemble(model);
          },
          complaint};
}

/// The same with one more force.
Misuse forcing(const ForceElement& element, const std::string& complaint) {
  return assembling([=](Model& m) { m.forces.push_back({.name = "force", .element = element}); },
                    "force 'force': " + complaint);
}

TEST(Misuse, OfTheBodiesOfAModelIsRefused) {
  EXPECT_NO_THROW(assemble(mechanism()));
  using M = Model;
  expect_refused({
      assembling([](M& m) { m.bodies.clear(); }, "the model has no bodies"),
      assembling([](M& m) { m.gravity.y() = NAN; }, "gravity[1] must be finite, is nan"),
      assembling([](M& m) { m.bodies[0].mass = -1; }, "body 'arm': mass must be zero or positive"),
      assembling([](M& m) { m.bodies[0].inertia.zz = INFINITY; }, "body 'arm': inertia"),
      assembling([](M& m) { m.bodies[0].com.x() = NAN; }, "body 'arm': com[0] must be finite"),
      assembling([](M& m) { m.bodies[0].name = "ground"; }, "that is the world"),
      assembling([](M& m) { m.bodies[0].name = ""; }, "a body has no name"),
      assembling([](M& m) { m.bodies[1].name = "arm"; }, "there is another body 'arm'"),
      assembling(
          [](M& m) {
            m.bodies[0].initial = InitialMotion{.angular_velocity = {0, 0, NAN}};
          },
          "body 'arm': initial angular velocity[2] must be finite, is nan"),
      assembling([](M& m) { m.bodies[2].shapes[0].X_BS.rotation.z() = NAN; },
                 "body 'block': shape 'face': rotation[2] must be finite"),
      assembling([](M& m) { m.bodies[2].shapes.push_back(m.bodies[2].shapes[0]); },
                 "body 'block': there is another shape 'face'"),
      assembling([](M& m) { m.bodies[0].frames = {{.name = "f", .X_BF = {Vec3(NAN, 0, 0)}}}; },
                 "body 'arm': frame 'f': origin[0] must be finite"),
      assembling([](M& m) { m.ground.shapes[0].shape = Polygon{}; },
                 "body 'ground': shape 'floor': a polygon needs 3 corners"),
  });
}

TEST(Misuse, OfTheJointsOfAModelIsRefused) {
  using M = Model;
  const std::string_view names[] = {"x", "y"};
  const Expression two = parse_expression("x + y", names);
  const auto limits = [](double lower, const char* law) {
    return [=](M& m) { m.joints[0].limits = Limits{.lower = lower, .upper = 1, .law = law}; };
  };
  expect_refused({
      assembling([](M& m) { m.joints[0].body_B = "nobody"; },
                 "joint 'pin': there is no body 'nobody'"),
      assembling([](M& m) { m.joints[0].body_A = ""; }, "joint 'pin': there is no body ''"),
      assembling([](M& m) { m.joints[0].body_A = "arm"; }, "joins body 'arm' to itself"),
      assembling([](M& m) { m.joints[0].initial[0].speed = NAN; },
                 "joint 'pin': initial speed must be finite, is nan"),
      assembling([](M& m) { m.joints[0].kind = Revolute{Vec3(INFINITY, 0, 0)}; },
                 "joint 'pin': first point[0] must be finite"),
      assembling([](M& m) { m.joints[2].kind = Prismatic{.axis_A = Vec3(2, 0, 0)}; },
                 "joint 'rail': axis must be of length 1, is 2"),
      assembling(limits(2, "hard"), "joint 'pin': limits: lower must be below upper"),
      assembling(limits(NAN, "hard"), "joint 'pin': limits: lower must be below upper"),
      assembling(limits(0, "none"), "joint 'pin': there is no law 'none'"),
      assembling([](M& m) { m.joints[0].clearance = RevoluteClearance{.gap = -1, .law = "hard"}; },
                 "joint 'pin': clearance: gap must be zero or positive"),
      assembling([](M& m) { m.joints[0].clearance = ToothClearance{.gap = 1, .law = "hard"}; },
                 "joint 'pin': clearance does not fit a revolute joint"),
      assembling([&](M& m) { m.joints[2].drive = Drive{two}; },
                 "joint 'rail': drive must be a formula of t alone, 'x + y' has 2 variables"),
      assembling([](M& m) { m.joints[2].drive = Drive{NAN}; }, "joint 'rail': drive"),
      assembling(
          [](M& m) {
            m.joints[3].kind = Gear{"pin", "none", 1};
          },
          "joint 'mesh': there is no joint 'none'"),
      assembling(
          [](M& m) {
            m.joints[3].kind = Gear{"pin", "mesh", 1};
          },
          "joint 'mesh': joint 'mesh' must be revolute, is gear"),
      assembling(
          [](M& m) {
            m.joints[3].kind = Gear{"pin", "rail", 1};
          },
          "joint 'mesh': joint 'rail' must be revolute, is prismatic"),
      assembling(
          [](M& m) {
            m.joints[3].kind = Gear{"pin", "pin", 1};
          },
          "joint 'mesh' couples joint 'pin' to itself"),
      assembling(
          [](M& m) {
            m.joints[3].kind = Gear{"pin", "axle", NAN};
          },
          "joint 'mesh': ratio"),
      assembling(
          [](M& m) {
            m.joints[3].kind = Rack{"pin", "axle", 1};
          },
          "joint 'mesh': joint 'axle' must be prismatic, is revolute"),
  });
}

TEST(Misuse, OfTheForcesOfAModelIsRefused) {
  const std::string_view names[] = {"x", "y"};
  const Expression two = parse_expression("x + y", names);
  const Attachment arm{"arm"}, none{"none"};
  const Table ramp{{0, 1}, {0, 1}};
  expect_refused({
      forcing(Spring{arm, none, 1}, "there is no body 'none'"),
      forcing(Spring{arm, {"block", Vec3(NAN, 0, 0)}, 1},
              "point of body 'block'[0] must be finite"),
      forcing(Spring{.from = arm, .to = {"block"}, .stiffness = NAN}, "stiffness"),
      forcing(Damper{arm, {"block"}, -1}, "damping must be zero or positive"),
      forcing(TorsionSpring{.on = JointCoordinate{"none"}}, "there is no joint 'none'"),
      forcing(TorsionSpring{.on = JointCoordinate{"pin", 1}},
              "joint 'pin' has 1 coordinates, number 2 was asked for"),
      forcing(TorsionSpring{.on = BodyAngle{"arm", "none"}}, "there is no body 'none'"),
      forcing(Bushing{.body_A = "arm", .body_B = "none"}, "there is no body 'none'"),
      forcing(Bushing{.body_A = "arm", .body_B = "block", .X_BG = planar_pose(Vec2::Zero(), NAN)},
              "rotation on the second body[2] must be finite"),
      forcing(PointForce{arm, {two, {Signal{}}}, {}},
              "formula 'x + y' has 2 variables, but 1 signals"),
      forcing(Torque{.body = "arm", .torque = {Expression(NAN), {}}}, "formula must be finite"),
      forcing(JointForce{{"mesh", 0}, {}}, "joint 'mesh' has 0 coordinates"),
      forcing(JointForce{{"pin", -1}, {}}, "joint 'pin' has 1 coordinates, number 0 was asked for"),
      forcing(Motor{{"pin", 0}, 1, 0, {}}, "no-load speed must be positive"),
      forcing(TableForce{{"pin"}, {SignalKind::joint_position, "pin", 7}, ramp},
              "joint 'pin' has 1 coordinates, number 8 was asked for"),
      forcing(TableForce{{"pin"}, {SignalKind::body_x, "none"}, ramp}, "there is no body 'none'"),
      forcing(TableForce{{"pin"}, {}, {}}, "a table needs 2 points or more"),
      forcing(OneWayClutch{JointCoordinate{"pin"}, 0}, "direction must be 1 or -1, is 0"),
      forcing(OneWayClutch{JointCoordinate{"pin"}, 1, -1}, "capacity must be positive"),
      forcing(PreloadedSpring{.on = JointCoordinate{"pin"}, .preload = -1}, "preload"),
      forcing(PreloadedSpring{.on = std::array{arm, none}}, "there is no body 'none'"),
  });
}

TEST(Misuse, OfContactsEventsAndOptionsOfAModelIsRefused) {
  using M = Model;
  const std::string_view names[] = {"x"};
  const Expression x = parse_expression("x", names);
  const auto point = [](const char* name, const char* body, double at) {
    return [=](M& m) { m.output.points = {{.name = name, .at = {body, Vec3(at, 0, 0)}}}; };
  };
  expect_refused({
      assembling([](M& m) { m.bodies[2].shapes.clear(); },
                 "contact 'hit': there is no shape 'block.face'"),
      assembling([](M& m) { m.contacts[0].A[0].body = "none"; }, "there is no shape 'none.floor'"),
      assembling([](M& m) { m.contacts[0].A.clear(); }, "contact 'hit': one of its sides names"),
      assembling([](M& m) { m.contacts[0].A = m.contacts[0].B; }, "both sides are the same body"),
      assembling([](M& m) { m.contacts[0].law = "none"; }, "contact 'hit': there is no law 'none'"),
      assembling([](M& m) { std::get<ContactLaw>(m.laws[0].law).restitution = 2; },
                 "law 'hard': restitution must lie in [0, 1]"),
      assembling([](M& m) { m.events[0].actions[0].item = "none"; },
                 "event 'off': there is no force 'none'"),
      assembling([](M& m) { m.events[0].when = NAN; }, "event 'off': time must be finite, is nan"),
      assembling(
          [&](M& m) {
            m.events[0].when = SignalExpression{x, {}};
          },
          "event 'off': formula 'x' has 1 variables, but 0 signals"),
      assembling(point("tip", "none", 0), "point 'tip': there is no body 'none'"),
      assembling(point("tip", "arm", NAN), "point 'tip': point of body 'arm'[0] must be finite"),
      assembling(point("", "arm", 0), "a point has no name"),
      assembling([](M& m) { m.simulation.until = NAN; }, "simulation: until"),
      assembling([](M& m) { m.simulation.coordinates = static_cast<Coordinates>(7); },
                 "simulation: coordinates must lie in [0, 1], is 7"),
      assembling([](M& m) { m.space = static_cast<ModelSpace>(7); }, "space must lie in [0, 1]"),
      assembling([](M& m) { m.simulation.initial_penetration = -1; },
                 "simulation: initial_penetration must be zero or positive"),
      assembling([](M& m) { m.output.every = -1; }, "output: every must be zero or positive"),
  });
}

/// A System of two positions that does nothing.
class Empty : public System {
 public:
  explicit Empty(const std::function<void(SystemInfo&)>& change) : System(info_with(change)) {}
  void mass(const Configuration&, MatrixRef M) const override { M.setIdentity(); }
  void force(const Configuration&, const Vector&, VectorRef h) const override { h.setZero(); }

 private:
  static SystemInfo info_with(const std::function<void(SystemInfo&)>& change) {
    SystemInfo info{.name = "empty", .positions = 2, .velocities = 2};
    info.contacts = {{"touch", {}, 0}};
    change(info);
    return info;
  }
};

TEST(Misuse, OfASystemInfoIsRefused) {
  const auto making = [](const std::function<void(SystemInfo&)>& change,
                         const std::string& complaint) {
    return Misuse{[=] { Empty system(change); }, complaint};
  };
  using I = SystemInfo;
  expect_refused({
      making([](I& i) { i.velocities = 0; }, "number of velocities"),
      making([](I& i) { i.positions = 1; }, "number of positions"),
      making([](I& i) { i.length = NAN; }, "length must be positive"),
      making([](I& i) { i.angular = {true}; }, "marks of angular velocities must have size 2"),
      making([](I& i) { i.velocity_origins.resize(1); }, "velocity origins must have size 2"),
      making([](I& i) { i.contacts[0].name = ""; }, "a contact has no name"),
      making([](I& i) { i.contacts.push_back(i.contacts[0]); }, "two contacts are called 'touch'"),
      making([](I& i) { i.contacts[0].tangents = 3; }, "number of tangents"),
      making([](I& i) { i.contacts[0].unit = static_cast<GapUnit>(7); }, "unit of the gap"),
      making([](I& i) { i.contacts[0].law.restitution = NAN; }, "contact 'touch': restitution"),
      making(
          [](I& i) {
            i.mass_blocks = {{0, 1}};
          },
          "velocities of all mass blocks"),
      making([](I& i) { i.relays = {{.name = "r", .law = static_cast<RelayLaw>(7)}}; },
             "dry friction 'r': law must lie in [0, 2], is 7"),
      making([](I& i) { i.events = {{.name = "e", .time = NAN}}; }, "event 'e': time"),
      making(
          [](I& i) {
            i.events = {{.name = "e", .turns = {{3, true}}}};
          },
          "number of a switch"),
  });
}

TEST(Misuse, OfStatesThatDoNotFitIsRefused) {
  const SliderCrank crank;
  const State start = slider_crank_start(crank);
  const auto with = [&](const std::function<void(State&)>& change, const std::string& complaint) {
    State state = start;
    change(state);
    return Misuse{[&crank, state] { validate(state, crank.info()); }, complaint};
  };
  expect_refused({
      {[&] { configuration(crank, 0, Vector::Zero(1)); }, "must have size 3, has 1"},
      {[&] {
         configuration(crank, {0, start.q, start.u, Vector::Zero(2)});
       },
       "memory of the state"},
      {[&] {
         energy_ledger(crank, {0, start.q, Vector::Zero(1), {}});
       },
       "velocities of the state"},
      {[&] { initial_state(crank, NAN, start.q, start.u); }, "initial time must be finite, is nan"},
      with([](State& s) { s.t = INFINITY; }, "time of the state must be finite, is inf"),
      with([](State& s) { s.q[1] = NAN; }, "position of the state [1] must be finite, is nan"),
      with([](State& s) { s.u[2] = NAN; }, "velocity of the state [2] must be finite, is nan"),
      with([](State& s) { s.z[5] = NAN; }, "memory of the state [5] must be finite, is nan"),
      with(
          [](State& s) {
            s.contacts = {{.key = {9, 0}}};
          },
          "number of the pair must lie in"),
      with([](State& s) { s.contacts = {{.state = static_cast<ContactState>(9)}}; }, "state"),
      with([](State& s) { s.contacts = {{.impulse = {NAN}}}; }, "a number is not finite"),
      with(
          [](State& s) {
            s.contacts = {{.key = {1, 0}}, {.key = {0, 0}}};
          },
          "ascending order"),
      with([](State& s) { s.z.resize(3); }, "memory of the state must have size"),
  });
  EXPECT_NO_THROW(validate(State{0, start.q, start.u, {}}, crank.info()));
}

}  // namespace
}  // namespace backlash

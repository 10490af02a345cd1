// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <box2d/box2d.h>

/// The slider-crank of paper 001 in Box2D, for comparison of the time a step takes: crank, rod and
/// slider with revolute joints, and the guide as two fixed boxes. Lengths are in millimetres, since
/// Box2D's own tolerances are fixed numbers (0.005) that must be small beside the play of 1 mm.
namespace backlash::benchmarks {

class SliderCrankBox2d {
 public:
  explicit SliderCrankBox2d(double step) : world_({0, -9810}), step_(static_cast<float>(step)) {
    world_.SetAllowSleeping(false);
    b2BodyDef fixed;
    b2Body* ground = world_.CreateBody(&fixed);
    crank_ = add_body(0, 0.038f, 7.4e-5f, 153 / 2.f, 150, 0);
    rod_ = add_body(153, 0.038f, 5.9e-4f, 306 / 2.f, -75, 150 * 153);
    slider_ = add_body(459, 0.076f, 2.7e-6f, 0, 0, 150 * 153 - 75 * 306);
    connect(ground, {0, 0}, crank_);
    connect(crank_, {153, 0}, rod_);
    connect(rod_, {306, 0}, slider_);
    add_box(slider_, {0, 0}, 50, 25);
    add_box(ground, {300, 26 + 50}, 400, 50);   // upper side of the guide
    add_box(ground, {300, -26 - 50}, 400, 50);  // lower side
  }

  void step() { world_.Step(step_, 8, 3); }

  double crank_angle() const { return crank_->GetAngle(); }                 ///< [rad]
  double slider_height() const { return slider_->GetPosition().y * 1e-3; }  ///< [m]

 private:
  /// A body along the x axis whose frame is at x; inertia about the centre of mass in kg m².
  b2Body* add_body(float x, float mass, float inertia, float centre, float turning, float v_y) {
    b2BodyDef definition;
    definition.type = b2_dynamicBody;
    definition.position.Set(x, 0);
    definition.angularVelocity = turning;
    b2Body* body = world_.CreateBody(&definition);
    b2MassData data;
    data.mass = mass;
    data.center.Set(centre, 0);
    data.I = inertia * 1e6f + mass * centre * centre;  // about the frame's origin
    body->SetMassData(&data);
    body->SetLinearVelocity({0, v_y + turning * centre});
    masses_[count_++] = {body, data};
    return body;
  }

  void connect(b2Body* a, const b2Vec2& at, b2Body* b) {
    b2RevoluteJointDef definition;
    definition.bodyA = a;
    definition.bodyB = b;
    definition.localAnchorA = at;
    definition.localAnchorB.SetZero();
    world_.CreateJoint(&definition);
  }

  void add_box(b2Body* body, const b2Vec2& centre, float half_length, float half_width) {
    b2PolygonShape box;
    box.SetAsBox(half_length, half_width, centre, 0);
    b2FixtureDef fixture;
    fixture.shape = &box;
    fixture.friction = 0.01f;
    fixture.restitution = 0.4f;
    fixture.density = 0;
    body->CreateFixture(&fixture);
    for (int i = 0; i < count_; ++i)  // a new fixture resets the mass
      if (masses_[i].body == body) body->SetMassData(&masses_[i].data);
  }

  struct Mass {
    b2Body* body;
    b2MassData data;
  };

  b2World world_;
  float step_;
  b2Body *crank_ = nullptr, *rod_ = nullptr, *slider_ = nullptr;
  Mass masses_[3]{};
  int count_ = 0;
};

}  // namespace backlash::benchmarks

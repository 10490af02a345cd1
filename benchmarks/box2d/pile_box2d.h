// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <box2d/box2d.h>

#include "support/piles.h"

/// A pile of bodies in Box2D, for comparison of the time that it takes. Lengths are in units of
/// which Box2D's own tolerance, 0.005, is a thousandth of a body of 50 mm.
namespace backlash::benchmarks {

struct PileInBox2d {
  test::PileBodies pile;
  bool boxes = false;
  double friction = 0, restitution = 0;
};

class PileBox2d {
 public:
  explicit PileBox2d(const PileInBox2d& all) : world_({0, length(-9.81)}) {
    world_.SetAllowSleeping(false);
    b2BodyDef fixed;
    b2Body* ground = world_.CreateBody(&fixed);
    const float width = length(all.pile.width), high = length(1000);
    add_wall(all, ground, {0, 0}, {width, 0});
    add_wall(all, ground, {0, high}, {0, 0});
    add_wall(all, ground, {width, 0}, {width, high});
    for (const test::PileBody& body : all.pile.list) add_body(all, body);
  }

  void step(double step) { world_.Step(static_cast<float>(step), 8, 3); }

  /// The deepest overlap, of the shapes without the skins that Box2D gives polygons and edges [m].
  double penetration() const {
    float deepest = 0;
    for (const b2Contact* contact = world_.GetContactList(); contact;
         contact = contact->GetNext()) {
      if (!contact->IsTouching()) continue;
      const float skins = skin(*contact->GetFixtureA()) + skin(*contact->GetFixtureB());
      b2WorldManifold manifold;
      contact->GetWorldManifold(&manifold);
      for (int i = 0; i < contact->GetManifold()->pointCount; ++i)
        deepest = std::max(deepest, -manifold.separations[i] - skins);
    }
    return deepest / units;
  }

 private:
  static float skin(const b2Fixture& fixture) {
    return fixture.GetType() == b2Shape::e_circle ? 0 : fixture.GetShape()->m_radius;
  }

  static constexpr float units = 100;  // in a metre
  static float length(double metres) { return static_cast<float>(metres) * units; }

  static b2FixtureDef fixture_of(const PileInBox2d& all, const b2Shape& shape) {
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.friction = static_cast<float>(all.friction);
    fixture.restitution = static_cast<float>(all.restitution);
    fixture.density = 1;
    return fixture;
  }

  static void add_wall(const PileInBox2d& all, b2Body* ground, const b2Vec2& from,
                       const b2Vec2& to) {
    b2EdgeShape edge;
    edge.SetTwoSided(from, to);
    const b2FixtureDef fixture = fixture_of(all, edge);
    ground->CreateFixture(&fixture);
  }

  void add_body(const PileInBox2d& all, const test::PileBody& body) {
    b2BodyDef definition;
    definition.type = b2_dynamicBody;
    definition.position.Set(length(body.x), length(body.y));
    definition.angle = static_cast<float>(body.angle);
    definition.linearVelocity.Set(length(body.v_x), length(body.v_y));
    b2Body* const made = world_.CreateBody(&definition);
    b2CircleShape disc;
    disc.m_radius = length(body.radius);
    b2PolygonShape box;
    box.SetAsBox(length(body.edges[0] / 2), length(body.edges[1] / 2));
    const b2FixtureDef fixture = all.boxes ? fixture_of(all, box) : fixture_of(all, disc);
    made->CreateFixture(&fixture);
  }

  b2World world_;
};

}  // namespace backlash::benchmarks

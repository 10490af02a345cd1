// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backlash/base/plane.h"
#include "backlash/scene/scene_items.h"

namespace backlash::scene_items {
namespace {

SceneClearance clearance_of(const RevoluteClearance& c, const JointKind&) {
  return {.kind = SceneClearance::Kind::journal, .gap = c.gap, .radius = c.journal_radius};
}

SceneClearance clearance_of(const PrismaticClearance& c, const JointKind&) {
  return {.kind = SceneClearance::Kind::slider,
          .gap = c.gap,
          .length = c.length,
          .width = c.width,
          .from = c.guide_from,
          .to = c.guide_to};
}

SceneClearance clearance_of(const ToothClearance& c, const JointKind& kind) {
  const auto* gear = std::get_if<Gear>(&kind);
  const auto* rack = std::get_if<Rack>(&kind);
  const auto* coupling = std::get_if<Coupling>(&kind);
  return {.kind = SceneClearance::Kind::teeth,
          .gap = c.gap,
          .ratio = gear       ? gear->ratio
                   : rack     ? rack->radius
                   : coupling ? coupling->ratio
                              : 0};
}

/// The points and the angle that the kind has.
template <class Kind>
void add_places(const Kind& kind, SceneJoint& joint) {
  if constexpr (requires { kind.p_AP; }) {
    joint.p.p_B = kind.p_AP;
    joint.q.p_B = kind.p_BQ;
  }
  if constexpr (requires { kind.rotation; }) joint.angle = kind.rotation.z();
}
void add_places(const Gear& gear, SceneJoint& joint) {
  joint.first = gear.first;
  joint.second = gear.second;
}
void add_places(const Rack& rack, SceneJoint& joint) {
  joint.first = rack.pinion;
  joint.second = rack.rack;
}

void add_places(const Coupling& coupling, SceneJoint& joint) {
  joint.first = coupling.first;
  joint.second = coupling.second;
}

/// The slider of a guide with play, where the body has no shape of its own.
void add_slider(const SceneJoint& joint, Scene& scene) {
  const bool has_shape = std::ranges::any_of(scene.outlines, [&](const SceneOutline& outline) {
    return outline.body == joint.q.body && !outline.is_link();
  });
  if (has_shape) return;
  const Vec2 along = rotated(-joint.angle, in_plane(joint.axis));
  const Vec2 a = 0.5 * joint.clearance->length * along,
             b = 0.5 * joint.clearance->width * left_of(along);
  SceneOutline box{.name = joint.name, .body = joint.q.body, .closed = true, .filled = true};
  for (const Vec2& corner : {Vec2(-a - b), Vec2(a - b), Vec2(a + b), Vec2(b - a)})
    box.points.emplace_back(joint.q.p_B + in_space(corner));
  scene.outlines.push_back(std::move(box));
}

}  // namespace

void add_joints(const Model& model, Scene& scene) {
  for (const Joint& joint : model.joints) {
    SceneJoint made{.name = joint.name,
                    .symbol = joint_info(joint.kind).symbol,
                    .p = {.body = index_of(scene, joint.body_A)},
                    .q = {.body = index_of(scene, joint.body_B)},
                    .driven = joint.drive.has_value()};
    std::visit([&](const auto& kind) { add_places(kind, made); }, joint.kind);
    if (const Vec3* axis = sliding_axis(joint.kind)) made.axis = *axis;
    if (joint.limits && (made.slides() || made.symbol == JointSymbol::pin)) {
      made.lower = joint.limits->lower;
      made.upper = joint.limits->upper;
    }
    if (joint.clearance)
      made.clearance =
          std::visit([&](const auto& c) { return clearance_of(c, joint.kind); }, *joint.clearance);
    if (made.clearance && made.clearance->kind == SceneClearance::Kind::slider)
      add_slider(made, scene);
    scene.joints.push_back(std::move(made));
  }
}

}  // namespace backlash::scene_items

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "backlash/base/types.h"
#include "backlash/dynamics/gap_unit.h"
#include "backlash/dynamics/origin.h"
#include "backlash/model/joint_info.h"

/// What a mechanism looks like, as plain data: all that pictures and reports need besides the poses
/// of the bodies. Results hold it, so that they are drawn without their model.
namespace backlash {

/// Of its stored form; grows when a reader of the old form would misread the new one.
inline constexpr int scene_version = 1;

/// The ground, where a body is asked for by its index.
inline constexpr int ground_body = -1;

/// A point that moves with a body.
struct ScenePoint {
  int body = ground_body;   ///< index into Scene::bodies
  Vec3 p_B = Vec3::Zero();  ///< in the body's frame [m]
  bool operator==(const ScenePoint&) const = default;
};

struct SceneBody {
  std::string name{};
  Vec3 com = Vec3::Zero();  ///< centre of mass, in the body's frame [m]
  std::string colour{};     ///< "#0072b2"
  bool operator==(const SceneBody&) const = default;
};

enum class OutlineKind {
  polyline,
  arc,        ///< of a circle, in the body's x-y plane
  half_plane  ///< all that lies behind a straight edge without ends
};

/// A curve that moves with a body, in the body's frame [m].
struct SceneOutline {
  std::string name{};  ///< of the shape; empty: a bar or plate through the points that hold a body
  int body = ground_body;
  OutlineKind kind = OutlineKind::polyline;
  std::vector<Vec3> points{};  ///< along it; of an arc its centre, of a half-plane one on its edge
  bool closed = false;         ///< the last point is joined to the first
  bool filled = false;         ///< the material lies inside
  double radius = 0;           ///< of an arc [m]
  double from = 0, to = 0;     ///< of an arc, counter-clockwise [rad]
  Vec3 normal = Vec3::Zero();  ///< of a half-plane: unit, out of the material
  bool operator==(const SceneOutline&) const = default;

  bool is_link() const { return name.empty(); }
};

/// Play of a joint.
struct SceneClearance {
  enum class Kind { journal, slider, teeth };
  Kind kind = Kind::journal;
  double gap = 0;                          ///< as the model has it [m], of gears [rad]
  double radius = 0;                       ///< of a journal [m]
  double length = 0, width = 0;            ///< of a slider [m]
  double from = -INFINITY, to = INFINITY;  ///< of its guide, from P along the axis [m]
  double ratio = 0;                        ///< of teeth: second coordinate per first [-] or [m]
  bool operator==(const SceneClearance&) const = default;
};

/// A joint between P of its first body and Q of its second.
struct SceneJoint {
  std::string name{};
  JointSymbol symbol = JointSymbol::none;
  ScenePoint p{}, q{};
  Vec3 axis = Vec3::Zero();                    ///< unit, of the first body; zero: does not slide
  double angle = 0;                            ///< of a slider's B against A, kept [rad]
  double lower = -INFINITY, upper = INFINITY;  ///< stops along the axis, from P [m], or of B's
                                               ///< angle against A [rad]
  bool driven = false;
  std::string first{}, second{};  ///< joints that a gear or rack couples
  std::optional<SceneClearance> clearance{};
  bool operator==(const SceneJoint&) const = default;

  bool is_coupling() const { return !first.empty(); }
  bool slides() const { return !axis.isZero(); }
};

enum class ForceShape {
  spring,        ///< from p to q
  damper,        ///< from p to q
  axial_spring,  ///< along the axis of a joint, from p to q
  axial_force,   ///< along the axis of a joint, at q
  spiral,        ///< turns elastically, at q
  turn,          ///< a torque, at q
  arrow,         ///< a force, at q
  bushing        ///< at q
};

struct SceneForce {
  std::string name{};
  ForceShape shape = ForceShape::spring;
  ScenePoint p{}, q{};
  Vec3 direction = Vec3::Zero();  ///< of an arrow, when there is a force first, or an axis; zero:
                                  ///< not known
  int axes = ground_body;         ///< body whose axes the direction has
  bool operator==(const SceneForce&) const = default;
};

/// The item of the model that contacts come from: a pair of shapes, a clearance, a stop. Names of
/// contacts are the item's, or begin with it and a point.
struct SceneContact {
  std::string item{};
  Origin::Kind kind = Origin::Kind::none;
  GapUnit unit = GapUnit::metre;
  double play = 0;  ///< clearance of the joint; 0: none
  bool operator==(const SceneContact&) const = default;
};

/// A point of the model's output.
struct SceneMark {
  std::string name{};
  ScenePoint at{};
  bool operator==(const SceneMark&) const = default;
};

struct Scene {
  std::string title{};
  std::vector<SceneBody> bodies{};  ///< in the order of SystemInfo::bodies
  std::vector<SceneOutline> outlines{};
  std::vector<SceneJoint> joints{};
  std::vector<SceneForce> forces{};
  std::vector<SceneContact> contacts{};
  std::vector<SceneMark> marks{};
  bool operator==(const Scene&) const = default;

  bool empty() const { return bodies.empty(); }
};

/// "guide.3" comes from the item "guide". Null if the scene knows no such item.
const SceneContact* find_origin(const Scene& scene, std::string_view contact);
const SceneJoint* find_joint(const Scene& scene, std::string_view name);

/// Names of the enumerators, as stored, in their order.
inline constexpr std::string_view outline_kinds[]{"polyline", "arc", "half_plane"};
inline constexpr std::string_view clearance_kinds[]{"journal", "slider", "teeth"};
inline constexpr std::string_view force_shapes[]{"spring", "damper", "axial_spring", "axial_force",
                                                 "spiral", "turn",   "arrow",        "bushing"};
inline constexpr std::string_view joint_symbols[]{"none",          "pin", "slide",   "weld",
                                                  "slide_and_pin", "rod", "coupling"};
inline constexpr std::string_view origin_kinds[]{
    "none",        "body",        "joint",     "drive",        "friction",
    "lower_limit", "upper_limit", "clearance", "contact_pair", "force"};

}  // namespace backlash

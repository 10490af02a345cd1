// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/outputs.h"

#include <cmath>

#include <fmt/format.h>

#include "backlash/dynamics/kernel/moving_frame.h"

namespace backlash::planar {
namespace {

/// All that the quantities of one joint are computed from.
struct OutputWriter {
  const Parts& parts;
  const SystemInfo& info;
  const OutputContext& context;
  const Motion& motion;
  const JointPart& joint;
  int number;  ///< of the joint
  const EmitOutput& emit_;

  void emit(const char* quantity, const char* unit, double value) const {
    emit_(joint.name, quantity, unit, value);
  }
};

void write_reaction(const OutputWriter& t, const Screw& reaction) {
  using Reaction = JointPart::Reaction;
  if (t.joint.reaction == Reaction::full) {
    t.emit("fx", "N", reaction.x);
    t.emit("fy", "N", reaction.y);
    t.emit("torque", "N m", reaction.turn);
  }
  if (t.joint.reaction == Reaction::torque) t.emit("torque", "N m", reaction.turn);
  if (t.joint.reaction == Reaction::force) t.emit("force", "N", reaction.turn);
}

void write_coordinates(const OutputWriter& t) {
  constexpr const char* positions[] = {"q", "q1", "q2", "q3"};
  constexpr const char* rates[] = {"u", "u1", "u2", "u3"};
  const std::vector<Coordinate>& all = t.joint.coordinates;
  const std::size_t first = all.size() == 1 ? 0 : 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool turns = all[i].kind == Coordinate::Kind::angle;
    t.emit(positions[first + i], turns ? "rad" : "m", value(all[i], t.motion));
    t.emit(rates[first + i], turns ? "rad/s" : "m/s", rate(all[i], t.motion));
  }
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

void write_play(const OutputWriter&, const std::monostate&) {}

/// (theory 6.7)
void write_play(const OutputWriter& t, const JournalPlay& play) {
  const Placement A = t.motion.placement(t.joint.a);
  const Vec2 q_W = t.motion.placement(t.joint.b).point(t.joint.p_BQ);
  const Vec2 e = A.local_point(q_W) - play.p_AP;
  t.emit("ex", "m", e.x());
  t.emit("ey", "m", e.y());
  t.emit("eccentricity", "m", e.norm());
  t.emit("eccentricity_ratio", "-", ratio(e.norm(), play.gap));
  t.emit("contact_angle", "rad", std::atan2(e.y(), e.x()));
}

/// Counts the contacts that touch, on each side of a guide.
struct Touching {
  int left = 0, right = 0;

  void add(double side) {
    left += side > 0;
    right += side < 0;
  }
  GuideScenario scenario() const {
    if (left > 0 && right > 0) return GuideScenario::two_opposite;
    if (left + right > 1) return GuideScenario::two_adjacent;
    return left + right == 1 ? GuideScenario::one_corner : GuideScenario::none;
  }
};

/// (theory 6.8). Those touch that pushed in the last step, or are closer than a hundredth of the
/// play, for time stepping lets a contact that lasts bounce by less.
void write_play(const OutputWriter& t, const GuidePlay& play) {
  constexpr const char* names[] = {"gap1", "gap2", "gap3", "gap4"};
  const LastStep& last = t.context.last;
  t.emit("offset", "m", value(play.across, t.motion));
  t.emit("tilt", "rad", value(play.tilt, t.motion));
  Touching touching;
  std::size_t number = 0;
  for (std::size_t i = 0; i < t.parts.contacts.size(); ++i) {
    const Element<ContactKind>& contact = t.parts.contacts[i];
    if (contact.owner != t.number) continue;
    const bool pushes = last.find_force({.pair = static_cast<int>(i)}) != nullptr;
    const double near = 0.01 * play.gap;
    if (const auto* corner = std::get_if<CornerInGuide>(&contact.kind)) {
      const SideDistance distance = distance_to_side(*corner, t.motion);
      t.emit(names[number++], "-", ratio(distance.depth, play.gap));
      if (pushes || (distance.beside && distance.depth < near)) touching.add(corner->side);
    } else if (const auto* end = std::get_if<GuideEndOnSlider>(&contact.kind)) {
      if (pushes || touch(contact.kind, t.motion, near)) touching.add(end->side);
    }
  }
  t.emit("scenario", "-", static_cast<double>(touching.scenario()));
}

/// (theory 6.9)
void write_play(const OutputWriter& t, const ToothPlay& play) {
  const bool turns = play.coupling.second.kind == Coordinate::Kind::angle;
  const double x = value(play.coupling, t.motion);
  t.emit("play", turns ? "rad" : "m", x);
  t.emit("play_ratio", "-", ratio(x, play.gap));
}

}  // namespace

void write_outputs(const Parts& parts, const SystemInfo& info, const OutputContext& context,
                   const EmitOutput& emit) {
  const MovingFrame frame(parts.tree, context.c, context.u, MovingFrame::Depth::velocities);
  Arena::Frame scratch(context.last.middle.scratch);
  const std::span<Screw> reactions = scratch.list<Screw>(static_cast<int>(parts.joints.size()));
  write_reactions(parts, context.last, reactions);
  for (std::size_t i = 0; i < parts.joints.size(); ++i) {
    const JointPart& joint = parts.joints[i];
    const OutputWriter writer{parts, info, context, frame.motion(), joint, static_cast<int>(i),
                              emit};
    write_coordinates(writer);
    write_reaction(writer, reactions[i]);
    std::visit([&](const auto& play) { write_play(writer, play); }, joint.play);
  }
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    emit(info.switches[i].name, "active", "-", context.c.switches[static_cast<Eigen::Index>(i)]);
}

}  // namespace backlash::planar

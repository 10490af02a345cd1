// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/outputs.h"

#include <cmath>

#include "backlash/dynamics/kernel/moving_frame.h"

namespace backlash {
namespace {

/// All that the quantities of one joint are computed from.
template <class S>
struct OutputWriter {
  const Parts<S>& parts;
  const OutputContext& context;
  const Motion<S>& motion;
  const JointOutput<S>& joint;
  int number;  ///< of the joint
  const EmitOutput& emit_;

  void emit(const char* quantity, const char* unit, double value) const {
    emit_({joint.name, Origin::Kind::joint}, quantity, unit, value);
  }
};

void write_components(const OutputWriter<Plane>& t, const Wrench<Plane>& reaction) {
  t.emit("fx", "N", reaction.linear.x());
  t.emit("fy", "N", reaction.linear.y());
  t.emit("torque", "N m", reaction.angular);
}
void write_components(const OutputWriter<Space>& t, const Wrench<Space>& reaction) {
  constexpr const char* forces[] = {"fx", "fy", "fz"};
  constexpr const char* torques[] = {"tx", "ty", "tz"};
  for (int i = 0; i < 3; ++i) t.emit(forces[i], "N", reaction.linear[i]);
  for (int i = 0; i < 3; ++i) t.emit(torques[i], "N m", reaction.angular[i]);
}

template <class S>
void write_reaction(const OutputWriter<S>& t, const Wrench<S>& reaction) {
  if (t.joint.reaction == ReactionKind::full) write_components(t, reaction);
  if (t.joint.reaction == ReactionKind::torque) t.emit("torque", "N m", reaction.linear.x());
  if (t.joint.reaction == ReactionKind::force) t.emit("force", "N", reaction.linear.x());
  if (t.joint.reaction == ReactionKind::tension) t.emit("tension", "N", -reaction.linear.x());
}

template <class S>
void write_coordinates(const OutputWriter<S>& t) {
  constexpr const char* positions[] = {"q", "q1", "q2", "q3", "q4", "q5", "q6"};
  constexpr const char* rates[] = {"u", "u1", "u2", "u3", "u4", "u5", "u6"};
  const std::vector<Coordinate<S>>& all = t.joint.coordinates;
  const std::size_t first = all.size() == 1 ? 0 : 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool angle = all[i].kind == Coordinate<S>::Kind::angle;
    t.emit(positions[first + i], angle ? "rad" : "m", value(all[i], t.motion));
    t.emit(rates[first + i], angle ? "rad/s" : "m/s", rate(all[i], t.motion));
  }
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

template <class S>
void write_play(const OutputWriter<S>&, const std::monostate&) {}

/// (theory 6.11)
void write_play(const OutputWriter<Plane>& t, const JournalPlay& play) {
  const PlainVec2 q_W = t.motion.pose(t.joint.b).point(t.joint.p_BQ);
  const PlainVec2 e = t.motion.pose(t.joint.a).local_point(q_W) - play.p_AP;
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

/// (theory 6.12). Those touch that pushed in the last step, or are closer than a hundredth of the
/// play, for time stepping lets a contact that lasts bounce by less.
void write_play(const OutputWriter<Plane>& t, const GuidePlay& play) {
  constexpr const char* names[] = {"gap1", "gap2", "gap3", "gap4"};
  const LastStep& last = t.context.last;
  t.emit("offset", "m", value(play.across, t.motion));
  t.emit("tilt", "rad", value(play.tilt, t.motion));
  Touching touching;
  std::size_t number = 0;
  for (std::size_t i = 0; i < t.parts.contacts.size(); ++i) {
    const Element<ContactKind<Plane>>& contact = t.parts.contacts[i];
    if (contact.owner != t.number) continue;
    const bool pushes = last.find_force({.pair = static_cast<int>(i)}) != nullptr;
    const double near = 0.01 * play.gap;
    if (const auto* corner = std::get_if<CornerInGuide>(&contact.kind)) {
      const SideDistance distance = distance_to_side(*corner, t.motion);
      t.emit(names[number++], "-", ratio(distance.depth, play.gap));
      if (pushes || (distance.beside && distance.depth < near)) touching.add(corner->side);
    } else if (const auto* end = std::get_if<GuideEndOnSlider>(&contact.kind)) {
      if (pushes || touch(*end, t.motion, near)) touching.add(end->side);
    }
  }
  t.emit("scenario", "-", static_cast<double>(touching.scenario()));
}

/// (theory 6.13)
template <class S>
void write_play(const OutputWriter<S>& t, const ToothPlay<S>& play) {
  const bool angle = play.coupling.second.kind == Coordinate<S>::Kind::angle;
  const double x = value(play.coupling, t.motion);
  t.emit("play", angle ? "rad" : "m", x);
  t.emit("play_ratio", "-", ratio(x, play.gap));
}

}  // namespace

template <class S>
void write_outputs(const Parts<S>& parts, const SystemInfo& info, const OutputContext& context,
                   const EmitOutput& emit) {
  const MovingFrame<S> frame(parts.tree, context.c, context.u, MovingFrame<S>::Depth::velocities);
  Arena::Frame scratch(context.last.middle.scratch);
  const std::span<Wrench<S>> reactions =
      scratch.list<Wrench<S>>(static_cast<int>(parts.joints.size()));
  write_reactions(parts, context.last, reactions);
  for (std::size_t i = 0; i < parts.joints.size(); ++i) {
    const JointOutput<S>& joint = parts.joints[i];
    const OutputWriter<S> writer{parts, context, frame.motion(), joint, static_cast<int>(i), emit};
    write_coordinates(writer);
    write_reaction(writer, reactions[i]);
    std::visit([&](const auto& play) { write_play(writer, play); }, joint.play);
  }
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    emit({info.switches[i].name, Origin::Kind::force}, "active", "-",
         context.c.switches[static_cast<Eigen::Index>(i)]);
}

template void write_outputs(const Parts<Plane>&, const SystemInfo&, const OutputContext&,
                            const EmitOutput&);
template void write_outputs(const Parts<Space>&, const SystemInfo&, const OutputContext&,
                            const EmitOutput&);

}  // namespace backlash

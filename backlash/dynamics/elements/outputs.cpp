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
  OutputSink& sink;

  void emit(const char* quantity, const char* unit, double value) const {
    sink.put({joint.name, joint.kind}, quantity, unit, value);
  }
};

/// Of a component of a reaction: its name in results, "fx" say, and what impacts gave of it.
struct Component {
  const char *name, *impact;
};
constexpr Component forces[] = {{"fx", "impact_fx"}, {"fy", "impact_fy"}, {"fz", "impact_fz"}};
constexpr Component torques[] = {{"tx", "impact_tx"}, {"ty", "impact_ty"}, {"tz", "impact_tz"}};
constexpr Component torque{"torque", "impact_torque"};
constexpr Component force{"force", "impact_force"};
constexpr Component tension{"tension", "impact_tension"};

/// Where things are of a joint's reaction.
template <class S>
struct JointReaction {
  const double *mean, *impact, *peak;

  JointReaction(const IntervalReactions& all, int joint) {
    const Eigen::Index first = joint * reaction_size(S::dimension).all();
    mean = all.mean.data() + first;
    impact = all.impact.data() + first;
    peak = all.peak.data() + 2 * joint;
  }
};

/// A force and a torque: means, peaks, impulses of impacts.
template <class S>
void write_components(const OutputWriter<S>& t, const JointReaction<S>& r) {
  const auto [n, m] = reaction_size(S::dimension);
  const Component* angular = S::dimension == 2 ? &torque : torques;
  for (Eigen::Index i = 0; i < n; ++i) t.emit(forces[i].name, "N", r.mean[i]);
  for (Eigen::Index i = 0; i < m; ++i) t.emit(angular[i].name, "N m", r.mean[n + i]);
  t.emit("peak_force", "N", r.peak[0]);
  t.emit("peak_torque", "N m", r.peak[1]);
  for (Eigen::Index i = 0; i < n; ++i) t.emit(forces[i].impact, "N s", r.impact[i]);
  for (Eigen::Index i = 0; i < m; ++i) t.emit(angular[i].impact, "N m s", r.impact[n + i]);
}

template <class S>
void write_reaction(const OutputWriter<S>& t) {
  const JointReaction<S> r(t.context.reactions, t.number);
  const auto write_one = [&](const Component& component, const char* peak, const char* unit,
                             const char* impulse, double sign) {
    t.emit(component.name, unit, sign * r.mean[0]);
    t.emit(peak, unit, r.peak[0]);
    t.emit(component.impact, impulse, sign * r.impact[0]);
  };
  switch (t.joint.reaction) {
    case ReactionKind::none:
      return;
    case ReactionKind::full:
      return write_components(t, r);
    case ReactionKind::torque:
      return write_one(torque, "peak_torque", "N m", "N m s", 1);
    case ReactionKind::force:
      return write_one(force, "peak_force", "N", "N s", 1);
    case ReactionKind::tension:
      return write_one(tension, "peak_tension", "N", "N s", -1);
    case ReactionKind::drive_torque:
      return t.emit("drive_torque", "N m", r.mean[0]);
    case ReactionKind::drive_force:
      return t.emit("drive_force", "N", r.mean[0]);
  }
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

template <class Emit>
void write_load(const Wrench<Plane>& load, const Emit& emit) {
  emit("fx", "N", load.linear.x());
  emit("fy", "N", load.linear.y());
  emit("torque", "N m", load.angular);
}
template <class Emit>
void write_load(const Wrench<Space>& load, const Emit& emit) {
  for (int i = 0; i < 3; ++i) emit(forces[i].name, "N", load.linear[i]);
  for (int i = 0; i < 3; ++i) emit(torques[i].name, "N m", load.angular[i]);
}

/// A force in h: along its coordinate, or on its second body in the world's axes, as it is now.
template <class S>
void write_force(const Parts<S>& parts, const ForceOutput& output, const OutputContext& context,
                 const Motion<S>& motion, OutputSink& sink) {
  const auto emit = [&](const char* quantity, const char* unit, double value) {
    sink.put({output.name, Origin::Kind::force}, quantity, unit, value);
  };
  using Kind = typename Coordinate<S>::Kind;
  const Element<ForceKind<S>>& element = parts.forces[at(output.element)];
  const bool on = element.on(context.c);
  const double t = context.c.t;
  const Coordinate<S>* coordinate = coordinate_of(element.kind);
  if (!coordinate) return write_load(on ? point_load(element.kind, motion, t) : Wrench<S>{}, emit);
  const double along = on ? output.factor * strength(element.kind, motion, t) : 0;
  if (coordinate->kind == Kind::angle) return emit("torque", "N m", along);
  if (coordinate->kind == Kind::displacement) return emit("force", "N", along);
  emit("tension", "N", 0 - along);  // without a negative zero
  emit("length", "m", value(*coordinate, motion));
}

/// What the channel of a switch is called.
const char* quantity_of(const SwitchInfo& item) {
  if (item.kind == Origin::Kind::drive) return "driven";
  if (item.kind == Origin::Kind::joint) return "locked";
  return item.number ? "value" : "active";
}

}  // namespace

template <class S>
void write_outputs(const Parts<S>& parts, const SystemInfo& info, const OutputContext& context,
                   OutputSink& sink) {
  const MovingFrame<S> frame(parts.tree, context.c, context.u, MovingFrame<S>::Depth::velocities);
  for (std::size_t i = 0; i < parts.joints.size(); ++i) {
    const JointOutput<S>& joint = parts.joints[i];
    const OutputWriter<S> writer{parts, context, frame.motion(), joint, static_cast<int>(i), sink};
    write_coordinates(writer);
    write_reaction(writer);
    std::visit([&](const auto& play) { write_play(writer, play); }, joint.play);
  }
  for (const ForceOutput& output : parts.force_outputs)
    write_force(parts, output, context, frame.motion(), sink);
  for (std::size_t i = 0; i < info.switches.size(); ++i) {
    const SwitchInfo& item = info.switches[i];
    if (item.name.empty()) continue;
    sink.put({item.name, item.kind}, quantity_of(item), "-",
             context.c.switches[static_cast<Eigen::Index>(i)]);
  }
}

template void write_outputs(const Parts<Plane>&, const SystemInfo&, const OutputContext&,
                            OutputSink&);
template void write_outputs(const Parts<Space>&, const SystemInfo&, const OutputContext&,
                            OutputSink&);

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/contact_watch.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace backlash {
namespace {

using Kind = ModeChange::Kind;

/// Where f, with f(a) ≤ 0 < f(b) or the other way round, changes its sign: the end of the last
/// bracket on the side of b. False position with Illinois' weights, and bisection where it is slow.
template <class Function>
double first_beyond(Function f, double a, double fa, double b, double fb) {
  const bool positive = fb > 0;
  for (int k = 0; k < 200; ++k) {
    const double middle = a + (b - a) / 2;
    if (!(middle > a && middle < b)) return b;
    double t = k % 4 == 3 || fa == fb ? middle : b - fb * (b - a) / (fb - fa);
    if (!(t > a && t < b)) t = middle;
    const double ft = f(t);
    if ((ft > 0) == positive) {
      b = t;
      fb = ft;
      fa *= 0.5;
    } else {
      a = t;
      fa = ft;
      fb *= 0.5;
    }
    if (ft != 0) continue;
    const double next = std::nextafter(t, b);  // what jumps is zero before, too
    if ((f(next) > 0) == positive) return next;
  }
  return b;
}

/// A gap over a step as Hermite's cubic: values and rates at its ends.
struct GapCubic {
  double t0, t1, g0, g1, r0, r1;

  double value(double s) const {
    const double r = 1 - s, h = t1 - t0;
    return r * r * (1 + 2 * s) * g0 + s * s * (1 + 2 * r) * g1 + h * s * r * (r * r0 - s * r1);
  }
  /// Where it has its least (sign 1) or largest (−1) value inside of the step, if it has one.
  std::optional<double> extremum(double sign) const {
    const double h = t1 - t0;
    const double c = h * r0, b = 3 * (g1 - g0) - h * (2 * r0 + r1),
                 a = 2 * (g0 - g1) + h * (r0 + r1);
    const double d = b * b - 3 * a * c;  // of 3as² + 2bs + c = 0
    if (!(d >= 0)) return std::nullopt;
    const double root = std::sqrt(d), q = -(b + std::copysign(root, b));
    for (const double s : {q / (3 * a), c / q})
      if (s > 0 && s < 1 && sign * (3 * a * s + b) > 0) return t0 + s * h;
    return std::nullopt;
  }
};

/// Looks for what happens first to the contacts of a step.
class Watch {
 public:
  explicit Watch(const WatchedStep& step)
      : step_(step), dynamics_(step.dynamics), start_(step.start), end_(step.end) {}

  void find_all(std::vector<ModeChange>& changes) {
    auto contact = dynamics_.in_force().begin();  // both are in the order of the keys
    const auto last = dynamics_.in_force().end();
    for (std::size_t i = 0; i < end_.frames.size(); ++i) {
      const ContactKey& key = end_.frames[i].key;
      for (; contact != last && contact->key < key; ++contact)
        find_changes_of(*contact, at_start(contact->key, i), motion(contact->key, end_.t), changes);
      if (contact != last && contact->key == key)
        find_changes_of(*contact++, at_start(key, i), end_.motion(i), changes);
      else
        find_onset(key, at_start(key, i), end_.motion(i), changes);
    }
    for (; contact != last; ++contact)
      find_changes_of(*contact, at_start(contact->key, 0), motion(contact->key, end_.t), changes);
  }

 private:
  void find_onset(const ContactKey& key, const ContactMotion& from, const ContactMotion& to,
                  std::vector<ModeChange>& changes) {
    if (std::isinf(from.gap)) {
      if (to.gap < 0) find_appearance(key, to, changes);
    } else if (const std::optional<double> t = onset(key, from, to)) {
      changes.push_back({.kind = Kind::onset, .t = *t, .key = key});
    }
  }

  /// Of a contact that overlaps and was nowhere at the start: it came from beside, or it is the
  /// place of another that has moved on, and closed under another name.
  void find_appearance(const ContactKey& key, const ContactMotion& to,
                       std::vector<ModeChange>& changes) {
    double before = start_.t, since = end_.t, gap = to.gap;
    for (int k = 0; k < 60; ++k) {
      const double middle = before + (since - before) / 2;
      if (!(middle > before && middle < since)) break;
      const double there = motion(key, middle).gap;
      (std::isinf(there) ? before : since) = middle;
      if (!std::isinf(there)) gap = there;
    }
    if (gap > 0) since = closing(key, since, gap, end_.t, to.gap);
    const double earlier = start_.t + (before - start_.t) / 2;
    if (gap > 0 || !(earlier > start_.t) || !overlaps_unnoticed(before))
      changes.push_back({.kind = Kind::onset, .t = since, .key = key});
    else
      changes.push_back({.kind = Kind::unclear, .t = earlier, .key = key});
  }

  /// Whether some contact overlaps at t that is not in force.
  bool overlaps_unnoticed(double t) {
    interpolate(step_.stepper, t, step_.scratch);
    dynamics_.sample_contacts(t, step_.scratch.data(), 0, step_.inside);
    return std::ranges::any_of(step_.inside.frames, [&](const ContactFrame& frame) {
      return frame.gap < 0 && !dynamics_.find(frame.key);
    });
  }

  void find_changes_of(const ContactInForce& contact, const ContactMotion& from,
                       const ContactMotion& to, std::vector<ModeChange>& changes) {
    const ContactKey& key = contact.key;
    const ContactMode& mode = contact.mode;
    const auto add = [&](Kind kind, std::optional<double> t) {
      if (t) changes.push_back({.kind = kind, .t = *t, .key = key});
    };
    add(Kind::release, release(key, from, to));
    const NormalForce& law = contact.info->compliant->normal;
    const auto margin = [&](const ContactMotion& m) {
      return clamp_margin(law, -m.gap, -m.gamma[0], mode.entry_rate);
    };
    if (to.gap < 0 && (margin(to) < 0) != mode.clamped)
      add(mode.clamped ? Kind::unclamp : Kind::clamp, crossing(key, from, to, margin));
    if (const auto depth = kink_depth(law)) {
      const auto beyond = [&](const ContactMotion& m) { return -m.gap - *depth; };
      if ((beyond(from) > 0) != (beyond(to) > 0) && from.gap < 0)
        add(Kind::kink, crossing(key, from, to, beyond));
    }
  }

  ContactMotion motion(const ContactKey& key, double t) {
    interpolate(step_.stepper, t, step_.scratch);
    return dynamics_.contact_motion(t, step_.scratch.data(), key);
  }

  ContactMotion at_start(const ContactKey& key, std::size_t guess) {
    const std::size_t i = start_.find(key, guess);
    return i < start_.frames.size() ? start_.motion(i) : motion(key, start_.t);
  }

  template <class Measure>
  double crossing(const ContactKey& key, const ContactMotion& from, const ContactMotion& to,
                  Measure measure) {
    const double a = measure(from), b = measure(to);
    if ((a > 0) == (b > 0)) return start_.t;  // it has been so since the start
    return first_beyond([&](double t) { return measure(motion(key, t)); }, start_.t, a, end_.t, b);
  }

  /// When the gap becomes negative, between two times where it is not and where it is.
  double closing(const ContactKey& key, double a, double ga, double b, double gb) {
    return first_beyond([&](double t) { return -motion(key, t).gap; }, a, -ga, b, -gb);
  }

  GapCubic cubic(const ContactMotion& from, const ContactMotion& to) const {
    return {start_.t, end_.t, from.gap, to.gap, from.gamma[0], to.gamma[0]};
  }

  std::optional<double> onset(const ContactKey& key, const ContactMotion& from,
                              const ContactMotion& to) {
    if (from.gap > 0 && to.gap < 0) return closing(key, start_.t, from.gap, end_.t, to.gap);
    if (from.gap > 0) {  // perhaps in between
      if (!(from.gamma[0] < 0 && to.gamma[0] > 0)) return std::nullopt;
      const auto lowest = cubic(from, to).extremum(1);
      if (!lowest) return std::nullopt;
      const double gap = motion(key, *lowest).gap;
      if (!(gap < 0)) return std::nullopt;
      return closing(key, start_.t, from.gap, *lowest, gap);
    }
    if (!(to.gap < 0)) return std::nullopt;
    // Just parted, and back again.
    const auto highest = cubic(from, to).extremum(-1);
    const double gap = highest ? motion(key, *highest).gap : 0;
    if (!(gap > 0)) return start_.t;
    return closing(key, *highest, gap, end_.t, to.gap);
  }

  std::optional<double> release(const ContactKey& key, const ContactMotion& from,
                                const ContactMotion& to) {
    if (!(to.gap > 0 && to.gamma[0] > 0) && !std::isinf(to.gap)) return std::nullopt;
    double t = start_.t, gap = from.gap;
    if (!(gap < 0)) {  // just met
      const auto lowest = cubic(from, to).extremum(1);
      if (!lowest) return end_.t;
      t = *lowest;
      gap = motion(key, t).gap;
      if (!(gap < 0)) return end_.t;
    }
    return first_beyond([&](double now) { return motion(key, now).gap; }, t, gap, end_.t, to.gap);
  }

  const WatchedStep& step_;
  SmoothDynamics& dynamics_;
  const ContactSample &start_, &end_;
};

/// Events whose time has come.
void find_events(const WatchedStep& step, std::vector<ModeChange>& changes) {
  const std::vector<EventInfo>& events = step.dynamics.system().info().events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::optional<double>& time = events[i].time;
    if (time && step.start.t < *time && step.end.t >= *time)
      changes.push_back({.kind = Kind::event, .t = *time, .event = static_cast<int>(i)});
  }
}

}  // namespace

void find_first_changes(const WatchedStep& step, std::vector<ModeChange>& changes) {
  Watch(step).find_all(changes);
  find_events(step, changes);
  if (changes.empty()) return;
  const double first = std::min_element(changes.begin(), changes.end(), [](auto& a, auto& b) {
                         return a.t < b.t;
                       })->t;
  std::erase_if(changes, [&](const ModeChange& change) { return change.t > first; });
}

void find_changes_at_end(const WatchedStep& step, std::vector<ModeChange>& changes) {
  const SmoothDynamics& dynamics = step.dynamics;
  const ContactSample& end = step.end;
  const auto add = [&](Kind kind, const ContactKey& key) {
    changes.push_back({.kind = kind, .t = end.t, .key = key});
  };
  for (const ContactInForce& contact : dynamics.in_force()) {
    const std::size_t i = end.find(contact.key);
    if (i == end.frames.size() || (end.frames[i].gap > 0 && end.velocities[i][0] > 0))
      add(Kind::release, contact.key);
  }
  for (const ContactFrame& frame : end.frames)
    if (frame.gap < 0 && !dynamics.find(frame.key)) add(Kind::onset, frame.key);
  find_events(step, changes);
}

double find_crossing(const std::function<double(double)>& f, double a, double fa, double b,
                     double fb) {
  return first_beyond(f, a, fa, b, fb);
}

}  // namespace backlash

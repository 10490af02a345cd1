// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/moreau/automatic_steps.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "backlash/base/input_error.h"
#include "backlash/integrators/moreau/equal_steps.h"
#include "backlash/integrators/moreau/workspace.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

constexpr double safety = 0.9;
constexpr double most_bend = 0.25;  ///< of a path in its play, see Workspace::bend
constexpr double slack = 1.5;  ///< by which a step in which bodies meet may be longer than wanted

/// Where two bodies meet in a step that was tried.
struct Closing {
  double after = INFINITY;    ///< the start of the step [s]
  double longest = INFINITY;  ///< that a step may be in which they meet [s]
};

/// What becomes of a step that was tried.
struct StepVerdict {
  bool accepted = true;
  double retry = 0;  ///< length of the next try, of one that is not accepted [s]
};

double tolerance(const Moreau::Workspace& work) {
  return work.options.step_tolerance * work.system.info().length;
}

/// What the step does wrong to the positions, as a part of the tolerance (theory 4.16): from the
/// change of acceleration since the last one, which must have been smooth. Writes the acceleration.
double smooth_error(Moreau::Workspace& work, const State& state, double step) {
  const SystemInfo& info = work.system.info();
  const MoreauMemory& memory = work.own_memory;
  const double last = memory.smooth_step(state.z);
  const auto before = memory.smooth_acceleration(state.z);
  double largest = 0;
  for (Index i = 0; i < work.u_end.size(); ++i) {
    work.mean_acceleration[i] = (work.u_end[i] - state.u[i]) / step;
    const bool angular = at(i) < info.angular.size() && info.angular[at(i)];
    const double change = std::abs(work.mean_acceleration[i] - before[i]);
    largest = std::max(largest, angular ? change * info.length : change);
  }
  const double bent = std::pow(work.bend / most_bend, 1.5);  // as a cube of the step, too
  const double known = std::max(bent, work.state_error);
  if (last == 0) return known;
  const double jerk = largest / (0.5 * (step + last));
  return std::max(known, jerk * step * step * step / 12 / tolerance(work));
}

/// How long a step may be in which a contact closes at that speed, while forces accelerate it
/// (theory 4.17).
double longest_with(const Moreau::Workspace& work, const ContactInfo& contact, double speed,
                    double acceleration) {
  const double deep = closing_tolerance(work, contact);
  const bool bounces = speed * speed > 2 * acceleration * deep;  // else it touches down
  const double by_forces = bounces ? deep / (acceleration * work.regular_step) : INFINITY;
  const double in_half = std::sqrt(8 * deep / acceleration);  // what they do in half of it
  return std::max(min_step(work.options), std::min({by_forces, in_half, 2 * deep / speed}));
}

/// Of the contacts that have closed at the middle of the step the first that the step is too long
/// for.
void find_closing_at_middle(Moreau::Workspace& work, double step, Closing& first) {
  const double slowest = slowest_closing(work);
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    const ActiveContact& contact = work.active[k];
    const double speed = -work.gamma_before[contact.first];
    if (contact.lasts() || !(speed > slowest) || !pushes(work, contact)) continue;
    work.met = true;
    const double longest = longest_with(work, *contact.info, speed, contact.by_forces / step);
    const double after = 0.5 * step + work.frames[k].gap / speed;
    if (step > slack * longest && after < first.after) first = {after, longest};
  }
}

/// Which of the contacts of the step has pushed, by its key.
std::optional<std::size_t> find_pushed(const Moreau::Workspace& work, const ContactKey& key) {
  const auto at = std::ranges::lower_bound(work.frames, key, {}, &ContactFrame::key);
  if (at == work.frames.end() || at->key != key) return {};
  const auto k = static_cast<std::size_t>(at - work.frames.begin());
  return pushes(work, work.active[k]) ? std::optional(k) : std::nullopt;
}

/// How long before the end of the step a contact closed there whose gap was a parabola.
double closed_for(double gap, double gamma, double acceleration) {
  const double root = std::sqrt(std::max(0.0, gamma * gamma - 2 * acceleration * gap));
  return 2 * gap / (gamma - root);
}

/// γ at the start of the step, to first order, of a contact that is apart there.
double start_velocity(Moreau::Workspace& work, const State& state, const ContactKey& key,
                      double otherwise) {
  ContactFrame frame;
  ContactVelocity gamma{};
  if (!work.system.follow_contact(work.middle, key, state.contacts, frame)) return otherwise;
  work.system.write_contact_velocities(work.middle, state.u, {&frame, 1}, {&gamma, 1});
  return gamma[0];
}

/// The same of contacts that have closed at its end and were not met; their gap was a parabola. The
/// next step must be short if one is left closed.
void find_closing_at_end(Moreau::Workspace& work, const State& state, double step, Closing& first) {
  const System& system = work.system;
  work.end.t = work.t_end;
  work.end.q = work.q_end;
  system.configure(work.end);
  work.deep.clear();
  system.find_contacts(work.end, 0, state.contacts, work.deep);
  work.deep_velocities.resize(work.deep.size());
  system.write_contact_velocities(work.end, work.u_end, work.deep, work.deep_velocities);
  for (std::size_t k = 0; k < work.deep.size(); ++k) {
    const double gap = work.deep[k].gap, gamma = work.deep_velocities[k][0];
    if (gamma >= 0) continue;
    const ContactInfo& contact = system.info().contacts[at(work.deep[k].key.pair)];
    const double deep = closing_tolerance(work, contact);
    double after = 0, longest = 0;
    if (const std::optional<std::size_t> pushed = find_pushed(work, work.deep[k].key)) {
      // What is not foreseen: its normal has jumped, or turns too much in such a step.
      const double beyond = gap - foreseen_gap(work, *pushed);
      if (beyond > -deep) continue;
      longest = longest_with(work, contact, -gamma, 0);
      after = step - beyond / gamma;
    } else {
      const double change = gamma - start_velocity(work, state, work.deep[k].key, gamma);
      longest = longest_with(work, contact, -gamma, std::abs(change) / step);
      work.next_longest = std::min(work.next_longest, longest);
      if (-gap <= deep) continue;
      after = step - closed_for(gap, gamma, change / step);
    }
    if (step > slack * longest && after < first.after) first = {after, longest};
  }
}

/// Whether a contact that pushed ends where its step did not foresee it: it has come to another
/// part of its outline, an edge say, on which its path turns otherwise. Needs `end` at q_E.
bool any_off_path(Moreau::Workspace& work, const State& state) {
  const auto is_off = [&](std::size_t k) {
    const ActiveContact& contact = work.active[k];
    if (!contact.lasts() || contact.info->play > 0 || !pushes(work, contact)) return false;
    const double foreseen = foreseen_gap(work, k), most = closing_tolerance(work, *contact.info);
    ContactFrame frame;
    if (work.system.follow_contact(work.end, work.frames[k].key, state.contacts, frame))
      return std::abs(frame.gap - foreseen) > most;
    work.deep.clear();
    work.system.find_contacts(work.end, foreseen + most, state.contacts, work.deep);
    return std::ranges::none_of(work.deep, [&](const ContactFrame& other) {
      return other.key.pair == work.frames[k].key.pair && other.gap > foreseen - most;
    });
  };
  for (std::size_t k = 0; k < work.active.size(); ++k)
    if (is_off(k)) return true;
  return false;
}

/// The next try, so that bodies meet in the middle of a step that is short: either this one or,
/// if it would be too long, the one behind it.
double retry_before(const Closing& closing, double step) {
  constexpr double beyond = 1.02;  // so that the contact is closed in the middle
  const double aligned = 2 * beyond * std::max(0.0, closing.after);
  const double length = aligned <= slack * closing.longest
                            ? std::max(aligned, 0.2 * closing.longest)
                            : closing.after - 0.5 * closing.longest;
  return std::min(length, 0.9 * step);
}

/// Counts steps in a row that could have been so many times as long as the regular one.
void count_calm(const Moreau::Workspace& work, double times, double step, double& count) {
  const double ratio = times * work.regular_step / step;
  count = work.error * ratio * ratio * ratio < safety ? count + 1 : 0;
}

/// Twice as long if many steps could have been four times as long, or a good part of all steps so
/// far twice: seldom, for each change of length leaves an error of the energy (theory 4.16).
void lengthen_regular_step(Moreau::Workspace& work, State& state, double step) {
  constexpr double many = 100, good_part = 0.25;
  const MoreauMemory& memory = work.own_memory;
  double& judged = memory.judged_steps(state.z);
  double& calm = memory.calm_steps(state.z);
  double& calmer = memory.calmer_steps(state.z);
  if (memory.regular_step(state.z) != work.regular_step) calm = calmer = 0;
  count_calm(work, 2, step, calm);
  count_calm(work, 4, step, calmer);
  ++judged;
  const bool longer = calmer >= many || calm >= std::max(many, good_part * judged);
  if (!longer || 2 * work.regular_step > work.options.max_step) return;
  work.regular_step *= 2;
  calm = calmer = 0;
}

/// What the first try of a step has for its length; before the first step of a run, which is to
/// show the acceleration, nothing is known.
double first_try(Moreau::Workspace& work, const State& state) {
  constexpr double of_longest = 1e-3;
  work.regular_step = work.own_memory.regular_step(state.z);
  work.t_closing = -INFINITY;
  if (work.regular_step > 0) return work.own_memory.next_length(state.z);
  work.regular_step = work.options.max_step;
  return of_longest * work.options.max_step;
}

/// Judges a step from `state` that has been tried and not been committed.
StepVerdict judge_step(Moreau::Workspace& work, const State& state, double step) {
  constexpr double late = 1e-3;  // of the regular step, that an event may come
  work.met = false;
  work.next_longest = INFINITY;
  Closing closing;
  find_closing_at_middle(work, step, closing);
  find_closing_at_end(work, state, step, closing);
  if (std::isfinite(closing.after)) {
    work.t_closing = state.t + closing.after;
    return {false, retry_before(closing, step)};
  }
  const double event = time_to_event(work, step), most = late * work.regular_step;
  if (step - event > most && step > most) return {false, std::max(event, 0.5 * most)};
  if (step > most && any_off_path(work, state)) return {false, std::max(0.5 * step, 0.5 * most)};
  work.error = smooth_error(work, state, step);
  if (work.met || work.error <= 1) return {};
  while (work.regular_step >= step) work.regular_step *= 0.5;
  return {false, work.regular_step};
}

/// What the next step needs, after one that was accepted.
void remember_step(Moreau::Workspace& work, State& state, double step) {
  constexpr double anew = 1.0 / 64;  // of the regular step, where nothing is known of its error
  constexpr double growth = 8;
  const MoreauMemory& memory = work.own_memory;
  const bool first = memory.regular_step(state.z) == 0;
  const bool smooth =
      !work.met && work.result.events.empty() && (first || step > 0.5 * anew * work.regular_step);
  if (smooth && memory.smooth_step(state.z) > 0) lengthen_regular_step(work, state, step);
  memory.regular_step(state.z) = work.regular_step;
  memory.smooth_step(state.z) = smooth ? step : 0;
  memory.smooth_acceleration(state.z) = work.mean_acceleration;
  double next = smooth ? std::min(growth * step, work.regular_step) : anew * work.regular_step;
  if (work.t_closing > state.t) next = std::min(next, 2.1 * (work.t_closing - state.t));
  memory.next_length(state.z) = std::min(next, work.next_longest);
}

}  // namespace

void validate_automatic(const MoreauOptions& options) {
  require_positive(options.step_tolerance, "step tolerance", "-");
  require_positive(options.max_step, "longest step", "s");
  require_in_range(options.min_step, 0, options.max_step, "shortest step", "s");
  if (options.scheme == Scheme::midpoint && options.contact_scheme == ContactScheme::lasting)
    return;
  throw InputError(
      "step: auto is for scheme: midpoint with contact_scheme: lasting; choose these, or give the "
      "step a length");
}

double min_step(const MoreauOptions& options) {
  return options.min_step > 0 ? options.min_step : options.step_tolerance * options.max_step;
}

double closing_tolerance(const Moreau::Workspace& work, const ContactInfo& contact) {
  constexpr double of_play = 1e-2;
  const double all =
      contact.unit == GapUnit::radian ? work.options.step_tolerance : tolerance(work);
  return contact.play > 0 ? std::min(all, of_play * contact.play) : all;
}

const StepResult& Moreau::step_automatically(State& state, const StepLimits& limits) {
  constexpr int most_tries = 100;
  Workspace& work = *work_;
  StepResult& result = work.result;
  double shortest = min_step(work.options);  // but for bodies that would pass through each other
  double length = first_try(work, state);
  result.rejected.clear();
  if (work.has_events) start_switching(work, std::max(length, shortest), state);
  for (int k = 0;; ++k) {
    const EqualSteps steps{std::max(length, shortest), state.t, 0};
    const PlannedStep next = next_step(work.system.info(), steps, state.t, limits.until);
    const bool last = next.length <= shortest || k == most_tries;
    work.may_be_shorter = !last;
    const bool done = try_step(state, next.length, next.t_end);
    const StepVerdict verdict =
        done ? judge_step(work, state, next.length)
             : StepVerdict{false, std::min(work.shorter_step, 0.25 * next.length)};
    result.warned = done && !verdict.accepted;
    if (verdict.accepted || (last && done)) {
      commit(state, next.length);
      remember_step(work, state, next.length);
      return result;
    }
    const bool too_fast = !done && result.status == StepStatus::would_pass;
    if (too_fast ? !(work.shorter_step < next.length) : last) return result;
    if (too_fast) shortest = std::min(shortest, verdict.retry);
    result.rejected.push_back(next.length);
    length = verdict.retry;
  }
}

}  // namespace backlash

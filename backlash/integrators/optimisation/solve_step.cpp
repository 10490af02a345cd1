// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/decompositions.h"
#include "backlash/integrators/optimisation/workspace.h"

/// One step of theory 12: without contacts by Newton's method, with them by the optimiser.
namespace backlash {
namespace {

using Index = Eigen::Index;
using Work = Optimisation::Workspace;

double tolerance_of_gaps(const Work& work) {
  return 1e-13 * std::max(1e-3, work.system.info().length);
}

bool is_closed(const ContactRecord& record) { return record.state != ContactState::open; }

/// Impulses of the rows as they were in the last step, over the length of this one.
void recall_impulses(const Work& work, const State& state, Vector& impulses) {
  const StepEquations& equations = work.equations;
  impulses.setZero(equations.rows());
  const double last = work.memory.last_step(state.z);
  if (last == 0) return;
  const double ratio = equations.length() / last;
  for (Index i = 0; i < equations.contacts(); ++i) {
    const Candidate& candidate = equations.candidates()[at(i)];
    const ContactRecord* record = find_record(state.contacts, candidate.key);
    if (!record || !lasts(record->state)) continue;
    impulses[i] = ratio * record->impulse[0];
    if (candidate.box >= 0)
      impulses[equations.first_box() + candidate.box] = ratio * record->impulse[1];
  }
  const auto standing = work.memory.impulses(state.z);
  for (Index i = 0; i < equations.bilaterals(); ++i)
    impulses[equations.first_bilateral() + i] = ratio * standing[i];
  for (Index k = 0; k < equations.boxes(); ++k)
    if (const int relay = equations.box_rows()[at(k)].relay; relay >= 0)
      impulses[equations.first_box() + k] = ratio * standing[work.memory.first_relay_row() + relay];
}

/// The motion without contacts, in which relays hold, or, where that cannot be (friction in a joint
/// that is driven), oppose the velocity at the start with all of their force.
bool solve_free(Work& work, const State& state) {
  const StepEquations& equations = work.equations;
  work.none.closed.assign(at(equations.contacts()), 0);
  work.none.boxes.assign(at(equations.boxes()), BoxMode::at_lower);
  bool any_relay = false;
  const auto solve = [&](const auto& mode_of) {
    work.free.u = state.u;
    recall_impulses(work, state, work.free.impulses);
    for (Index k = 0; k < equations.boxes(); ++k) {
      const BoxRow& row = equations.box_rows()[at(k)];
      if (row.relay < 0 || row.is_powerless()) continue;
      any_relay = true;
      work.none.boxes[at(k)] = mode_of(k);
    }
    return work.newton.solve(work.none, Vector::Zero(equations.rows()), work.free);
  };
  if (solve([](Index) { return BoxMode::between; })) return true;
  return any_relay && solve([&](Index k) {
           const Index row = equations.first_box() + k;
           return equations.directions().col(row).dot(state.u) < 0 ? BoxMode::at_upper
                                                                   : BoxMode::at_lower;
         });
}

/// What a motion would take through each other in the step (theory 12.15).
void note_passed(Work& work, const State& state, const Vector& u) {
  const double h = work.equations.length();
  const double travel = work.system.passing_travel(work.start, u, h);
  work.passed.clear();
  if (travel > 0)
    find_passed(work.system, {work.start, u, h, travel, state.contacts}, work.passing, work.passed);
}

/// Contacts that the free motion closes, those that pushed before, and others that are as near as
/// the deepest of them is deep. False if none is closed.
bool find_candidates(Work& work, const State& state) {
  work.frames.clear();
  work.system.find_contacts(work.equations.configuration(), 0, state.contacts, work.frames);
  double deepest = 0;
  for (const ContactFrame& frame : work.frames)
    deepest = std::max(deepest, -frame.gap - work.equations.overlap_of(frame.key));
  const bool always = std::ranges::any_of(work.frames, [&](const ContactFrame& frame) {
    return work.system.info().contacts[at(frame.key.pair)].always_closed;
  });
  if (deepest <= tolerance_of_gaps(work) && !always && work.passed.empty()) return false;
  work.frames.clear();
  work.system.find_contacts(work.equations.configuration(), 3 * deepest, state.contacts,
                            work.frames);
  for (const ContactFrame& frame : work.frames)
    work.equations.add_candidate(frame.key, frame.parameters);
  for (const ContactRecord& record : state.contacts)
    if (is_closed(record)) work.equations.add_candidate(record.key, record.parameters);
  for (const ContactKey& key : work.passed) work.equations.add_candidate(key);
  return true;
}

/// The motion without contacts, with the rows of the candidates.
void set_free_reference(Work& work) {
  const StepEquations& equations = work.equations;
  const Vector& free = work.free.impulses;
  work.reference.u = work.free.u;
  work.reference.impulses.setZero(equations.rows());
  work.reference.impulses.segment(equations.first_bilateral(), free.size()) = free;
}

/// The motion with the contacts that touched before and those that it would pass without them, from
/// the velocity that the step begins with: on the side where bodies are (theory 12.15).
bool solve_held(Work& work, const State& state) {
  const StepEquations& equations = work.equations;
  work.active.closed.assign(at(equations.contacts()), 0);
  work.active.boxes.assign(at(equations.boxes()), BoxMode::between);
  for (Index i = 0; i < equations.contacts(); ++i) {
    const Candidate& candidate = equations.candidates()[at(i)];
    const ContactRecord* record = find_record(state.contacts, candidate.key);
    const bool held = (record && is_closed(*record)) ||
                      std::ranges::find(work.passed, candidate.key) != work.passed.end();
    work.active.closed[at(i)] = held;
    if (!held && candidate.box >= 0) work.active.boxes[at(candidate.box)] = BoxMode::at_lower;
  }
  work.reference.u = state.u;
  recall_impulses(work, state, work.expected);
  work.reference.impulses = work.expected;
  return work.newton.solve_conditions(work.expected, work.active, work.reference);
}

/// Which conditions the point of the optimiser makes active: of each pair the larger one is not
/// zero.
void read_active_set(const Work& work, ActiveSet& active) {
  const std::vector<ComplementaryPair>& pairs = work.program.pairs();
  const auto contacts = at(work.equations.contacts());
  active.closed.resize(contacts);
  active.boxes.resize(at(work.equations.boxes()));
  const auto first_larger = [&](std::size_t i) {
    return work.x[pairs[i].first] > work.x[pairs[i].second];
  };
  for (std::size_t i = 0; i < contacts; ++i) active.closed[i] = first_larger(i);
  for (std::size_t k = 0; k < active.boxes.size(); ++k) {
    const bool above = first_larger(contacts + 2 * k), below = first_larger(contacts + 2 * k + 1);
    active.boxes[k] = above && below ? BoxMode::between
                      : above        ? BoxMode::at_upper
                                     : BoxMode::at_lower;
    const int candidate = work.equations.box_rows()[k].candidate;
    if (candidate >= 0 && !active.closed[at(candidate)]) active.boxes[k] = BoxMode::at_lower;
  }
}

/// When a gap closes that begins as g with the velocity γ and is g_end < 0 after h: along the
/// parabola of theory 12.12.
double closing_time(double g, double gamma, double g_end, double h) {
  const double slope = gamma * h, bend = g_end - g - slope;
  const double root = std::sqrt(std::max(0.0, slope * slope - 4 * bend * g));
  const double part = slope < 0 ? 2 * g / (root - slope) : (slope + root) / (-2 * bend);
  return h * std::min(part, 1.0);
}

/// The length after which the first of the bodies meet that are apart as the step begins and that
/// the motion with the impulses of the last step brings together, if a step may be so short; else
/// the longest.
double length_until_meeting(Work& work, const State& state, const FreeLength& length) {
  StepEquations& equations = work.equations;
  equations.evaluate(work.reference.u, work.impulses, StepEquations::Order::values);
  const Matrix& W = equations.directions();
  const Vector change =
      solve_symmetric(equations.mass(), W * (work.impulses - work.reference.impulses));
  double first = length.longest;
  for (Index i = 0; i < equations.contacts(); ++i) {
    const Candidate& candidate = equations.candidates()[at(i)];
    const ContactRecord* record = find_record(state.contacts, candidate.key);
    if (!candidate.placed || candidate.info->always_closed || (record && is_closed(*record)))
      continue;
    const double end = equations.values()[i] + length.longest * W.col(i).dot(change);
    ContactFrame before;
    if (end >= 0 ||
        !work.system.follow_contact(work.start, candidate.key, equations.followed(), before))
      continue;
    before.key = candidate.key;
    if (before.gap <= tolerance_of_gaps(work)) continue;
    ContactVelocity gamma{};
    work.system.write_contact_velocities(work.start, state.u, {&before, 1}, {&gamma, 1});
    first = std::min(first, closing_time(before.gap, gamma[0], end, length.longest));
  }
  return first < length.shortest ? length.longest : first;
}

/// Which contacts touched and what stuck in the last step, whose impulses are `expected`.
void recall_active_set(const Work& work, const State& state, ActiveSet& active) {
  constexpr double round_off = 1e-9;
  const StepEquations& equations = work.equations;
  active.closed.assign(at(equations.contacts()), 0);
  active.boxes.assign(at(equations.boxes()), BoxMode::between);
  const auto mode_of = [&](Index k) {
    const double impulse = work.expected[equations.first_box() + k];
    const double lower = equations.lower(k, work.expected),
                 upper = equations.upper(k, work.expected);
    const double slack = round_off * (upper - lower);
    return impulse >= upper - slack   ? BoxMode::at_upper
           : impulse <= lower + slack ? BoxMode::at_lower
                                      : BoxMode::between;
  };
  for (Index k = 0; k < equations.boxes(); ++k) active.boxes[at(k)] = mode_of(k);
  for (Index i = 0; i < equations.contacts(); ++i) {
    const Candidate& candidate = equations.candidates()[at(i)];
    const ContactRecord* record = find_record(state.contacts, candidate.key);
    active.closed[at(i)] = record && lasts(record->state);
    if (candidate.box < 0) continue;
    if (!active.closed[at(i)])
      active.boxes[at(candidate.box)] = BoxMode::at_lower;
    else if (record->state == ContactState::stick)
      active.boxes[at(candidate.box)] = BoxMode::between;
  }
}

/// The step in which the same contacts touch and stick as in the last one, if its conditions hold
/// (theory 12.18). It brings no bodies together that were apart, so a free step has its longest
/// length, too.
bool follow_active_set(Work& work, const State& state) {
  if (work.options.warm_start != WarmStart::active_set) return false;
  if (work.memory.last_step(state.z) == 0 || !work.passed.empty()) return false;
  recall_impulses(work, state, work.expected);
  recall_active_set(work, state, work.active);
  work.point = {state.u, work.expected};
  return work.newton.solve_unchanged(work.active, work.expected, work.point);
}

/// The optimiser on the candidates as they are, and Newton's method from where it ends.
bool optimise(Work& work, const State& state, FreeLength length) {
  recall_impulses(work, state, work.impulses);
  if (work.passed.empty()) {
    set_free_reference(work);
  } else if (!solve_held(work, state)) {
    work.point = work.reference;
    work.status = "bodies would pass through each other";
    return false;
  }
  if (work.memory.last_step(state.z) == 0 || !work.passed.empty())
    work.impulses = work.reference.impulses;
  if (length.is_free) {
    length.guess = length_until_meeting(work, state, length);
    length.is_free = length.guess < length.longest;
  }
  for (const bool warm : {true, false}) {
    work.equations.set_length(length.longest);
    work.program.begin(work.reference, work.impulses, length);
    work.x = work.program.start();
    const ProgramResult found =
        work.optimiser->solve(work.program,
                              {.relaxation = work.options.relaxation,
                               .tolerance = work.options.tolerance,
                               .max_iterations = work.options.max_iterations,
                               .warm = warm,
                               .free_length = length.is_free},
                              work.x);
    work.status = found.status;
    work.result.iterations += found.iterations;
    work.equations.set_length(work.program.length(work.x.data()));
    work.program.read(work.x.data(), work.point.u, work.point.impulses);
    read_active_set(work, work.active);
    recall_impulses(work, state, work.expected);
    if (work.newton.solve_conditions(work.expected, work.active, work.point)) return true;
  }
  return false;
}

/// Near singular positions of its loops a mechanism may go on in several ways, and an optimiser may
/// end on any of them. The one is taken that Newton's method finds from the velocity of the start,
/// if it changes velocities by less (theory 12.16).
void take_nearest_branch(Work& work, const State& state) {
  constexpr double less = 0.5;  // otherwise it is the same but for round-off
  StepEquations& equations = work.equations;
  if (equations.bilaterals() == 0) return;
  const auto change = [&](const StepPoint& point) {
    const Vector difference = point.u - state.u;
    return difference.dot(equations.mass() * difference);
  };
  const double found = change(work.point);
  StepPoint nearest{state.u, work.point.impulses};
  ActiveSet active = work.active;
  if (work.newton.solve_conditions(work.expected, active, nearest) &&
      change(nearest) < less * found) {
    work.point = nearest;
    work.active = active;
  } else {
    equations.evaluate(work.point.u, work.point.impulses, StepEquations::Order::derivatives);
  }
}

/// Contacts that were no candidates and that the step closes become some. False if there are none.
bool add_missed(Work& work, const State& state) {
  work.frames.clear();
  work.system.find_contacts(work.equations.configuration(), -tolerance_of_gaps(work),
                            state.contacts, work.frames);
  bool any = false;
  for (const ContactFrame& frame : work.frames)
    any = work.equations.add_candidate(frame.key, frame.parameters) || any;
  return any;
}

bool fail(Work& work, StepStatus status, std::string trouble) {
  work.result.status = status;
  work.result.trouble = std::move(trouble);
  return false;
}

}  // namespace

bool solve_step(Optimisation::Workspace& work, const State& state, double t_end,
                const FreeLength& length) {
  constexpr int most_rounds = 20;
  StepEquations& equations = work.equations;
  equations.begin(state, work.switches, t_end);
  equations.set_length(length.longest);
  work.newton.begin();
  const bool is_free = solve_free(work, state);
  if (!is_free)
    return fail(work, StepStatus::optimum_not_found,
                "Newton's method without contacts: " + work.newton.violated(work.none, work.free));
  note_passed(work, state, work.free.u);
  const bool touches = find_candidates(work, state);
  if (!touches && equations.boxes() == 0) {
    work.point = work.free;
    work.active = work.none;
    return true;
  }
  for (int round = 0; round < most_rounds; ++round) {
    equations.set_length(length.longest);
    const bool follows = follow_active_set(work, state);
    if (!follows && !optimise(work, state, length))
      return fail(work, StepStatus::optimum_not_found,
                  fmt::format("{}: {}; where it ended {}", name(work.options.optimiser),
                              work.status, work.newton.violated(work.active, work.point)));
    if (!follows) take_nearest_branch(work, state);
    if (add_missed(work, state)) continue;
    note_passed(work, state, work.point.u);
    if (work.passed.empty()) return true;
    return fail(
        work, StepStatus::optimum_not_found,
        fmt::format("{}: bodies pass through each other at '{}'", name(work.options.optimiser),
                    work.system.contact_name(work.passed.front())));
  }
  return fail(work, StepStatus::optimum_not_found, "contacts come and go");
}

}  // namespace backlash

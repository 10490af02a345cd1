// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/run/run_progress.h"

namespace backlash {
namespace {

void archive_state(Archive& a, State& state) {
  a(state.t, state.q, state.u, state.z, state.contacts, state.tracking);
}

void archive_summary(Archive& a, RunSummary& s) {
  a(s.status, s.steps, s.impacts, s.small_bounces, s.small_bounce_loss, s.largest_penetration,
    s.largest_angular_penetration, s.hardest, s.sequences, s.gaining, s.deepest, s.undetermined,
    s.worst_residual, s.solver_iterations, s.imprecise_steps, s.jammed_steps, s.singular_steps,
    s.rejected_steps, s.smallest_step, s.largest_step, s.fallback_steps, s.warned_steps,
    s.evaluations, s.t_stiff);
}

}  // namespace

void RunProgress::archive(Archive& a) {
  archive_state(a, state);
  archive_summary(a, summary);
  a(watch, works, overlaps, reach, activations, t_singular, tripped);
}

std::string save(const RunProgress& progress) {
  Archive archive;
  RunProgress copy = progress;
  archive(copy);
  return archive.bytes();
}

void restore(const std::string& bytes, const SystemInfo& info, RunProgress& progress) {
  Archive archive(bytes);
  archive(progress);
  archive.require_end();
  validate(progress.state, info);
}

}  // namespace backlash

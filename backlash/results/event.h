// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "backlash/integrators/impact_sequences.h"
#include "backlash/results/contact_directory.h"

namespace backlash {

enum class EventKind {
  impact,    ///< an open contact that approaches closes, and it is no small bounce
  release,   ///< a contact that pushed for more than one step opens
  stick,     ///< a sliding contact comes to rest
  slip,      ///< a sticking contact begins to slide
  switched,  ///< an event of the model
  stop,      ///< an event of the model that ends the run
  rest       ///< a contact begins to last: after its last bounce, or touching without an impact
};

std::string_view name(EventKind kind);

/// Something that happened at a contact, or an event of the model.
struct Event {
  /// [s]; of an impact: when the gap closed, between the middles of two steps; of an event of the
  /// model: when its condition became positive; else the middle of the step in which it began.
  double t = 0;
  EventKind kind = EventKind::impact;
  int contact = -1;      ///< as the ContactDirectory numbers them; −1: an event of the model
  int model_event = -1;  ///< index into SystemInfo::events, of an event of the model
  double gamma_n_before = 0, gamma_n_after = 0;  ///< [m/s]
  double impulse_n = 0;                          ///< in this step, see EventFinder [N s]
  double impulse_t = 0;    ///< along the first tangent; in space the size of both [N s]
  double energy_loss = 0;  ///< in this step, see EventFinder [J]
  ContactPoint point;
  GapUnit unit = GapUnit::metre;  ///< of the contact's gap: of an angle, [m/s] are [rad/s]

  void archive(Archive& a) {
    a(t, kind, contact, model_event, gamma_n_before, gamma_n_after, impulse_n, impulse_t);
    a(energy_loss, point.p_W, point.n_W, unit);
  }
};

/// Finds the events of the steps of a run. A `rest` has the impulses and the energy of the small
/// bounces before it (ImpactSequences), which are no events of their own. A contact that opens and
/// rests again, without an impact and without having been apart (theory 4.33), was not released:
/// neither is an event, so that a `release` is known only when the contact is apart.
class EventFinder {
 public:
  /// Adds the events of the step that led to `state` to those before it, in the order of times.
  void append(const System& system, const StepResult& result, const State& state,
              ContactDirectory& directory, std::vector<Event>& events);

  /// Adds the releases that no step has decided about: there are no more.
  void finish(std::vector<Event>& events);

  void archive(Archive& a) { a(sequences_, pending_); }

 private:
  /// A release that may turn out to be none.
  struct PendingRelease {
    ContactKey key{};
    Event event{};
    int steps = 0;  ///< since then

    void archive(Archive& a) { a(key, event, steps); }
  };

  std::optional<Event> take_pending(const ContactKey& key);
  /// Adds the releases of contacts that are apart by now.
  void append_releases(const System& system, const State& state, std::vector<Event>& events);

  ImpactSequences sequences_;
  std::vector<PendingRelease> pending_;
};

}  // namespace backlash

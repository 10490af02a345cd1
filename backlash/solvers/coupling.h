// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "backlash/base/arena.h"
#include "backlash/solvers/elimination_order.h"

/// Who is coupled to whom through what they share: contacts through velocities of bodies, bodies
/// through rows of contacts.
namespace backlash {

/// The members of each hub. Ends of a hub act on all its members; others are only acted upon.
struct Incidence {
  IndexLists members;            ///< of each hub
  std::span<const bool> is_end;  ///< of each entry of the lists
};

/// Lists the members of hubs that visit_all(visit) shows as visit(hub, member, is_end), members one
/// after the other and possibly several times.
template <class VisitAll>
Incidence list_members(Eigen::Index hubs, VisitAll visit_all, Arena::Frame& frame) {
  const std::span<Eigen::Index> first = frame.list<Eigen::Index>(hubs + 2);
  const std::span<int> last = frame.list<int>(hubs);  // member that was there last
  std::fill(first.begin(), first.end(), 0);
  std::fill(last.begin(), last.end(), -1);
  visit_all([&](int hub, int member, bool) {
    if (last[at(hub)] != member) ++first[at(hub + 2)];
    last[at(hub)] = member;
  });
  for (std::size_t h = 2; h < first.size(); ++h) first[h] += first[h - 1];
  const std::span<int> list = frame.list<int>(first.back());
  const std::span<bool> is_end = frame.list<bool>(first.back());
  std::fill(last.begin(), last.end(), -1);
  visit_all([&](int hub, int member, bool end) {
    Eigen::Index& next = first[at(hub + 1)];
    if (last[at(hub)] != member) {
      list[at(next)] = member;
      is_end[at(next++)] = end;
    }
    if (end) is_end[at(next - 1)] = true;
    last[at(hub)] = member;
  });
  return {{first.first(at(hubs + 1)), list}, is_end};
}

/// Of each of so many members the ends of all its hubs, but itself.
IndexLists connect_members(const Incidence& incidence, Eigen::Index members, Arena::Frame& frame);

/// The same as cliques: hubs with several ends; pairs from `graph` for members that are the only
/// end of a hub.
IndexLists cover_by_cliques(const Incidence& incidence, const IndexLists& graph,
                            Arena::Frame& frame);

}  // namespace backlash

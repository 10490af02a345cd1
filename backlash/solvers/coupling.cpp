// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/coupling.h"

#include <algorithm>

namespace backlash {
namespace {

using Index = Eigen::Index;

/// The hubs of each member.
IndexLists hubs_by_member(const Incidence& incidence, Index members, Arena::Frame& frame) {
  const std::span<Index> first = frame.list<Index>(members + 2);
  std::fill(first.begin(), first.end(), 0);
  for (const int member : incidence.members.entry) ++first[at(member + 2)];
  for (std::size_t k = 2; k < first.size(); ++k) first[k] += first[k - 1];
  const std::span<int> list = frame.list<int>(first.back());
  for (Index hub = 0; hub < incidence.members.size(); ++hub)
    for (const int member : incidence.members[hub])
      list[at(first[at(member + 1)]++)] = static_cast<int>(hub);
  return {first.first(at(members + 1)), list};
}

/// The only end of a hub, or −1.
int only_end(const Incidence& incidence, Index hub) {
  int end = -1;
  for (Index e = incidence.members.first[at(hub)]; e < incidence.members.first[at(hub + 1)]; ++e) {
    if (!incidence.is_end[at(e)]) continue;
    if (end >= 0) return -1;
    end = incidence.members.entry[at(e)];
  }
  return end;
}

}  // namespace

IndexLists connect_members(const Incidence& incidence, Index members, Arena::Frame& frame) {
  const IndexLists hubs = hubs_by_member(incidence, members, frame);
  const std::span<Index> first = frame.list<Index>(members + 1);
  const std::span<int> last = frame.list<int>(members);  // member that it was last an end for
  const auto visit_ends = [&](auto visit) {
    std::fill(last.begin(), last.end(), -1);
    for (int k = 0; k < static_cast<int>(members); ++k) {
      last[at(k)] = k;
      for (const int hub : hubs[k])
        for (Index e = incidence.members.first[at(hub)]; e < incidence.members.first[at(hub + 1)];
             ++e) {
          const int l = incidence.members.entry[at(e)];
          if (!incidence.is_end[at(e)] || last[at(l)] == k) continue;
          last[at(l)] = k;
          visit(k, l);
        }
    }
  };
  std::fill(first.begin(), first.end(), 0);
  visit_ends([&](int k, int) { ++first[at(k + 1)]; });
  for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
  const std::span<int> neighbour = frame.list<int>(first.back());
  std::size_t count = 0;
  visit_ends([&](int, int l) { neighbour[count++] = l; });
  return {first, neighbour};
}

IndexLists cover_by_cliques(const Incidence& incidence, const IndexLists& graph,
                            Arena::Frame& frame) {
  const std::span<bool> alone = frame.list<bool>(graph.size());
  std::fill(alone.begin(), alone.end(), false);
  const auto visit_cliques = [&](auto visit) {
    for (Index hub = 0; hub < incidence.members.size(); ++hub) {
      const std::span<const int> members = incidence.members[hub];
      if (members.size() < 2) continue;
      if (const int end = only_end(incidence, hub); end >= 0) {
        alone[at(end)] = true;
        continue;
      }
      if (hub == 0 || !std::ranges::equal(members, incidence.members[hub - 1])) visit(members);
    }
    for (int k = 0; k < static_cast<int>(graph.size()); ++k) {
      if (!alone[at(k)]) continue;
      for (const int l : graph[k])
        if (const int pair[2] = {k, l}; l > k || !alone[at(l)]) visit(std::span<const int>(pair));
    }
  };
  Index cliques = 0, entries = 0;
  visit_cliques([&](std::span<const int> members) {
    ++cliques;
    entries += static_cast<Index>(members.size());
  });
  const std::span<Index> first = frame.list<Index>(cliques + 1);
  const std::span<int> list = frame.list<int>(entries);
  first[0] = 0;
  std::size_t count = 0;
  visit_cliques([&](std::span<const int> members) {
    std::copy(members.begin(), members.end(), list.begin() + first[count]);
    first[count + 1] = first[count] + static_cast<Index>(members.size());
    ++count;
  });
  return {first, list};
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "backlash/integrators/moreau/workspace.h"
#include "backlash/solvers/automatic.h"

/// W, M⁻¹W and G of the rows of a set.
namespace backlash {
namespace {

using Index = Eigen::Index;
using Kind = RowGroup::Kind;

/// Calls function(first velocity, how many, where they are in a row of the group).
template <class Function>
void for_each_block(const Moreau::Workspace& work, const RowGroup& group, Function function) {
  Index offset = 0;
  for (const int b : listed(group.blocks)) {
    const MassBlock& block = work.blocks[at(b)];
    function(block.first, block.size, offset);
    offset += block.size;
  }
}

/// Takes one row of a group over from all velocities, whose entries become zero again.
void take_row(const Moreau::Workspace& work, const RowGroup& group, double* all, double* row) {
  for_each_block(work, group, [&](int first, int size, Index offset) {
    std::copy_n(all + first, size, row + offset);
    std::fill_n(all + first, size, 0.0);
  });
}

void give_row(const Moreau::Workspace& work, const RowGroup& group, const double* row,
              double* all) {
  for_each_block(work, group, [&](int first, int size, Index offset) {
    std::copy_n(row + offset, size, all + first);
  });
}

void clear_row(const Moreau::Workspace& work, const RowGroup& group, double* all) {
  for_each_block(work, group,
                 [&](int first, int size, Index) { std::fill_n(all + first, size, 0.0); });
}

void write_group(Moreau::Workspace& work, const Configuration& c,
                 std::span<const ContactFrame> frames, const RowGroup& group, RowSet& set) {
  const System& system = work.system;
  const Index n = system.info().velocities;
  double* all = work.full_rows.data();
  double w[3] = {};
  if (group.kind == Kind::bilateral) {
    w[0] = system.bilateral_row(c, group.number, VectorMap(all, n));
  } else if (group.kind == Kind::relay) {
    w[0] = system.relay_row(c, group.number, VectorMap(all, n), work.relay_strength[group.number]);
  } else {
    const ContactFrame& frame = frames[at(group.number)];
    const Index m = 1 + system.info().contacts[at(frame.key.pair)].tangents;
    system.write_contact_rows(c, frame, MatrixMap(all, n, m), VectorMap(w, m));
    if (group.rows < m) work.full_rows.middleCols(group.rows, m - group.rows).setZero();
  }
  for (int j = 0; j < group.rows; ++j) {
    take_row(work, group, all + j * n, set.W.data() + group.first_entry + j * group.velocities);
    set.w[group.first_row + j] = w[j];
  }
}

/// The same for rows over all velocities, in the order of the System.
void write_whole(Moreau::Workspace& work, const Configuration& c,
                 std::span<const ContactFrame> frames, RowSet& set) {
  const Island& island = set.islands.front();
  const Index nb = island.bilaterals, nr = island.relays;
  MatrixMap W(set.W.data(), work.u_free.size(), set.rows);
  W.setZero();
  set.w.setZero();
  if (nb > 0) work.system.bilateral_rows(c, W.leftCols(nb), set.w.head(nb));
  if (nr > 0)
    work.system.relay_rows(c, W.middleCols(nb, nr), set.w.segment(nb, nr), work.relay_strength);
  const ContactInfo* infos = work.system.info().contacts.data();
  for (std::size_t k = at(nb + nr); k < set.groups.size(); ++k) {
    const RowGroup& group = set.groups[k];
    const ContactFrame& frame = frames[at(group.number)];
    if (group.rows == 1 + infos[frame.key.pair].tangents)
      work.system.write_contact_rows(c, frame, W.middleCols(group.first_row, group.rows),
                                     set.w.segment(group.first_row, group.rows));
    else
      write_group(work, c, frames, group, set);
  }
}

/// An entry of G (theory 2.5) of rows over the same velocities.
double coupling(const RowSet& set, const RowGroup& a, int row_a, const RowGroup& b, int row_b) {
  const double* W = set.W.data() + a.first_entry + row_a * a.velocities;
  const double* mass_inverse_W = set.mass_inverse_W.data() + b.first_entry + row_b * b.velocities;
  double sum = 0;
  for (Index k = 0; k < a.velocities; ++k) sum += W[k] * mass_inverse_W[k];
  return sum;
}

/// Numbers the velocities that some groups act on, in their order. Returns how many there are.
Index place_blocks(Moreau::Workspace& work, std::span<const RowGroup> groups) {
  work.island_blocks.clear();
  for (const RowGroup& group : groups)
    for (const int b : listed(group.blocks)) work.island_blocks.push_back(b);
  std::sort(work.island_blocks.begin(), work.island_blocks.end());
  Index velocities = 0;
  int last = -1;
  for (const int b : work.island_blocks) {
    if (b == last) continue;
    work.place[at(b)] = velocities;
    velocities += work.blocks[at(b)].size;
    last = b;
  }
  return velocities;
}

/// Whether all rows act on one and the same mass block.
bool share_velocities(std::span<const RowGroup> groups) {
  return std::ranges::all_of(groups, [&](const RowGroup& group) {
    return group.first_velocity >= 0 && group.first_velocity == groups.front().first_velocity;
  });
}

/// G of rows over the same velocities, which lie one after the other.
void write_whole_matrix(const RowSet& set, std::span<const RowGroup> groups, MatrixBuffer& G) {
  const Index n = groups.front().velocities, rows = G.rows();
  const double* W = set.W.data() + groups.front().first_entry;
  const double* mass_inverse_W = set.mass_inverse_W.data() + groups.front().first_entry;
  double* entries = G.data();
  for (Index j = 0; j < rows; ++j)
    for (Index i = 0; i <= j; ++i)
      entries[i + rows * j] = entries[j + rows * i] = product(W + i * n, mass_inverse_W + j * n, n);
}

/// G of any rows: M⁻¹W of one of them at a time, over all velocities.
void write_sparse_matrix(Moreau::Workspace& work, const RowSet& set,
                         std::span<const RowGroup> groups, MatrixBuffer& G) {
  const Index origin = groups.front().first_row, rows = G.rows();
  const double* const first_W = set.W.data() + groups.front().first_entry;
  const MassBlock* const blocks = work.blocks.data();
  double* const all = work.full_rows.data();
  double* const entries = G.data();
  for (const RowGroup& group : groups)
    for (int row = 0; row < group.rows; ++row) {
      const Index j = group.first_row - origin + row;
      give_row(work, group, set.mass_inverse_W.data() + group.first_entry + row * group.velocities,
               all);
      const double* W = first_W;  // of the rows up to this one
      Index i = 0;
      for (const RowGroup* other = groups.data(); i <= j; ++other)
        for (int k = 0; k < other->rows && i <= j; ++k, ++i) {
          double sum = 0;
          for (const int b : other->blocks) {
            if (b < 0) break;
            const double* const own = all + blocks[b].first;
            for (int m = 0; m < blocks[b].size; ++m) sum += *W++ * own[m];
          }
          entries[i + rows * j] = entries[j + rows * i] = sum;
        }
      clear_row(work, group, all);
    }
}

void write_matrix(Moreau::Workspace& work, const RowSet& set, std::span<const RowGroup> groups,
                  MatrixBuffer& G) {
  if (groups.empty()) return G.resize(0, 0);
  const bool symmetric = work.options.scheme == Scheme::midpoint;  // not the matrix of the θ-scheme
  const Index origin = groups.front().first_row;
  const Index n = groups.back().first_row + groups.back().rows - origin;
  G.resize(n, n);
  if (symmetric)
    return share_velocities(groups) ? write_whole_matrix(set, groups, G)
                                    : write_sparse_matrix(work, set, groups, G);
  for (const RowGroup& b : groups)
    for (int row_b = 0; row_b < b.rows; ++row_b)
      for (const RowGroup& a : groups)
        for (int row_a = 0; row_a < a.rows; ++row_a)
          G(a.first_row - origin + row_a, b.first_row - origin + row_b) =
              coupling(set, a, row_a, b, row_b);
}

/// Makes bilateral rows comparable, whatever their units and masses. One row of a pin may vanish,
/// but not all: the largest of a joint's rows counts for each.
void write_row_scale(const Moreau::Workspace& work, std::span<const RowGroup> rows,
                     const MatrixBuffer& G, VectorMap& scale) {
  const auto joint = [&](Index i) { return work.like_rows[at(rows[at(i)].number)]; };
  for (Index first = 0, next = 0; first < scale.size(); first = next) {
    double largest = 0;
    for (next = first; next < scale.size() && joint(next) == joint(first); ++next)
      largest = std::max(largest, G(next, next));
    for (Index i = first; i < next; ++i) scale[i] = largest > 0 ? 1 / std::sqrt(largest) : 1;
  }
}

void write_factors(Moreau::Workspace& work, const RowSet& set, std::span<const RowGroup> groups,
                   BlockDelassus& G) {
  clear(G, place_blocks(work, groups));
  for (const RowGroup& group : groups) {
    BlockList sorted = group.blocks;  // and where each has its entries in the group's rows
    const std::span<int> blocks{sorted.data(), listed(group.blocks).size()};
    std::sort(blocks.begin(), blocks.end());
    for (int row = 0; row < group.rows; ++row) {
      const Index first = group.first_entry + row * group.velocities;
      for (const int wanted : blocks) {
        Index offset = first;
        for (const int b : listed(group.blocks)) {
          if (b == wanted) break;
          offset += work.blocks[at(b)].size;
        }
        for (int k = 0; k < work.blocks[at(wanted)].size; ++k)
          append_entry(G, static_cast<int>(work.place[at(wanted)] + k), set.W[offset + k],
                       set.mass_inverse_W[offset + k]);
      }
      end_row(G);
    }
  }
}

/// The size of the positions that gaps are made of: the model's length, or how far bodies have gone
/// and turned [m].
double extent(const Moreau::Workspace& work) {
  const Vector& levers = work.position_levers;
  const double far = work.middle.q.cwiseProduct(levers).lpNorm<Eigen::Infinity>();
  return std::max(work.system.info().length, far);
}

/// Whether a contact of the step is foreseen, and why it is there (theory 4.35).
void mark_foreseen(const Moreau::Workspace& work, const ContactFrame& frame,
                   ActiveContact& contact) {
  contact.foreseen = may_be_foreseen(work, frame);
  contact.early = contact.foreseen && !contact.lasts() &&
                  frame.gap > gap_resolution(work.system.info(), *contact.info);
  contact.further = !work.known.empty() && !std::ranges::binary_search(work.known, frame.key);
}

}  // namespace

bool find_active_contacts(Moreau::Workspace& work, const State& state, double step) {
  work.active.clear();
  work.frames.clear();
  if (work.lasting) work.position_round_off = gap_round_off * extent(work);
  work.system.find_contacts(work.middle, work.position_round_off, state.contacts, work.frames);
  if (work.lasting && (!state.contacts.empty() || work.memory.last_step(state.z) == 0))
    keep_lasting_contacts(work, state, step);
  if (work.foresees) {
    work.known.clear();
    add_meeting_contacts(work, state, step);
  }
  return work.frames.empty() || list_active_contacts(work, state);
}

[[gnu::noinline]] bool list_active_contacts(Moreau::Workspace& work, const State& state) {
  work.active.clear();
  const ContactInfo* infos = work.system.info().contacts.data();
  auto record = state.contacts.begin();  // both are in the order of the keys
  for (const ContactFrame& frame : work.frames) {
    if (std::isnan(frame.gap)) {
      work.result.status = StepStatus::not_finite;
      work.result.contact = frame.key;
      return false;
    }
    while (record != state.contacts.end() && record->key < frame.key) ++record;
    const bool known = record != state.contacts.end() && record->key == frame.key;
    ActiveContact& contact = work.active.emplace_back();
    contact.info = infos + frame.key.pair;
    if (known) {
      contact.record = &*record;
      contact.jammed = contact.lasts() && jammed(*record) != 0;
    }
    if (work.foresees) mark_foreseen(work, frame, contact);
  }
  return true;
}

void write_rows(Moreau::Workspace& work, const Configuration& c,
                std::span<const ContactFrame> frames, RowSet& set) {
  if (set.rows == 0) return;
  if (!work.separable) return write_whole(work, c, frames, set);
  for (const RowGroup& group : set.groups) write_group(work, c, frames, group, set);
}

void write_mass_inverse_rows(Moreau::Workspace& work, RowSet& set) {
  const Index n = work.u_free.size();
  if (!work.separable) {
    std::copy_n(set.W.data(), set.W.size(), set.mass_inverse_W.data());
    for (Index j = 0; j < set.rows; ++j)
      work.system.solve_mass(work.middle, work.M, VectorMap(set.mass_inverse_W.data() + j * n, n));
    return;
  }
  double* all = work.full_rows.data();
  for (const RowGroup& group : set.groups)
    for (int j = 0; j < group.rows; ++j) {
      const Index first = group.first_entry + j * group.velocities;
      give_row(work, group, set.W.data() + first, all);
      work.system.solve_mass_blocks(work.middle, work.M, listed(group.blocks), VectorMap(all, n));
      take_row(work, group, all, set.mass_inverse_W.data() + first);
    }
}

void write_delassus(Moreau::Workspace& work, const RowSet& set, std::span<const RowGroup> groups,
                    Delassus& G) {
  if (auto* dense = std::get_if<DenseDelassus>(&G))
    write_matrix(work, set, groups, dense->G);
  else
    write_factors(work, set, groups, std::get<BlockDelassus>(G));
}

PivotedRank solve_bilaterals(Moreau::Workspace& work, const RowSet& set, const Island& island,
                             VectorRef impulse, const PivotLimits& limits) {
  const std::span<const RowGroup> rows = groups_of(set, island).first(at(island.bilaterals));
  ContactProblem& problem = problem_for(work, island.bilaterals);
  write_delassus(work, set, rows, problem.delassus);
  if (auto* dense = std::get_if<DenseDelassus>(&problem.delassus)) {
    Arena::Frame frame(work.scratch);
    VectorMap scale = frame.vector(impulse.size());
    write_row_scale(work, rows, dense->G, scale);
    for (Index j = 0; j < impulse.size(); ++j)
      for (Index i = 0; i < impulse.size(); ++i) dense->G(i, j) *= scale[i] * scale[j];
    for (Index i = 0; i < impulse.size(); ++i) impulse[i] *= scale[i];
    const PivotedRank found = solve_pivoted(dense->G, impulse, work.scratch, limits);
    for (Index i = 0; i < impulse.size(); ++i) impulse[i] *= scale[i];
    return found;
  }
  problem.blocks.clear();
  for (const RowGroup& row : rows)
    problem.blocks.push_back({row.first_row - island.first_row, Bilateral{}});
  problem.free_velocity = -impulse;
  problem.row_length.resize(0);
  problem.velocity_scale = 0;
  ContactSolution& solution = work.bilateral_solution;
  solution.impulse.resize(impulse.size());
  solution.impulse.setZero();
  solve_automatic(problem, {.tolerance = 1e-12}, work.scratch, solution);
  impulse = solution.impulse;
  return {.rank = impulse.size(), .smallest = 1};
}

}  // namespace backlash

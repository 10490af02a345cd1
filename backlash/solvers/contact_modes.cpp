// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/contact_modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "backlash/base/linear.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// A row whose velocity must vanish. Where it is the normal row of a slipping contact, the tangent
/// rows follow its impulse: Λ_T = ratio Λ_N.
struct Unknown {
  Index row;
  Index slip_row;
  int slip_rows;
  double ratio[2];
};

/// Writes the unknowns of all contacts, and the known part of the impulse. Returns their number.
Index list_unknowns(const ReducedProblem& problem, std::span<const Mode> modes,
                    std::span<Unknown> unknowns, VectorRef impulse) {
  std::size_t count = 0;
  impulse.setZero();
  const auto add = [&](Index row) -> Unknown& {
    Unknown& unknown = unknowns[count++];
    unknown.row = row;
    unknown.slip_rows = 0;
    return unknown;
  };
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Contact& contact = problem.contacts[k];
    const Mode& mode = modes[k];
    const bool slips = contact.tangents > 0 && !mode.sticks;
    if (mode.pushes) {
      Unknown& normal = add(contact.normal);
      if (slips) {
        normal.slip_row = contact.tangent;
        normal.slip_rows = contact.tangents;
        for (int i = 0; i < contact.tangents; ++i)
          normal.ratio[i] = -contact.friction * mode.slip[i];
      }
    }
    for (int i = 0; i < contact.tangents; ++i) {
      if (!slips)
        add(contact.tangent + i);
      else
        impulse[contact.tangent + i] = -contact.offset * mode.slip[i];
    }
  }
  return static_cast<Index>(count);
}

/// A(i, j) = effect of unknown j on the velocity of the row of unknown i.
void write_coefficients(const ReducedProblem& problem, std::span<const Unknown> unknowns,
                        MatrixMap& A) {
  const Index n = A.rows(), rows = problem.G.rows();
  for (Index j = 0; j < n; ++j) {
    const Unknown& unknown = unknowns[static_cast<std::size_t>(j)];
    const double* G = problem.G.data() + rows * unknown.row;
    double* column = A.data() + n * j;
    for (Index i = 0; i < n; ++i) column[i] = G[unknowns[static_cast<std::size_t>(i)].row];
    for (int k = 0; k < unknown.slip_rows; ++k) {
      const double* G_slip = problem.G.data() + rows * (unknown.slip_row + k);
      for (Index i = 0; i < n; ++i)
        column[i] += unknown.ratio[k] * G_slip[unknowns[static_cast<std::size_t>(i)].row];
    }
  }
}

/// b = −(velocity of each unknown's row under the known part of the impulse).
void write_right_side(const ReducedProblem& problem, std::span<const Unknown> unknowns,
                      const VectorRef& impulse, VectorMap& b) {
  const Index n = b.size(), rows = problem.G.rows();
  for (Index i = 0; i < n; ++i) b[i] = -problem.c[unknowns[static_cast<std::size_t>(i)].row];
  for (Index j = 0; j < rows; ++j) {
    if (impulse[j] == 0) continue;
    const double* G = problem.G.data() + rows * j;
    for (Index i = 0; i < n; ++i) b[i] -= G[unknowns[static_cast<std::size_t>(i)].row] * impulse[j];
  }
}

}  // namespace

std::span<const Mode> possible_modes(const Contact& contact, int facets, Arena::Frame& frame) {
  std::span<Mode> modes = frame.list<Mode>(2 * (facets + 2));
  std::size_t count = 0;
  const auto add_frictional = [&](bool pushes) {
    modes[count++] = {.pushes = pushes, .sticks = true};
    const int directions = contact.tangents == 1 ? 2 : facets;
    for (int i = 0; i < directions; ++i) {
      const double angle = 2 * std::numbers::pi * i / directions;
      Mode& mode = modes[count++] = {.pushes = pushes};
      mode.slip[0] = contact.tangents == 1 ? 1 - 2 * i : std::cos(angle);
      mode.slip[1] = contact.tangents == 1 ? 0 : std::sin(angle);
    }
  };
  const bool friction_when_open = contact.tangents > 0 && contact.offset > 0;
  if (friction_when_open || !contact.has_normal()) add_frictional(false);
  if (contact.has_normal()) {
    if (!friction_when_open) modes[count++] = {};
    if (contact.tangents > 0)
      add_frictional(true);
    else
      modes[count++] = {.pushes = true};
  }
  return modes.first(count);
}

bool solve_in_modes(const ReducedProblem& problem, std::span<const Mode> modes, Arena& scratch,
                    VectorRef impulse) {
  Arena::Frame frame(scratch);
  std::span<Unknown> unknowns = frame.list<Unknown>(impulse.size());
  const Index n = list_unknowns(problem, modes, unknowns, impulse);
  if (n == 0) return true;
  MatrixMap A = frame.matrix(n, n);
  VectorMap x = frame.vector(n);
  write_coefficients(problem, unknowns, A);
  write_right_side(problem, unknowns, impulse, x);
  if (!solve_lu(A, x)) return false;
  for (Index j = 0; j < n; ++j) {
    const Unknown& unknown = unknowns[static_cast<std::size_t>(j)];
    impulse[unknown.row] = x[j];
    for (int i = 0; i < unknown.slip_rows; ++i)
      impulse[unknown.slip_row + i] += unknown.ratio[i] * x[j];
  }
  return true;
}

void read_modes(const ReducedProblem& problem, const VectorView& impulse, const VectorView& xi,
                std::span<Mode> modes) {
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Contact& contact = problem.contacts[k];
    Mode& mode = modes[k];
    double normal = 0;  // Λ_N − r ξ_N
    if (contact.has_normal())
      normal = impulse[contact.normal] - contact.normal_r * xi[contact.normal];
    mode.pushes = normal > 0 || contact.bilateral;
    mode.sticks = false;
    mode.slip[0] = mode.slip[1] = 0;
    if (contact.tangents == 0) continue;
    double trial[2] = {0, 0};  // Λ_T − r ξ_T
    for (int i = 0; i < contact.tangents; ++i)
      trial[i] = impulse[contact.tangent + i] - contact.tangent_r * xi[contact.tangent + i];
    const double limit = contact.limit(std::max(0.0, normal));
    const double length = contact.tangents == 1 ? std::abs(trial[0]) : length_of(trial);
    mode.sticks = length <= limit && (mode.pushes || limit > 0);
    if (mode.sticks || length == 0) continue;
    for (int i = 0; i < contact.tangents; ++i) mode.slip[i] = -trial[i] / length;
  }
}

}  // namespace backlash

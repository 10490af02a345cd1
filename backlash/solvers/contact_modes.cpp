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
  Index row = 0;
  Index slip_row = 0;
  int slip_rows = 0;
  double ratio[2] = {0, 0};
};

/// Writes the unknowns of all contacts, and the known part of the impulse. Returns their number.
Index list_unknowns(const ReducedProblem& problem, std::span<const Mode> modes,
                    std::span<Unknown> unknowns, VectorRef impulse) {
  std::size_t count = 0;
  impulse.setZero();
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Contact& contact = problem.contacts[k];
    const Mode& mode = modes[k];
    const bool slips = contact.tangents > 0 && !mode.sticks;
    if (mode.pushes) {
      Unknown& normal = unknowns[count++] = {.row = contact.normal};
      if (slips) {
        normal.slip_row = contact.tangent;
        normal.slip_rows = contact.tangents;
        for (int i = 0; i < contact.tangents; ++i)
          normal.ratio[i] = -contact.friction * mode.slip[i];
      }
    }
    for (int i = 0; i < contact.tangents; ++i) {
      if (slips)
        impulse[contact.tangent + i] = -contact.offset * mode.slip[i];
      else
        unknowns[count++] = {.row = contact.tangent + i};
    }
  }
  return static_cast<Index>(count);
}

/// Effect of an unknown on the velocity of a row.
double coefficient(const ReducedProblem& problem, Index row, const Unknown& unknown) {
  double sum = problem.G(row, unknown.row);
  for (int i = 0; i < unknown.slip_rows; ++i)
    sum += unknown.ratio[i] * problem.G(row, unknown.slip_row + i);
  return sum;
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
  for (Index i = 0; i < n; ++i) {
    const Index row = unknowns[static_cast<std::size_t>(i)].row;
    double known = problem.c[row];
    for (Index j = 0; j < impulse.size(); ++j) known += problem.G(row, j) * impulse[j];
    x[i] = -known;
    for (Index j = 0; j < n; ++j)
      A(i, j) = coefficient(problem, row, unknowns[static_cast<std::size_t>(j)]);
  }
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
    Mode& mode = modes[k] = {};
    double normal = 0;  // Λ_N − r ξ_N
    if (contact.has_normal())
      normal = impulse[contact.normal] - contact.normal_r * xi[contact.normal];
    mode.pushes = normal > 0;
    if (contact.tangents == 0) continue;
    const double r = contact.tangent_r;
    double trial[2] = {0, 0};  // Λ_T − r ξ_T
    for (int i = 0; i < contact.tangents; ++i)
      trial[i] = impulse[contact.tangent + i] - r * xi[contact.tangent + i];
    const double limit = contact.limit(std::max(0.0, normal));
    const double length = length_of(trial);
    mode.sticks = length <= limit && (mode.pushes || limit > 0);
    if (mode.sticks || length == 0) continue;
    for (int i = 0; i < contact.tangents; ++i) mode.slip[i] = -trial[i] / length;
  }
}

}  // namespace backlash

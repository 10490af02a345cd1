// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/guessed_modes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "backlash/base/linear.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

constexpr int most_rows = 8;

/// An impulse that its mode leaves open, and whose row has no velocity. If its contact slips, the
/// tangent row gets `ratio` times as much.
struct UnknownImpulse {
  Index row;
  Index follower;
  double ratio;  ///< 0 where nothing follows
};

/// Fixed arrays for one problem. G is read where the problem has it.
class SmallProblem {
 public:
  SmallProblem(const double* G, Index rows) : G_(G), rows_(rows) {}

  /// Modes by the natural map of each contact, its inequalities multiplied by the Delassus diagonal
  /// instead of divided. False if some block is not for this method.
  bool read_modes(const ContactProblem& problem, const VectorView& impulse) {
    double memory[most_rows];
    VectorMap xi(memory, rows_);
    xi = problem.free_velocity;
    add_product(G_, impulse, xi);
    for (const LawBlock& block : problem.blocks) {
      const Index row = block.first;
      const double push = G(row, row) * impulse[row] - xi[row];  // G_NN (Λ_N − r ξ_N)
      if (const auto* law = std::get_if<Coulomb>(&block.law)) {
        if (law->tangents != 1) return false;
        const double slide = G(row + 1, row + 1) * impulse[row + 1] - xi[row + 1];
        add_contact(*law, row, push, slide);
      } else if (const auto* relay = std::get_if<Relay>(&block.law)) {
        if (relay->rows != 1) return false;
        add_friction(row, push, G(row, row) * relay->limit, relay->limit);
      } else if (std::holds_alternative<Unilateral>(block.law)) {
        known_[row] = 0;
        if (push > 0) add_unknown(row);
      } else {
        return false;
      }
    }
    return true;
  }

  /// False if the equations are singular.
  bool solve(const ContactProblem& problem, VectorRef impulse) {
    write_equations(problem);
    if (!eliminate()) return false;
    for (Index i = 0; i < rows_; ++i) impulse[i] = known_[i];
    for (int k = 0; k < count_; ++k) {
      impulse[unknowns_[k].row] = x_[k];
      if (unknowns_[k].ratio != 0) impulse[unknowns_[k].follower] += unknowns_[k].ratio * x_[k];
    }
    return true;
  }

 private:
  double G(Index i, Index j) const { return G_[i + rows_ * j]; }

  UnknownImpulse& add_unknown(Index row) {
    UnknownImpulse& unknown = unknowns_[count_++];
    unknown.row = row;
    unknown.ratio = 0;
    return unknown;
  }

  /// `slide` is G_TT (Λ_T − r ξ_T), `limit` the radius of the friction interval times G_TT, `size`
  /// what of that radius does not depend on Λ_N. Returns the sign of Λ_T where the row slips.
  double add_friction(Index row, double slide, double limit, double size) {
    known_[row] = 0;
    if (std::abs(slide) <= limit && limit > 0) {
      add_unknown(row);
      return 0;
    }
    const double sign = slide > 0 ? 1 : -1;
    known_[row] = sign * size;
    return sign;
  }

  void add_contact(const Coulomb& law, Index row, double push, double slide) {
    const double preload = law.friction * law.preload;
    known_[row] = 0;
    if (!(push > 0)) {
      add_friction(row + 1, slide, G(row + 1, row + 1) * preload, preload);
      return;
    }
    UnknownImpulse& normal = add_unknown(row);
    const double limit = G(row + 1, row + 1) * (law.friction * push / G(row, row) + preload);
    const double sign = add_friction(row + 1, slide, limit, preload);
    normal.follower = row + 1;
    normal.ratio = law.friction * sign;
  }

  void write_equations(const ContactProblem& problem) {
    for (int i = 0; i < count_; ++i) {
      const Index row = unknowns_[i].row;
      double velocity = problem.free_velocity[row];
      for (Index j = 0; j < rows_; ++j)
        if (known_[j] != 0) velocity += G(row, j) * known_[j];
      x_[i] = -velocity;
      for (int j = 0; j < count_; ++j) {
        A_[i][j] = G(row, unknowns_[j].row);
        if (unknowns_[j].ratio != 0) A_[i][j] += unknowns_[j].ratio * G(row, unknowns_[j].follower);
      }
    }
  }

  /// Gauss with row pivoting.
  bool eliminate() {
    for (int k = 0; k < count_; ++k) {
      int pivot = k;
      for (int i = k + 1; i < count_; ++i)
        if (std::abs(A_[i][k]) > std::abs(A_[pivot][k])) pivot = i;
      if (!(std::abs(A_[pivot][k]) > 1e-12 * G(unknowns_[k].row, unknowns_[k].row))) return false;
      if (pivot != k) {
        std::swap(A_[pivot], A_[k]);
        std::swap(x_[pivot], x_[k]);
      }
      const double inverse = 1 / A_[k][k];
      for (int i = k + 1; i < count_; ++i) {
        const double factor = A_[i][k] * inverse;
        for (int j = k + 1; j < count_; ++j) A_[i][j] -= factor * A_[k][j];
        x_[i] -= factor * x_[k];
      }
      A_[k][k] = inverse;
    }
    for (int i = count_ - 1; i >= 0; --i) {
      for (int j = i + 1; j < count_; ++j) x_[i] -= A_[i][j] * x_[j];
      x_[i] *= A_[i][i];
    }
    return true;
  }

  const double* G_;
  Index rows_;
  int count_ = 0;
  UnknownImpulse unknowns_[most_rows];
  double known_[most_rows];  ///< impulses that the modes fix [N s]
  double A_[most_rows][most_rows];
  double x_[most_rows];
};

}  // namespace

bool solve_in_guessed_modes(const ContactProblem& problem, VectorRef impulse) {
  const auto* dense = std::get_if<DenseDelassus>(&problem.delassus);
  if (!dense || impulse.size() > most_rows) return false;
  SmallProblem small(dense->G.data(), impulse.size());
  return small.read_modes(problem, impulse) && small.solve(problem, impulse);
}

}  // namespace backlash

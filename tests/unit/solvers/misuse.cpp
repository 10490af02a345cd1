// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.h"

#include <cmath>

#include "backlash/solvers/enumeration.h"
#include "backlash/solvers/residual.h"
#include "backlash/solvers/solver_table.h"

namespace backlash {
namespace {

using test::expect_refused;
using test::Misuse;

/// Two contacts without friction that do not feel each other.
ContactProblem two_contacts() {
  const std::vector<Law> laws(2, Unilateral{});
  return dense_problem(Matrix::Identity(2, 2), -Vector::Ones(2), laws);
}

/// Two rows with one entry each, and so many entries of M⁻¹W.
BlockDelassus factors(std::size_t entries) {
  BlockDelassus result;
  clear(result, 2);
  for (int i = 0; i < 2; ++i) {
    append_entry(result, i, 1, 1);
    end_row(result);
  }
  result.mass_inverse_W.resize(entries);
  return result;
}

TEST(Misuse, OfADenseProblemIsRefused) {
  const auto dense = [](const Matrix& G, const Vector& c, std::vector<Law> laws) {
    return [=] { dense_problem(G, c, laws); };
  };
  const Matrix G = Matrix::Identity(2, 2);
  const Vector c = -Vector::Ones(2);
  const Law law = Unilateral{};
  expect_refused({
      {dense(G, c.head(1), {law, law}), "free velocity (rows of all laws together) must have size"},
      {dense(G, c, {law}), "must have size 1, has 2"},
      {dense(G, c, {law, law, law}), "must have size 3, has 2"},
      {dense(Matrix::Ones(1, 2), c.head(1), {law}), "columns of the Delassus matrix"},
      {dense(NAN * G, c, {law, law}), "Delassus matrix(0, 0) must be finite, is nan"},
      {dense(G, NAN * c, {law, law}), "free velocity[0] must be finite, is nan"},
      {dense(-G, c, {law, law}), "Delassus diagonal [0] must be zero or positive"},
      {dense(G, c, {Coulomb{.friction = -1}}), "block 0: friction must be zero or positive"},
  });
}

TEST(Misuse, OfEverySolverIsRefused) {
  using Change = std::function<void(ContactProblem&, SolverOptions&)>;
  const std::vector<std::pair<Change, std::string>> table{
      {[](auto& p, auto&) { p.free_velocity.resize(1); }, "free velocity"},
      {[](auto& p, auto&) { p.delassus = DenseDelassus{}; }, "Delassus operator"},
      {[](auto& p, auto&) { std::get<DenseDelassus>(p.delassus).G(1, 0) = NAN; },
       "Delassus matrix(1, 0) must be finite"},
      {[](auto& p, auto&) { p.delassus = factors(1); }, "entries of M⁻¹W must have size 2, has 1"},
      {[](auto& p, auto&) { p.blocks[1].first = 100; }, "block 1: its first row must be 1"},
      {[](auto& p, auto&) { p.blocks[0].first = -1; }, "block 0: its first row must be 0"},
      {[](auto& p, auto&) { p.row_length = Vector::Ones(1); }, "row lengths must have size 2"},
      {[](auto& p, auto&) { p.row_length = Vector::Zero(2); }, "row length [0] must be positive"},
      {[](auto& p, auto&) { p.velocity_scale = -1; }, "velocity scale must be zero or positive"},
      {[](auto&, auto& o) { o.tolerance = NAN; }, "solver tolerance must be positive"},
      {[](auto&, auto& o) { o.max_iterations = 0; }, "solver iterations must lie in"},
      {[](auto&, auto& o) { o.facets = 2; }, "facets of the friction cone must lie in"},
      {[](auto&, auto& o) { o.relaxation = 2; }, "relaxation of the solver must lie between"},
      {[](auto&, auto& o) { o.r_factor = static_cast<RFactor>(9); }, "r factor of the solver"},
  };
  for (const SolverEntry& solver : solver_table())
    for (const auto& [change, complaint] : table) {
      SCOPED_TRACE(solver.name);
      ContactProblem problem = two_contacts();
      SolverOptions options;
      change(problem, options);
      expect_refused({{[&] { solve(solver, problem, options); }, complaint},
                      {[&] { all_solutions(problem, options); }, complaint}});
    }
}

TEST(Misuse, OfResidualsTheTableAndFactorsIsRefused) {
  Eigen::SparseMatrix<double> W(2, 1);
  W.insert(0, 0) = 1;
  const auto blocks = [&](const Matrix& block) {
    return [=] { block_delassus(W, std::vector<Matrix>{block}); };
  };
  expect_refused({
      {[] { residual(two_contacts(), Vector::Zero(1)); },
       "impulse (rows of the problem) must have"},
      {[] { find_solver("nonsense"); }, "solver 'nonsense' does not exist; there are: auto"},
      {blocks(Matrix::Identity(1, 1)), "the blocks of the inverse mass together must have size 2"},
      {blocks(Matrix::Ones(2, 1)), "columns of a block of the inverse mass"},
      {blocks(NAN * Matrix::Ones(2, 2)), "inverse mass(0, 0) must be finite, is nan"},
  });
}

}  // namespace
}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/io/fclib/fclib.h"
#include "backlash/io/fclib/format.h"
#include "backlash/io/hdf5/hdf5_file.h"

namespace backlash {
namespace {

using fclib::Entries, fclib::Index, fclib::Sparse, fclib::root, fclib::triplet;

/// Rows of a problem by kind, in the order in which the format has them.
struct RowOrder {
  std::vector<Index> contact, equality;
  int dimension = 0;  ///< 0: no contact yet
  Vector friction;
};

void append_rows(const LawBlock& block, std::vector<Index>& to) {
  for (Index i = 0; i < rows(block.law); ++i) to.push_back(block.first + i);
}

[[noreturn]] void refuse_block(std::size_t number, std::string_view complaint) {
  throw InputError(
      fmt::format("block {} of the problem {}: FCLib's format cannot hold it", number, complaint));
}

RowOrder order_rows(const ContactProblem& problem) {
  RowOrder order;
  std::vector<double> friction;
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    const LawBlock& block = problem.blocks[k];
    if (std::holds_alternative<Bilateral>(block.law)) {
      append_rows(block, order.equality);
      continue;
    }
    const auto* law = std::get_if<Coulomb>(&block.law);
    if (!law)
      refuse_block(k, std::holds_alternative<Unilateral>(block.law)
                          ? "is unilateral without friction rows (make it Coulomb, friction 0)"
                          : "is dry friction of given strength");
    if (law->preload != 0) refuse_block(k, fmt::format("has a preload of {} N s", law->preload));
    if (order.dimension != 0 && order.dimension != law->tangents + 1)
      refuse_block(k, fmt::format("has {} tangents, those before it have {}", law->tangents,
                                  order.dimension - 1));
    order.dimension = law->tangents + 1;
    append_rows(block, order.contact);
    friction.push_back(law->friction);
  }
  if (friction.empty())
    throw InputError("the problem has no contact: FCLib's format cannot hold it");
  order.friction = Eigen::Map<Vector>(friction.data(), static_cast<Index>(friction.size()));
  return order;
}

Vector pick(const VectorView& from, const std::vector<Index>& rows) { return from(rows); }

/// A factor of G with one column per row of the problem, without the zeros of the other's pattern.
Sparse columns(const BlockDelassus& G, const std::vector<double>& values) {
  Entries entries;
  for (Index i = 0; i < G.rows(); ++i)
    for (Index e = G.first[at(i)]; e < G.first[at(i + 1)]; ++e)
      if (values[at(e)] != 0) entries.push_back(triplet(G.velocity[at(e)], i, values[at(e)]));
  Sparse factor(G.velocities, G.rows());
  factor.setFromTriplets(entries.begin(), entries.end());
  return factor;
}

/// Entries that are there: all but +0.
Entries entries_of(const Delassus& delassus) {
  Entries entries;
  if (const auto* dense = std::get_if<DenseDelassus>(&delassus)) {
    for (Index j = 0; j < dense->G.cols(); ++j)
      for (Index i = 0; i < dense->G.rows(); ++i)
        if (dense->G(i, j) != 0 || std::signbit(dense->G(i, j)))
          entries.push_back(triplet(i, j, dense->G(i, j)));
    return entries;
  }
  const auto& factors = std::get<BlockDelassus>(delassus);
  const Sparse W = columns(factors, factors.W);
  const Sparse G = W.transpose() * columns(factors, factors.mass_inverse_W);
  for (Index j = 0; j < G.outerSize(); ++j)
    for (Sparse::InnerIterator it(G, j); it; ++it)
      entries.push_back(triplet(it.row(), it.col(), it.value()));
  return entries;
}

/// The part of G with these rows and columns, by columns.
Sparse part(const Entries& entries, Index size, const std::vector<Index>& rows,
            const std::vector<Index>& cols) {
  const auto places = [size](const std::vector<Index>& chosen) {
    std::vector<Index> place(static_cast<std::size_t>(size), -1);
    for (std::size_t k = 0; k < chosen.size(); ++k)
      place[static_cast<std::size_t>(chosen[k])] = static_cast<Index>(k);
    return place;
  };
  const std::vector<Index> row_place = places(rows), col_place = places(cols);
  Entries chosen;
  for (const auto& entry : entries) {
    const Index row = row_place[static_cast<std::size_t>(entry.row())];
    const Index col = col_place[static_cast<std::size_t>(entry.col())];
    if (row >= 0 && col >= 0) chosen.push_back(triplet(row, col, entry.value()));
  }
  Sparse matrix(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  matrix.setFromTriplets(chosen.begin(), chosen.end());
  return matrix;
}

/// The format has V once, for both couplings of contacts and equality rows.
void require_symmetric_coupling(const Sparse& V, const Sparse& below) {
  const Sparse difference = V - Sparse(below.transpose());
  const double largest = V.coeffs().size() > 0 ? V.coeffs().abs().maxCoeff() : 0;
  for (Index j = 0; j < difference.outerSize(); ++j)
    for (Sparse::InnerIterator it(difference, j); it; ++it)
      if (!(std::abs(it.value()) <= 1e-10 * largest))
        throw InputError(fmt::format(
            "contact row {} and equality row {} act on each other differently (by {} 1/kg): "
            "FCLib's format cannot hold it",
            it.row(), it.col(), std::abs(it.value())));
}

struct Arrays {
  std::vector<int> p, i;
  Vector x;
};

template <class Matrix>
Arrays compressed(const Matrix& A) {
  Arrays arrays;
  arrays.p.assign(A.outerIndexPtr(), A.outerIndexPtr() + A.outerSize() + 1);
  arrays.i.assign(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros());
  arrays.x = Eigen::Map<const Vector>(A.valuePtr(), A.nonZeros());
  return arrays;
}

Arrays in_form(const Sparse& A, FclibForm form) {
  if (form == FclibForm::columns) return compressed(A);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_rows(A);
  Arrays arrays = compressed(by_rows);
  if (form == FclibForm::rows) return arrays;
  arrays.p.clear();  // triplets: p is the row of each entry
  for (Index row = 0; row < by_rows.rows(); ++row)
    arrays.p.insert(arrays.p.end(), static_cast<std::size_t>(by_rows.row(row).nonZeros()),
                    static_cast<int>(row));
  return arrays;
}

void write_matrix(Hdf5Writer& file, const std::string& path, const Sparse& A, FclibForm form) {
  const Arrays arrays = in_form(A, form);
  const int count = static_cast<int>(A.nonZeros());
  file.group(path);
  file.integer(path + "/nzmax", count);
  file.integer(path + "/m", static_cast<int>(A.rows()));
  file.integer(path + "/n", static_cast<int>(A.cols()));
  file.integer(path + "/nz", form == FclibForm::columns ? -1
                             : form == FclibForm::rows  ? -2
                                                        : count);
  file.integers(path + "/p", arrays.p);
  file.integers(path + "/i", arrays.i);
  file.numbers(path + "/x", arrays.x);
}

void write_info(Hdf5Writer& file, const FclibInfo& info) {
  file.group(root + "/info");
  file.text(root + "/info/title", info.title);
  file.text(root + "/info/description", info.description);
  file.text(root + "/info/math_info", info.math_info);
}

/// The group of a solution or a guess: u = W r + V λ + q, r, and λ as `l`.
void write_impulse(Hdf5Writer& file, const std::string& path, const ContactProblem& problem,
                   const RowOrder& order, const VectorView& impulse) {
  require_size(impulse.size(), problem.free_velocity.size(), "impulse to write to " + path);
  require_finite(impulse, "impulse to write to " + path);
  Vector xi(impulse.size());
  Arena scratch;
  apply(problem.delassus, impulse, scratch, xi);
  xi += problem.free_velocity;
  file.group(path);
  if (!order.equality.empty()) file.numbers(path + "/l", pick(impulse, order.equality));
  file.numbers(path + "/u", pick(xi, order.contact));
  file.numbers(path + "/r", pick(impulse, order.contact));
}

}  // namespace

void write_fclib(const FclibProblem& problem, const std::filesystem::path& file, FclibForm form) {
  require_choice(form, FclibForm::rows, "form of the matrices");
  validate(problem.problem);
  const RowOrder order = order_rows(problem.problem);
  const Index size = problem.problem.free_velocity.size();
  const Entries G = entries_of(problem.problem.delassus);
  Hdf5Writer writer(file);
  writer.group(root);
  writer.integer(root + "/spacedim", order.dimension);
  write_matrix(writer, root + "/W", part(G, size, order.contact, order.contact), form);
  if (!order.equality.empty()) {
    const Sparse V = part(G, size, order.contact, order.equality);
    require_symmetric_coupling(V, part(G, size, order.equality, order.contact));
    write_matrix(writer, root + "/V", V, form);
    write_matrix(writer, root + "/R", part(G, size, order.equality, order.equality), form);
  }
  writer.group(root + "/vectors");
  writer.numbers(root + "/vectors/q", pick(problem.problem.free_velocity, order.contact));
  writer.numbers(root + "/vectors/mu", order.friction);
  if (!order.equality.empty())
    writer.numbers(root + "/vectors/s", pick(problem.problem.free_velocity, order.equality));
  write_info(writer, problem.info);
  if (problem.solution)
    write_impulse(writer, "/solution", problem.problem, order, *problem.solution);
  if (!problem.guesses.empty()) {
    writer.group("/guesses");
    writer.integer("/guesses/number_of_guesses", static_cast<int>(problem.guesses.size()));
    for (std::size_t k = 0; k < problem.guesses.size(); ++k)
      write_impulse(writer, fmt::format("/guesses/{}", k + 1), problem.problem, order,
                    problem.guesses[k]);
  }
  writer.commit();
}

void write_fclib_solution(const std::filesystem::path& source, const VectorView& impulse,
                          const std::filesystem::path& file) {
  const ContactProblem problem = read_fclib(source).problem;
  Hdf5Writer writer(file, source);
  writer.remove("/solution");
  write_impulse(writer, "/solution", problem, order_rows(problem), impulse);
  writer.commit();
}

}  // namespace backlash

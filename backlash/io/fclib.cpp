// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/fclib.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <Eigen/SparseCore>

#include "backlash/base/input_error.h"
#include "backlash/io/hdf5_file.h"

namespace backlash {
namespace {

using Index = Eigen::Index;
using Sparse = Eigen::SparseMatrix<double>;
using Entries = std::vector<Eigen::Triplet<double>>;

const std::string root = "/fclib_local";

// Reading

struct Size {
  Index rows = 0, cols = 0;
};

/// Who numbers the rows in triplet form: `p`, as fclib.h says, or `i`, as CSparse has it. Siconos
/// hands CSparse's arrays to FCLib as they are, and marks its files by an attribute.
enum class TripletOrder { row_in_p, row_in_i };

TripletOrder triplet_order(const Hdf5Reader& file) {
  return file.has_attribute(root + "/info", "numberOfDegreeOfFreedom") ? TripletOrder::row_in_i
                                                                       : TripletOrder::row_in_p;
}

TripletOrder other(TripletOrder order) {
  return order == TripletOrder::row_in_p ? TripletOrder::row_in_i : TripletOrder::row_in_p;
}

/// A stored matrix as it lies in the file.
struct StoredMatrix {
  std::string path;
  Size size;
  std::int64_t nz = 0;  ///< entries of a triplet form; −1: compressed columns; −2: compressed rows
  std::vector<std::int64_t> p, i;
  Vector x;
};

Index read_extent(const Hdf5Reader& file, const std::string& path) {
  const std::int64_t found = file.integer(path);
  if (found < 0 || found > std::numeric_limits<int>::max())
    file.refuse(path, fmt::format("is {}, expected a number of rows or columns", found));
  return static_cast<Index>(found);
}

StoredMatrix read_stored(const Hdf5Reader& file, const std::string& path) {
  StoredMatrix stored;
  stored.path = path;
  stored.size = {read_extent(file, path + "/m"), read_extent(file, path + "/n")};
  stored.nz = file.integer(path + "/nz");
  if (stored.nz < -2)
    file.refuse(path + "/nz",
                fmt::format("is {}, expected the number of triplets, -1 for compressed columns or "
                            "-2 for compressed rows",
                            stored.nz));
  stored.p = file.integers(path + "/p");
  stored.i = file.integers(path + "/i");
  stored.x = file.numbers(path + "/x");
  return stored;
}

/// Older files have arrays as long as the memory that was set aside, so longer is allowed.
void require_length(const Hdf5Reader& file, const std::string& path, std::size_t found,
                    std::int64_t expected) {
  if (static_cast<std::int64_t>(found) < expected)
    file.refuse(path, fmt::format("has {} values, expected {}", found, expected));
}

void require_lengths(const Hdf5Reader& file, const StoredMatrix& stored, std::int64_t entries) {
  require_length(file, stored.path + "/i", stored.i.size(), entries);
  require_length(file, stored.path + "/x", static_cast<std::size_t>(stored.x.size()), entries);
}

/// The first index that is outside [0, bound), or the number of indices if there is none.
std::size_t first_outside(std::span<const std::int64_t> indices, Index bound) {
  const auto outside = [bound](std::int64_t k) { return k < 0 || k >= bound; };
  return static_cast<std::size_t>(std::find_if(indices.begin(), indices.end(), outside) -
                                  indices.begin());
}

void require_inside(const Hdf5Reader& file, const std::string& path,
                    std::span<const std::int64_t> indices, Index bound) {
  const std::size_t k = first_outside(indices, bound);
  if (k < indices.size())
    file.refuse(
        path, fmt::format("[{}] is {}, expected an index from 0 to {}", k, indices[k], bound - 1));
}

Eigen::Triplet<double> triplet(std::int64_t row, std::int64_t col, double value) {
  return {static_cast<int>(row), static_cast<int>(col), value};
}

Entries read_triplets(const Hdf5Reader& file, const StoredMatrix& stored, TripletOrder order) {
  require_length(file, stored.path + "/p", stored.p.size(), stored.nz);
  require_lengths(file, stored, stored.nz);
  const auto count = static_cast<std::size_t>(stored.nz);
  const std::span p = std::span(stored.p).first(count), i = std::span(stored.i).first(count);
  const auto fits = [&](TripletOrder o) {
    const auto& [rows, cols] = o == TripletOrder::row_in_p ? std::pair(p, i) : std::pair(i, p);
    return first_outside(rows, stored.size.rows) == count &&
           first_outside(cols, stored.size.cols) == count;
  };
  if (!fits(order) && fits(other(order))) order = other(order);
  const bool p_is_row = order == TripletOrder::row_in_p;
  require_inside(file, stored.path + "/p", p, p_is_row ? stored.size.rows : stored.size.cols);
  require_inside(file, stored.path + "/i", i, p_is_row ? stored.size.cols : stored.size.rows);
  Entries entries;
  for (std::size_t k = 0; k < count; ++k) {
    const double value = stored.x[static_cast<Index>(k)];
    entries.push_back(p_is_row ? triplet(p[k], i[k], value) : triplet(i[k], p[k], value));
  }
  return entries;
}

Entries read_compressed(const Hdf5Reader& file, const StoredMatrix& stored) {
  const bool by_columns = stored.nz == -1;
  const Index lines = by_columns ? stored.size.cols : stored.size.rows;
  const std::string path_p = stored.path + "/p";
  if (static_cast<Index>(stored.p.size()) != lines + 1)
    file.refuse(path_p, fmt::format("has {} values, expected {}", stored.p.size(), lines + 1));
  if (stored.p[0] != 0) file.refuse(path_p, fmt::format("begins with {}, expected 0", stored.p[0]));
  for (std::size_t k = 1; k < stored.p.size(); ++k)
    if (stored.p[k] < stored.p[k - 1])
      file.refuse(path_p, fmt::format("[{}] is {}, expected at least {}, the value before it", k,
                                      stored.p[k], stored.p[k - 1]));
  require_lengths(file, stored, stored.p.back());
  const auto count = static_cast<std::size_t>(stored.p.back());
  require_inside(file, stored.path + "/i", std::span(stored.i).first(count),
                 by_columns ? stored.size.rows : stored.size.cols);
  Entries entries;
  std::size_t line = 0;
  for (std::size_t k = 0; k < count; ++k) {
    while (stored.p[line + 1] <= static_cast<std::int64_t>(k)) ++line;
    const auto along = static_cast<std::int64_t>(line);
    const double value = stored.x[static_cast<Index>(k)];
    entries.push_back(by_columns ? triplet(stored.i[k], along, value)
                                 : triplet(along, stored.i[k], value));
  }
  return entries;
}

void require_extent(const Hdf5Reader& file, const std::string& path, Index found, Index expected,
                    std::string_view why) {
  if (found != expected)
    file.refuse(path, fmt::format("is {}, expected {}, {}", found, expected, why));
}

void require_finite_values(const Hdf5Reader& file, const std::string& path, const Vector& values) {
  for (Index k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      file.refuse(path, fmt::format("[{}] is {}, expected a finite number", k, values[k]));
}

Entries read_entries(const Hdf5Reader& file, const StoredMatrix& stored, TripletOrder order) {
  Entries entries =
      stored.nz >= 0 ? read_triplets(file, stored, order) : read_compressed(file, stored);
  require_finite_values(file, stored.path + "/x",
                        stored.x.head(static_cast<Index>(entries.size())));
  return entries;
}

Vector read_vector(const Hdf5Reader& file, const std::string& path, Index size,
                   std::string_view why) {
  Vector values = file.numbers(path);
  if (values.size() != size)
    file.refuse(path, fmt::format("has {} values, expected {}, {}", values.size(), size, why));
  require_finite_values(file, path, values);
  return values;
}

int read_dimension(const Hdf5Reader& file) {
  const std::int64_t found = file.integer(root + "/spacedim");
  if (found != 2 && found != 3)
    file.refuse(root + "/spacedim", fmt::format("is {}, expected 2 or 3", found));
  return static_cast<int>(found);
}

void require_local(const Hdf5Reader& file) {
  if (file.has(root)) return;
  for (const char* name : {"/fclib_global", "/fclib_global_rolling"})
    if (file.has(name))
      file.refuse(root, fmt::format("is missing: this is a global problem ({}), and only local "
                                    "problems are read; eliminate the velocities of the bodies",
                                    name));
  file.refuse(root, "is missing: this is not a problem of FCLib");
}

/// Blocks of G put together from those of the file.
void append_entries(const Entries& block, Index row, Index col, Entries& all) {
  for (const auto& entry : block)
    all.push_back(triplet(entry.row() + row, entry.col() + col, entry.value()));
}

void append_transposed(const Entries& block, Index row, Index col, Entries& all) {
  for (const auto& entry : block)
    all.push_back(triplet(entry.col() + row, entry.row() + col, entry.value()));
}

Delassus delassus_from(const Entries& entries, Index size) {
  if (size <= largest_dense_fclib) {
    Matrix G = Matrix::Zero(size, size);
    for (const auto& entry : entries) {
      double& sum = G(entry.row(), entry.col());
      sum = sum == 0 ? entry.value() : sum + entry.value();  // keeps the sign of a stored −0
    }
    return DenseDelassus{G};
  }
  // A sparse matrix is what factors are if the directions are unit vectors: G = 1ᵀ G.
  BlockDelassus factors{.W = Sparse(size, size), .mass_inverse_W = Sparse(size, size)};
  factors.W.setIdentity();
  factors.mass_inverse_W.setFromTriplets(entries.begin(), entries.end());
  return factors;
}

/// Friction coefficients, one law each.
void append_contacts(const Hdf5Reader& file, const Vector& friction, int dimension,
                     ContactProblem& problem) {
  for (Index k = 0; k < friction.size(); ++k) {
    if (friction[k] < 0)
      file.refuse(root + "/vectors/mu",
                  fmt::format("[{}] is {}, expected zero or more", k, friction[k]));
    append(problem, Coulomb{.friction = friction[k], .tangents = dimension - 1});
  }
}

/// How many rows of the two kinds a problem has.
struct RowCount {
  Index contact = 0, equality = 0;
};

std::optional<Vector> read_impulse(const Hdf5Reader& file, const std::string& path,
                                   RowCount count) {
  if (!file.has(path)) return std::nullopt;
  Vector impulse(count.contact + count.equality);
  impulse.head(count.contact) =
      read_vector(file, path + "/r", count.contact, "as W has rows (/fclib_local/W/m)");
  if (count.equality > 0)
    impulse.tail(count.equality) =
        read_vector(file, path + "/l", count.equality, "as R has rows (/fclib_local/R/m)");
  return impulse;
}

std::vector<Vector> read_guesses(const Hdf5Reader& file, RowCount count) {
  std::vector<Vector> guesses;
  if (!file.has("/guesses")) return guesses;
  const std::int64_t number = file.integer("/guesses/number_of_guesses");
  for (std::int64_t k = 1; k <= number; ++k) {
    const std::string path = fmt::format("/guesses/{}", k);
    std::optional<Vector> guess = read_impulse(file, path, count);
    if (!guess)
      file.refuse(path, fmt::format("is missing, but /guesses/number_of_guesses is {}", number));
    guesses.push_back(std::move(*guess));
  }
  return guesses;
}

FclibInfo read_info(const Hdf5Reader& file) {
  const auto read = [&](const std::string& name) {
    const std::string path = root + "/info/" + name;
    return file.has(path) ? file.text(path) : std::string();
  };
  return {read("title"), read("description"), read("math_info")};
}

RowCount read_local(const Hdf5Reader& file, ContactProblem& problem) {
  const int dimension = read_dimension(file);
  const TripletOrder order = triplet_order(file);
  const StoredMatrix W = read_stored(file, root + "/W");
  RowCount count{.contact = W.size.rows};
  if (count.contact == 0 || count.contact % dimension != 0)
    file.refuse(root + "/W/m", fmt::format("is {}, expected a positive multiple of spacedim = {}",
                                           count.contact, dimension));
  require_extent(file, root + "/W/n", W.size.cols, count.contact, "as many as rows");
  const Vector q = read_vector(file, root + "/vectors/q", count.contact, "as W has rows");
  const Vector mu =
      read_vector(file, root + "/vectors/mu", count.contact / dimension, "one for each contact");
  Entries entries = read_entries(file, W, order);
  Vector c = q;
  append_contacts(file, mu, dimension, problem);
  const bool has_V = file.has(root + "/V"), has_R = file.has(root + "/R");
  if (has_V != has_R)
    file.refuse(root + (has_V ? "/R" : "/V"),
                fmt::format("is missing, but {} is there: equality rows need both V and R",
                            root + (has_V ? "/V" : "/R")));
  if (has_V) {
    const StoredMatrix V = read_stored(file, root + "/V"), R = read_stored(file, root + "/R");
    count.equality = R.size.rows;
    require_extent(file, root + "/R/n", R.size.cols, count.equality, "as many as rows");
    require_extent(file, root + "/V/m", V.size.rows, count.contact, "as W has rows");
    require_extent(file, root + "/V/n", V.size.cols, count.equality, "as R has rows");
    const Vector s = read_vector(file, root + "/vectors/s", count.equality, "as R has rows");
    const Entries of_V = read_entries(file, V, order);
    append_entries(of_V, 0, count.contact, entries);
    append_transposed(of_V, count.contact, 0, entries);
    append_entries(read_entries(file, R, order), count.contact, count.contact, entries);
    c.conservativeResize(count.contact + count.equality);
    c.tail(count.equality) = s;
    if (count.equality > 0) append(problem, Bilateral{.rows = static_cast<int>(count.equality)});
  }
  problem.free_velocity = c;
  problem.delassus = delassus_from(entries, c.size());
  return count;
}

// Writing

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
  const Sparse G = factors.W.transpose() * factors.mass_inverse_W;
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

FclibProblem read_fclib(const std::filesystem::path& file) {
  const Hdf5Reader reader(file);
  require_local(reader);
  FclibProblem result;
  const RowCount count = read_local(reader, result.problem);
  result.info = read_info(reader);
  result.guesses = read_guesses(reader, count);
  result.solution = read_impulse(reader, "/solution", count);
  try {
    validate(result.problem);
  } catch (const InputError& error) {
    reader.refuse(root, fmt::format("is no contact problem: {}", error.what()));
  }
  return result;
}

void write_fclib(const FclibProblem& problem, const std::filesystem::path& file, FclibForm form) {
  validate(problem.problem);
  const RowOrder order = order_rows(problem.problem);
  const Index size = problem.problem.free_velocity.size();
  const Entries G = entries_of(problem.problem.delassus);
  Hdf5Writer writer(file);
  writer.group(root);
  writer.integer(root + "/spacedim", order.dimension);
  write_matrix(writer, root + "/W", part(G, size, order.contact, order.contact), form);
  if (!order.equality.empty()) {
    write_matrix(writer, root + "/V", part(G, size, order.contact, order.equality), form);
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

double fclib_velocity_scale(const ContactProblem& problem) {
  double contacts = 0, equality = 0;
  for (const LawBlock& block : problem.blocks) {
    const double part = problem.free_velocity.segment(block.first, rows(block.law)).squaredNorm();
    (std::holds_alternative<Bilateral>(block.law) ? equality : contacts) += part;
  }
  return std::sqrt(contacts > 0 ? contacts : equality);
}

}  // namespace backlash

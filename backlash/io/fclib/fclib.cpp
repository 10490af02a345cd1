// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/fclib/fclib.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <span>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/io/fclib/format.h"
#include "backlash/io/hdf5/hdf5_file.h"

namespace backlash {
namespace {

using fclib::Entries, fclib::Index, fclib::Sparse, fclib::root, fclib::triplet;

template <class Number>
std::string element(const std::string& path, Number k) {
  return fmt::format("{}[{}]", path, k);
}

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
    file.refuse(element(path, k),
                fmt::format("is {}, expected an index from 0 to {}", indices[k], bound - 1));
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
      file.refuse(element(path_p, k),
                  fmt::format("is {}, expected at least {}, the value before it", stored.p[k],
                              stored.p[k - 1]));
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
      file.refuse(element(path, k), fmt::format("is {}, expected a finite number", values[k]));
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
  Sparse G(size, size);
  G.setFromTriplets(entries.begin(), entries.end());
  return block_delassus(G);
}

/// Friction coefficients, one law each.
void append_contacts(const Hdf5Reader& file, const Vector& friction, int dimension,
                     ContactProblem& problem) {
  for (Index k = 0; k < friction.size(); ++k) {
    if (friction[k] < 0)
      file.refuse(element(root + "/vectors/mu", k),
                  fmt::format("is {}, expected zero or more", friction[k]));
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

/// W, q and μ: the contacts.
struct ContactPart {
  Entries W;
  Vector q;
};

ContactPart read_contacts(const Hdf5Reader& file, TripletOrder order, ContactProblem& problem) {
  const int dimension = read_dimension(file);
  const StoredMatrix W = read_stored(file, root + "/W");
  const Index rows = W.size.rows;
  if (rows == 0 || rows % dimension != 0)
    file.refuse(root + "/W/m", fmt::format("is {}, expected a positive multiple of spacedim = {}",
                                           rows, dimension));
  require_extent(file, root + "/W/n", W.size.cols, rows, "as many as rows");
  ContactPart part;
  part.q = read_vector(file, root + "/vectors/q", rows, "as W has rows");
  append_contacts(file,
                  read_vector(file, root + "/vectors/mu", rows / dimension, "one for each contact"),
                  dimension, problem);
  part.W = read_entries(file, W, order);
  return part;
}

/// V, R and s: the equality rows. All empty if there are none.
struct EqualityPart {
  Entries V, R;
  Vector s;
};

EqualityPart read_equalities(const Hdf5Reader& file, TripletOrder order, Index contact_rows) {
  EqualityPart part;
  const std::string path_V = root + "/V", path_R = root + "/R";
  const bool has_V = file.has(path_V), has_R = file.has(path_R);
  if (has_V != has_R)
    file.refuse(has_V ? path_R : path_V, fmt::format("is missing, but {} is there: equality rows "
                                                     "need both V and R",
                                                     has_V ? path_V : path_R));
  if (!has_V) return part;
  const StoredMatrix V = read_stored(file, path_V), R = read_stored(file, path_R);
  require_extent(file, path_R + "/n", R.size.cols, R.size.rows, "as many as rows");
  require_extent(file, path_V + "/m", V.size.rows, contact_rows, "as W has rows");
  require_extent(file, path_V + "/n", V.size.cols, R.size.rows, "as R has rows");
  part.s = read_vector(file, root + "/vectors/s", R.size.rows, "as R has rows");
  part.V = read_entries(file, V, order);
  part.R = read_entries(file, R, order);
  return part;
}

RowCount read_local(const Hdf5Reader& file, ContactProblem& problem) {
  const TripletOrder order = triplet_order(file);
  ContactPart contacts = read_contacts(file, order, problem);
  const Index m = contacts.q.size();
  const EqualityPart equalities = read_equalities(file, order, m);
  const Index p = equalities.s.size();
  Entries& G = contacts.W;
  append_entries(equalities.V, 0, m, G);
  append_transposed(equalities.V, m, 0, G);
  append_entries(equalities.R, m, m, G);
  problem.delassus = delassus_from(G, m + p);
  problem.free_velocity.resize(m + p);
  problem.free_velocity << contacts.q, equalities.s;
  if (p > 0) append(problem, Bilateral{.rows = static_cast<int>(p)});
  return {m, p};
}

}  // namespace

FclibProblem read_fclib(const std::filesystem::path& file) {
  const Hdf5Reader reader(file);
  require_local(reader);
  FclibProblem result;
  try {
    const RowCount count = read_local(reader, result.problem);
    result.info = read_info(reader);
    result.guesses = read_guesses(reader, count);
    result.solution = read_impulse(reader, "/solution", count);
  } catch (const std::bad_alloc&) {  // a damaged file may claim any size
    reader.refuse(root, "needs more memory than there is");
  }
  try {
    validate(result.problem);
  } catch (const InputError& error) {
    reader.refuse(root, fmt::format("is no contact problem: {}", error.what()));
  }
  return result;
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

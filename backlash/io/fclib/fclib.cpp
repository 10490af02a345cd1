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
#include "backlash/io/fclib/fclib_global.h"
#include "backlash/io/fclib/format.h"
#include "backlash/io/fclib/stored_matrix.h"
#include "backlash/io/hdf5/hdf5_file.h"

namespace backlash {
namespace {

using namespace fclib;

/// The group of the problem.
std::string find_group(const Hdf5Reader& file) {
  if (file.has(root)) return root;
  for (const std::string& name : {global_root, rolling_root})
    if (file.has(name)) return name;
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

std::optional<Vector> read_impulse(const Hdf5Reader& file, const std::string& path,
                                   RowCount count) {
  if (!file.has(path)) return std::nullopt;
  Vector impulse(count.contact + count.equality);
  impulse.head(count.contact) =
      read_vector(file, path + "/r", count.contact, "as there are rows of contacts");
  if (count.equality > 0)
    impulse.tail(count.equality) =
        read_vector(file, path + "/l", count.equality, "as there are equality rows");
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

FclibInfo read_info(const Hdf5Reader& file, const std::string& group) {
  const auto read = [&](const std::string& name) {
    const std::string path = group + "/info/" + name;
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
  const int dimension = read_dimension(file, root, 2, 3);
  const StoredMatrix W = read_stored(file, root + "/W");
  const Index rows = W.size.rows;
  if (rows == 0 || rows % dimension != 0)
    file.refuse(root + "/W/m", fmt::format("is {}, expected a positive multiple of spacedim = {}",
                                           rows, dimension));
  require_extent(file, root + "/W/n", W.size.cols, rows, "as many as rows");
  ContactPart part;
  part.q = read_vector(file, root + "/vectors/q", rows, "as W has rows");
  append_contacts(file, root, rows / dimension, dimension, problem);
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
  const TripletOrder order = triplet_order(file, root);
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
  const std::string group = find_group(reader);
  FclibProblem result;
  try {
    const RowCount count =
        group == root ? read_local(reader, result.problem) : read_global(reader, group, result);
    result.info = read_info(reader, group);
    result.guesses = read_guesses(reader, count);
    result.solution = read_impulse(reader, "/solution", count);
  } catch (const std::bad_alloc&) {  // a damaged file may claim any size
    reader.refuse(group, "needs more memory than there is");
  }
  try {
    validate(result.problem);
  } catch (const InputError& error) {
    reader.refuse(group, fmt::format("is no contact problem: {}", error.what()));
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

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/fclib/stored_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace backlash::fclib {
namespace {

TripletOrder other(TripletOrder order) {
  return order == TripletOrder::row_in_p ? TripletOrder::row_in_i : TripletOrder::row_in_p;
}

Index read_extent(const Hdf5Reader& file, const std::string& path) {
  const std::int64_t found = file.integer(path);
  if (found < 0 || found > std::numeric_limits<int>::max())
    file.refuse(path, fmt::format("is {}, expected a number of rows or columns", found));
  return static_cast<Index>(found);
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

void require_finite_values(const Hdf5Reader& file, const std::string& path, const Vector& values) {
  for (Index k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      file.refuse(element(path, k), fmt::format("is {}, expected a finite number", values[k]));
}

}  // namespace

TripletOrder triplet_order(const Hdf5Reader& file, const std::string& group) {
  return file.has_attribute(group + "/info", "numberOfDegreeOfFreedom") ? TripletOrder::row_in_i
                                                                        : TripletOrder::row_in_p;
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

void require_extent(const Hdf5Reader& file, const std::string& path, Index found, Index expected,
                    std::string_view why) {
  if (found != expected)
    file.refuse(path, fmt::format("is {}, expected {}, {}", found, expected, why));
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

int read_dimension(const Hdf5Reader& file, const std::string& group, int plane, int space) {
  const std::int64_t found = file.integer(group + "/spacedim");
  if (found != plane && found != space)
    file.refuse(group + "/spacedim", fmt::format("is {}, expected {} or {}", found, plane, space));
  return static_cast<int>(found);
}

Vector read_coefficients(const Hdf5Reader& file, const std::string& path, Index contacts) {
  const Vector values = read_vector(file, path, contacts, "one for each contact");
  for (Index k = 0; k < values.size(); ++k)
    if (values[k] < 0)
      file.refuse(element(path, k), fmt::format("is {}, expected zero or more", values[k]));
  return values;
}

void append_contacts(const Hdf5Reader& file, const std::string& group, Index contacts,
                     int dimension, ContactProblem& problem) {
  const Vector friction = read_coefficients(file, group + "/vectors/mu", contacts);
  for (Index k = 0; k < friction.size(); ++k)
    append(problem, Coulomb{.friction = friction[k], .tangents = dimension - 1});
}

}  // namespace backlash::fclib

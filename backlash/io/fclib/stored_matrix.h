// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backlash/base/types.h"
#include "backlash/io/fclib/format.h"
#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/solvers/contact_problem.h"

/// Matrices and vectors of FCLib's files, checked as they are read. Errors are InputErrors that
/// name file, dataset, what was found and what was expected.
namespace backlash::fclib {

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

/// That of a problem, given by its group.
TripletOrder triplet_order(const Hdf5Reader& file, const std::string& group);

/// A stored matrix as it lies in the file.
struct StoredMatrix {
  std::string path;
  Size size;
  std::int64_t nz = 0;  ///< entries of a triplet form; −1: compressed columns; −2: compressed rows
  std::vector<std::int64_t> p, i;
  Vector x;
};

StoredMatrix read_stored(const Hdf5Reader& file, const std::string& path);

/// Its entries, all indices inside and all values finite.
Entries read_entries(const Hdf5Reader& file, const StoredMatrix& stored, TripletOrder order);

/// So many finite numbers, which `why` explains.
Vector read_vector(const Hdf5Reader& file, const std::string& path, Index size,
                   std::string_view why);

/// How many rows of the two kinds a problem has.
struct RowCount {
  Index contact = 0, equality = 0;
};

/// How many rows a contact of the problem in that group has, in the plane or in space.
int read_dimension(const Hdf5Reader& file, const std::string& group, int plane, int space);

/// The coefficients of so many contacts, none of them negative.
Vector read_coefficients(const Hdf5Reader& file, const std::string& path, Index contacts);

/// Their friction, one law each.
void append_contacts(const Hdf5Reader& file, const std::string& group, Index contacts,
                     int dimension, ContactProblem& problem);

void require_extent(const Hdf5Reader& file, const std::string& path, Index found, Index expected,
                    std::string_view why);

}  // namespace backlash::fclib

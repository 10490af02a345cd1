// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "backlash/base/types.h"

/// HDF5 files as this project reads and writes them: datasets are named by their full path, every
/// error is an InputError that names file and dataset, and HDF5 itself prints nothing.
namespace backlash {

/// An HDF5 file, open for reading.
class Hdf5Reader {
 public:
  /// Throws InputError if there is no such file, or it is no HDF5 file.
  explicit Hdf5Reader(const std::filesystem::path& file);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  bool has(const std::string& path) const;
  bool has_attribute(const std::string& path, const std::string& attribute) const;

  /// All values of a dataset, whatever its shape. Throws InputError if it is missing, holds another
  /// kind of data or cannot be read.
  std::vector<std::int64_t> integers(const std::string& path) const;
  Vector numbers(const std::string& path) const;
  std::string text(const std::string& path) const;

  /// The value of a dataset that holds exactly one.
  std::int64_t integer(const std::string& path) const;

  /// Throw InputError: "<file>: <path> <complaint>".
  [[noreturn]] void refuse(const std::string& path, std::string_view complaint) const;

 private:
  std::filesystem::path file_;
  std::int64_t id_ = -1;
};

/// An HDF5 file being written, under a temporary name beside its own until commit(): if anything
/// fails before, what was there stays as it was.
class Hdf5Writer {
 public:
  /// An empty file, or one that begins as a copy of `source`.
  explicit Hdf5Writer(const std::filesystem::path& file);
  Hdf5Writer(const std::filesystem::path& file, const std::filesystem::path& source);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void group(const std::string& path);
  void remove(const std::string& path);
  void integers(const std::string& path, const std::vector<int>& values);
  void integer(const std::string& path, int value);
  void numbers(const std::string& path, const VectorView& values);
  void text(const std::string& path, const std::string& value);

  /// Give the file its name.
  void commit();

 private:
  void require(bool success, const std::string& path) const;

  std::filesystem::path file_, temporary_;
  std::int64_t id_ = -1;
};

/// For a program's first line: HDF5 then does not tidy up when the program ends, which for damaged
/// files it does with a loud complaint. What the two classes above opened they close themselves.
void leave_hdf5_at_exit();

}  // namespace backlash

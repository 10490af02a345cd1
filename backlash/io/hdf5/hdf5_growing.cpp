// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/io/hdf5/hdf5_handle.h"

/// The part of Hdf5Writer that fills a file while a run goes on.
namespace backlash {
namespace {

hid_t any_length_text() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

hid_t create_attribute(hid_t object, const std::string& name, hid_t type) {
  if (H5Aexists(object, name.c_str()) > 0) H5Adelete(object, name.c_str());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  return H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
}

bool put_attribute(hid_t object, const std::string& name, const Hdf5Value& value) {
  const auto put = [&](hid_t type, const void* data) {
    const Handle id(create_attribute(object, name, type), H5Aclose);
    return id.valid() && H5Awrite(id, type, data) >= 0;
  };
  if (const auto* number = std::get_if<double>(&value)) return put(H5T_NATIVE_DOUBLE, number);
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    return put(H5T_NATIVE_INT64, integer);
  const Handle type(any_length_text(), H5Tclose);
  const char* text = std::get<std::string>(value).c_str();
  return put(type, static_cast<const void*>(&text));
}

/// Where the superblock says how long the file is. Addresses beyond are refused when the file is
/// read, and HDF5 writes the superblock last. 0: not known, for the file does not begin with a
/// superblock of version 0 or 1 (which has 4 bytes more, of the indices), addresses of 8 bytes and
/// no user block.
off_t end_of_file_field(int file) {
  constexpr unsigned char expected[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  std::array<unsigned char, 52> found{};
  if (pread(file, found.data(), found.size(), 0) != static_cast<ssize_t>(found.size())) return 0;
  const unsigned char superblock = found[std::size(expected)];
  if (!std::equal(std::begin(expected), std::end(expected), found.begin()) || superblock > 1 ||
      found[13] != 8)
    return 0;
  const auto base = found.begin() + 24 + 4 * superblock;
  if (std::any_of(base, base + 8, [](unsigned char c) { return c != 0; })) return 0;
  return 40 + 4 * superblock;
}

/// Let the superblock say that the file ends at `size`, where it does end or beyond.
bool announce_end(int file, std::int64_t size) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(size) >> (8 * i));
  const off_t field = end_of_file_field(file);
  return field > 0 &&
         pwrite(file, bytes.data(), bytes.size(), field) == static_cast<ssize_t>(bytes.size());
}

template <class Value>
std::span<const unsigned char> bytes_of(std::span<const Value> values) {
  return {reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes()};
}

/// With values that were not written, up to a size in bytes.
void fill_up(std::vector<unsigned char>& bytes, std::size_t size,
             std::span<const unsigned char> missing) {
  std::size_t filled = bytes.size();
  bytes.resize(size);
  for (; filled < size; filled += missing.size())
    std::memcpy(&bytes[filled], missing.data(), missing.size());
}

}  // namespace

void Hdf5Writer::reserve(std::size_t bytes) {
  const int file = descriptor();
  const std::int64_t used = size_in_use();
  if (file < 0 || used < 0) refuse("the file");
  const int error = posix_fallocate(file, used, static_cast<off_t>(bytes));
  if (error == ENOSPC || error == EFBIG || error == EDQUOT) refuse("the file");
  reserved_ = true;
  if (error == 0) announce_end(file, used + static_cast<std::int64_t>(bytes));
}

void Hdf5Writer::give_back(int file, std::int64_t used) {
  if (announce_end(file, used)) [[maybe_unused]]
    const int cut = ftruncate(file, used);
}

std::int64_t Hdf5Writer::size_in_use() const {
  const Quiet quiet;
  hsize_t size = 0;
  return H5Fget_filesize(id_, &size) < 0 ? -1 : static_cast<std::int64_t>(size);
}

void Hdf5Writer::ordered_group(const std::string& path) {
  const Quiet quiet;
  const Handle order(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const Handle id(H5Gcreate2(id_, path.c_str(), H5P_DEFAULT, order, H5P_DEFAULT), H5Gclose);
  require(id.valid(), path);
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name,
                           const Hdf5Value& value) {
  const Quiet quiet;
  const Handle object(H5Oopen(id_, path.c_str(), H5P_DEFAULT), H5Oclose);
  require(object.valid() && put_attribute(object, name, value), path);
}

void Hdf5Writer::texts(const std::string& path, const std::vector<std::string>& values) {
  const Quiet quiet;
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  const hsize_t size = values.size();
  const Handle type(any_length_text(), H5Tclose);
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle id(H5Dcreate2(id_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                  H5Dclose);
  require(id.valid(), path);
  if (size > 0)
    require(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) >= 0, path);
}

void Hdf5Writer::create_growing(const std::string& path, std::int64_t type,
                                const GrowingShape& shape, const void* missing) {
  const hsize_t size = 0, most = H5S_UNLIMITED, chunk = static_cast<hsize_t>(shape.chunk);
  const Handle space(H5Screate_simple(1, &size, &most), H5Sclose);
  const Handle storage(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(storage, 1, &chunk);
  H5Pset_fill_value(storage, type, missing);
  if (H5Tget_class(type) != H5T_STRING) {
    H5Pset_shuffle(storage);
    H5Pset_deflate(storage, 1);
  }
  const hid_t id = H5Dcreate2(id_, path.c_str(), type, space, H5P_DEFAULT, storage, H5P_DEFAULT);
  require(id >= 0, path);
  const auto* bytes = static_cast<const unsigned char*>(missing);
  const std::size_t value_size = H5Tget_size(type);
  columns_[path] = {
      .id = id, .shape = shape, .value_size = value_size, .missing{bytes, bytes + value_size}};
}

Hdf5Writer::Column& Hdf5Writer::open_column(const std::string& path) {
  Column& column = columns_.at(path);
  if (column.id < 0) column.id = H5Dopen2(id_, path.c_str(), H5P_DEFAULT);
  require(column.id >= 0, path);
  return column;
}

void Hdf5Writer::growing_numbers(const std::string& path, const GrowingShape& shape) {
  const Quiet quiet;
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  create_growing(path, H5T_NATIVE_DOUBLE, shape, &missing);
}

void Hdf5Writer::growing_integers(const std::string& path, const GrowingShape& shape,
                                  const std::vector<std::string>& names) {
  const Quiet quiet;
  if (names.empty()) {
    constexpr int missing = std::numeric_limits<int>::min();
    create_growing(path, H5T_NATIVE_INT, shape, &missing);
    return;
  }
  const Handle type(H5Tenum_create(H5T_NATIVE_SCHAR), H5Tclose);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto value = static_cast<signed char>(i);
    H5Tenum_insert(type, names[i].c_str(), &value);
  }
  constexpr signed char missing_name = -1;
  create_growing(path, type, shape, &missing_name);
}

void Hdf5Writer::growing_texts(const std::string& path, const GrowingShape& shape) {
  const Quiet quiet;
  const Handle type(any_length_text(), H5Tclose);
  const char* missing = "";
  create_growing(path, type, shape, static_cast<const void*>(&missing));
}

void Hdf5Writer::append(const std::string& path, std::span<const std::string> values) {
  if (values.empty()) return;
  const Quiet quiet;
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  Column& column = open_column(path);
  const hsize_t first = column.rows, added = values.size(), size = first + added;
  require(H5Dset_extent(column.id, &size) >= 0, path);
  const Handle type(any_length_text(), H5Tclose);
  const Handle whole(H5Dget_space(column.id), H5Sclose);
  const Handle part(H5Screate_simple(1, &added, nullptr), H5Sclose);
  H5Sselect_hyperslab(whole, H5S_SELECT_SET, &first, nullptr, &added, nullptr);
  require(H5Dwrite(column.id, type, part, whole, H5P_DEFAULT,
                   static_cast<const void*>(pointers.data())) >= 0,
          path);
  column.rows = size;
}

void Hdf5Writer::append(const std::string& path, std::span<const double> values) {
  append_values(path, bytes_of(values));
}

void Hdf5Writer::append(const std::string& path, std::span<const int> values) {
  if (columns_.at(path).value_size != 1) return append_values(path, bytes_of(values));
  const std::vector<signed char> small(values.begin(), values.end());
  append_values(path, bytes_of(std::span(small)));
}

void Hdf5Writer::append_values(const std::string& path, std::span<const unsigned char> bytes) {
  if (bytes.empty()) return;
  const Quiet quiet;
  Column& column = open_column(path);
  const std::size_t chunk = static_cast<std::size_t>(column.shape.chunk) * column.value_size;
  all_bytes_ += bytes.size();
  for (std::size_t done = 0; done < bytes.size();) {
    const std::size_t part = std::min(bytes.size() - done, chunk - column.tail.size());
    column.rows += part / column.value_size;
    if (part == chunk)
      write_packed(path, column, bytes.subspan(done, part));
    else
      append_to_tail(path, column, bytes.subspan(done, part));
    done += part;
  }
}

void Hdf5Writer::append_to_tail(const std::string& path, Column& column,
                                std::span<const unsigned char> bytes) {
  column.tail.insert(column.tail.end(), bytes.begin(), bytes.end());
  if (column.tail.size() < static_cast<std::size_t>(column.shape.chunk) * column.value_size) return;
  if (column.stored > 0)
    write_plain(path, column);
  else
    write_packed(path, column, column.tail);
  column.tail.clear();
  column.stored = 0;
}

/// Up to the rows of its last chunk, which is to be written now; where it begins.
std::uint64_t Hdf5Writer::extend(const std::string& path, const Column& column) {
  const hsize_t size = column.rows;
  require(H5Dset_extent(column.id, &size) >= 0, path);
  const auto chunk = static_cast<hsize_t>(column.shape.chunk);
  return (size - 1) / chunk * chunk;
}

/// The last chunk, whole.
void Hdf5Writer::write_packed(const std::string& path, const Column& column,
                              std::span<const unsigned char> bytes) {
  const auto packed = packer_.pack({.bytes = bytes, .value_size = column.value_size},
                                   static_cast<std::size_t>(column.shape.period));
  const hsize_t offset = extend(path, column);
  require(H5Dwrite_chunk(column.id, H5P_DEFAULT, 0, &offset, packed.size(), packed.data()) >= 0,
          path);
}

/// The last chunk, without any filter, in its place.
void Hdf5Writer::write_plain(const std::string& path, Column& column) {
  constexpr std::uint32_t no_filters = 0b11;
  const std::size_t used = column.tail.size();
  const std::size_t chunk = static_cast<std::size_t>(column.shape.chunk) * column.value_size;
  if (std::exchange(column.stored, used) == 0) plain_bytes_ += chunk;
  fill_up(column.tail, chunk, column.missing);
  const hsize_t offset = extend(path, column);
  require(
      H5Dwrite_chunk(column.id, H5P_DEFAULT, no_filters, &offset, chunk, column.tail.data()) >= 0,
      path);
  column.tail.resize(used);
}

double Hdf5Writer::plain_share() const {
  return all_bytes_ == 0 ? 0 : static_cast<double>(plain_bytes_) / static_cast<double>(all_bytes_);
}

/// Room for the tails that have none yet, and for an index of each.
void Hdf5Writer::reserve_tails() {
  if (!reserved_) return;
  constexpr std::size_t index = 4096;
  std::size_t bytes = 0;
  for (const auto& [path, column] : columns_)
    if (!column.tail.empty() && column.stored == 0)
      bytes += static_cast<std::size_t>(column.shape.chunk) * column.value_size + index;
  if (bytes > 0) reserve(bytes);
}

/// Chunks that are not full, of datasets that grow.
void Hdf5Writer::store_tails() {
  reserve_tails();
  for (auto& [path, column] : columns_)
    if (column.shape.storage == Storage::growing && column.tail.size() > column.stored)
      write_plain(path, open_column(path));
}

void Hdf5Writer::close_columns() {
  const Quiet quiet;
  reserve_tails();
  for (auto& [path, column] : columns_) {
    if (column.stored > 0) {
      write_plain(path, open_column(path));
    } else if (!column.tail.empty()) {
      fill_up(column.tail, static_cast<std::size_t>(column.shape.chunk) * column.value_size,
              column.missing);
      write_packed(path, open_column(path), column.tail);
    }
    if (column.id >= 0) H5Dclose(std::exchange(column.id, -1));
  }
  columns_.clear();
}

}  // namespace backlash

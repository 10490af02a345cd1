// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <limits>

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
/// read, and HDF5 writes the superblock last.
constexpr off_t end_of_file_field = 40;

/// The beginning of a file with a superblock of version 0, addresses of 8 bytes and no user block.
bool has_plain_superblock(int file) {
  constexpr unsigned char expected[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 0};
  std::array<unsigned char, 48> found{};
  return pread(file, found.data(), found.size(), 0) == static_cast<ssize_t>(found.size()) &&
         std::equal(std::begin(expected), std::end(expected), found.begin()) && found[13] == 8 &&
         std::all_of(found.begin() + 24, found.begin() + 32,
                     [](unsigned char c) { return c == 0; });
}

/// Let the superblock say that the file ends at `size`, where it does end or beyond.
bool announce_end(int file, std::int64_t size) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(size) >> (8 * i));
  return has_plain_superblock(file) &&
         pwrite(file, bytes.data(), bytes.size(), end_of_file_field) ==
             static_cast<ssize_t>(bytes.size());
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
  const int dimensions = shape.width == 0 ? 1 : 2;
  const auto width = static_cast<hsize_t>(shape.width);
  const std::array<hsize_t, 2> size{0, width}, most{H5S_UNLIMITED, width};
  const std::array<hsize_t, 2> chunk{static_cast<hsize_t>(shape.chunk), width};
  const Handle space(H5Screate_simple(dimensions, size.data(), most.data()), H5Sclose);
  const Handle storage(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(storage, dimensions, chunk.data());
  H5Pset_fill_value(storage, type, missing);
  if (shape.storage == Storage::compressed) {
    constexpr unsigned fastest = 1;
    H5Pset_shuffle(storage);
    H5Pset_deflate(storage, fastest);
  }
  const Handle id(H5Dcreate2(id_, path.c_str(), type, space, H5P_DEFAULT, storage, H5P_DEFAULT),
                  H5Dclose);
  require(id.valid(), path);
}

void Hdf5Writer::growing_numbers(const std::string& path, const GrowingShape& shape) {
  const Quiet quiet;
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  create_growing(path, H5T_NATIVE_DOUBLE, shape, &missing);
}

void Hdf5Writer::growing_integers(const std::string& path, const GrowingShape& shape,
                                  const std::vector<std::string>& names) {
  const Quiet quiet;
  constexpr int missing = std::numeric_limits<int>::min();
  if (names.empty()) return create_growing(path, H5T_NATIVE_INT, shape, &missing);
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
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  const Handle type(any_length_text(), H5Tclose);
  append_rows(path, type, pointers.size(), static_cast<const void*>(pointers.data()));
}

void Hdf5Writer::append(const std::string& path, std::span<const double> values) {
  append_rows(path, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void Hdf5Writer::append(const std::string& path, std::span<const int> values) {
  const Quiet quiet;
  const Handle id(H5Dopen2(id_, path.c_str(), H5P_DEFAULT), H5Dclose);
  require(id.valid(), path);
  const Handle type(H5Dget_type(id), H5Tclose);
  if (H5Tget_class(type) != H5T_ENUM)
    return append_rows(path, H5T_NATIVE_INT, values.size(), values.data());
  const std::vector<signed char> small(values.begin(), values.end());
  append_rows(path, type, small.size(), small.data());
}

void Hdf5Writer::append_rows(const std::string& path, std::int64_t type, std::size_t count,
                             const void* values) {
  if (count == 0) return;
  const Quiet quiet;
  const Handle id(H5Dopen2(id_, path.c_str(), H5P_DEFAULT), H5Dclose);
  require(id.valid(), path);
  std::array<hsize_t, 2> size{}, first{}, added{};
  const Handle before(H5Dget_space(id), H5Sclose);
  const int dimensions = H5Sget_simple_extent_dims(before, size.data(), nullptr);
  first[0] = size[0];
  added = {dimensions == 2 ? count / size[1] : count, size[1]};
  size[0] += added[0];
  require(H5Dset_extent(id, size.data()) >= 0, path);
  const Handle whole(H5Dget_space(id), H5Sclose);
  const Handle part(H5Screate_simple(dimensions, added.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(whole, H5S_SELECT_SET, first.data(), nullptr, added.data(), nullptr);
  require(H5Dwrite(id, type, part, whole, H5P_DEFAULT, values) >= 0, path);
}

}  // namespace backlash

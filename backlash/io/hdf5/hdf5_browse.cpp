// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "backlash/base/printable.h"
#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/io/hdf5/hdf5_handle.h"

/// The part of Hdf5Reader that says what a file holds.
namespace backlash {
namespace {

/// HDF5 asks for the length first, then for the text.
template <class Name>
std::string text_of(const Name& name) {
  const ssize_t length = name(nullptr, std::size_t{0});
  if (length <= 0) return {};
  std::string text(static_cast<std::size_t>(length), '\0');
  name(text.data(), text.size() + 1);
  return plain_text(text);
}

/// Rows of a dataset as numbers, `width` in a row. False if they cannot be read.
bool read_rows(hid_t dataset, hsize_t first, hsize_t count, Vector& values) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::array<hsize_t, 2> size{1, 1};
  const int dimensions = H5Sget_simple_extent_dims(space, size.data(), nullptr);
  const std::array<hsize_t, 2> start{first, 0}, part{count, size[1]};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, part.data(), nullptr);
  const Handle memory(H5Screate_simple(dimensions, part.data(), nullptr), H5Sclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const auto offset = static_cast<Eigen::Index>(first * size[1]);
  if (H5Tget_class(type) != H5T_ENUM)
    return H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
                   values.data() + offset) >= 0;
  std::vector<int> integers(count * size[1]);
  if (H5Dread(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, integers.data()) < 0)
    return false;
  std::copy(integers.begin(), integers.end(), values.begin() + offset);
  return true;
}

/// Rows that are stored together; 0 if all are.
hsize_t rows_per_chunk(hid_t dataset) {
  const Handle storage(H5Dget_create_plist(dataset), H5Pclose);
  std::array<hsize_t, 2> chunk{};
  return H5Pget_layout(storage) == H5D_CHUNKED && H5Pget_chunk(storage, 2, chunk.data()) > 0
             ? chunk[0]
             : 0;
}

std::string text_attribute(hid_t attribute, hid_t type) {
  if (H5Tis_variable_str(type) > 0) {
    char* value = nullptr;
    if (H5Aread(attribute, type, static_cast<void*>(&value)) < 0 || value == nullptr) return {};
    const std::string text = plain_text(value);
    H5free_memory(value);
    return text;
  }
  std::string value(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, value.data()) < 0) return {};
  return plain_text(value.substr(0, value.find('\0')));
}

/// How many of the rows come before the first that holds what stands for nothing.
std::size_t written_rows(hid_t dataset, const double* values, hsize_t rows, std::size_t width) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  const double least = kind == H5T_ENUM ? 0 : std::numeric_limits<int>::min() + 1.0;
  const double* end = values + rows * width;
  const double* missing = std::find_if(values, end, [&](double value) {
    return kind == H5T_FLOAT ? std::isnan(value) : value < least;
  });
  return static_cast<std::size_t>(missing - values) / width;
}

}  // namespace

std::vector<std::size_t> Hdf5Reader::shape(const std::string& path) const {
  const Quiet quiet;
  const Handle id(open_dataset(path), H5Dclose);
  const Handle space(H5Dget_space(id), H5Sclose);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  if (dimensions < 0) refuse(path, "has no simple shape");
  std::vector<hsize_t> size(static_cast<std::size_t>(dimensions));
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  return {size.begin(), size.end()};
}

Vector Hdf5Reader::leading_numbers(const std::string& path) const {
  const std::vector<std::size_t> size = shape(path);
  if (size.empty() || size.size() > 2)
    refuse(path, fmt::format("has {} dimensions, expected one or two", size.size()));
  const Quiet quiet;
  const Handle id(open_dataset(path), H5Dclose);
  const std::size_t width = size.size() == 2 ? size[1] : 1;
  const hsize_t rows = size[0], chunk = rows_per_chunk(id);
  if (width != 0 && rows > static_cast<hsize_t>(std::numeric_limits<int>::max()) / width)
    refuse(path, "has more values than can be read");
  Vector values(static_cast<Eigen::Index>(rows * width));
  if (values.size() == 0) return values;
  hsize_t readable = rows;
  if (!read_rows(id, 0, rows, values)) {
    if (chunk == 0) refuse(path, "cannot be read: the file is damaged");
    readable = 0;
    while (readable < rows && read_rows(id, readable, std::min(chunk, rows - readable), values))
      readable += chunk;
  }
  return values.head(static_cast<Eigen::Index>(
      width * written_rows(id, values.data(), std::min(readable, rows), width)));
}

std::vector<std::string> Hdf5Reader::names(const std::string& path) const {
  const Quiet quiet;
  const Handle id(open_dataset(path), H5Dclose);
  const Handle type(H5Dget_type(id), H5Tclose);
  std::vector<std::string> names;
  const int count = H5Tget_class(type) == H5T_ENUM ? H5Tget_nmembers(type) : 0;
  for (int i = 0; i < count; ++i) {
    char* name = H5Tget_member_name(type, static_cast<unsigned>(i));
    names.push_back(plain_text(name ? name : ""));
    H5free_memory(name);
  }
  return names;
}

std::vector<std::string> Hdf5Reader::members(const std::string& path) const {
  const Quiet quiet;
  if (!has(path)) refuse(path, "is missing");
  const Handle group(H5Gopen2(id_, path.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) refuse(path, "is no group");
  const Handle made(H5Gget_create_plist(group), H5Pclose);
  unsigned order = 0;
  H5Pget_link_creation_order(made, &order);
  const H5_index_t by = (order & H5P_CRT_ORDER_INDEXED) ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  H5G_info_t info{};
  H5Gget_info(group, &info);
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i)
    names.push_back(text_of([&](char* text, std::size_t size) {
      return H5Lget_name_by_idx(group, ".", by, H5_ITER_INC, i, text, size, H5P_DEFAULT);
    }));
  return names;
}

std::vector<std::string> Hdf5Reader::attributes(const std::string& path) const {
  const Quiet quiet;
  if (!has(path)) refuse(path, "is missing");
  const Handle object(H5Oopen(id_, path.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid()) refuse(path, "cannot be opened");
  const auto open = [&](H5_index_t by, int i) {
    return H5Aopen_by_idx(object, ".", by, H5_ITER_INC, static_cast<hsize_t>(i), H5P_DEFAULT,
                          H5P_DEFAULT);
  };
  const int count = H5Aget_num_attrs(object);
  const Handle first(open(H5_INDEX_CRT_ORDER, 0), H5Aclose);  // fails where no order was kept
  const H5_index_t by = first.valid() ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    const Handle attribute(open(by, i), H5Aclose);
    names.push_back(text_of([&](char* text, std::size_t size) {
      return H5Aget_name(attribute, text == nullptr ? 0 : size, text);
    }));
  }
  return names;
}

Hdf5Value Hdf5Reader::attribute(const std::string& path, const std::string& name) const {
  const Quiet quiet;
  if (!has_attribute(path, name)) refuse(path, fmt::format("has no attribute '{}'", name));
  const Handle id(H5Aopen_by_name(id_, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                  H5Aclose);
  const Handle type(H5Aget_type(id), H5Tclose);
  const Handle space(H5Aget_space(id), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1)
    refuse(path, fmt::format("has an attribute '{}' of several values, expected one", name));
  double number = 0;
  std::int64_t integer = 0;
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return text_attribute(id, type);
    case H5T_INTEGER:
      if (H5Aread(id, H5T_NATIVE_INT64, &integer) >= 0) return integer;
      break;
    case H5T_FLOAT:
      if (H5Aread(id, H5T_NATIVE_DOUBLE, &number) >= 0) return number;
      break;
    default:
      break;
  }
  refuse(path, fmt::format("has an attribute '{}' that cannot be read", name));
}

}  // namespace backlash

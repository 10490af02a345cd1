// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/hdf5/hdf5_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/base/printable.h"
#include "backlash/io/hdf5/hdf5_handle.h"
#include "backlash/io/temporary_file.h"

namespace backlash {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

bool exists(hid_t file, const std::string& path) {
  return path == "/" ||
         (is_in_this_file(file, path) && H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0);
}

std::string_view name_of(H5T_class_t kind) {
  switch (kind) {
    case H5T_INTEGER:
      return "integers";
    case H5T_FLOAT:
      return "floating-point numbers";
    case H5T_STRING:
      return "text";
    case H5T_ENUM:
      return "names";
    default:
      return "data of another type";
  }
}

/// A dataset with what its type and shape say.
struct Dataset {
  Dataset(const Hdf5Reader& reader, const std::string& path)
      : id(reader.open_dataset(path), H5Dclose),
        type(H5Dget_type(id), H5Tclose),
        space(H5Dget_space(id), H5Sclose),
        kind(H5Tget_class(type)) {
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    if (points < 0 || points > std::numeric_limits<int>::max())
      reader.refuse(path, "has more values than can be read");
    count = static_cast<std::size_t>(points);
  }

  Handle id, type, space;
  H5T_class_t kind;
  std::size_t count = 0;
};

void read(const Hdf5Reader& reader, const Dataset& data, const std::string& path, hid_t memory_type,
          void* values) {
  if (data.count == 0) return;
  if (H5Dread(data.id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    reader.refuse(path, "cannot be read: the file is damaged or uses a filter that is not here");
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::filesystem::path& file) : file_(file) {
  const Quiet quiet;
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    throw InputError(fmt::format("{}: there is no such file", file.string()));
  if (std::filesystem::is_directory(status))
    throw InputError(fmt::format("{}: is a folder, expected an HDF5 file", file.string()));
  if (access(file.c_str(), R_OK) != 0)
    throw IoError(fmt::format("{}: may not be read", file.string()));
  if (H5Fis_hdf5(file.c_str()) <= 0)
    throw InputError(fmt::format("{}: is not an HDF5 file", file.string()));
  id_ = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id_ < 0)
    throw InputError(
        fmt::format("{}: cannot be opened: the HDF5 file is damaged or in use", file.string()));
}

Hdf5Reader::~Hdf5Reader() {
  const Quiet quiet;  // damaged files cannot always be closed, either
  H5Fclose(id_);
}

std::int64_t Hdf5Reader::open_dataset(const std::string& path) const {
  if (!exists(id_, path)) refuse(path, "is missing");
  const hid_t id = H5Dopen2(id_, path.c_str(), H5P_DEFAULT);
  if (id < 0) refuse(path, "cannot be opened as a dataset");
  if (const char* trouble = storage_trouble(id_, id)) {
    H5Dclose(id);
    refuse(path, trouble);
  }
  return id;
}

bool Hdf5Reader::has(const std::string& path) const {
  const Quiet quiet;
  return exists(id_, path);
}

bool Hdf5Reader::has_attribute(const std::string& path, const std::string& attribute) const {
  const Quiet quiet;
  return exists(id_, path) &&
         H5Aexists_by_name(id_, path.c_str(), attribute.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::int64_t> Hdf5Reader::integers(const std::string& path) const {
  const Quiet quiet;
  const Dataset data(*this, path);
  if (data.kind != H5T_INTEGER && data.kind != H5T_ENUM)
    refuse(path, fmt::format("holds {}, expected integers", name_of(data.kind)));
  std::vector<std::int64_t> values(data.count);
  read(*this, data, path, H5T_NATIVE_INT64, values.data());
  return values;
}

Vector Hdf5Reader::numbers(const std::string& path) const {
  const Quiet quiet;
  const Dataset data(*this, path);
  if (data.kind != H5T_FLOAT && data.kind != H5T_INTEGER)
    refuse(path, fmt::format("holds {}, expected numbers", name_of(data.kind)));
  Vector values(static_cast<Eigen::Index>(data.count));
  read(*this, data, path, H5T_NATIVE_DOUBLE, values.data());
  return values;
}

std::string Hdf5Reader::text(const std::string& path) const {
  const Quiet quiet;
  const Dataset data(*this, path);
  if (data.kind != H5T_STRING || data.count != 1)
    refuse(path,
           fmt::format("holds {} values of {}, expected one text", data.count, name_of(data.kind)));
  if (H5Tis_variable_str(data.type) > 0) {
    char* value = nullptr;
    read(*this, data, path, data.type, static_cast<void*>(&value));
    const std::string result = plain_text(value ? value : "");
    H5Dvlen_reclaim(data.type, data.space, H5P_DEFAULT, static_cast<void*>(&value));
    return result;
  }
  std::string value(H5Tget_size(data.type), '\0');
  read(*this, data, path, data.type, value.data());
  return plain_text(value.substr(0, value.find('\0')));
}

std::vector<std::string> Hdf5Reader::texts(const std::string& path) const {
  const Quiet quiet;
  const Dataset data(*this, path);
  if (data.kind != H5T_STRING || H5Tis_variable_str(data.type) <= 0)
    refuse(path, fmt::format("holds {}, expected texts of any length", name_of(data.kind)));
  std::vector<char*> values(data.count, nullptr);
  read(*this, data, path, data.type, static_cast<void*>(values.data()));
  std::vector<std::string> texts;
  for (const char* value : values) texts.push_back(plain_text(value ? value : ""));
  if (data.count > 0) H5Dvlen_reclaim(data.type, data.space, H5P_DEFAULT, values.data());
  return texts;
}

std::int64_t Hdf5Reader::integer(const std::string& path) const {
  const std::vector<std::int64_t> values = integers(path);
  if (values.size() != 1) refuse(path, fmt::format("holds {} values, expected one", values.size()));
  return values.front();
}

void Hdf5Reader::refuse(const std::string& path, std::string_view complaint) const {
  throw InputError(fmt::format("{}: {} {}", file_.string(), path, complaint));
}

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file, std::size_t chunks)
    : file_(file), temporary_(temporary_name(file)) {
  const Quiet quiet;
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  if (chunks > usual_chunks)
    H5Pset_istore_k(creation, static_cast<unsigned>((std::min(chunks, most_chunks) + 1) / 2));
  id_ = H5Fcreate(temporary_.c_str(), H5F_ACC_EXCL, creation, H5P_DEFAULT);
  require(id_ >= 0, "the file");
}

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file, const std::filesystem::path& source)
    : file_(file), temporary_(temporary_name(file)) {
  const Quiet quiet;
  std::error_code error;
  std::filesystem::copy_file(source, temporary_, error);
  require(!error, "the file");
  std::filesystem::permissions(temporary_, std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add, error);
  id_ = H5Fopen(temporary_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (id_ < 0) std::filesystem::remove(temporary_, error);
  require(id_ >= 0, "the file");
}

Hdf5Writer::~Hdf5Writer() {
  if (id_ < 0) return;
  const Quiet quiet;
  for (const auto& [path, column] : columns_)
    if (column.id >= 0) H5Dclose(column.id);
  H5Fclose(id_);
  std::error_code ignored;
  if (!published_) std::filesystem::remove(temporary_, ignored);
}

void Hdf5Writer::group(const std::string& path) {
  const Quiet quiet;
  const Handle id(H5Gcreate2(id_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  require(id.valid(), path);
}

void Hdf5Writer::remove(const std::string& path) {
  const Quiet quiet;
  if (exists(id_, path)) require(H5Ldelete(id_, path.c_str(), H5P_DEFAULT) >= 0, path);
}

void Hdf5Writer::integers(const std::string& path, const std::vector<int>& values) {
  const Quiet quiet;
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle id(
      H5Dcreate2(id_, path.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  require(
      id.valid() && H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
      path);
}

void Hdf5Writer::integer(const std::string& path, int value) {
  integers(path, std::vector<int>{value});
}

void Hdf5Writer::numbers(const std::string& path, const VectorView& values) {
  const Quiet quiet;
  const auto size = static_cast<hsize_t>(values.size());
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle id(H5Dcreate2(id_, path.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                             H5P_DEFAULT),
                  H5Dclose);
  require(id.valid() &&
              H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
          path);
}

void Hdf5Writer::text(const std::string& path, const std::string& value) {
  const Quiet quiet;
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  require(H5Tset_size(type, value.size() + 1) >= 0, path);
  const Handle id(H5Dcreate2(id_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                  H5Dclose);
  require(id.valid() && H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()) >= 0,
          path);
}

void Hdf5Writer::flush() {
  const Quiet quiet;
  store_tails();
  for (auto& [path, column] : columns_)
    if (column.id >= 0) H5Dclose(std::exchange(column.id, -1));
  require(H5Fflush(id_, H5F_SCOPE_LOCAL) >= 0, "the file");
}

void Hdf5Writer::store() {
  const Quiet quiet;
  store_tails();
  require(H5Fflush(id_, H5F_SCOPE_LOCAL) >= 0, "the file");
}

void Hdf5Writer::publish() {
  flush();
  std::error_code error;
  std::filesystem::rename(temporary_, file_, error);
  require(!error, "the file");
  published_ = true;
}

void Hdf5Writer::commit() {
  close_columns();
  if (!published_) publish();
  flush();
  const Quiet quiet;
  const std::int64_t used = size_in_use();
  const int same_file = reserved_ ? dup(descriptor()) : -1;
  const herr_t closed = H5Fclose(id_);
  id_ = -1;
  if (closed >= 0 && same_file >= 0) give_back(same_file, used);
  if (same_file >= 0) close(same_file);
  require(closed >= 0, "the file");
}

void Hdf5Writer::require(bool success, const std::string& path) {
  if (success) return;
  detach();
  refuse(path);
}

void Hdf5Writer::refuse(const std::string& path) const {
  throw IoError(
      fmt::format("{}: {} cannot be written; is the folder there, writable, and the disk not full?",
                  file_.string(), path));
}

int Hdf5Writer::descriptor() const {
  const Quiet quiet;
  void* found = nullptr;
  if (id_ < 0 || H5Fget_vfd_handle(id_, H5P_DEFAULT, &found) < 0) return -1;
  return *static_cast<int*>(found);
}

void Hdf5Writer::detach() {
  const int file = descriptor();
  const int nowhere = file < 0 ? -1 : open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  dup2(nowhere, file);
  close(nowhere);
}

void leave_hdf5_at_exit() { H5dont_atexit(); }

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/hdf5/hdf5_handle.h"

namespace backlash {
namespace {

/// What deflate makes of nothing but zeros; nothing that we store shrinks further.
constexpr double best_compression = 1032;

/// Beside the values: a dataset without chunks yet has its shape, and fill values in memory.
constexpr double allowance = 1 << 20;  ///< [bytes]

double declared_bytes(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const hssize_t values = H5Sget_simple_extent_npoints(space);
  return static_cast<double>(values) * static_cast<double>(H5Tget_size(type));
}

}  // namespace

bool is_in_this_file(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1); path != "/"; end = path.find('/', end + 1)) {
    H5L_info_t link{};
    if (H5Lget_info(file, path.substr(0, end).c_str(), &link, H5P_DEFAULT) < 0) return false;
    if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT) return false;
    if (end == std::string::npos) break;
  }
  return true;
}

const char* storage_trouble(hid_t file, hid_t dataset) {
  const Handle storage(H5Dget_create_plist(dataset), H5Pclose);
  if (!storage.valid()) return "does not say how it is stored";
  const H5D_layout_t layout = H5Pget_layout(storage);
  if (H5Pget_external_count(storage) != 0 || layout == H5D_VIRTUAL)
    return "is stored in another file, which is not read";
  hsize_t size = 0;
  if (H5Fget_filesize(file, &size) < 0) return "is in a file of unknown size";
  const double stored = static_cast<double>(size);
  const double most = layout == H5D_CHUNKED ? best_compression * stored + allowance : stored;
  const double declared = declared_bytes(dataset);
  if (declared > most) return "claims more values than the file can hold";
  if (layout != H5D_CHUNKED || declared <= allowance) return nullptr;
  // A file that a run is writing has room for rows to come.
  const auto held = static_cast<double>(H5Dget_storage_size(dataset));
  return declared > best_compression * held + allowance ? "claims more values than it holds"
                                                        : nullptr;
}

}  // namespace backlash

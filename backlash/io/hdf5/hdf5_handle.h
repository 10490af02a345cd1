// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <string>

/// What the sources that speak to HDF5 itself share.
namespace backlash {

/// While one lives, HDF5 does not print its error stack; what printed it before is put back.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// An identifier of HDF5 that is closed in the end.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator hid_t() const { return id_; }  // NOLINT: it stands for the identifier everywhere
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Whether every name of a path is there, in this very file: links to others are not followed.
bool is_in_this_file(hid_t file, const std::string& path);

/// What is wrong with how a dataset is stored, for files that lie: it is in another file, or it
/// claims more values than the file can hold. Null: nothing. Asked before memory is taken.
const char* storage_trouble(hid_t file, hid_t dataset);

}  // namespace backlash

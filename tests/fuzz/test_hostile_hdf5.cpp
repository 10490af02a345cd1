// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <hdf5.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/io/hdf5/hdf5_file.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A file with one dataset of so many numbers, none of which is written.
class LyingFile {
 public:
  explicit LyingFile(const std::filesystem::path& file)
      : id_(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
        storage_(H5Pcreate(H5P_DATASET_CREATE)) {}
  ~LyingFile() {
    H5Pclose(storage_);
    H5Fclose(id_);
  }
  LyingFile(const LyingFile&) = delete;
  LyingFile& operator=(const LyingFile&) = delete;

  hid_t id() const { return id_; }
  hid_t storage() const { return storage_; }

  void add(const char* name, hsize_t count) const {
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t data =
        H5Dcreate2(id_, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, storage_, H5P_DEFAULT);
    H5Dclose(data);
    H5Sclose(space);
  }

 private:
  hid_t id_, storage_;
};

constexpr hsize_t many = 300'000'000;

void expect_refused(const std::filesystem::path& file, const char* complaint) {
  const Hdf5Reader reader(file);
  EXPECT_THAT([&] { reader.numbers("/x"); }, ThrowsMessage<InputError>(HasSubstr(complaint)));
  EXPECT_THAT([&] { reader.leading_numbers("/x"); },
              ThrowsMessage<InputError>(HasSubstr(complaint)));
}

TEST(HostileHdf5, ThatClaimsMoreThanItStoresIsRefusedBeforeMemoryIsTaken) {
  const TemporaryFolder folder;
  const auto file = folder / "lie.h5";
  {
    const LyingFile lie(file);
    const hsize_t chunk = 4096;
    H5Pset_chunk(lie.storage(), 1, &chunk);
    lie.add("/x", many);
  }
  ASSERT_LT(std::filesystem::file_size(file), 100'000u);
  expect_refused(file, "/x claims more values than the file can hold");
}

TEST(HostileHdf5, ThatIsNotChunkedNeitherClaimsMoreThanItStores) {
  const TemporaryFolder folder;
  {
    const LyingFile lie(folder / "lie.h5");
    lie.add("/x", many);  // space is taken when it is written, which it never is
  }
  expect_refused(folder / "lie.h5", "/x claims more values than the file can hold");
}

TEST(HostileHdf5, DoesNotMakeUsReadOtherFiles) {
  const TemporaryFolder folder;
  {
    const LyingFile lie(folder / "outside.h5");
    H5Pset_external(lie.storage(), "/etc/hostname", 0, 8);
    lie.add("/x", 1);
  }
  expect_refused(folder / "outside.h5", "/x is stored in another file, which is not read");
  {
    const LyingFile real(folder / "real.h5");
    real.add("/x", 1);
    const LyingFile link(folder / "link.h5");
    H5Lcreate_external("real.h5", "/x", link.id(), "/x", H5P_DEFAULT, H5P_DEFAULT);
  }
  expect_refused(folder / "link.h5", "/x is missing");
}

}  // namespace
}  // namespace backlash

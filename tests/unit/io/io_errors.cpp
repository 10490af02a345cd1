// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/io/fclib/fclib.h"
#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/io/model/model_reader.h"
#include "backlash/io/results/results_folder.h"
#include "support/temporary_folder.h"

namespace backlash {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A place where nothing can be: below a file that is no folder.
const std::filesystem::path nowhere = "/dev/null/nowhere";

SystemInfo one_position() { return {.name = "s", .positions = 1, .velocities = 1}; }

TEST(IoErrors, AreWhatKeepsAFileFromBeingWritten) {
  EXPECT_THAT([] { PartFile file(nowhere); },
              ThrowsMessage<IoError>(HasSubstr("cannot be written")));
  EXPECT_THAT([] { Hdf5Writer file(nowhere); },
              ThrowsMessage<IoError>(HasSubstr("cannot be written")));
  EXPECT_THAT([] { ResultsFolder(nowhere, one_position(), {}, {}); },
              ThrowsMessage<IoError>(HasSubstr("cannot be made")));
  EXPECT_THAT([] { CsvWriter(nowhere, one_position(), {}); },
              ThrowsMessage<IoError>(HasSubstr("states.csv")));
}

TEST(IoErrors, AreWhatKeepsAFileFromGettingItsName) {
  const TemporaryFolder folder;
  PartFile text(folder / "taken.txt");
  Hdf5Writer data(folder / "taken.h5");
  for (const char* name : {"taken.txt/x", "taken.h5/x"})
    std::filesystem::create_directories(folder / name);
  EXPECT_THROW(text.publish(), IoError);
  EXPECT_THROW(data.publish(), IoError);
}

TEST(IoErrors, AreNotWhatIsWrongWithTheInput) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_model(folder / "none.yaml"), InputError);
  EXPECT_THROW(read_model(folder.path()), InputError);
  EXPECT_THROW(read_fclib(folder / "none.hdf5"), InputError);
  EXPECT_THROW(read_results(folder.path()), InputError);
  { ResultsFolder first(folder.path(), one_position(), {}, {}); }
  EXPECT_THROW(parse_formats("xml"), InputError);
}

}  // namespace
}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backlash/io/results/checkpoint.h"
#include "backlash/io/results/folder_lock.h"
#include "backlash/io/results/results_file.h"
#include "backlash/io/results/summary.h"

namespace backlash {

/// The formats in which a run is written.
struct ResultsFormats {
  bool csv = true;
  bool hdf5 = true;
};

/// From "csv", "hdf5" or "csv,hdf5". Throws InputError that says what exists.
ResultsFormats parse_formats(const std::string& text);

/// What to do with results that are in the folder.
enum class Existing { keep, replace };

/// Throw InputError if there are results in the folder and they are to be kept, so that a run that
/// could not be saved is not begun.
void require_free(const std::filesystem::path& folder, Existing existing);

/// The folder that a run is written into, in all formats that were asked for. It belongs to this
/// run alone. What was there stays until the first write has succeeded. Throws IoError where
/// something cannot be written.
class ResultsFolder {
 public:
  struct Options {
    ResultsFormats formats{};
    Existing existing = Existing::keep;
    RecorderOptions recorded{};
    const Checkpoint* resumed = nullptr;  ///< of the run in this folder that goes on
    FolderLock* lock = nullptr;           ///< of who holds the folder already; it is moved from
  };

  /// Makes the folder if need be. Throws InputError if another run is writing there.
  ResultsFolder(const std::filesystem::path& folder, const SystemInfo& info,
                const RunDescription& run, const Options& options);

  /// Append what was recorded and empty the recording. Where a number in it is none, what was
  /// recorded before that time is written, and then InputError thrown.
  void write(Recording& recording);

  /// What was written to the disk, so that it can be read in this process, and if the run is
  /// killed.
  void flush();

  /// What was written to the disk, so that it can be read if the run is killed; and what it takes
  /// to resume the run from here then. It takes the place of the last one at once, and is removed
  /// where the run ends as it should.
  void checkpoint(Checkpoint& saved);

  /// The run is over: write summary.json. The results.h5 of a run that came to its end is
  /// compressed.
  void finish(const RunReport& figures);

  /// Names of the files, without the folder.
  std::vector<std::string> files() const;

 private:
  void append(Recording& recording);
  void publish();
  void compress(const std::string& status, const std::string& summary);
  void make_room(const Recording& recording);
  void write_anew(std::span<const RecordedContact> contacts);

  std::filesystem::path folder_;
  FolderLock lock_;
  SystemInfo info_;
  RunDescription run_;
  Options options_;
  bool published_ = false;
  std::vector<RecordedContact> contacts_;  ///< so far, by their numbers
  std::optional<CsvWriter> csv_;
  std::unique_ptr<ResultsFileWriter> hdf5_;
  std::size_t most_chunks_ = 0;  ///< of its columns, before it is written anew with more room
};

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "backlash/io/hdf5/hdf5_file.h"
#include "backlash/results/columns.h"
#include "backlash/results/run_description.h"
#include "backlash/results/run_results.h"

/// A run in one HDF5 file, results.h5 (docs/reference/results.md).
namespace backlash {

/// Of results.h5 and summary.json; grows when a reader of the old format would misread the new one.
inline constexpr int results_format_version = 2;

/// Times of output that are stored, and best written, together: a few thousand, or fewer of a large
/// mechanism.
int rows_per_block(const SystemInfo& info);

/// What stands in a column of results.h5 where its quantity is not defined: that of netCDF. Such a
/// column has it as the attribute `missing_value`.
inline constexpr double missing_value = 9.969209968386869e36;

/// How many rows the tables have.
struct ResultsRows {
  std::uint64_t states = 0, contacts = 0, events = 0, steps = 0;

  void archive(auto& a) { a(states, contacts, events, steps); }
};

/// Writes results.h5. Throws IoError where it cannot be written; the file is then as the last
/// write that succeeded left it.
class ResultsFileWriter {
 public:
  struct Layout {
    Storage storage = Storage::growing;
    std::size_t chunks = 0;  ///< of a column, at most; 0: as many as rows are expected, or usual
  };

  ResultsFileWriter(const std::filesystem::path& file, const SystemInfo& info,
                    const RunDescription& run, const RecorderOptions& recorded,
                    const Layout& layout);
  ResultsFileWriter(const std::filesystem::path& file, const SystemInfo& info,
                    const RunDescription& run, const RecorderOptions& recorded)
      : ResultsFileWriter(file, info, run, recorded, Layout{}) {}

  /// Chunks that a column has room for, and that the longest would have with so much more.
  std::size_t chunks() const { return chunks_; }
  std::size_t chunks_with(const Recording& more) const;

  /// Begin with so many rows of an earlier file of the same run, but for the names of contacts.
  /// Throws InputError if it has fewer.
  void append_from(const std::filesystem::path& earlier, const ResultsRows& rows);

  void append_contacts(std::span<const RecordedContact> contacts);

  ResultsRows rows() const { return {states_.rows, contacts_.rows, events_.rows, steps_.rows}; }

  /// Append what was recorded.
  void write(const Recording& recording);

  /// All that was written to the disk: a run that is killed afterwards leaves a file that can be
  /// read up to here, or further.
  void store() { file_.store(); }

  /// The same, for those who read the file in this process, too.
  void flush() { file_.flush(); }

  /// Which part of the file is not compressed.
  double plain_share() const { return file_.plain_share(); }

  /// Give the file its name, in the place of any that is there, and go on writing.
  void publish();

  /// The run is over: `status` as in summary.json, whose text is kept too.
  void finish(const std::string& status, const std::string& summary);

 private:
  /// How a table grows on the disk.
  struct Growth {
    std::size_t rows = 0;       ///< written so far
    std::size_t chunk = 0;      ///< rows
    std::size_t row_bytes = 0;  ///< at most
    std::size_t columns = 0;

    std::size_t chunks_with(std::size_t more_rows) const {
      return (rows + more_rows + chunk - 1) / chunk;
    }
    std::size_t bytes_for(std::size_t more_rows, std::size_t index) const;  ///< at most
  };

  void append_states(std::span<const double> states);
  void reserve(const ResultsRows& rows);

  std::size_t rows_per_chunk_, chunks_;
  Hdf5Writer file_;
  SystemInfo info_;
  RecorderOptions recorded_;
  std::vector<Channel> channels_;
  Growth states_, contacts_, events_, steps_, names_;
  std::vector<double> room_;  ///< for columns
};

/// Throws InputError if the file is no results.h5, or of a format that is newer than this program.
Results read_results(const std::filesystem::path& file);

}  // namespace backlash

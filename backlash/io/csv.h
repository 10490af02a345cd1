// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>

#include "backlash/results/recorder.h"

namespace backlash {

/// Writes a run into a folder as states.csv, contacts.csv and events.csv. Numbers read back to the
/// same bits. Throws InputError where the folder or a file cannot be written.
class CsvWriter {
 public:
  /// Makes the folder if need be. Files of an earlier run are an error unless they may be replaced.
  enum class Existing { keep, replace };
  CsvWriter(const std::filesystem::path& folder, const SystemInfo& info, Existing existing);

  /// Append what was recorded, and empty the recording.
  void write(Recording& recording);

 private:
  void write_states(const Recording& recording);
  void write_contacts(const Recording& recording);
  void write_events(const Recording& recording);
  void require_written(std::ofstream& file, const char* name) const;

  std::filesystem::path folder_;
  const SystemInfo info_;
  std::size_t columns_ = 0;  ///< of states.csv
  std::ofstream states_, contacts_, events_;
};

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backlash/io/results/atomic_file.h"
#include "backlash/io/results/number_text.h"
#include "backlash/results/columns.h"

namespace backlash {

/// How long the files are [bytes].
struct CsvSizes {
  std::uint64_t states = 0, contacts = 0, events = 0, steps = 0;

  void archive(auto& a) { a(states, contacts, events, steps); }
};

/// Writes a run into a folder as states.csv, contacts.csv and events.csv, and steps.csv if asked
/// for. Numbers read back to the same bits. Throws IoError where a file cannot be written.
class CsvWriter {
 public:
  static constexpr std::size_t text_at_once = 1 << 16;  ///< that is written [bytes]

  CsvWriter(const std::filesystem::path& folder, const SystemInfo& info,
            const RecorderOptions& recorded);

  /// One that goes on where an earlier one of the same run in that folder was.
  CsvWriter(const std::filesystem::path& folder, const SystemInfo& info,
            const RecorderOptions& recorded, const CsvSizes& earlier);

  CsvSizes sizes() const;

  /// Append what was recorded.
  void write(const Recording& recording);

  /// Give the files their names, in the place of any that are there, and go on writing.
  void publish();

 private:
  CsvWriter(const std::filesystem::path& folder, const SystemInfo& info, std::size_t columns,
            bool steps);

  SystemInfo info_;
  std::size_t columns_ = 0;                 ///< of states.csv
  std::vector<std::string> contact_names_;  ///< as fields, by their numbers
  std::vector<std::string> event_names_;    ///< of the model, likewise
  TextBuffer text_{text_at_once};           ///< not yet in a file
  PartFile states_, contacts_, events_;
  std::optional<PartFile> steps_;
};

}  // namespace backlash

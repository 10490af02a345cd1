// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "backlash/io/results/csv.h"
#include "backlash/io/results/results_file.h"

namespace backlash {

/// Of the file in a results folder.
inline constexpr const char* checkpoint_name = "checkpoint.bin";

/// What it takes to resume a run: how it was called and what it is of, how far it had come, and
/// how much of its files belongs to that.
struct Checkpoint {
  std::string call{};      ///< as who began the run saved it
  std::string run{};       ///< digest() of its description
  std::string progress{};  ///< save() of a RunProgress
  std::string recorder{};  ///< Recorder::save()
  CsvSizes csv{};
  ResultsRows hdf5{};

  void archive(Archive& a) { a(call, run, progress, recorder, csv, hdf5); }
};

/// The model, its parameters and all options, so that other ones are told apart.
std::string digest(const RunDescription& run);

/// Into the folder, in the place of the one that is there: at any moment there is a whole one.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

/// Throws InputError if there is none, it is damaged, or another version of the program wrote it.
Checkpoint read_checkpoint(const std::filesystem::path& folder);

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/results_folder.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/io/temporary_file.h"

namespace backlash {
namespace {

/// All that a run may leave in a folder.
constexpr std::array file_names{"states.csv",   "contacts.csv", "events.csv",   "steps.csv",
                                "summary.json", "results.h5",   checkpoint_name};

const std::filesystem::path& make_folder(const std::filesystem::path& folder) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return folder;
  throw IoError(fmt::format("results folder '{}' cannot be made: {}", folder.string(),
                            trouble ? trouble.message() : "a file is in its place"));
}

}  // namespace

ResultsFormats parse_formats(const std::string& text) {
  ResultsFormats formats{.csv = false, .hdf5 = false};
  std::istringstream parts(text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    if (part == "csv")
      formats.csv = true;
    else if (part == "hdf5")
      formats.hdf5 = true;
    else
      throw InputError(
          fmt::format("format '{}' does not exist; there are: csv, hdf5, or both as csv,hdf5{}",
                      part, did_you_mean(part, std::array<std::string, 2>{"csv", "hdf5"})));
  }
  return formats;
}

void require_free(const std::filesystem::path& folder, Existing existing) {
  if (existing == Existing::replace) return;
  std::error_code ignored;
  for (const char* name : file_names)
    if (std::filesystem::exists(folder / name, ignored))
      throw InputError(fmt::format(
          "results folder '{}' holds {} of an earlier run; choose another folder, or --force to "
          "replace it",
          folder.string(), name));
}

ResultsFolder::ResultsFolder(const std::filesystem::path& folder, const SystemInfo& info,
                             const RunDescription& run, const Options& options)
    : folder_(folder),
      lock_(options.lock ? std::move(*options.lock) : FolderLock(make_folder(folder))),
      info_(info),
      run_(run),
      options_(options) {
  options_.lock = nullptr;
  const Checkpoint* const resumed = options.resumed;
  if (!resumed) require_free(folder, options.existing);
  for (const char* name : file_names) remove_leftovers(folder / name);
  if (options.formats.csv && resumed)
    csv_.emplace(folder, info, options.recorded, resumed->csv);
  else if (options.formats.csv)
    csv_.emplace(folder, info, options.recorded);
  if (!options.formats.hdf5) return;
  hdf5_ = std::make_unique<ResultsFileWriter>(folder / "results.h5", info, run, options.recorded);
  most_chunks_ = hdf5_->chunks();
  if (resumed) hdf5_->append_from(folder / "results.h5", resumed->hdf5);
}

void ResultsFolder::flush() {
  if (hdf5_) hdf5_->flush();
}

void ResultsFolder::checkpoint(Checkpoint& saved) {
  if (hdf5_) hdf5_->store();
  if (csv_) saved.csv = csv_->sizes();
  if (hdf5_) saved.hdf5 = hdf5_->rows();
  lock_.require_held();
  write_checkpoint(folder_, saved);
}

void ResultsFolder::write(Recording& recording) {
  contacts_.insert(contacts_.end(), recording.new_contacts.begin(), recording.new_contacts.end());
  const std::vector<Channel> channels = state_channels(info_, options_.recorded);
  try {
    require_finite(recording, info_, channels, contacts_);
  } catch (const InputError&) {
    cut_before_not_finite(channels, info_, recording);
    append(recording);
    throw;
  }
  append(recording);
}

void ResultsFolder::append(Recording& recording) {
  if (csv_) csv_->write(recording);
  if (hdf5_) {
    make_room(recording);
    hdf5_->write(recording);
  }
  recording.clear();
  if (!published_) publish();
}

/// A file whose indices get full is written anew with twice their room: HDF5 would divide their
/// nodes, and a run that is killed meanwhile would lose whole columns.
void ResultsFolder::make_room(const Recording& recording) {
  const std::size_t chunks = hdf5_->chunks_with(recording);
  if (chunks <= most_chunks_ || most_chunks_ >= most_chunks) return;
  most_chunks_ = std::min(2 * std::max(chunks, most_chunks_), most_chunks);
  try {
    write_anew(std::span(contacts_).first(contacts_.size() - recording.new_contacts.size()));
  } catch (const IoError&) {  // there is no room for two: the file goes on
    return;
  } catch (const InputError&) {  // another file has its name
    return;
  }
}

void ResultsFolder::write_anew(std::span<const RecordedContact> contacts) {
  const std::filesystem::path file = folder_ / "results.h5";
  lock_.require_held();
  hdf5_->flush();
  auto larger = std::make_unique<ResultsFileWriter>(
      file, info_, run_, options_.recorded, ResultsFileWriter::Layout{.chunks = most_chunks_});
  larger->append_contacts(contacts);
  larger->append_from(file, hdf5_->rows());
  if (published_) larger->publish();
  hdf5_ = std::move(larger);
}

void ResultsFolder::publish() {
  lock_.require_held();
  const std::vector<std::string> own = files();
  for (const char* name : file_names) {
    const bool replaced = std::find(own.begin(), own.end(), name) != own.end();
    std::error_code ignored;
    if (options_.resumed && name == std::string_view(checkpoint_name)) continue;
    if (!replaced || name == std::string_view("summary.json"))
      std::filesystem::remove(folder_ / name, ignored);
  }
  if (csv_) csv_->publish();
  if (hdf5_) hdf5_->publish();
  published_ = true;
}

void ResultsFolder::finish(const RunReport& figures) {
  lock_.require_held();
  const std::string summary = summary_json(run_, figures);
  PartFile file(folder_ / "summary.json");
  file.append(summary);
  file.publish();
  const std::string status(name(figures.status));
  if (hdf5_) hdf5_->finish(status, summary);
  if (figures.status != RunStatus::done) return;
  std::error_code ignored;
  std::filesystem::remove(folder_ / checkpoint_name, ignored);
  constexpr double negligible = 0.1;
  if (hdf5_ && hdf5_->plain_share() > negligible) compress(status, summary);
  lock_.require_held();
}

/// Where there is no room for it, or its folder is gone, the file stays as it is, which is whole.
void ResultsFolder::compress(const std::string& status, const std::string& summary) {
  const std::filesystem::path file = folder_ / "results.h5";
  try {
    ResultsFileWriter compressed(file, info_, run_, options_.recorded,
                                 {.storage = Storage::at_once, .chunks = most_chunks_});
    compressed.append_contacts(contacts_);
    compressed.append_from(file, hdf5_->rows());
    compressed.finish(status, summary);
  } catch (const IoError&) {
    return;
  } catch (const InputError&) {  // another file has its name
    return;
  }
}

std::vector<std::string> ResultsFolder::files() const {
  std::vector<std::string> names;
  if (csv_) names = {"states.csv", "contacts.csv", "events.csv"};
  if (csv_ && options_.recorded.steps) names.emplace_back("steps.csv");
  names.emplace_back("summary.json");
  if (hdf5_) names.emplace_back("results.h5");
  return names;
}

}  // namespace backlash

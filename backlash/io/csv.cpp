// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/csv.h"

#include <iterator>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

constexpr const char* file_names[] = {"states.csv", "contacts.csv", "events.csv"};

void prepare_folder(const std::filesystem::path& folder, CsvWriter::Existing existing) {
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (!std::filesystem::is_directory(folder))
    throw InputError(fmt::format("results folder '{}' cannot be made: {}", folder.string(),
                                 trouble ? trouble.message() : "a file is in its place"));
  if (existing == CsvWriter::Existing::replace) return;
  for (const char* name : file_names)
    if (std::filesystem::exists(folder / name))
      throw InputError(fmt::format(
          "results folder '{}' holds {} of an earlier run; choose another folder, or --force to "
          "replace it",
          folder.string(), name));
}

std::ofstream open_file(const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file)
    throw InputError(fmt::format("'{}' cannot be written: {}", path.string(),
                                 std::generic_category().message(errno)));
  return file;
}

using Output = std::back_insert_iterator<std::string>;

void put_numbers(Output out, std::initializer_list<double> numbers) {
  for (const double number : numbers) fmt::format_to(out, ",{}", number);
}

void put_point(Output out, const ContactPoint& point, int space) {
  put_numbers(out, {point.p_W.x(), point.p_W.y(), point.n_W.x(), point.n_W.y()});
  if (space == 3) put_numbers(out, {point.p_W.z(), point.n_W.z()});
}

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& folder, const SystemInfo& info, Existing existing)
    : folder_(folder), info_(info) {
  prepare_folder(folder, existing);
  states_ = open_file(folder / file_names[0]);
  contacts_ = open_file(folder / file_names[1]);
  events_ = open_file(folder / file_names[2]);
  for (const Channel& channel : state_channels(info))
    states_ << (columns_++ == 0 ? "" : ",") << channel.name;
  states_ << '\n';
  const bool space = info.space == 3;
  contacts_ << "t,contact,gap,gamma_n,gamma_t,impulse_n,impulse_t,force_n,force_t,state,px,py,nx,ny"
            << (space ? ",pz,nz,gamma_t2,impulse_t2,force_t2\n" : "\n");
  events_ << "t,kind,contact,gamma_n_before,gamma_n_after,impulse_n,impulse_t,energy_loss,px,py,nx,"
             "ny"
          << (space ? ",pz,nz\n" : "\n");
}

void CsvWriter::write(Recording& recording) {
  write_states(recording);
  write_contacts(recording);
  write_events(recording);
  recording.clear();
}

void CsvWriter::require_written(std::ofstream& file, const char* name) const {
  file.flush();
  if (!file)
    throw InputError(fmt::format("'{}' cannot be written to the end: {}", (folder_ / name).string(),
                                 std::generic_category().message(errno)));
}

void CsvWriter::write_states(const Recording& recording) {
  std::string text;
  const Output out(text);
  for (std::size_t i = 0; i < recording.states.size(); ++i)
    fmt::format_to(out, "{}{}", recording.states[i], (i + 1) % columns_ == 0 ? '\n' : ',');
  states_ << text;
  require_written(states_, file_names[0]);
}

void CsvWriter::write_contacts(const Recording& recording) {
  std::string text;
  const Output out(text);
  for (const ContactRow& row : recording.contacts) {
    fmt::format_to(out, "{},{}", row.t, info_.contacts[static_cast<std::size_t>(row.contact)].name);
    put_numbers(out, {row.gap, row.gamma[0], row.gamma[1], row.impulse[0], row.impulse[1],
                      row.force[0], row.force[1]});
    fmt::format_to(out, ",{}", name(row.state));
    put_point(out, row.point, info_.space);
    if (info_.space == 3) put_numbers(out, {row.gamma[2], row.impulse[2], row.force[2]});
    text += '\n';
  }
  contacts_ << text;
  require_written(contacts_, file_names[1]);
}

void CsvWriter::write_events(const Recording& recording) {
  std::string text;
  const Output out(text);
  for (const Event& event : recording.events) {
    fmt::format_to(out, "{},{},{}", event.t, name(event.kind),
                   info_.contacts[static_cast<std::size_t>(event.contact)].name);
    put_numbers(out, {event.gamma_n_before, event.gamma_n_after, event.impulse_n, event.impulse_t,
                      event.energy_loss});
    put_point(out, event.point, info_.space);
    text += '\n';
  }
  events_ << text;
  require_written(events_, file_names[2]);
}

}  // namespace backlash

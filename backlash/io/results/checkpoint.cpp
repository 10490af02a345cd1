// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/checkpoint.h"

#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/version.h"

namespace backlash {
namespace {

/// FNV-1a: not against malice, but against files that are damaged or another's.
std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

std::string first_line() { return fmt::format("backlash checkpoint 4 of {}\n", version()); }

}  // namespace

std::string digest(const RunDescription& run) {
  Archive archive;
  const auto add = [&](std::string text) { archive(text); };
  const auto add_values = [&](const std::vector<NamedValue>& values) {
    for (const NamedValue& value : values) {
      add(value.name);
      std::visit([&](const auto& v) { add(fmt::format("{}", v)); }, value.value);
    }
  };
  add(run.title);
  for (const ModelText& text : run.model) add(text.text);
  add_values(run.options);
  add_values(run.parameters);
  return fmt::format("{:016x}", hash_of(archive.bytes()));
}

void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint) {
  Archive archive;
  Checkpoint copy = checkpoint;
  archive(copy);
  PartFile file(folder / checkpoint_name);
  file.append(first_line() + fmt::format("{:016x}\n", hash_of(archive.bytes())) + archive.bytes());
  file.publish();
}

Checkpoint read_checkpoint(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / checkpoint_name;
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("{}: {}", file.string(), why));
  };
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw InputError(fmt::format(
        "results folder '{}' has no run to resume: it holds no {}; a run that has ended, or was "
        "killed before its first rows were written, has none",
        folder.string(), checkpoint_name));
  const std::string bytes((std::istreambuf_iterator<char>(in)), {}), line = first_line();
  constexpr std::size_t hash_length = 17;
  if (!bytes.starts_with("backlash checkpoint ")) refuse("is no checkpoint of a run");
  if (!bytes.starts_with(line))
    refuse(fmt::format("another version of Backlash wrote it; this one is {}", version()));
  if (bytes.size() < line.size() + hash_length) refuse("is damaged");
  const std::string content = bytes.substr(line.size() + hash_length);
  if (bytes.substr(line.size(), hash_length) != fmt::format("{:016x}\n", hash_of(content)))
    refuse("is damaged");
  Checkpoint checkpoint;
  Archive archive(content);
  archive(checkpoint);
  archive.require_end();
  return checkpoint;
}

}  // namespace backlash

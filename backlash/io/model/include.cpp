// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/include.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/base/nearest_name.h"

namespace backlash::reading {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 100;

/// Sections whose entries of the including file replace those of the included one; elsewhere a
/// name given twice is an error.
constexpr std::string_view replaceable[] = {"parameters", "simulation", "output"};

[[noreturn]] void fail(const YamlNode& at, const std::string& path, const std::string& message) {
  throw InputError(fmt::format("{}:{}:{}: {}: {}", *at.file, at.line, at.column, path, message));
}

/// The entries of both; those of `mine` replace, or may not repeat, those of `theirs`.
std::shared_ptr<const YamlNode> merged_section(const std::string& section, const YamlNode& theirs,
                                               const YamlNode& mine) {
  auto result = std::make_shared<YamlNode>(theirs);
  const bool may_replace = std::ranges::find(replaceable, section) != std::end(replaceable);
  result->file = mine.file;
  result->line = mine.line;
  result->column = mine.column;
  for (const YamlEntry& entry : mine.entries) {
    const auto same = std::ranges::find(result->entries, entry.key, &YamlEntry::key);
    if (same == result->entries.end()) {
      result->entries.push_back(entry);
    } else if (may_replace) {
      *same = entry;
    } else {
      fail(*entry.value, section + "." + entry.key,
           fmt::format("given here and in {}:{}; give it once, or another name", *same->value->file,
                       same->value->line));
    }
  }
  return result;
}

/// `theirs` extended and replaced by `mine`.
std::shared_ptr<const YamlNode> merged(const YamlNode& theirs, const YamlNode& mine) {
  auto result = std::make_shared<YamlNode>(mine);
  result->entries.clear();
  for (const YamlEntry& entry : theirs.entries)
    if (find_entry(mine, entry.key) == nullptr) result->entries.push_back(entry);
  for (YamlEntry entry : mine.entries) {
    const YamlEntry* other = find_entry(theirs, entry.key);
    const auto is_mapping = [](const YamlNode& n) { return n.kind == YamlNode::Kind::mapping; };
    if (other != nullptr && is_mapping(*other->value) && is_mapping(*entry.value))
      entry.value = merged_section(entry.key, *other->value, *entry.value);
    result->entries.push_back(std::move(entry));
  }
  return result;
}

class Loader {
 public:
  Loader(const fs::path& model, std::span<const fs::path> allowed) : folders(model, allowed) {}

  std::shared_ptr<const YamlNode> load(const fs::path& path) {
    const std::string name = path.generic_string();
    open_.push_back(canonical_file(path));
    files.push_back({name, read_text(path)});
    const auto root = with_includes(parse_yaml(files.back().text, name), path.parent_path());
    open_.pop_back();
    return root;
  }

  std::vector<ModelText> files{};
  AllowedFolders folders;

 private:
  std::shared_ptr<const YamlNode> with_includes(const std::shared_ptr<const YamlNode>& root,
                                                const fs::path& folder) {
    const YamlEntry* include = find_entry(*root, "include");
    if (include == nullptr) return root;
    auto mine = std::make_shared<YamlNode>(*root);
    std::erase_if(mine->entries, [](const YamlEntry& e) { return e.key == "include"; });
    std::shared_ptr<const YamlNode> theirs;
    for (const auto& item : names(include->value)) {
      const auto next = load_included(*item, folder);
      theirs = theirs ? merged(*theirs, *next) : next;
    }
    return theirs ? merged(*theirs, *mine) : mine;
  }

  static std::vector<std::shared_ptr<const YamlNode>> names(
      const std::shared_ptr<const YamlNode>& value) {
    if (value->kind == YamlNode::Kind::list) return value->items;
    return {value};
  }

  std::shared_ptr<const YamlNode> load_included(const YamlNode& name, const fs::path& folder) {
    if (name.kind != YamlNode::Kind::scalar)
      fail(name, "include", fmt::format("expected the name of a file, found {}", describe(name)));
    const fs::path path = (folder / name.text).lexically_normal();
    if (std::ranges::find(open_, canonical_file(path)) != open_.end())
      fail(name, "include",
           fmt::format("'{}' includes itself, directly or through others", name.text));
    try {
      folders.require(path, name.text);
    } catch (const InputError& error) {
      fail(name, "include", error.what());
    }
    if (files.size() >= max_files)
      fail(name, "include", fmt::format("more than {} files", max_files));
    const auto root = load(path);
    if (root->kind != YamlNode::Kind::mapping)
      fail(name, "include", fmt::format("'{}' holds no keys of a model", name.text));
    return root;
  }

  std::vector<fs::path> open_{};
};

std::string read_stream(std::istream& file, const std::string& name) {
  std::string text;
  char block[65536];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(file.gcount()));
    if (text.size() > YamlLimits{}.bytes) break;  // refused by the parser
  }
  if (!file.eof() && text.size() <= YamlLimits{}.bytes)
    throw IoError(fmt::format("{}: the file cannot be read", name));
  return text;
}

/// "; did you mean 'models/crank.yaml'?", for what is not there, or is a folder.
std::string did_you_mean_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    const fs::path model = path / "model.yaml";
    if (!fs::exists(model, error)) return "";
    return fmt::format("; did you mean '{}'?", model.generic_string());
  }
  constexpr std::size_t most = 1000;
  std::vector<std::string> names;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator at(folder, error), end; at != end && names.size() < most;
       at.increment(error)) {
    if (error) break;
    if (!at->is_directory(error)) names.push_back(at->path().filename().string());
  }
  const std::string near = nearest_name(path.filename().string(), names);
  if (near.empty()) return "";
  return fmt::format("; did you mean '{}'?", (path.parent_path() / near).generic_string());
}

}  // namespace

std::string read_text(const fs::path& path) {
  if (path == "-") return read_stream(std::cin, "standard input");
  std::error_code error;
  const std::string name = path.generic_string();
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    throw InputError(fmt::format("{}: there is no such file{}", name, did_you_mean_file(path)));
  if (fs::is_directory(status))
    throw InputError(fmt::format("{}: a folder, expected a file{}", name, did_you_mean_file(path)));
  if (fs::is_regular_file(status) && fs::file_size(path, error) > YamlLimits{}.bytes)
    throw InputError(fmt::format("{}: the file has more than {} bytes", name, YamlLimits{}.bytes));
  std::ifstream file(path, std::ios::binary);
  return read_stream(file, name);
}

Document load_document(const fs::path& path, std::span<const fs::path> allowed) {
  Loader loader(path, allowed);
  const auto root = loader.load(path);
  return {root, loader.files, loader.folders};
}

Document load_text(std::string_view text, const std::string& name) {
  const auto root = parse_yaml(text, name);
  if (const YamlEntry* include = find_entry(*root, "include"))
    fail(*include->value, "include", "a text that is no file cannot include files");
  return {root, {{name, std::string(text)}}, AllowedFolders(name, {})};
}

}  // namespace backlash::reading

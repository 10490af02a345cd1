// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "examples.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/io_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/io/model/yaml_document.h"
#include "backlash/io/results/atomic_file.h"
#include "commands.h"

namespace backlash::cli {
namespace {

/// The title that a model file gives itself.
std::string title_of(std::string_view text, std::string_view name) {
  const auto root = parse_yaml(text, std::string(name));
  const YamlEntry* title = find_entry(*root, "title");
  return title ? title->value->text : "";
}

void require_known(const std::string& name, const std::vector<std::string>& names,
                   std::string_view what) {
  if (std::ranges::find(names, name) != names.end()) return;
  const std::string near = nearest_name(name, names);
  throw InputError(fmt::format("{} '{}' does not exist{}; there are: {}", what, name,
                               near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                               fmt::join(names, ", ")));
}

std::string_view embedded_text(std::span<const EmbeddedFile> files, std::string_view path) {
  const auto found = std::ranges::find(files, path, &EmbeddedFile::path);
  return found == files.end() ? std::string_view() : found->text;
}

std::string template_path(std::string_view name) { return fmt::format("{}.yaml", name); }

/// A line each: the name and the title of the model.
template <class TextOf>
void print(const std::vector<std::string>& names, TextOf text) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  for (const std::string& name : names)
    fmt::print("{:<{}}  {}\n", name, width, title_of(text(name), name));
}

void require_free(const std::filesystem::path& file, bool force) {
  std::error_code ignored;
  if (!force && std::filesystem::exists(file, ignored))
    throw InputError(
        fmt::format("{} is there already; choose another place with -o, or --force to "
                    "replace it",
                    file.string()));
}

void make_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  std::error_code trouble, ignored;
  std::filesystem::create_directories(folder, trouble);
  if (!std::filesystem::is_directory(folder, ignored))
    throw IoError(fmt::format("folder '{}' cannot be made: {}", folder.string(),
                              trouble ? trouble.message() : "a file is in its place"));
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  make_folder(path.parent_path());
  PartFile file(path);
  file.append(text);
  file.publish();
}

}  // namespace

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_examples())
    if (file.path.ends_with("/model.yaml"))
      names.emplace_back(file.path.substr(0, file.path.find('/')));
  return names;
}

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_templates())
    names.emplace_back(file.path.substr(0, file.path.rfind('.')));
  return names;
}

std::string_view example_model(std::string_view name) {
  return embedded_text(embedded_examples(), fmt::format("{}/model.yaml", name));
}

int run_examples(const ExamplesArguments& a) {
  if (a.name.empty()) {
    print(example_names(), example_model);
    return exit_done;
  }
  require_known(a.name, example_names(), "example");
  const std::filesystem::path folder = a.folder.empty() ? std::filesystem::path(a.name) : a.folder;
  const std::string start = a.name + "/";
  std::vector<const EmbeddedFile*> files;
  for (const EmbeddedFile& file : embedded_examples())
    if (file.path.starts_with(start)) files.push_back(&file);
  const auto target = [&](const EmbeddedFile& file) {
    return folder / std::filesystem::path(file.path.substr(start.size()));
  };
  for (const EmbeddedFile* file : files) require_free(target(*file), a.force);
  for (const EmbeddedFile* file : files) write_file(target(*file), file->text);
  fmt::print("{}\nbacklash run {}\n", folder.string(), (folder / "model.yaml").string());
  return exit_done;
}

int run_new(const NewArguments& a) {
  if (a.name.empty()) {
    print(template_names(), [](std::string_view name) {
      return embedded_text(embedded_templates(), template_path(name));
    });
    return exit_done;
  }
  require_known(a.name, template_names(), "template");
  const std::string_view text = embedded_text(embedded_templates(), template_path(a.name));
  if (a.file == "-") {
    fmt::print("{}", text);
    return exit_done;
  }
  require_free(a.file, a.force);
  write_file(a.file, text);
  fmt::print("{}\nbacklash check {}\nbacklash run {}\n", a.file.string(), a.file.string(),
             a.file.string());
  return exit_done;
}

}  // namespace backlash::cli

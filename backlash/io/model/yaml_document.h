// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace backlash {

struct YamlNode;

/// A key with its value.
struct YamlEntry {
  std::string key{};
  int line = 0;    ///< of the key, from 1
  int column = 0;  ///< of the key, from 1
  std::shared_ptr<const YamlNode> value{};
};

/// The value that an index of a repetition has in a copy.
struct YamlIndex {
  std::string name{};
  int value = 0;
};
using YamlIndices = std::vector<YamlIndex>;

/// A part of a YAML file, with its place in it.
struct YamlNode {
  enum class Kind { empty, scalar, list, mapping };
  Kind kind = Kind::empty;
  std::string text{};   ///< of a scalar
  bool quoted = false;  ///< a scalar in quotes or in block style: surely text
  std::vector<std::shared_ptr<const YamlNode>> items{};  ///< of a list
  std::vector<YamlEntry> entries{};                      ///< of a mapping, in the file's order
  std::shared_ptr<const std::string> file{};
  int line = 0;           ///< from 1
  int column = 0;         ///< from 1
  int height = 1;         ///< levels of the tree below, this one included
  std::size_t nodes = 1;  ///< of the tree below, this one and what aliases repeat included
  std::shared_ptr<const YamlIndices> indices{};  ///< of the copy that it belongs to; null: of none
};

/// The value of a key, or null.
const YamlEntry* find_entry(const YamlNode& node, std::string_view key);

/// "a mapping", "a list", "'text'", "nothing".
std::string describe(const YamlNode& node);

/// Bounds on what a file may hold: far above any model, far below what hurts.
struct YamlLimits {
  std::size_t bytes = std::size_t{32} << 20;
  std::size_t nodes = 1'000'000;  ///< what aliases repeat included
  int depth = 50;
};

/// Reads one YAML document. Throws InputError "file:line:column: …" if it is none, holds a key
/// twice, a second document, tags, or more than the limits.
std::shared_ptr<const YamlNode> parse_yaml(std::string_view text, const std::string& file,
                                           const YamlLimits& limits = {});

}  // namespace backlash

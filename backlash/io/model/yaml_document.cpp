// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/yaml_document.h"

#include <algorithm>
#include <exception>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "backlash/base/input_error.h"
#include "backlash/base/printable.h"
#include "backlash/io/model/slips.h"

namespace backlash {
namespace {

using NodePointer = std::shared_ptr<YamlNode>;

[[noreturn]] void fail(const std::string& file, const YAML::Mark& mark,
                       const std::string& message) {
  if (mark.is_null()) throw InputError({.file = file}, message);
  throw InputError({file, mark.line + 1, mark.column + 1, ""}, message);
}

/// Builds the tree from the parser's events. An alias shares the node that its anchor names.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, const YamlLimits& limits)
      : file_(std::make_shared<const std::string>(file)), limits_(limits) {}

  std::shared_ptr<const YamlNode> root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(new_node(YamlNode::Kind::empty, mark), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(*file_, mark, "an alias of a part that is not complete");
    if (expects_key()) fail(*file_, mark, "found an alias, expected a key");
    place(found->second, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(tag, mark);
    if (find_not_text(value) != std::string::npos)  // from an escape sequence in quotes
      fail(*file_, mark, fmt::format("'{}' holds a control character", printable(value, 1)));
    if (expects_key()) return start_entry(value, mark);
    const NodePointer node = new_node(YamlNode::Kind::scalar, mark);
    node->text = value;
    node->quoted = tag == "!";
    if (!node->quoted && (value.empty() || value == "~" || value == "null"))
      node->kind = YamlNode::Kind::empty;
    add(node, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    NodePointer node;
    YAML::anchor_t anchor;
    bool value_follows = false;                       ///< in a mapping: a key was read
    std::map<std::string, int, std::less<>> lines{};  ///< of the keys so far
  };

  NodePointer new_node(YamlNode::Kind kind, const YAML::Mark& mark) {
    auto node = std::make_shared<YamlNode>();
    node->kind = kind;
    node->file = file_;
    node->line = mark.line + 1;
    node->column = mark.column + 1;
    return node;
  }

  void check_tag(const std::string& tag, const YAML::Mark& mark) const {
    if (!tag.empty() && tag != "!" && tag != "?")
      fail(*file_, mark, fmt::format("found the tag '{}'; tags have no meaning here", tag));
  }

  bool expects_key() const {
    return !levels_.empty() && levels_.back().node->kind == YamlNode::Kind::mapping &&
           !levels_.back().value_follows;
  }

  void start_entry(const std::string& key, const YAML::Mark& mark) {
    Level& level = levels_.back();
    const auto [first, is_new] = level.lines.emplace(key, mark.line + 1);
    if (!is_new)
      fail(*file_, mark,
           fmt::format("{}the key '{}' stands here twice, first in line {}", path(), key,
                       first->second));
    level.node->entries.push_back({key, mark.line + 1, mark.column + 1, nullptr});
    level.value_follows = true;
  }

  /// Of the mapping that is being read: "joints.guide: ".
  std::string path() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      const YamlNode& node = *levels_[i].node;
      if (node.kind == YamlNode::Kind::list)
        text += fmt::format("[{}]", node.items.size() + 1);
      else
        text += (text.empty() ? "" : ".") + node.entries.back().key;
    }
    return text.empty() ? text : text + ": ";
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    check_tag(tag, mark);
    if (expects_key()) fail(*file_, mark, "found a list or mapping, expected a key");
    if (std::ssize(levels_) >= limits_.depth)
      fail(*file_, mark, fmt::format("nested more than {} deep", limits_.depth));
    levels_.push_back({new_node(kind, mark), anchor});
  }

  void close() {
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    add(level.node, level.anchor);
  }

  /// A node that is complete, of its own place.
  void add(const NodePointer& node, YAML::anchor_t anchor) {
    const YAML::Mark mark = mark_of(*node);
    if (expects_key()) fail(*file_, mark, "found nothing, expected a key");
    if (anchor != YAML::NullAnchor) anchors_[anchor] = node;
    place(node, mark);
  }

  void place(const std::shared_ptr<const YamlNode>& node, const YAML::Mark& mark) {
    if (levels_.empty()) {
      root_ = node;
      return;
    }
    YamlNode& parent = *levels_.back().node;
    parent.nodes += node->nodes;
    parent.height = std::max(parent.height, node->height + 1);
    if (parent.height > limits_.depth)
      fail(*file_, mark, fmt::format("nested more than {} deep", limits_.depth));
    if (parent.nodes > limits_.nodes)
      fail(*file_, mark, fmt::format("more than {} values, repeated ones included", limits_.nodes));
    if (parent.kind == YamlNode::Kind::list) {
      parent.items.push_back(node);
    } else {
      parent.entries.back().value = node;
      levels_.back().value_follows = false;
    }
  }

  static YAML::Mark mark_of(const YamlNode& node) {
    YAML::Mark mark;
    mark.pos = 0;
    mark.line = node.line - 1;
    mark.column = node.column - 1;
    return mark;
  }

  std::shared_ptr<const std::string> file_;
  YamlLimits limits_;
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, NodePointer> anchors_;
  std::shared_ptr<const YamlNode> root_;
};

/// U+202A to U+202E and U+2066 to U+2069: what follows would be shown in another order.
bool turns_direction(std::string_view text) {
  return text.size() > 2 && ((text.starts_with("\xe2\x80") && text[2] >= '\xaa') ||
                             (text.starts_with("\xe2\x81") && text[2] >= '\xa6'));
}

/// What an editor saved the file as, by its first bytes or by one that UTF-8 does not have.
std::string_view likely_encoding(std::string_view text, std::size_t bad) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return "; the file is UTF-16: save it as UTF-8";
  if (static_cast<unsigned char>(text[bad]) >= 0x80)
    return "; the file may be Latin-1 or Windows-1252: save it as UTF-8";
  return "";
}

/// yaml-cpp stops at bytes that are no text, or takes them for something else.
void check_text(std::string_view text, const std::string& file, const YamlLimits& limits) {
  if (text.size() > limits.bytes)
    throw InputError(fmt::format("{}: the file has {} bytes, at most {} are read", file,
                                 text.size(), limits.bytes));
  const std::size_t bad = find_not_text(text);
  if (bad == std::string_view::npos) return;
  const std::string_view before = text.substr(0, bad);
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 in the first line
  const SourceLocation where{file, 1 + static_cast<int>(std::ranges::count(before, '\n')),
                             1 + static_cast<int>(bad - line_start), ""};
  if (turns_direction(text.substr(bad)))
    throw InputError(where, "found a character that turns the direction of writing; remove it");
  throw InputError(where,
                   fmt::format("found the byte 0x{:02x}, which is no text in UTF-8{}",
                               static_cast<unsigned char>(text[bad]), likely_encoding(text, bad)));
}

}  // namespace

const YamlEntry* find_entry(const YamlNode& node, std::string_view key) {
  const auto found = std::ranges::find(node.entries, key, &YamlEntry::key);
  return found == node.entries.end() ? nullptr : &*found;
}

std::string describe(const YamlNode& node) {
  constexpr std::size_t shown = 60;
  switch (node.kind) {
    case YamlNode::Kind::mapping:
      return "a mapping";
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::empty:
      return "nothing";
    case YamlNode::Kind::scalar:
      break;
  }
  return node.text.size() > shown ? fmt::format("'{}…'", node.text.substr(0, shown))
                                  : fmt::format("'{}'", node.text);
}

std::shared_ptr<const YamlNode> parse_yaml(std::string_view text, const std::string& file,
                                           const YamlLimits& limits) {
  check_text(text, file, limits);
  TreeBuilder builder(file, limits);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder) || !builder.root())
      throw InputError(fmt::format("{}: the file is empty, expected a model", file));
    TreeBuilder second(file, limits);
    if (parser.HandleNextDocument(second) && second.root())
      throw InputError(fmt::format("{}:{}:{}: a second document begins here, expected the end",
                                   file, second.root()->line, second.root()->column));
    if (parser) throw InputError(fmt::format("{}: text follows the end of the model", file));
  } catch (const YAML::Exception& error) {
    const auto [line, column, message] =
        reading::find_yaml_slip(text, error.mark.line + 1, error.mark.column + 1, error.msg);
    throw InputError({file, line, column, ""}, message);
  } catch (const InputError&) {
    const auto slip = reading::find_long_key(text);
    if (!slip) throw;
    throw InputError({file, slip->line, slip->column, ""}, slip->message);
  }
  if (const auto slip = reading::find_open_quote(text))
    throw InputError({file, slip->line, slip->column, ""}, slip->message);
  return builder.root();
}

}  // namespace backlash

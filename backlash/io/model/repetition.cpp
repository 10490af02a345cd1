// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/repetition.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace backlash::reading {
namespace {

using Node = std::shared_ptr<const YamlNode>;
using Indices = std::shared_ptr<const YamlIndices>;

constexpr int most = 1'000'000;  // of an index
constexpr std::string_view repeat_key = "repeat", items_key = "items";

bool is_name_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where the index that follows a `$` ends: a name, or parentheses; its length is 0 if it is
/// neither.
std::size_t index_length(std::string_view text) {
  if (text.empty() || text[0] != '(')
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is_name_letter) - text.begin());
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')' && --open == 0) return i + 1;
  }
  return 0;
}

/// Writes repetitions out. Every error is at the place in the file that it comes from.
class Repetition {
 public:
  explicit Repetition(Context& context) : context_(context) {}

  Node expanded(const Node& node, const Indices& indices, const std::string& path) {
    auto copy = std::make_shared<YamlNode>(*node);
    copy->indices = indices;
    count(*node);
    if (node->kind == YamlNode::Kind::scalar && indices)
      copy->text = with_indices(node->text, *copy, path);
    if (node->kind == YamlNode::Kind::list) copy->items = expanded_items(*node, indices, path);
    if (node->kind == YamlNode::Kind::mapping)
      copy->entries = expanded_entries(*node, indices, path);
    return copy;
  }

 private:
  /// One index of a repetition, and what it goes through.
  struct Range {
    std::string name{};
    int first = 1, last = 0;
  };

  void count(const YamlNode& node) {
    if (++nodes_ > YamlLimits{}.nodes)
      throw InputError(
          {*node.file, node.line, node.column, ""},
          fmt::format("the repetitions make more than {} values of the file", YamlLimits{}.nodes));
  }

  std::vector<Node> expanded_items(const YamlNode& list, const Indices& indices,
                                   const std::string& path) {
    std::vector<Node> items;
    for (const Node& item : list.items) {
      const std::string item_path = fmt::format("{}[{}]", path, items.size() + 1);
      if (find_entry(*item, repeat_key) == nullptr) {
        items.push_back(expanded(item, indices, item_path));
        continue;
      }
      const Node repeated = repeated_items(*item, item_path);
      for_each_copy(*item, indices, item_path, [&](const Indices& copy) {
        for (Node& node : expanded_items(*repeated, copy, path)) items.push_back(std::move(node));
      });
    }
    return items;
  }

  /// The list below `items`.
  Node repeated_items(const YamlNode& item, const std::string& path) {
    const Value value(item, context_, path);
    for (const YamlEntry& entry : item.entries)
      if (entry.key != repeat_key && entry.key != items_key)
        value.fail(entry, fmt::format("expected {{repeat: …, items: […]}}: in a list, a repetition "
                                      "has no key '{}'",
                                      entry.key));
    const YamlEntry* items = find_entry(item, items_key);
    if (items == nullptr || items->value->kind != YamlNode::Kind::list)
      value.fail(
          "missing key 'items': in a list, a repetition needs it (a list of what is "
          "repeated)");
    return items->value;
  }

  std::vector<YamlEntry> expanded_entries(const YamlNode& mapping, const Indices& indices,
                                          const std::string& path) {
    std::vector<YamlEntry> entries;
    for (const YamlEntry& entry : mapping.entries) {
      const std::string entry_path = path.empty() ? entry.key : path + "." + entry.key;
      if (find_entry(*entry.value, repeat_key) == nullptr) {
        entries.push_back(entry);
        entries.back().value = expanded(entry.value, indices, entry_path);
        continue;
      }
      auto item = std::make_shared<YamlNode>(*entry.value);
      std::erase_if(item->entries, [](const YamlEntry& e) { return e.key == repeat_key; });
      for_each_copy(*entry.value, indices, entry_path, [&](const Indices& copy) {
        entries.push_back(named_copy(mapping, entry, copy, path));
        entries.back().value = expanded(item, copy, path + "." + entries.back().key);
      });
    }
    if (entries.size() != mapping.entries.size()) refuse_same_names(mapping, entries, path);
    return entries;
  }

  /// The key of a copy, which must say which copy it is.
  YamlEntry named_copy(const YamlNode& mapping, const YamlEntry& entry, const Indices& indices,
                       const std::string& path) {
    YamlNode key{.kind = YamlNode::Kind::scalar, .text = entry.key, .file = mapping.file};
    key.line = entry.line;
    key.column = entry.column;
    key.indices = indices;
    YamlEntry copy = entry;
    copy.key = with_indices(entry.key, key, path + "." + entry.key);
    if (copy.key == entry.key)
      Value(mapping, context_, path)
          .fail(entry, fmt::format("'{}' is repeated: its name must say which one, as '{}${}'",
                                   entry.key, entry.key, indices->back().name));
    return copy;
  }

  void refuse_same_names(const YamlNode& mapping, const std::vector<YamlEntry>& entries,
                         const std::string& path) {
    std::map<std::string_view, int> lines;
    for (const YamlEntry& entry : entries) {
      const auto [first, is_new] = lines.emplace(entry.key, entry.line);
      if (!is_new)
        Value(mapping, context_, path)
            .fail(entry, fmt::format("the repetition makes '{}' twice; the first is of line {}",
                                     entry.key, first->second));
    }
  }

  /// Calls `make` with each combination of the indices of an item's `repeat`; the last goes through
  /// its values first.
  template <class Make>
  void for_each_copy(const YamlNode& item, const Indices& indices, const std::string& path,
                     const Make& make) {
    const YamlEntry& repeat = *find_entry(item, repeat_key);
    auto scope = std::make_shared<YamlNode>(*repeat.value);
    scope->indices = indices;
    const Value value(*scope, context_, path + ".repeat");
    if (!value.is_mapping() || scope->entries.empty())
      value.fail(
          fmt::format("expected the index and its values, as {{i: 24}} or {{i: [0, 23]}}; "
                      "found {}",
                      describe(*scope)));
    go_through(value, 0, indices, make);
  }

  template <class Make>
  void go_through(const Value& repeat, std::size_t which, const Indices& indices,
                  const Make& make) {
    if (which == repeat.node().entries.size()) return make(indices);
    const Range range = read_range(repeat, repeat.node().entries[which], indices);
    for (int i = range.first; i <= range.last; ++i) {
      auto own =
          indices ? std::make_shared<YamlIndices>(*indices) : std::make_shared<YamlIndices>();
      own->push_back({range.name, i});
      go_through(repeat, which + 1, own, make);
    }
  }

  Range read_range(const Value& repeat, const YamlEntry& entry, const Indices& indices) {
    check_name(repeat, entry);
    check_free(repeat, entry, indices);
    const Value value = repeat.child(entry);
    Range range{entry.key};
    if (!value.is_list()) {
      range.last = whole_number(*entry.value, indices, value.path(), 0);
      return range;
    }
    value.items(2, "[first, last]");
    range.first = whole_number(*entry.value->items[0], indices, value.path());
    range.last = whole_number(*entry.value->items[1], indices, value.path());
    if (range.last < range.first - 1)
      value.fail(
          fmt::format("the last value, {}, is below the first, {}", range.last, range.first));
    return range;
  }

  /// An index must not hide what formulas have already.
  void check_free(const Value& repeat, const YamlEntry& entry, const Indices& indices) const {
    const std::vector<std::string_view> functions = expression_function_names();
    const bool taken =
        std::ranges::find(functions, entry.key) != functions.end() || entry.key == "t" ||
        entry.key == "phi" || repeat.names().parameters.contains(entry.key) ||
        repeat.names().states.contains(entry.key) ||
        (indices && std::ranges::find(*indices, entry.key, &YamlIndex::name) != indices->end());
    if (taken)
      repeat.fail(entry, fmt::format("'{}' has a meaning in formulas already; choose another name "
                                     "for the index",
                                     entry.key));
  }

  int whole_number(const YamlNode& node, const Indices& indices, const std::string& path,
                   int lower = -most) {
    YamlNode scope = node;
    scope.indices = indices;
    return Value(scope, context_, path).whole_number(lower, most);
  }

  /// The text of a node with `$i` and `$(…)` replaced by their values.
  std::string with_indices(std::string_view text, const YamlNode& node, const std::string& path) {
    std::string result;
    std::size_t at = 0;
    for (std::size_t sign; (sign = text.find('$', at)) != text.npos;) {
      result += text.substr(at, sign - at);
      const std::size_t length = index_length(text.substr(sign + 1));
      if (length == 0)
        Value(node, context_, path)
            .fail(fmt::format("in '{}': expected an index after '$', as $i or $(i + 1)", text));
      YamlNode part = node;
      part.text = text.substr(sign + 1, length);
      part.column += static_cast<int>(sign) + 1;
      result += std::to_string(whole_number(part, node.indices, path));
      at = sign + 1 + length;
    }
    return result.append(text.substr(at));
  }

  Context& context_;
  std::size_t nodes_ = 0;
};

}  // namespace

bool has_repetitions(const YamlNode& root) {
  return find_entry(root, repeat_key) != nullptr ||
         std::ranges::any_of(root.items, [](const Node& item) { return has_repetitions(*item); }) ||
         std::ranges::any_of(root.entries,
                             [](const YamlEntry& e) { return has_repetitions(*e.value); });
}

std::shared_ptr<const YamlNode> with_repetitions(const Node& root, Context& context) {
  return Repetition(context).expanded(root, nullptr, "");
}

}  // namespace backlash::reading

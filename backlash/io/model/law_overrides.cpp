// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/law_overrides.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"

namespace backlash::reading {
namespace {

using Node = std::shared_ptr<const YamlNode>;

std::string argument(const LawOverride& law) {
  return fmt::format("--law {}={}", law.name, law.law);
}

[[noreturn]] void refuse(const LawOverride& law, const std::string& what) {
  throw InputError(fmt::format("{}: {}", argument(law), what));
}

/// Without lines and columns: the argument is place enough.
Node placed_nowhere(const YamlNode& node) {
  auto copy = std::make_shared<YamlNode>(node);
  copy->line = copy->column = 0;
  for (Node& item : copy->items) item = placed_nowhere(*item);
  for (YamlEntry& entry : copy->entries) {
    entry.line = entry.column = 0;
    entry.value = placed_nowhere(*entry.value);
  }
  return copy;
}

Node scalar(const std::string& text, const YamlNode& beside) {
  auto node = std::make_shared<YamlNode>();
  node->kind = YamlNode::Kind::scalar;
  node->text = text;
  node->file = beside.file;
  return node;
}

Node find_node(const YamlNode& node, std::string_view key) {
  const YamlEntry* entry = find_entry(node, key);
  return entry == nullptr ? nullptr : entry->value;
}

std::string model_of(const YamlNode& law) {
  const Node model = find_node(law, "model");
  return model && model->kind == YamlNode::Kind::scalar ? model->text : "";
}

/// Whether the law gives its losses otherwise than by a restitution.
bool needs_no_restitution(const YamlNode& law) {
  const std::string model = model_of(law);
  return model == impact_model || model == formula_model || model == "hertz" ||
         (model == kelvin_voigt_model && find_entry(law, "damping") != nullptr);
}

/// The restitution of the law that is replaced, said or not; null if it has none.
Node restitution_of(const YamlNode& law) {
  if (Node said = find_node(law, "restitution")) return said;
  if (model_of(law) == "hertz") return scalar("1", law);
  return model_of(law).empty() ? scalar("0", law) : nullptr;
}

/// Its friction; for a law without model the number that a kind of friction comes down to.
Node friction_of(const YamlNode& law, const std::string& model) {
  const Node said = find_node(law, "friction");
  if (!said || !model.empty() || said->kind != YamlNode::Kind::mapping) return said;
  if (!find_node(*said, "model")) return said;  // static and kinetic ones
  const Node kinetic = find_node(*said, "kinetic_friction");
  return kinetic ? kinetic : find_node(*said, "friction");
}

/// The mapping, with what it does not say taken over from the law that it replaces.
Node completed(const YamlNode& mapping, const YamlNode& replaced, const LawOverride& law) {
  auto result = std::make_shared<YamlNode>(mapping);
  const auto add = [&](std::string_view key, const Node& value) {
    if (value) result->entries.push_back({std::string(key), 0, 0, value});
  };
  if (find_entry(mapping, "restitution") == nullptr && !needs_no_restitution(mapping)) {
    const Node restitution = restitution_of(replaced);
    if (!restitution)
      refuse(law, fmt::format("the law {} that it replaces has no restitution to take over; give "
                              "one",
                              law.name));
    add("restitution", restitution);
  }
  if (find_entry(mapping, "friction") != nullptr) return result;
  const std::string model = model_of(mapping);
  add("friction", friction_of(replaced, model));
  if (!model.empty() && find_entry(mapping, "friction_speed") == nullptr)
    add("friction_speed", find_node(replaced, "friction_speed"));
  return result;
}

/// The node of a law in the file.
Node law_in_file(const YamlNode& laws, const std::string& name, const LawOverride& law) {
  if (const YamlEntry* entry = find_entry(laws, name)) return entry->value;
  std::vector<std::string> known;
  for (const YamlEntry& entry : laws.entries) known.push_back(entry.key);
  refuse(law, fmt::format("there is no law '{}'{}", name, did_you_mean(name, known)));
}

Node exchanged(const YamlNode& laws, const LawOverride& law) {
  const Node replaced = law_in_file(laws, law.name, law);
  if (law.law.empty()) refuse(law, "expected the name of a law or its keys after '='");
  const Node given = placed_nowhere(*parse_yaml(law.law, argument(law)));
  if (given->kind == YamlNode::Kind::scalar) return law_in_file(laws, given->text, law);
  if (given->kind != YamlNode::Kind::mapping)
    refuse(law, fmt::format("expected the name of a law or its keys, {{restitution: 0.4}}; found "
                            "{}",
                            describe(*given)));
  return completed(*given, *replaced, law);
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Whether the word stands in the text, and not as part of a longer one.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_name(text[at - 1])) &&
        (end == text.size() || !is_part_of_name(text[end])))
      return true;
  }
  return false;
}

bool mentions(const YamlNode& node, std::string_view word) {
  return has_word(node.text, word) ||
         std::ranges::any_of(node.items, [&](const Node& i) { return mentions(*i, word); }) ||
         std::ranges::any_of(node.entries,
                             [&](const YamlEntry& e) { return mentions(*e.value, word); });
}

}  // namespace

bool law_mentions(const YamlNode& root, std::string_view law, std::string_view parameter) {
  const Node laws = find_node(root, "laws");
  const Node node = laws ? find_node(*laws, law) : nullptr;
  return node && mentions(*node, parameter);
}

std::shared_ptr<const YamlNode> with_laws(const Node& root, std::span<const LawOverride> laws) {
  if (laws.empty()) return root;
  const YamlEntry* section = find_entry(*root, "laws");
  if (section == nullptr) refuse(laws.front(), "the model has no laws");
  auto new_root = std::make_shared<YamlNode>(*root);
  auto new_section = std::make_shared<YamlNode>(*section->value);
  for (const LawOverride& law : laws) {
    const Node node = exchanged(*section->value, law);
    for (YamlEntry& entry : new_section->entries)
      if (entry.key == law.name) entry.value = node;
  }
  for (YamlEntry& entry : new_root->entries)
    if (entry.key == "laws") entry.value = new_section;
  return new_root;
}

}  // namespace backlash::reading

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "backlash/io/model/keys.h"
#include "backlash/io/model/model_reader.h"

namespace backlash {
namespace reading {
namespace {

using Json = nlohmann::ordered_json;
using Form = ValueType::Form;

/// A name, or one of what is repeated, which holds its index: `link$i`.
constexpr const char* name_pattern =
    "^([A-Za-z_\\u0080-\\uffff][A-Za-z0-9_\\u0080-\\uffff]*|[^$]*[$].+)$";

Json reference_to(const std::string& definition) {
  return {{"$ref", "#/definitions/" + definition}};
}

/// Formulas are text; a schema cannot look into them.
Json schema_of(const ValueType& type);

Json items_schema(const ValueType& type) {
  Json schema{{"type", {"object", "null"}},
              {"additionalProperties", schema_of(type.parts[0])},
              {"propertyNames", {{"pattern", name_pattern}}}};
  if (type.parts[0].form == Form::mapping && type.parts[0].names[0] == "body")
    schema["properties"] = {{"ground", reference_to("ground")}};
  return schema;
}

Json list_schema(const ValueType& type) {
  Json items = schema_of(type.parts[0]);
  if (type.count < 0) items = {{"anyOf", {items, reference_to("repeated_items")}}};
  Json schema{{"type", "array"}, {"items", items}};
  if (type.count >= 0) {
    schema["minItems"] = type.count;
    schema["maxItems"] = type.count;
  }
  return schema;
}

Json schema_of(const ValueType& type) {
  switch (type.form) {
    case Form::number:
      return {{"type", {"number", "string"}}};
    case Form::text:
      return {{"type", {"string", "number"}}};
    case Form::flag:
      return {{"type", "boolean"}};
    case Form::integer:
      return {{"type", "integer"}};
    case Form::choice:
      return {{"enum", type.names}};
    case Form::list:
      return list_schema(type);
    case Form::mapping:
      return reference_to(type.names[0]);
    case Form::items:
      return items_schema(type);
    case Form::either:
      break;
  }
  Json either = Json::array();
  for (const ValueType& part : type.parts) either.push_back(schema_of(part));
  return {{"anyOf", either}};
}

Json key_schema(const KeyInfo& key) {
  std::string text = fmt::format("{}: {}", key.type.phrase, key.doc);
  if (!key.fallback.empty()) text += fmt::format(" (default: {})", key.fallback);
  Json schema = schema_of(key.type);
  if (schema.contains("$ref"))
    schema = {{"allOf", {schema}}};  // draft 7 ignores what stands beside $ref
  schema["description"] = text;
  return schema;
}

/// What items with names, and lists, may be repeated by: {i: 24}, {i: [0, 23]}.
void add_repetition(Json& definitions) {
  const Json number{{"type", {"number", "string"}}};
  const Json range{{"type", "array"}, {"items", number}, {"minItems", 2}, {"maxItems", 2}};
  definitions["repeat"] = {
      {"type", "object"},
      {"description", "an index and its values: how many, from 1 on, or [first, last]"},
      {"additionalProperties", {{"anyOf", {number, range}}}}};
  definitions["repeated_items"] = {
      {"type", "object"},
      {"description", "items that are repeated in the list"},
      {"properties", {{"repeat", reference_to("repeat")}, {"items", {{"type", "array"}}}}},
      {"required", {"repeat", "items"}},
      {"additionalProperties", false}};
}

/// Names of the definitions of what users name.
void collect_items(const ValueType& type, std::vector<std::string>& names) {
  if (type.form == Form::items && type.parts[0].form == Form::mapping)
    names.push_back(type.parts[0].names[0]);
  for (const ValueType& part : type.parts) collect_items(part, names);
}

bool is_item(const std::string& definition) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const DefinitionInfo& info : definitions())
      for (const MappingInfo& variant : info.variants)
        for (const KeyInfo& key : variant.keys) collect_items(key.type, all);
    return all;
  }();
  return std::ranges::find(names, definition) != names.end();
}

Json mapping_schema(const MappingInfo& mapping, const std::string& definition) {
  Json properties = Json::object(), needed = Json::array();
  if (is_item(definition)) properties["repeat"] = reference_to("repeat");
  for (const KeyInfo& key : mapping.keys) {
    properties[key.name] = key_schema(key);
    if (key.required) needed.push_back(key.name);
  }
  Json schema{{"type", needed.empty() ? Json{"object", "null"} : Json("object")},
              {"properties", properties},
              {"additionalProperties", false}};
  if (!needed.empty()) schema["required"] = needed;
  return schema;
}

std::vector<std::string> values_of(const MappingInfo& variant) {
  std::vector<std::string> values{variant.name};
  values.insert(values.end(), variant.also.begin(), variant.also.end());
  return values;
}

/// Holds where the selector has one of the variant's values, or is absent and stands for it. Where
/// a variant is the default, an included file may have chosen another one: see any_variant().
Json condition_of(const DefinitionInfo& definition, const MappingInfo& variant) {
  if (variant.name == definition.otherwise) return {{"not", {{"required", {definition.selector}}}}};
  const std::vector<std::string> values = values_of(variant);
  const Json value = values.size() == 1 ? Json{{"const", values[0]}} : Json{{"enum", values}};
  Json condition{{"properties", {{definition.selector, value}}}};
  const bool optional = !definition.otherwise.empty() || !definition.fallback.empty();
  if (optional) condition["required"] = {definition.selector};
  return condition;
}

/// Without the selector, the keys of all variants.
Json any_variant(const DefinitionInfo& definition) {
  MappingInfo all;
  for (const MappingInfo& variant : definition.variants)
    for (const KeyInfo& key : variant.keys)
      if (std::ranges::none_of(all.keys, [&](const KeyInfo& k) { return k.name == key.name; }))
        all.keys.push_back(key);
  return {{"if", {{"not", {{"required", {definition.selector}}}}}},
          {"then", mapping_schema(all, definition.name)}};
}

/// With several variants, the one that the selector names.
Json definition_schema(const DefinitionInfo& definition) {
  if (definition.variants.size() == 1) {
    Json schema = mapping_schema(definition.variants[0], definition.name);
    schema["description"] = definition.doc;
    return schema;
  }
  Json cases = Json::array(), names = Json::array();
  for (const MappingInfo& variant : definition.variants) {
    if (variant.name != definition.otherwise)
      for (const std::string& value : values_of(variant)) names.push_back(value);
    cases.push_back({{"if", condition_of(definition, variant)},
                     {"then", mapping_schema(variant, definition.name)}});
  }
  if (!definition.fallback.empty()) cases.push_back(any_variant(definition));
  const bool needed = definition.otherwise.empty() && definition.fallback.empty();
  Json schema{{"type", needed ? Json("object") : Json{"object", "null"}},
              {"description", definition.doc}};
  if (needed) schema["required"] = {definition.selector};
  schema["properties"] = {{definition.selector, {{"enum", names}}}};
  schema["allOf"] = cases;
  return schema;
}

/// A file that includes others may have its bodies from them.
void let_included_files_have(const std::string& key, Json& model) {
  Json& needed = model["required"];
  needed.erase(std::find(needed.begin(), needed.end(), Json(key)));
  model["anyOf"] = {{{"required", {key}}}, {{"required", {"include"}}}};
}

}  // namespace

}  // namespace reading

std::string model_schema() {
  using reading::Json;
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
              {"title", "Backlash model file"},
              {"$ref", "#/definitions/model"}};
  for (const reading::DefinitionInfo& definition : reading::definitions())
    schema["definitions"][definition.name] = reading::definition_schema(definition);
  reading::add_repetition(schema["definitions"]);
  reading::let_included_files_have("bodies", schema["definitions"]["model"]);
  return schema.dump(2) + "\n";
}

}  // namespace backlash

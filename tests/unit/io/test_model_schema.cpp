// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "backlash/io/model/model_reader.h"
#include "backlash/io/model/yaml_document.h"
#include "support/paths.h"

namespace backlash {
namespace {

using Json = nlohmann::json;

/// A scalar as an editor's YAML reader understands it.
Json json_of_scalar(const YamlNode& node) {
  if (node.quoted) return node.text;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  const char *begin = node.text.data(), *end = begin + node.text.size();
  long whole = 0;
  if (std::from_chars(begin, end, whole).ptr == end) return whole;
  double number = 0;
  if (std::from_chars(begin, end, number).ptr == end) return number;
  return node.text;
}

Json json_of(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::empty) return nullptr;
  if (node.kind == YamlNode::Kind::scalar) return json_of_scalar(node);
  Json value = node.kind == YamlNode::Kind::list ? Json::array() : Json::object();
  for (const auto& item : node.items) value.push_back(json_of(*item));
  for (const YamlEntry& entry : node.entries) value[entry.key] = json_of(*entry.value);
  return value;
}

Json json_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return json_of(*parse_yaml(text, path.string()));
}

/// As much of JSON Schema as the model's schema uses.
class Validator {
 public:
  Validator() : root_(Json::parse(model_schema())) {}

  /// What is wrong with the value, or nothing.
  std::string error(const Json& value) const { return error(root_, value, ""); }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number_integer();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    return type == "null" && value.is_null();
  }

  static bool type_fits(const Json& types, const Json& value) {
    if (types.is_string()) return has_type(value, types);
    return std::any_of(types.begin(), types.end(),
                       [&](const Json& t) { return has_type(value, t); });
  }

  std::string error(const Json& schema, const Json& value, const std::string& path) const {
    if (schema.contains("$ref")) {
      const Json::json_pointer target(schema["$ref"].get<std::string>().substr(1));
      return error(root_.at(target), value, path);
    }
    if (schema.contains("type") && !type_fits(schema["type"], value)) return path + ": type";
    if (schema.contains("const") && value != schema["const"]) return path + ": const";
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      return path + ": enum";
    std::string wrong = combination_error(schema, value, path);
    if (wrong.empty() && value.is_array()) wrong = array_error(schema, value, path);
    if (wrong.empty() && value.is_object()) wrong = object_error(schema, value, path);
    return wrong;
  }

  std::string combination_error(const Json& schema, const Json& value,
                                const std::string& path) const {
    if (schema.contains("anyOf")) {
      const Json& parts = schema["anyOf"];
      if (std::none_of(parts.begin(), parts.end(),
                       [&](const Json& part) { return error(part, value, path).empty(); }))
        return path + ": anyOf";
    }
    if (schema.contains("not") && error(schema["not"], value, path).empty()) return path + ": not";
    if (schema.contains("if") && error(schema["if"], value, path).empty())
      return error(schema["then"], value, path);
    if (schema.contains("allOf"))
      for (const Json& part : schema["allOf"])
        if (const std::string wrong = error(part, value, path); !wrong.empty()) return wrong;
    return "";
  }

  std::string array_error(const Json& schema, const Json& value, const std::string& path) const {
    if (value.size() < schema.value("minItems", 0u)) return path + ": minItems";
    if (schema.contains("maxItems") && value.size() > schema["maxItems"])
      return path + ": maxItems";
    for (const Json& item : value)
      if (const std::string wrong = error(schema.value("items", Json::object()), item, path + "[]");
          !wrong.empty())
        return wrong;
    return "";
  }

  std::string object_error(const Json& schema, const Json& value, const std::string& path) const {
    for (const Json& key : schema.value("required", Json::array()))
      if (!value.contains(key)) return path + ": misses " + key.get<std::string>();
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, item] : value.items()) {
      const Json part = properties.contains(key) ? properties[key]
                                                 : schema.value("additionalProperties", Json(true));
      if (part == false) return path + ": has no " + key;
      if (part.is_boolean()) continue;
      if (const std::string wrong = error(part, item, path + "." + key); !wrong.empty())
        return wrong;
    }
    return "";
  }

  Json root_;
};

TEST(ModelSchema, AcceptsAllExamplesAndTheModelWithAllKeys) {
  const Validator validator;
  const std::filesystem::path root = source_folder();
  EXPECT_EQ(validator.error(json_of_file(root / "tests/fuzz/seeds/all_keys.yaml")), "");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "examples")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path());
    EXPECT_EQ(validator.error(json_of_file(entry.path())), "");
    ++files;
  }
  EXPECT_GE(files, 10);
}

TEST(ModelSchema, RefusesWhatTheReaderRefuses) {
  const Validator validator;
  const Json right = json_of_file(source_folder() + "/tests/fuzz/seeds/all_keys.yaml");
  const auto error_after = [&](const char* pointer, const Json& value) {
    Json model = right;
    model[Json::json_pointer(pointer)] = value;
    return validator.error(model);
  };
  EXPECT_EQ(error_after("/bodies/crank/masss", 1), ".bodies.crank: has no masss");
  EXPECT_EQ(error_after("/joints/main/axis", 1), ".joints.main: has no axis");
  EXPECT_EQ(error_after("/joints/main/type", "hinge"), ".joints.main.type: enum");
  EXPECT_EQ(error_after("/joints/main/between", Json::array({"a"})),
            ".joints.main.between: minItems");
  EXPECT_EQ(error_after("/simulation/solver", "lemk"), ".simulation.solver: enum");
  EXPECT_EQ(error_after("/laws/steel/stiffness", 1e9), ".laws.steel: has no stiffness");
  EXPECT_EQ(error_after("/laws/steel/model", "hertz"),
            ".laws.steel: has no tangential_restitution");
  EXPECT_EQ(error_after("/laws/hertzian/model", "hooke"), ".laws.hertzian.model: enum");
  EXPECT_EQ(error_after("/laws/hertzian/damping", 1), ".laws.hertzian: has no damping");
  EXPECT_EQ(error_after("/laws/lossy/friction/stribeck_speed", 1), ".laws.lossy.friction: anyOf");
  EXPECT_EQ(error_after("/gravity", 9.81), ".gravity: type");
  Json without = right;
  without.erase("bodies");
  EXPECT_EQ(validator.error(without), ": anyOf");
  without["include"] = "bodies.yaml";
  EXPECT_EQ(validator.error(without), "");
}

}  // namespace
}  // namespace backlash

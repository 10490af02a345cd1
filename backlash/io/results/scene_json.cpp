// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/results/scene_json.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

using Json = nlohmann::ordered_json;

// Writing: what has its usual value is left out.

Json json_of(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json json_of(const ScenePoint& p) { return {{"body", p.body}, {"at", json_of(p.p_B)}}; }

template <class Enum>
std::string name_in(std::span<const std::string_view> names, Enum value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

void put_finite(Json& json, const char* key, double value) {
  if (std::isfinite(value)) json[key] = value;
}

Json json_of(const SceneBody& body) {
  return {{"name", body.name}, {"com", json_of(body.com)}, {"colour", body.colour}};
}

Json json_of(const SceneOutline& outline) {
  Json json{{"name", outline.name},
            {"body", outline.body},
            {"kind", name_in(outline_kinds, outline.kind)},
            {"closed", outline.closed},
            {"filled", outline.filled}};
  for (const Vec3& p : outline.points) json["points"].push_back(json_of(p));
  if (outline.kind == OutlineKind::arc) {
    json["radius"] = outline.radius;
    json["from"] = outline.from;
    json["to"] = outline.to;
  }
  if (outline.kind == OutlineKind::half_plane) json["normal"] = json_of(outline.normal);
  return json;
}

Json json_of(const SceneClearance& c) {
  Json json{{"kind", name_in(clearance_kinds, c.kind)}, {"gap", c.gap}};
  if (c.kind == SceneClearance::Kind::journal) json["radius"] = c.radius;
  if (c.kind == SceneClearance::Kind::teeth) json["ratio"] = c.ratio;
  if (c.kind != SceneClearance::Kind::slider) return json;
  json["length"] = c.length;
  json["width"] = c.width;
  put_finite(json, "from", c.from);
  put_finite(json, "to", c.to);
  return json;
}

Json json_of(const SceneJoint& joint) {
  Json json{{"name", joint.name}, {"symbol", name_in(joint_symbols, joint.symbol)}};
  if (joint.is_coupling()) {
    json["first"] = joint.first;
    json["second"] = joint.second;
  } else {
    json["p"] = json_of(joint.p);
    json["q"] = json_of(joint.q);
  }
  if (joint.slides()) json["axis"] = json_of(joint.axis);
  if (joint.angle != 0) json["angle"] = joint.angle;
  put_finite(json, "lower", joint.lower);
  put_finite(json, "upper", joint.upper);
  if (joint.driven) json["driven"] = true;
  if (joint.clearance) json["clearance"] = json_of(*joint.clearance);
  return json;
}

Json json_of(const SceneForce& force) {
  Json json{{"name", force.name},
            {"shape", name_in(force_shapes, force.shape)},
            {"p", json_of(force.p)},
            {"q", json_of(force.q)}};
  if (!force.direction.isZero()) json["direction"] = json_of(force.direction);
  if (force.axes != ground_body) json["axes"] = force.axes;
  return json;
}

Json json_of(const SceneContact& contact) {
  return {{"item", contact.item},
          {"kind", name_in(origin_kinds, contact.kind)},
          {"unit", name(contact.unit)},
          {"play", contact.play}};
}

Json json_of(const SceneMark& mark) { return {{"name", mark.name}, {"at", json_of(mark.at)}}; }

template <class Item>
Json list_of(const std::vector<Item>& items) {
  Json json = Json::array();
  for (const Item& item : items) json.push_back(json_of(item));
  return json;
}

// Reading

[[noreturn]] void refuse(const std::string& complaint) {
  throw InputError(fmt::format("the scene {}", complaint));
}

Vec3 vector_in(const Json& json) {
  if (json.size() != 3) refuse("has a vector that does not have 3 numbers");
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

template <class Enum>
Enum enum_in(std::span<const std::string_view> names, const Json& json) {
  const auto word = json.get<std::string>();
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) refuse(fmt::format("has a kind '{}' that is not known", word));
  return static_cast<Enum>(found - names.begin());
}

/// Reads the items of a scene, whose bodies come first.
struct SceneReader {
  int bodies = 0;

  int body(const Json& json) const {
    const int index = json.get<int>();
    if (index < ground_body || index >= bodies)
      refuse(fmt::format("names a body number {}, and has {}", index, bodies));
    return index;
  }

  ScenePoint point(const Json& json) const {
    return {body(json.at("body")), vector_in(json.at("at"))};
  }

  SceneOutline outline(const Json& json) const {
    SceneOutline made{.name = json.at("name"),
                      .body = body(json.at("body")),
                      .kind = enum_in<OutlineKind>(outline_kinds, json.at("kind")),
                      .closed = json.at("closed"),
                      .filled = json.at("filled"),
                      .radius = json.value("radius", 0.0),
                      .from = json.value("from", 0.0),
                      .to = json.value("to", 0.0)};
    for (const Json& p : json.at("points")) made.points.push_back(vector_in(p));
    if (made.points.empty()) refuse("has an outline without points");
    if (json.contains("normal")) made.normal = vector_in(json.at("normal"));
    return made;
  }

  static SceneClearance clearance(const Json& json) {
    return {.kind = enum_in<SceneClearance::Kind>(clearance_kinds, json.at("kind")),
            .gap = json.at("gap"),
            .radius = json.value("radius", 0.0),
            .length = json.value("length", 0.0),
            .width = json.value("width", 0.0),
            .from = json.value("from", -INFINITY),
            .to = json.value("to", INFINITY),
            .ratio = json.value("ratio", 0.0)};
  }

  SceneJoint joint(const Json& json) const {
    SceneJoint made{.name = json.at("name"),
                    .symbol = enum_in<JointSymbol>(joint_symbols, json.at("symbol")),
                    .angle = json.value("angle", 0.0),
                    .lower = json.value("lower", -INFINITY),
                    .upper = json.value("upper", INFINITY),
                    .driven = json.value("driven", false),
                    .first = json.value("first", ""),
                    .second = json.value("second", "")};
    if (json.contains("p")) made.p = point(json.at("p"));
    if (json.contains("q")) made.q = point(json.at("q"));
    if (json.contains("axis")) made.axis = vector_in(json.at("axis"));
    if (json.contains("clearance")) made.clearance = clearance(json.at("clearance"));
    return made;
  }

  SceneForce force(const Json& json) const {
    SceneForce made{.name = json.at("name"),
                    .shape = enum_in<ForceShape>(force_shapes, json.at("shape")),
                    .p = point(json.at("p")),
                    .q = point(json.at("q"))};
    if (json.contains("direction")) made.direction = vector_in(json.at("direction"));
    if (json.contains("axes")) made.axes = body(json.at("axes"));
    return made;
  }
};

SceneContact contact_in(const Json& json) {
  return {.item = json.at("item"),
          .kind = enum_in<Origin::Kind>(origin_kinds, json.at("kind")),
          .unit = json.at("unit") == name(GapUnit::radian) ? GapUnit::radian : GapUnit::metre,
          .play = json.at("play")};
}

Scene scene_in(const Json& json) {
  if (json.at("version") != scene_version)
    refuse(fmt::format("has version {}; this program knows {}", json.at("version").dump(),
                       scene_version));
  Scene scene{.title = json.at("title")};
  for (const Json& body : json.at("bodies"))
    scene.bodies.push_back({body.at("name"), vector_in(body.at("com")), body.at("colour")});
  const SceneReader reader{static_cast<int>(scene.bodies.size())};
  for (const Json& item : json.at("outlines")) scene.outlines.push_back(reader.outline(item));
  for (const Json& item : json.at("joints")) scene.joints.push_back(reader.joint(item));
  for (const Json& item : json.at("forces")) scene.forces.push_back(reader.force(item));
  for (const Json& item : json.at("contacts")) scene.contacts.push_back(contact_in(item));
  for (const Json& item : json.at("marks"))
    scene.marks.push_back({item.at("name"), reader.point(item.at("at"))});
  return scene;
}

}  // namespace

std::string scene_json(const Scene& scene) {
  const Json json{{"version", scene_version},
                  {"title", scene.title},
                  {"bodies", list_of(scene.bodies)},
                  {"outlines", list_of(scene.outlines)},
                  {"joints", list_of(scene.joints)},
                  {"forces", list_of(scene.forces)},
                  {"contacts", list_of(scene.contacts)},
                  {"marks", list_of(scene.marks)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Scene parse_scene(const std::string& text) {
  try {
    return scene_in(Json::parse(text));
  } catch (const Json::exception& error) {
    refuse(fmt::format("cannot be read: {}", error.what()));
  }
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/model_reader.h"

#include <fmt/ranges.h>

#include "backlash/base/input_error.h"
#include "backlash/io/model/include.h"
#include "backlash/io/model/law_overrides.h"
#include "backlash/io/model/repetition.h"
#include "backlash/io/model/sections.h"

namespace backlash {
namespace reading {
namespace {

namespace dim = dimensions;

Key<Context> section(std::string name, ValueType type, std::string doc,
                     void (*read)(const Value&)) {
  return {{std::move(name), std::move(type), std::move(doc)},
          [read](const Value& v, Context&) { read(v); }};
}

ValueType named(std::string definition) {
  const std::string phrase = fmt::format("names, each with the keys of {}", definition);
  return items_type(mapping_type(std::move(definition)), phrase);
}

void read_version(const Value& v, Context&) {
  if (!v.is_scalar() || v.node().text != "1")
    v.fail(fmt::format("expected 1, the version of the format that this program reads, found {}",
                       describe(v.node())));
}

constexpr std::string_view initial_choices[] = {"given", "equilibrium"};

/// The sections, in the order in which they are read: each after those that it refers to.
const Keys<Context>& model_keys() {
  static const Keys<Context> keys{
      required(Key<Context>{{"backlash", integer_type(), "version of the file format: 1"},
                            read_version}),
      Key<Context>{
          {"include",
           either_type({text_type("name of a file"),
                        list_type(text_type("name of a file"), -1, "list of names of files")}),
           "files that this one extends, beside it; its own parameters, simulation and output win"},
          [](const Value& v, Context&) { v.fail("an included file is not read twice"); }},
      Key<Context>{{"title", text_type("text"), "what the model is"},
                   [](const Value& v, Context& c) { c.model.title = v.text(); }},
      section("parameters",
              items_type(number_type("number with or without unit"), "names, each with a value"),
              "numbers that the rest uses; they may use each other",
              [](const Value&) {}),  // read before all others: repetitions use them
      fallback("[0, 0]", Key<Context>{{"gravity", vector_type(dim::acceleration),
                                       "acceleration of falling bodies"},
                                      [](const Value& v, Context& c) {
                                        c.model.gravity = in_space(v.vector(dim::acceleration));
                                      }}),
      section("tables", named("table"), "functions that are given by points, for formulas",
              read_tables),
      section("states", named("state"), "numbers that change by a rate of their own", read_states),
      section("profiles", named("profile"), "curves that shapes are made of", read_profiles),
      required(section("bodies", named("body"), "the rigid bodies; `ground` is the world",
                       read_bodies_section)),
      section("laws", named("law"), "laws of contact", read_laws),
      section("joints", named("joint"), "what holds bodies together", read_joints),
      section("forces", named("force"), "springs, motors, loads", read_forces),
      section("contacts", named("contact"), "shapes that may touch", read_contacts),
      section("events", named("event"), "what switches parts of the model, or ends the run",
              read_events),
      fallback("given", Key<Context>{{"initial", choice_type(initial_choices),
                                      "where the run begins: as joints and bodies say, or from "
                                      "there at rest in equilibrium"},
                                     [](const Value& v, Context& c) {
                                       c.model.initial =
                                           InitialPositions(v.choice(initial_choices));
                                       c.model.initial_where = v.where();
                                     }}),
      section("simulation", mapping_type("simulation"), "how the motion is computed",
              read_simulation),
      section("output", mapping_type("output"), "what is recorded", read_output),
  };
  return keys;
}

std::vector<std::string> entry_names(const Value& root, std::string_view section) {
  std::vector<std::string> names;
  if (const std::optional<Value> value = root.find(section))
    for (const YamlEntry& entry : value->node().entries) names.push_back(entry.key);
  return names;
}

void collect_states(const Value& root) {
  root.context().names.states.clear();
  for (const std::string& state : entry_names(root, "states"))
    root.context().names.states.emplace(state, std::nullopt);
}

/// The names that items may refer to, wherever they stand.
void collect_names(const Value& root) {
  Names& names = root.context().names;
  names.bodies = entry_names(root, "bodies");
  if (std::ranges::find(names.bodies, ground_name) == names.bodies.end())
    names.bodies.emplace_back(ground_name);
  names.laws = entry_names(root, "laws");
  names.profiles = entry_names(root, "profiles");
  collect_states(root);
  names.forces = entry_names(root, "forces");
  names.contacts = entry_names(root, "contacts");
  names.events = entry_names(root, "events");
  if (const std::optional<Value> events = root.find("events"))
    for (const YamlEntry& event : events->node().entries)
      if (const YamlEntry* set = find_entry(*event.value, "set"))
        for (const YamlEntry& entry : set->value->entries) names.set_by_events.insert(entry.key);
  if (const std::optional<Value> joints = root.find("joints"))
    for (const YamlEntry& entry : joints->node().entries) {
      const Value joint = joints->child(entry);
      const auto add = [&] { names.joints.emplace(entry.key, joint_kind(joint)); };
      if (!root.context().attempt(add)) names.unreadable.insert(entry.key);
    }
}

/// Throws what is wrong, if anything is.
void require_no_errors(const Document& document, std::vector<InputError> errors) {
  if (errors.empty()) return;
  const auto place = [&](const InputError& error) {
    const auto file = std::ranges::find(document.files, error.where().file, &ModelText::file);
    return std::tuple(file - document.files.begin(), error.where().line, error.where().column);
  };
  std::ranges::stable_sort(errors, {}, place);
  throw ModelFileError(std::move(errors));
}

/// Overrides need parameters even if the file has none.
void check_overrides(const Value& root) {
  if (root.find("parameters") || root.context().overrides.empty()) return;
  const Override& first = root.context().overrides.front();
  throw InputError(fmt::format("--set {}={}: the model has no parameters", first.name, first.text));
}

void require_model(const Value& root) {
  if (root.is_mapping()) return;
  root.fail(fmt::format("expected the keys of a model, found {}",
                        root.is_scalar() ? "text without any" : describe(root.node())));
}

void read_parameters_of(const Value& root) {
  Context& context = root.context();
  context.attempt([&] { check_overrides(root); });
  collect_states(root);  // which parameters cannot use
  if (const std::optional<Value> parameters = root.find("parameters"))
    context.attempt([&] { read_parameters(*parameters); });
}

Model read_document(const Document& document, std::span<const ParameterOverride> overrides,
                    std::span<const LawOverride> laws) {
  Context context;
  context.model.files = document.files;
  context.folders = document.folders;
  for (const ParameterOverride& value : overrides)
    context.overrides.push_back({value.name, value.value});
  std::shared_ptr<const YamlNode> tree = with_laws(document.root, laws);
  require_model(Value(*tree, context, ""));
  read_parameters_of(Value(*tree, context, ""));
  if (has_repetitions(*tree) && !context.attempt([&] { tree = with_repetitions(tree, context); }))
    require_no_errors(document, std::move(context.errors));
  const Value root(*tree, context, "");
  collect_names(root);
  if (const std::optional<Value> parameters = root.find("parameters"))
    context.attempt([&] { refuse_following_parameters(*parameters); });
  context.attempt([&] { read_mapping(root, model_keys(), "a model", context); });
  require_no_errors(document, std::move(context.errors));
  for (Parameter& parameter : context.model.parameters) {
    parameter.used = context.names.parameters.find(parameter.name)->second.used;
    for (const LawOverride& law : laws)  // the law that is not there now would use it
      parameter.used = parameter.used || law_mentions(*document.root, law.name, parameter.name);
  }
  validate(context.model);
  return std::move(context.model);
}

}  // namespace

std::vector<DefinitionInfo> definitions() {
  std::vector<DefinitionInfo> all{{"model", "The whole file.", {info("model", model_keys())}}};
  for (auto* section_definitions :
       {table_definitions, state_definitions, profile_definitions, body_definitions,
        shape_definitions, joint_definitions, force_definitions, law_definitions,
        contact_definitions, event_definitions, simulation_definitions, output_definitions})
    for (DefinitionInfo& definition : section_definitions()) all.push_back(std::move(definition));
  return all;
}

}  // namespace reading

namespace {

/// A line for each, of the first ones.
std::vector<std::string> lines_of(std::span<const InputError> errors) {
  constexpr std::size_t shown = 20;
  std::vector<std::string> lines;
  for (const InputError& error : errors.first(std::min(errors.size(), shown)))
    lines.emplace_back(error.what());
  if (errors.size() > shown)
    lines.push_back(fmt::format("and {} more errors", errors.size() - shown));
  return lines;
}

/// Without the spaces around it: "L = 50 mm" is read as "L=50 mm".
std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string_view::npos ? std::string()
                                         : std::string(text.substr(first, last + 1 - first));
}

}  // namespace

ModelFileError::ModelFileError(std::vector<InputError> errors)
    : InputError(fmt::format("{}", fmt::join(lines_of(errors), "\n"))),
      errors_(std::move(errors)) {}

std::vector<std::string> ModelFileError::lines() const { return lines_of(errors_); }

ParameterOverride parse_override(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos || sign == 0)
    throw InputError(fmt::format("--set {}: expected name=value", text));
  return {trimmed(text.substr(0, sign)), trimmed(text.substr(sign + 1))};
}

LawOverride parse_law_override(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos || sign == 0)
    throw InputError(fmt::format("--law {}: expected name=law", text));
  return {trimmed(text.substr(0, sign)), trimmed(text.substr(sign + 1))};
}

Model read_model(const std::filesystem::path& path, std::span<const ParameterOverride> overrides,
                 std::span<const LawOverride> laws,
                 std::span<const std::filesystem::path> include_from) {
  return reading::read_document(reading::load_document(path, include_from), overrides, laws);
}

Model parse_model(std::string_view text, const std::string& name,
                  std::span<const ParameterOverride> overrides, std::span<const LawOverride> laws) {
  return reading::read_document(reading::load_text(text, name), overrides, laws);
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/keys.h"
#include "backlash/io/model/model_reader.h"

namespace backlash {
namespace reading {
namespace {

std::string key_row(const KeyInfo& key) {
  const std::string fallback = key.required           ? "needed"
                               : key.fallback.empty() ? ""
                                                      : fmt::format("`{}`", key.fallback);
  return fmt::format("| `{}` | {} | {} | {} |\n", key.name, key.type.phrase, fallback, key.doc);
}

std::string table_of(const DefinitionInfo& definition, const MappingInfo& mapping) {
  std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const KeyInfo& key : mapping.keys)
    if (definition.variants.size() == 1 || key.name != definition.selector) text += key_row(key);
  return text;
}

/// "`type: spring`", "`model: flores`, `hu-guo`", or what goes without the selector.
std::string heading_of(const DefinitionInfo& definition, const MappingInfo& variant) {
  if (variant.name == definition.otherwise) return fmt::format("without `{}`", definition.selector);
  std::string text = fmt::format("`{}: {}`", definition.selector, variant.name);
  for (const std::string& value : variant.also) text += fmt::format(", `{}`", value);
  if (variant.name == definition.fallback) text += ", or without";
  return text;
}

std::string section_of(const DefinitionInfo& definition) {
  std::string text = fmt::format("### {}\n\n{}\n\n", definition.name, definition.doc);
  if (definition.variants.size() == 1)
    return text + table_of(definition, definition.variants[0]) + "\n";
  for (const MappingInfo& variant : definition.variants)
    text +=
        fmt::format("{}\n\n{}\n", heading_of(definition, variant), table_of(definition, variant));
  return text;
}

std::string units_section() {
  std::string text = "### units\n\n| unit | in SI | of | with prefixes |\n|---|---|---|---|\n";
  for (const UnitName& unit : unit_table())
    text += fmt::format("| `{}` | {:.10g} {} | {} | {} |\n", unit.name, unit.factor,
                        si_unit(unit.dimension), dimension_name(unit.dimension),
                        unit.prefixes ? "yes" : "");
  return text;
}

}  // namespace
}  // namespace reading

std::string model_reference() {
  std::string text;
  for (const reading::DefinitionInfo& definition : reading::definitions())
    text += reading::section_of(definition);
  return text + reading::units_section();
}

}  // namespace backlash

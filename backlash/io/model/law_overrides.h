// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "backlash/io/model/model_reader.h"
#include "backlash/io/model/yaml_document.h"

namespace backlash::reading {

/// The tree of a model file with some of its laws exchanged. What the new mapping does not say of
/// restitution and friction is taken over from the law that it replaces. Throws InputError naming
/// the argument.
std::shared_ptr<const YamlNode> with_laws(const std::shared_ptr<const YamlNode>& root,
                                          std::span<const LawOverride> laws);

/// Whether the law of that name, as the tree has it, mentions the parameter.
bool law_mentions(const YamlNode& root, std::string_view law, std::string_view parameter);

}  // namespace backlash::reading

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backlash/io/model/value.h"

namespace backlash::reading {

/// Whether anything in the tree is repeated.
bool has_repetitions(const YamlNode& root);

/// The tree with all repetitions written out: an item with the key `repeat` becomes one item for
/// each value of its index, in whose formulas the index is a number and in whose names `$i` and
/// `$(i + 1)` are replaced; in a list, {repeat: …, items: […]} becomes these items, again and
/// again. Copies keep their place in the file. Parameters must have been read. Throws InputError.
std::shared_ptr<const YamlNode> with_repetitions(const std::shared_ptr<const YamlNode>& root,
                                                 Context& context);

}  // namespace backlash::reading

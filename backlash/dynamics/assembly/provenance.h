// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backlash/dynamics/item_error.h"
#include "backlash/model/model.h"

/// From what a mechanism is made of back to what the user wrote.
namespace backlash {

/// Where the item stands in the model file; empty if the model has no such item.
SourceLocation location_of(const Model& model, const Origin& origin);

/// The same error at the place of its item, which it names with its law.
InputError located(const Model& model, const ItemError& error);

/// The name of the law of a contact with that origin; empty if it has none.
std::string law_of(const Model& model, const Origin& origin);

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/base/input_error.h"
#include "backlash/dynamics/origin.h"

namespace backlash {

/// An item of the model that a method cannot run. Who has the model says where it stands.
class ItemError : public InputError {
 public:
  ItemError(Origin origin, const std::string& message)
      : InputError(message), origin_(std::move(origin)) {}

  const Origin& origin() const { return origin_; }

 private:
  Origin origin_;
};

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/model/model.h"

namespace backlash {

/// Whether some motor has a rotor of its own.
bool has_rotors(const Model& model);

/// The model with the rotor of each motor that has inertia as a body `<motor>.rotor`, which turns
/// on the first body of the motor's joint, `<motor>.shaft`, and is coupled to the joint by
/// `<motor>.gear`; the motor acts on the shaft (theory 6.21). Throws InputError.
Model with_rotors(const Model& model);

}  // namespace backlash

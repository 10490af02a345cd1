// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "backlash/dynamics/assemble.h"
#include "backlash/io/model_reader.h"

namespace backlash::test {

/// The mechanism of a model file's text, to which `backlash: 1` is added.
inline Assembly assembled(std::string_view text) {
  return assemble(parse_model("backlash: 1\n" + std::string(text), "model.yaml"));
}

/// How a body of the mechanism moves.
inline BodyMotion motion_of(const System& system, const State& state, int body = 0) {
  return system.body_motion(configuration(system, state), state.u, body);
}

}  // namespace backlash::test

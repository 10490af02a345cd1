// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string_view>

#include "backlash/base/input_error.h"
#include "backlash/check/check.h"
#include "backlash/draw/drawing.h"
#include "backlash/io/model/model_reader.h"

/// Whatever the bytes are, the reader returns a model or throws InputError; and a model can be
/// checked, and drawn if it can be put together.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace backlash;
  try {
    const Model model = parse_model({reinterpret_cast<const char*>(data), size}, "fuzz.yaml");
    const CheckReport report = check(model, {.trial_steps = 5});
    if (report.assembly.system)
      mechanism_drawing(model, *report.assembly.system, report.assembly.start);
  } catch (const InputError&) {
  }
  return 0;
}

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string_view>

#include "backlash/base/input_error.h"
#include "backlash/io/model_reader.h"

/// Whatever the bytes are, the reader returns a model or throws InputError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    backlash::parse_model({reinterpret_cast<const char*>(data), size}, "fuzz.yaml");
  } catch (const backlash::InputError&) {
  }
  return 0;
}

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// Files of the repository that the program carries with it, so that it finds them wherever it is
/// installed.
namespace backlash::cli {

struct EmbeddedFile {
  std::string_view path;  ///< in its folder: "slider_crank/model.yaml"
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_examples();   ///< of the folder examples
std::span<const EmbeddedFile> embedded_templates();  ///< of the folder templates, beside this file

}  // namespace backlash::cli

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace backlash::cli {

/// Throw InputError unless a picture can be written under this name: *.svg, *.png, or - for SVG on
/// standard output. To be called before any work is done.
void require_picture_name(const std::filesystem::path& file);

/// Write an SVG picture as the file's name says. Throws IoError if it cannot be written.
void write_picture(const std::filesystem::path& file, const std::string& svg);

/// Write a text, whole or not at all; - is standard output. Throws IoError.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace backlash::cli

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <TopoDS_Shape.hxx>

/// Edges and faces of a STEP file by their names. For sources that are built with OpenCASCADE.
namespace backlash::step {

/// An edge or face as the file has it.
struct NamedShape {
  TopoDS_Shape shape;  ///< in the place that its assembly gives it [mm]
  std::string name;    ///< may be empty
  std::string number;  ///< "#123"
};

/// Every edge and face of a file that comes from an entity of its own. Throws InputError for a file
/// that cannot be read.
std::vector<NamedShape> read_shapes(const std::filesystem::path& file);

/// The one with this name or number, of these kinds ("edge", "face", "edge or face"). Throws
/// InputError where there is none, or more than one.
const NamedShape& find_shape(const std::vector<NamedShape>& shapes,
                             const std::filesystem::path& file, std::string_view name,
                             std::string_view kinds);

}  // namespace backlash::step

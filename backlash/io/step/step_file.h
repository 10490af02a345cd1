// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "backlash/geometry/nurbs/nurbs_curve.h"
#include "backlash/geometry/nurbs/nurbs_surface.h"

/// Curves and surfaces of STEP files (ISO 10303-21), in metres whatever the unit of the file. An
/// edge or face is called by its name in the file, that of its EDGE_CURVE or ADVANCED_FACE, or by
/// the number of that entity: "#123".
///
/// Reading needs OpenCASCADE, an optional part of the build, in a module of its own. Every function
/// throws IoError where the module cannot be loaded, and InputError where it was left out of the
/// build; where the file cannot be read; where there is no such edge or face, naming what
/// there is; and where the geometry is none that can be given.
namespace backlash {

/// Whether this build reads STEP files.
bool reads_step();

/// The curve of an edge, exact, in the direction of the edge.
NurbsCurveData<3> read_step_curve(const std::filesystem::path& file, std::string_view edge);

/// What a name may be the name of.
enum class StepItem { edge, face, edge_or_face };

/// The same of an edge that lies in a plane z = const, or the outer boundary of a face that does,
/// counter-clockwise: a closed profile that has its material inside.
NurbsCurveData<2> read_step_profile(const std::filesystem::path& file, std::string_view name,
                                    StepItem kind = StepItem::edge_or_face);

/// The surface of a face, exact, its normal out of the material. The edges of the face must be
/// lines of constant parameters of its surface: what is cut off along other lines would still be
/// there.
NurbsSurfaceData read_step_surface(const std::filesystem::path& file, std::string_view face);

}  // namespace backlash

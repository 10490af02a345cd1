// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backlash/io/step/step_file.h"

/// What the module that holds OpenCASCADE exports (backlash/io/module.h). It is not linked with the
/// library and shares its plain data alone.
namespace backlash {

struct StepProfile {
  NurbsCurveData<2> curve;
  bool boundary;  ///< of a face, in either direction
};

struct StepModule {
  const char* version;
  NurbsCurveData<3> (*read_curve)(const std::filesystem::path& file, std::string_view edge);
  StepProfile (*read_profile)(const std::filesystem::path& file, std::string_view name,
                              StepItem kind);
  NurbsSurfaceData (*read_surface)(const std::filesystem::path& file, std::string_view face);
};

}  // namespace backlash

extern "C" const backlash::StepModule backlash_step;

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// In builds without OpenCASCADE no_step_file.cpp takes its place.
#include "backlash/io/step/step_file.h"

#include "backlash/io/module.h"
#include "backlash/io/step/step_module.h"

namespace backlash {
namespace {

using std::filesystem::path;

const StepModule& reader() {
  static const void* const loaded = load_module("backlash_step", "STEP files cannot be read");
  return *static_cast<const StepModule*>(loaded);
}

}  // namespace

bool reads_step() { return true; }

NurbsCurveData<3> read_step_curve(const path& file, std::string_view edge) {
  return reader().read_curve(file, edge);
}

NurbsCurveData<2> read_step_profile(const path& file, std::string_view name, StepItem kind) {
  StepProfile profile = reader().read_profile(file, name, kind);
  const bool clockwise = profile.boundary && signed_area(NurbsCurve<2>(profile.curve)) < 0;
  return clockwise ? reversed(std::move(profile.curve)) : std::move(profile.curve);
}

NurbsSurfaceData read_step_surface(const path& file, std::string_view face) {
  return reader().read_surface(file, face);
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// Takes the place of step_file.cpp in builds without OpenCASCADE.
#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/io/step/step_file.h"

namespace backlash {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file) {
  throw InputError(fmt::format(
      "{}: this build of Backlash does not read STEP files, for it was made without OpenCASCADE; "
      "install its packages (libocct-data-exchange-dev on Debian) and build again, or give the "
      "control points or a CSV of points instead",
      file.string()));
}

}  // namespace

bool reads_step() { return false; }

NurbsCurveData<3> read_step_curve(const std::filesystem::path& file, std::string_view) {
  refuse(file);
}
NurbsCurveData<2> read_step_profile(const std::filesystem::path& file, std::string_view, StepItem) {
  refuse(file);
}
NurbsSurfaceData read_step_surface(const std::filesystem::path& file, std::string_view) {
  refuse(file);
}

}  // namespace backlash

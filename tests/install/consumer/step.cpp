// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>

#include "backlash/io/step/step_file.h"

/// Reads a curve with the module of the installed library, where the build reads STEP files.
int main(int, char** arguments) {
  if (!backlash::reads_step()) {
    std::cout << "no OpenCASCADE\n";
    return 0;
  }
  try {
    const auto curve = backlash::read_step_curve(arguments[1], "rail");
    std::cout << curve.points.size() << " control points\n";
  } catch (const std::exception& error) {
    std::cout << "refused: " << error.what() << '\n';
  }
  return 0;
}

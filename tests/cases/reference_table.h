// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/paths.h"

namespace backlash::test {

/// The rows of a CSV file of tests/data, without its heading.
inline std::vector<std::vector<double>> reference_table(const std::string& file) {
  std::ifstream in(data_folder() + "/" + file);
  EXPECT_TRUE(in.good()) << file;
  std::vector<std::vector<double>> rows;
  std::string line, cell;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ',')) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

}  // namespace backlash::test

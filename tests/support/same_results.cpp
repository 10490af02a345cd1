// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/same_results.h"

#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "support/files.h"

namespace backlash {

void expect_same(const ResultsTable& table, const std::filesystem::path& csv) {
  SCOPED_TRACE(csv.filename().string());
  const auto rows = read_csv(csv);
  ASSERT_EQ(static_cast<std::size_t>(table.values.rows()) + 1, rows.size());
  ASSERT_EQ(table.channels.size(), rows[0].size());
  for (std::size_t j = 0; j < rows[0].size(); ++j) {
    const std::string& name = table.channels[j].name;
    const bool names = name == "contact" || name == "kind" || name == "state" || name == "unit";
    const std::string unit = names ? "" : table.channels[j].unit;
    const Vector column = table.column(name);
    const auto& labels = table.labels[j];
    ASSERT_EQ(unit.empty() ? name : name + " [" + unit + "]", rows[0][j]);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double value = column[static_cast<Eigen::Index>(i) - 1];
      if (!labels.empty())
        ASSERT_EQ(labels[static_cast<std::size_t>(value)], rows[i][j]);
      else
        ASSERT_EQ(std::bit_cast<std::uint64_t>(value),
                  std::bit_cast<std::uint64_t>(std::stod(rows[i][j])))
            << rows[0][j] << ", row " << i;
    }
  }
}

}  // namespace backlash

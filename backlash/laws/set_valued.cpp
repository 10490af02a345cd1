// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/laws/set_valued.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

int count(const Bilateral& law) { return law.rows; }
int count(const Unilateral&) { return 1; }
int count(const Coulomb& law) { return 1 + law.tangents; }
int count(const Relay& law) { return law.rows; }

void require_count(int found, int lowest, int highest, const std::string& quantity) {
  if (lowest <= found && found <= highest) return;
  throw InputError(
      fmt::format("{} must be between {} and {}, is {}", quantity, lowest, highest, found));
}

void check(const Bilateral& law, std::string_view item) {
  require_count(law.rows, 1, 1 << 20, fmt::format("{}: number of bilateral rows", item));
}
void check(const Unilateral&, std::string_view) {}
void check(const Coulomb& law, std::string_view item) {
  require_not_negative(law.friction, fmt::format("{}: friction", item), "-");
  require_not_negative(law.preload, fmt::format("{}: preload", item), "N s");
  require_count(law.tangents, 1, 2, fmt::format("{}: number of tangent rows", item));
}
void check(const Relay& law, std::string_view item) {
  require_not_negative(law.limit, fmt::format("{}: limit of the dry friction", item), "N s");
  require_count(law.rows, 1, 2, fmt::format("{}: number of rows of the dry friction", item));
}

}  // namespace

int rows(const Law& law) {
  return std::visit([](const auto& member) { return count(member); }, law);
}

void project(const Law& law, VectorRef trial) {
  require_size(trial.size(), rows(law), "impulse to project (rows of the law)");
  std::visit([&](const auto& member) { project(member, trial); }, law);
}

void validate(const Law& law, std::string_view item) {
  std::visit([&](const auto& member) { check(member, item); }, law);
}

}  // namespace backlash

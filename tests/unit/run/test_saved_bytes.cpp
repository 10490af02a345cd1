// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "backlash/base/archive.h"
#include "backlash/integrators/simulate.h"

/// What is saved of a run is its numbers, and nothing that lies between them in memory.
namespace backlash::test_saved_bytes {
namespace {

template <class T>
std::string saved(T value) {
  Archive archive;
  archive(value);
  return archive.bytes();
}

constexpr std::size_t number = sizeof(double), key = sizeof(int) + sizeof(std::int64_t);

TEST(SavedBytes, AreThoseOfTheFieldsAlone) {
  EXPECT_EQ(saved(ContactKey{}).size(), key);
  EXPECT_EQ(saved(ContactRecord{}).size(), key + sizeof(ContactState) + (3 + 4 + 8) * number);
  EXPECT_EQ(saved(HardestImpact{}).size(), key + 4 * number);
  EXPECT_EQ(saved(DeepestContact{}).size(), key + 3 * number);
  EXPECT_EQ(saved(GainingImpacts{}).size(), key + sizeof(long) + 2 * number);
  EXPECT_EQ(saved(UndeterminedForces{}).size(), key + number);
}

TEST(SavedBytes, AreReadBackToTheSameValues) {
  const ContactRecord record{.key = {3, 1L << 40},
                             .state = ContactState::slip,
                             .impulse = {1, 2, 3},
                             .parameters = {4, 5, 6, 7},
                             .own = {8, 9}};
  ContactRecord read;
  Archive archive(saved(record));
  archive(read);
  archive.require_end();
  EXPECT_EQ(read.key, record.key);
  EXPECT_EQ(read.state, record.state);
  EXPECT_EQ(read.impulse, record.impulse);
  EXPECT_EQ(read.parameters, record.parameters);
  EXPECT_EQ(read.own, record.own);
}

}  // namespace
}  // namespace backlash::test_saved_bytes

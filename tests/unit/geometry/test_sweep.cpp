// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/sweep.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "unit/geometry/touching.h"

namespace backlash::test {
namespace {

std::set<std::pair<int, int>> swept_pairs(std::span<const Box2> boxes, double margin,
                                          SweepOrder& memory) {
  std::vector<BoxPair> found;
  sweep(boxes, margin, memory, found);
  std::set<std::pair<int, int>> pairs;
  for (const BoxPair& pair : found) pairs.insert(std::minmax(pair.first, pair.second));
  EXPECT_EQ(pairs.size(), found.size()) << "each pair once";
  return pairs;
}

std::set<std::pair<int, int>> all_pairs(std::span<const Box2> boxes, double margin) {
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int k = i + 1; k < static_cast<int>(boxes.size()); ++k)
      if (!far_apart(boxes[static_cast<std::size_t>(i)], boxes[static_cast<std::size_t>(k)],
                     margin))
        pairs.insert({i, k});
  return pairs;
}

Box2 random_box(Dice& dice, double width, double height) {
  const double x = dice(0, width), y = dice(0, height);
  return {{x, y}, {x + dice(0, 1), y + dice(0, 1)}};
}

TEST(Sweep, FindsJustThePairsOfBoxesThatAreNear) {
  for (const auto& [width, height] : {std::pair(10.0, 10.0), {100.0, 1.0}, {1.0, 100.0}}) {
    Dice dice(3);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Box2> boxes;
      for (int i = 0; i < 80; ++i) boxes.push_back(random_box(dice, width, height));
      SweepOrder memory;
      const double margin = 0.1 * trial;
      EXPECT_EQ(swept_pairs(boxes, margin, memory), all_pairs(boxes, margin));
    }
  }
}

TEST(Sweep, FindsTheSameWithTheOrderOfTheLastOneHoweverTheBoxesMoved) {
  Dice dice(4);
  std::vector<Box2> boxes;
  for (int i = 0; i < 60; ++i) boxes.push_back(random_box(dice, 8, 8));
  SweepOrder memory;
  for (int step = 0; step < 100; ++step) {
    for (Box2& box : boxes) {
      const bool jump = step % 10 == 9, turn = step == 55;
      if (jump) box = random_box(dice, 8, 8);
      if (turn) box = random_box(dice, 0.5, 200);
      for (std::size_t i = 0; i < 2; ++i) {
        const double by = dice(-0.1, 0.1);
        box.low[i] += by;
        box.high[i] += by;
      }
    }
    EXPECT_EQ(swept_pairs(boxes, 0.2, memory), all_pairs(boxes, 0.2)) << "step " << step;
  }
}

TEST(Sweep, TakesABoxThatIsNoNumberAsNearToAll) {
  Dice dice(5);
  std::vector<Box2> boxes;
  for (int i = 0; i < 20; ++i) boxes.push_back(random_box(dice, 50, 50));
  boxes[7] = {{NAN, NAN}, {NAN, NAN}};
  SweepOrder memory;
  EXPECT_EQ(swept_pairs(boxes, 0, memory), all_pairs(boxes, 0));
  EXPECT_GE(all_pairs(boxes, 0).size(), 19u);
}

}  // namespace
}  // namespace backlash::test

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/geometry/sweep.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace backlash {
namespace {

/// Sum of the squared distances of the boxes' middles from their mean, along both axes.
std::array<double, 2> spread(std::span<const Box2> boxes) {
  std::array<double, 2> sum{}, square{};
  for (const Box2& box : boxes)
    for (std::size_t i = 0; i < 2; ++i) {
      const double middle = 0.5 * (box.low[i] + box.high[i]);
      sum[i] += middle;
      square[i] += middle * middle;
    }
  const auto n = static_cast<double>(boxes.size());
  return {square[0] - sum[0] * sum[0] / n, square[1] - sum[1] * sum[1] / n};
}

/// The axis of the last sweep, unless the boxes are spread much wider over the other.
int choose_axis(std::span<const Box2> boxes, int last) {
  const auto [x, y] = spread(boxes);
  if (last == 0) return y > 4 * x ? 1 : 0;
  if (last == 1) return x > 4 * y ? 0 : 1;
  return y > x ? 1 : 0;
}

/// By insertion, as long as that is quick.
void sort_again(std::vector<int>& order, const auto& before) {
  std::size_t moves = 0;
  const std::size_t most = 32 * order.size();
  for (std::size_t i = 1; i < order.size() && moves <= most; ++i) {
    const int box = order[i];
    std::size_t k = i;
    for (; k > 0 && before(box, order[k - 1]); --k) order[k] = order[k - 1];
    order[k] = box;
    moves += i - k;
  }
  if (moves > most) std::sort(order.begin(), order.end(), before);
}

/// The boxes in the order of their lower ends along the axis.
void sort_boxes(std::span<const Box2> boxes, SweepOrder& memory) {
  const int axis = choose_axis(boxes, memory.axis);
  const auto i = static_cast<std::size_t>(axis);
  const auto low = [&](int box) {
    const double end = boxes[static_cast<std::size_t>(box)].low[i];
    return std::isnan(end) ? -INFINITY : end;
  };
  const auto before = [&](int a, int b) {
    const double of_a = low(a), of_b = low(b);
    return of_a < of_b || (of_a == of_b && a < b);
  };
  const bool known = memory.axis == axis && memory.order.size() == boxes.size();
  if (!known) {
    memory.axis = axis;
    memory.order.resize(boxes.size());
    std::iota(memory.order.begin(), memory.order.end(), 0);
    std::sort(memory.order.begin(), memory.order.end(), before);
  } else {
    sort_again(memory.order, before);
  }
  memory.in_order.resize(boxes.size());
  for (std::size_t k = 0; k < boxes.size(); ++k)
    memory.in_order[k] = boxes[static_cast<std::size_t>(memory.order[k])];
}

}  // namespace

void sweep(std::span<const Box2> boxes, double margin, SweepOrder& memory,
           std::vector<BoxPair>& pairs) {
  sort_boxes(boxes, memory);
  const auto along = static_cast<std::size_t>(memory.axis), across = 1 - along;
  const std::vector<Box2>& sorted = memory.in_order;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double end = sorted[i].high[along] + margin;
    const double low = sorted[i].low[across] - margin, high = sorted[i].high[across] + margin;
    for (std::size_t k = i + 1; k < sorted.size() && !(sorted[k].low[along] > end); ++k)
      if (!(sorted[k].low[across] > high) && !(sorted[k].high[across] < low))
        pairs.push_back({memory.order[i], memory.order[k]});
  }
}

}  // namespace backlash

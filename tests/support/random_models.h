// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

#include <fmt/format.h>

namespace backlash::test {

/// Bodies of any shape beside each other above a floor, in motion, with a pendulum among them; all
/// may touch all.
class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {}

  std::string text(const std::string& law, const std::string& simulation) {
    const int count = 1 + static_cast<int>(between(0, 3.99));
    std::string bodies = "bodies:\n  ground: {shapes: {floor: {line: {normal: [0, 1]}}}}\n";
    std::string contacts = "contacts:\n";
    for (int i = 0; i < count; ++i) {
      bodies += body(i);
      contacts += fmt::format("  floor{0}: {{between: [b{0}, ground.floor], law: any}}\n", i);
      for (int k = 0; k < i; ++k)
        contacts += fmt::format("  pair{0}{1}: {{between: [b{0}, b{1}], law: any}}\n", i, k);
    }
    const double arm = between(0.1, 0.3);
    bodies += fmt::format(
        "  arm: {{mass: {}, inertia: {}, com: [{}, 0], shape: {{circle: 0.05, at: [{}, 0]}}}}\n",
        between(0.1, 2), between(1e-3, 1e-2), arm / 2, arm);
    for (int i = 0; i < count; ++i)
      contacts += fmt::format("  arm{0}: {{between: [arm, b{0}], law: any}}\n", i);
    const std::string joints = fmt::format(
        "joints:\n  pin: {{type: revolute, between: [ground, arm], at: [[-0.5, 0.5], [0, 0]], "
        "initial: {{angle: {}, speed: {}}}}}\n",
        between(-0.5, 1), between(-10, 10));
    return fmt::format("backlash: 1\ngravity: [0, -9.81]\n{}{}{}laws: {{any: {}}}\n{}\n", bodies,
                       joints, contacts, law, simulation);
  }

  double between(double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random_);
  }

 private:
  std::string body(int i) {
    const double size = between(0.05, 0.15), mass = between(0.1, 3);
    const std::string shape =
        between(0, 1) < 0.5 ? fmt::format("{{circle: {}}}", size)
                            : fmt::format("{{box: [{}, {}]}}", 2 * size, between(0.5, 1.2) * size);
    return fmt::format(
        "  b{}: {{mass: {}, inertia: {}, shape: {}, initial: {{position: [{}, {}], angle: {}, "
        "velocity: [{}, {}], speed: {}}}}}\n",
        i, mass, 0.4 * mass * size * size, shape, 0.45 * i, between(0.2, 0.3), between(-1, 1),
        between(-2, 2), between(-2, 1), between(-10, 10));
  }

  std::mt19937 random_;
};

}  // namespace backlash::test

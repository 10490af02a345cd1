// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

// Checks the floor of the slider-crank against event-driven reference figures and times it:
//   slider_crank_floor [states.csv]
// states.csv: reference states with t and θ1 in its first two columns, every 10⁻⁴ s.

#include "slider_crank_floor.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace backlash::benchmarks;

constexpr int steps = 10000;
constexpr double first_hit = 2.69250275202121e-3;  // [s]

struct Reference {
  int step;
  double th1, th2, w1, w2;
};
constexpr Reference references[] = {
    {200, .27579441494846, -.13494926386584, 120.463881713558, -56.473394142450},
    {1000, .94796132178859, -.41462420026003, 67.471928518900, -21.501405097508},
    {3000, 2.55062647367424, -.28571982239664, 127.777942983577, 55.139353212835},
};

/// θ1 of the reference file by step of 10⁻⁵ s; NaN where it has none.
struct ReferenceAngles {
  double th1[steps + 1];  ///< [rad]
};

ReferenceAngles read_reference(const char* path) {
  ReferenceAngles reference;
  std::fill(std::begin(reference.th1), std::end(reference.th1), std::nan(""));
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    char* rest = nullptr;
    const double t = std::strtod(line.c_str(), &rest);
    const long n = std::lround(t / 1e-5);
    if (n >= 0 && n <= steps) reference.th1[n] = std::strtod(rest + 1, nullptr);
  }
  return reference;
}

/// Whether a run keeps to the reference: `largest_error` bounds θ1 over the first 0.03 s [rad].
template <ForceVelocity V>
bool check(const char* name, const ReferenceAngles& reference, double largest_error) {
  SliderCrankFloor<V> floor;
  double hit = -1, tilt = 0, error = 0;
  int contact_steps = 0;
  std::printf("%s\n", name);
  for (int n = 1; n <= steps; ++n) {
    floor.step();
    if (floor.in_contact() && hit < 0) hit = n * floor.step_size;
    contact_steps += floor.in_contact();
    tilt = std::max(tilt, std::abs(floor.q[2]));
    if (!std::isnan(reference.th1[n]))
      error = std::max(error, std::abs(floor.q[0] - reference.th1[n]));
    for (const Reference& r : references) {
      if (r.step != n) continue;
      error = std::max(error, std::abs(floor.q[0] - r.th1));
      std::printf("  t %.3f: errors of th1 %9.2e th2 %9.2e w1 %9.2e w2 %9.2e\n", n * 1e-5,
                  floor.q[0] - r.th1, floor.q[1] - r.th2, floor.u[0] - r.w1, floor.u[1] - r.w2);
    }
  }
  std::printf(
      "  first hit %.5f s: %.2f steps late; largest error of th1 %.3e; largest |th3| %.1e\n", hit,
      (hit - first_hit) / floor.step_size, error, tilt);
  std::printf("  contact in %d of %d steps, %ld corrected guesses; end %.17g %.17g %.17g\n",
              contact_steps, steps, floor.corrections, floor.q[0], floor.q[1], floor.u[0]);
  return error < largest_error && std::abs(hit - first_hit) < floor.step_size && tilt < 1e-12;
}

struct Timing {
  double all = HUGE_VAL, free = HUGE_VAL, contact = HUGE_VAL;  ///< [ns per step]
};

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

/// Least time over `repetitions` runs, of the whole run and of its phases apart.
template <ForceVelocity V>
Timing measure(const SliderCrankFloor<V>& start, int repetitions) {
  unsigned char contact[steps + 1];
  SliderCrankFloor<V> floor = start;
  long contact_steps = 0;
  for (int n = 0; n < steps; ++n) {
    floor.step();
    contact[n] = floor.in_contact();
    contact_steps += floor.in_contact();
  }
  contact[steps] = 2;

  Timing best;
  double sum = 0;
  for (int r = 0; r < repetitions; ++r) {
    floor = start;
    const Clock::time_point begin = Clock::now();
    for (int n = 0; n < steps; ++n) floor.step();
    best.all = std::min(best.all, nanoseconds(Clock::now() - begin) / steps);
    sum += floor.q[0];

    floor = start;
    double spent[2] = {0, 0};
    Clock::time_point last = Clock::now();
    for (int n = 0; n < steps; ++n) {
      floor.step();
      if (contact[n + 1] == contact[n]) continue;
      const Clock::time_point now = Clock::now();
      spent[contact[n]] += nanoseconds(now - last);
      last = now;
    }
    sum += floor.q[0];
    best.free = std::min(best.free, spent[0] / static_cast<double>(steps - contact_steps));
    best.contact = std::min(best.contact, spent[1] / static_cast<double>(contact_steps));
  }
  if (std::isnan(sum)) std::printf("not a number\n");
  return best;
}

template <ForceVelocity V>
void report(const char* name, SliderCrankFloor<V> start) {
  const Timing t = measure(start, 200);
  std::printf("%s,%d,%.1f,%.1f,%.1f\n", name, steps, t.all, t.free, t.contact);
}

}  // namespace

int main(int argc, char** argv) {
  const ReferenceAngles reference = read_reference(argc > 1 ? argv[1] : "");
  const bool midpoint = check<ForceVelocity::midpoint>("midpoint", reference, 9.0e-5);
  const bool start = check<ForceVelocity::start>("start", reference, 3.37e-3);

  std::printf("case,steps,ns_per_step,ns_free,ns_contact\n");
  report("slider-crank midpoint", SliderCrankFloor<ForceVelocity::midpoint>{});
  report("slider-crank start", SliderCrankFloor<ForceVelocity::start>{});
  SliderCrankFloor<> rough, tilting;
  rough.friction = 0.3;
  tilting.u[2] = 0.1;
  report("slider-crank midpoint mu=0.3", rough);
  report("slider-crank midpoint w3=0.1", tilting);
  return midpoint && start ? 0 : 1;
}

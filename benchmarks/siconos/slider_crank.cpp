// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

// The slider-crank with translational clearance in Siconos, for comparison of the time a step
// takes: a Lagrangian system in the three absolute angles, Moreau–Jean with θ = ½, planar friction
// solved by enumeration. Equation numbers are those of Flores, Leine and Glocker, "Modeling and
// analysis of rigid multibody systems with translational clearance joints based on the nonsmooth
// dynamics approach".
//
// Tuned in the peer's favour: one Newton iteration a step, mass matrix as its linearisation, sines
// and cosines shared by mechanism and corners, BLAS on one thread, nothing printed while it runs.
//
//   peer_siconos_slider_crank [repetitions]
// prints CSV to the standard output, one row for each variant of bench_slider_crank, and the check
// of the first one against the reference to the standard error. With OPENBLAS_NUM_THREADS set,
// OpenBLAS keeps to that instead of to one thread.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <utility>

#include <SolverOptions.h>

#include <SiconosKernel.hpp>

namespace {

constexpr double step_size = 1e-5;  // [s]
constexpr int steps = 10000;

constexpr double l1 = 0.153, l2 = 0.306;                       // [m]
constexpr double a = 0.05, b = 0.025, c = 0.001;               // half sides, clearance [m]
constexpr double m1 = 0.038, m2 = 0.038, m3 = 0.076;           // [kg]
constexpr double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;        // [kg m²]
constexpr double gravity = 9.81;                               // [m/s²]
constexpr double restitution = 0.4;                            // ε_N
constexpr double M11 = J1 + (m1 / 4 + m2 + m3) * l1 * l1;      // (90)
constexpr double M22 = J2 + (m2 / 4 + m3) * l2 * l2;           // (93)
constexpr double coupling = (m2 / 2 + m3) * l1 * l2;           // of (91)
constexpr double weight1 = (m1 / 2 + m2 + m3) * gravity * l1;  // of (95)
constexpr double weight2 = (m2 / 2 + m3) * gravity * l2;       // of (96)

/// Sines and cosines of the angles, computed anew only when the angles have changed: Siconos asks
/// for masses, forces, gaps and directions at the same position one by one.
struct Angles {
  double q[3] = {0, 0, 0};  ///< [rad]
  double s[3] = {0, 0, 0};
  double c[3] = {1, 1, 1};

  void update(const SiconosVector& position) {
    const double* now = position.getArray();
    for (int i = 0; i < 3; ++i) {
      if (now[i] == q[i]) continue;
      q[i] = now[i];
      s[i] = std::sin(q[i]);
      c[i] = std::cos(q[i]);
    }
  }
};

class SliderCrank : public LagrangianDS {
 public:
  SliderCrank(SP::SiconosVector q0, SP::SiconosVector u0, std::shared_ptr<Angles> angles)
      : LagrangianDS(std::move(q0), std::move(u0)), angles_(std::move(angles)) {
    _mass = std::make_shared<SimpleMatrix>(3, 3);
    _mass->zero();
    _mass->setValue(0, 0, M11);
    _mass->setValue(1, 1, M22);
    _mass->setValue(2, 2, J3);
    _forces = std::make_shared<SiconosVector>(3);
    _forces->zero();
  }

  void computeMass() override { computeMass(_q[0]); }

  void computeMass(SP::SiconosVector position) override {
    angles_->update(*position);
    const Angles& x = *angles_;
    double* M = _mass->getArray();
    M[1] = M[3] = coupling * (x.c[0] * x.c[1] + x.s[0] * x.s[1]);
    _mass->resetFactorizationFlags();
  }

  void computeForces(double, SP::SiconosVector position, SP::SiconosVector velocity) override {
    angles_->update(*position);
    const Angles& x = *angles_;
    const double* u = velocity->getArray();
    double* h = _forces->getArray();
    const double gyro = coupling * (x.s[1] * x.c[0] - x.c[1] * x.s[0]);
    h[0] = gyro * u[1] * u[1] - weight1 * x.c[0];
    h[1] = -gyro * u[0] * u[0] - weight2 * x.c[1];
  }

 private:
  std::shared_ptr<Angles> angles_;
};

/// Gap and tangential coordinate of one corner, (98)–(113).
class Corner : public LagrangianScleronomousR {
 public:
  /// side: +1 at the upper guide, −1 at the lower; end: −1 for corners 1 and 3, +1 for 2 and 4.
  Corner(double side, double end, std::shared_ptr<Angles> angles)
      : side_(side), end_(end), angles_(std::move(angles)) {}

  void computeh(const BlockVector& position, BlockVector&, SiconosVector& y) override {
    angles_->update(*position.vector(0));
    const Angles& x = *angles_;
    double* g = y.getArray();
    g[0] = b + c - side_ * (l1 * x.s[0] + l2 * x.s[1] + end_ * a * x.s[2]) - b * x.c[2];
    g[1] = l1 * x.c[0] + l2 * x.c[1] + end_ * a * x.c[2] - side_ * b * x.s[2];
  }

  void computeJachq(const BlockVector& position, BlockVector&) override {
    angles_->update(*position.vector(0));
    const Angles& x = *angles_;
    double* W = _jachq->getArray();  // 2 × 3, by columns
    W[0] = -side_ * l1 * x.c[0];
    W[1] = -l1 * x.s[0];
    W[2] = -side_ * l2 * x.c[1];
    W[3] = -l2 * x.s[1];
    W[4] = -side_ * end_ * a * x.c[2] + b * x.s[2];
    W[5] = -end_ * a * x.s[2] - side_ * b * x.c[2];
  }

 private:
  double side_, end_;
  std::shared_ptr<Angles> angles_;
};

void require_solved(int info, Simulation*) {
  if (info != 0) throw std::runtime_error("Siconos did not solve a contact problem");
}

struct Run {
  std::shared_ptr<SliderCrank> crank;
  std::shared_ptr<NonSmoothDynamicalSystem> system;
  std::shared_ptr<TimeStepping> stepping;

  bool in_contact() const { return system->topology()->indexSet(1)->size() > 0; }

  void step() {
    stepping->computeOneStep();
    stepping->nextStep();
  }
};

struct Variant {
  const char* name;
  double friction = 0.01;
  double slider_speed = 0;  ///< ω3(0) [rad/s]
  int corner_order[4] = {0, 1, 2, 3};
};

constexpr Variant variants[] = {
    {"slider-crank"},
    {"permuted", 0.01, 0, {3, 1, 0, 2}},
    {"friction_0.3", 0.3},
    {"tilted", 0.01, 0.1},
};

Run make_run(const Variant& variant) {
  auto q0 = std::make_shared<SiconosVector>(3);
  auto u0 = std::make_shared<SiconosVector>(3);
  q0->zero();
  u0->zero();
  u0->setValue(0, 150);
  u0->setValue(1, -75);
  u0->setValue(2, variant.slider_speed);

  Run run;
  auto angles = std::make_shared<Angles>();
  run.crank = std::make_shared<SliderCrank>(q0, u0, angles);
  run.system = std::make_shared<NonSmoothDynamicalSystem>(0.0, 2 * steps * step_size);
  run.system->insertDynamicalSystem(run.crank);
  auto law = std::make_shared<NewtonImpactFrictionNSL>(restitution, 0.0, variant.friction, 2);
  for (const int corner : variant.corner_order) {
    const double side = corner < 2 ? 1 : -1, end = corner % 2 == 0 ? -1 : 1;
    auto relation = std::make_shared<Corner>(side, end, angles);
    run.system->link(std::make_shared<Interaction>(law, relation), run.crank);
  }
  auto contacts = std::make_shared<FrictionContact>(2, SICONOS_FRICTION_2D_ENUM);
  // The default, 1e-6 N s, accepts wrong contact states here: impulses of a step are of 1e-5 N s.
  contacts->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  run.stepping = std::make_shared<TimeStepping>(
      run.system, std::make_shared<TimeDiscretisation>(0.0, step_size),
      std::make_shared<MoreauJeanOSI>(0.5), contacts);
  run.stepping->setNewtonOptions(SICONOS_TS_LINEAR_IMPLICIT);
  run.stepping->setCheckSolverFunction(require_solved);
  run.stepping->initialize();
  return run;
}

struct Reference {
  int step;
  double th1, th2, w1, w2;
};
constexpr Reference references[] = {
    {200, .27579441494846, -.13494926386584, 120.463881713558, -56.473394142450},
    {1000, .94796132178859, -.41462420026003, 67.471928518900, -21.501405097508},
    {3000, 2.55062647367424, -.28571982239664, 127.777942983577, 55.139353212835},
};
constexpr double first_hit = 2.69250275202121e-3;  // [s]
constexpr double largest_error = 3.5e-3;           // of θ1, as Moreau's scheme of order 1 [rad]

/// Whether each step was in contact; one entry more, 2, at the end.
using Phases = std::array<unsigned char, steps + 1>;

Phases phases_of(const Variant& variant) {
  Run run = make_run(variant);
  Phases contact;
  contact[steps] = 2;
  for (int n = 0; n < steps; ++n) {
    run.step();
    contact[static_cast<std::size_t>(n)] = run.in_contact();
  }
  return contact;
}

/// The first variant, beside the reference.
bool check() {
  Run run = make_run(variants[0]);
  bool passed = true;
  double hit = -1, tilt = 0;
  const double* q = run.crank->q()->getArray();
  const double* u = run.crank->velocity()->getArray();
  for (int n = 1; n <= steps; ++n) {
    run.step();
    if (run.in_contact() && hit < 0) hit = n * step_size;
    tilt = std::max(tilt, std::abs(q[2]));
    for (const Reference& r : references) {
      if (r.step != n) continue;
      std::fprintf(stderr, "t %.3f: errors of th1 %9.2e th2 %9.2e w1 %9.2e w2 %9.2e\n",
                   n * step_size, q[0] - r.th1, q[1] - r.th2, u[0] - r.w1, u[1] - r.w2);
      passed = passed && std::abs(q[0] - r.th1) < largest_error;
    }
  }
  std::fprintf(stderr, "first hit %.5f s: %.2f steps late; largest |th3| %.1e\n", hit,
               (hit - first_hit) / step_size, tilt);
  std::fprintf(stderr, "end: th %.15g %.15g %.1e w %.15g %.15g %.1e\n", q[0], q[1], q[2], u[0],
               u[1], u[2]);
  return passed && std::abs(hit - first_hit) < step_size && tilt < 1e-12;
}

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

/// Prints the least time a step takes over the repetitions, of whole runs and of their phases.
void measure(const Variant& variant, int repetitions) {
  const Phases phases = phases_of(variant);
  const unsigned char* contact = phases.data();
  double best_all = HUGE_VAL, best[2] = {HUGE_VAL, HUGE_VAL};
  for (int r = 0; r < repetitions; ++r) {
    Run run = make_run(variant);
    double spent[2] = {0, 0};
    Clock::time_point last = Clock::now();
    for (int n = 0; n < steps; ++n) {
      run.step();
      if (contact[n + 1] == contact[n]) continue;
      const Clock::time_point now = Clock::now();
      spent[contact[n]] += nanoseconds(now - last);
      last = now;
    }
    best_all = std::min(best_all, spent[0] + spent[1]);
    for (int i = 0; i < 2; ++i) best[i] = std::min(best[i], spent[i]);
  }
  const auto in_contact = std::count(contact, contact + steps, 1);
  std::printf("siconos,%s,%d,%.1f,%.1f,%.1f\n", variant.name, steps, best_all / steps,
              best[0] / static_cast<double>(steps - in_contact),
              best[1] / static_cast<double>(in_contact));
}

/// OpenBLAS reads this when it is loaded; with its threads even the smallest problem pays for
/// locks.
void restart_with_one_blas_thread(char** argv) {
  if (std::getenv("OPENBLAS_NUM_THREADS") != nullptr) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
}

}  // namespace

int main(int argc, char** argv) {
  restart_with_one_blas_thread(argv);
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 20;
  try {
    const bool passed = check();
    std::printf("program,case,steps,ns_per_step,ns_free,ns_contact\n");
    for (const Variant& variant : variants) measure(variant, repetitions);
    return passed ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/integrators/compliant/multistep.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <cvode/cvode.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "backlash/integrators/compliant/cvode_vector.h"
#include "backlash/integrators/compliant/step_quadrature.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// Something of SUNDIALS that is given back at the end.
template <class Handle, auto release>
struct Owned {
  Handle handle = nullptr;

  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle) release(handle);
  }
  operator Handle() const { return handle; }
};

void free_context(SUNContext context) { SUNContext_Free(&context); }
void free_memory(void* memory) { CVodeFree(&memory); }
void free_matrix(SUNMatrix matrix) { SUNMatDestroy(matrix); }
void free_linear(SUNLinearSolver solver) { SUNLinSolFree(solver); }
void free_nonlinear(SUNNonlinearSolver solver) { SUNNonlinSolFree(solver); }
void free_vector(N_Vector vector) { N_VDestroy(vector); }

/// CVODE does not take infinity for an end [s].
constexpr double longest_horizon = 1e4;

/// How much of the largest force the last point may change the mean of a step.
constexpr double resolved = 1e-5;

/// Errors are reported by return values.
void ignore_message(int, const char*, const char*, char*, void*) {}

}  // namespace

/// CVODE for vectors of one size.
struct Multistep::Solver {
  Owned<SUNContext, free_context> context;
  Owned<N_Vector, free_vector> y, start, errors, weights;
  Owned<SUNMatrix, free_matrix> matrix;
  Owned<SUNLinearSolver, free_linear> linear;
  Owned<SUNNonlinearSolver, free_nonlinear> nonlinear;
  Owned<void*, free_memory> memory;

  Solver(Parts& parts, Index size);
};

struct Multistep::Parts {
  SmoothDynamics& dynamics;
  CompliantOptions options;
  Vector absolute;      ///< tolerances of y
  double relative = 0;  ///< likewise
  double mean = 1;      ///< of their weights: see weights()
  std::unique_ptr<Solver> solver;
  StepQuadrature quadrature;
  Vector reached;  ///< y at the end of the last step
  double t = 0, last_step = 0;
  int order = 0;
  double longest = INFINITY;     ///< step that may follow the last one [s]
  double largest = 0;            ///< force of a standing row since the last restart [N, N m]
  double unresolved = 0;         ///< StepQuadrature::error() of the last step, as a part of that
  double achievable = resolved;  ///< what shorter steps can make of it
  bool evaluated_end = false;
  bool rows_work = false;  ///< drives, or dry friction: loops alone do none
  long evaluations = 0;
  long failures = 0;                ///< that CVODE has counted since the last restart
  Advance trouble = Advance::done;  ///< of the last evaluation that was not done
  bool singular = false;            ///< some evaluation of this step met a singular position
  double tried = 0;                 ///< end of the step that is being tried [s]
  std::vector<double> rejected;
  Vector moved;  ///< rates, for Jacobians

  Parts(SmoothDynamics& dynamics_, const CompliantOptions& options_)
      : dynamics(dynamics_), options(options_) {
    rejected.reserve(many_attempts);
    const SystemInfo& info = dynamics.system().info();
    rows_work = !info.relays.empty() || std::ranges::any_of(info.bilaterals, is_driven);
  }

  bool stiff() const { return options.integrator == OdeMethod::bdf; }
  void create();
  int rates(double now, const double* at, double* out);
  int jacobian(double now, double* at, const double* rates_there, SUNMatrix J);
  void weights(const double* at, double* weight) const;
  void note_attempt(double end);
  void forget_probes();
  bool note_integrand();
  int points() const { return order + 2; }  ///< powers are products, and less smooth than rates
  void limit_next_step(double step_before);
  bool motion_is_idle() const;
};

namespace {

double* data(N_Vector v) { return N_VGetArrayPointer(v); }

int rates_of(realtype t, N_Vector y, N_Vector out, void* parts) {
  return static_cast<Multistep::Parts*>(parts)->rates(t, data(y), data(out));
}
int weights_of(N_Vector y, N_Vector weight, void* parts) {
  static_cast<Multistep::Parts*>(parts)->weights(data(y), data(weight));
  return 0;
}
int jacobian_of(realtype t, N_Vector y, N_Vector rates, SUNMatrix J, void* parts, N_Vector,
                N_Vector, N_Vector) {
  return static_cast<Multistep::Parts*>(parts)->jacobian(t, data(y), data(rates), J);
}

/// How much smaller the errors of single steps are kept than the tolerances, which are for what has
/// gathered after some periods of the motion (theory 10.7). Not smaller than round-off allows.
double share_of_a_step(const CompliantOptions& options) {
  const bool stiff = options.integrator == OdeMethod::bdf;
  const double share = stiff ? 1e-3 : 0.03, least = stiff ? 1e-13 : 3e-14;
  return std::clamp(least / options.relative_tolerance, share, 1.0);
}

/// Absolute tolerances by the kind of each coordinate.
Vector tolerances(const SmoothDynamics& dynamics, const CompliantOptions& o) {
  const std::vector<bool>& angular = dynamics.system().info().angular;
  Vector result = Vector::Constant(dynamics.size(), o.position_tolerance);
  const Index nq = dynamics.positions(), nu = dynamics.velocities();
  const auto states = static_cast<Index>(dynamics.system().info().states.size());
  for (Index i = 0; i < nu; ++i) {
    const bool turns = !angular.empty() && angular[static_cast<std::size_t>(i)];
    if (turns && nq - states == nu) result[i] = o.angle_tolerance;
    result[nq + i] = turns ? o.angular_speed_tolerance : o.speed_tolerance;
  }
  return result;
}

}  // namespace

Multistep::Solver::Solver(Parts& parts, Index n) {
  if (SUNContext_Create(nullptr, &context.handle) != 0) throw std::bad_alloc();
  y.handle = new_cvode_vector(n, context);
  start.handle = new_cvode_vector(n, context);
  errors.handle = new_cvode_vector(n, context);
  weights.handle = new_cvode_vector(n, context);
  memory.handle = CVodeCreate(parts.stiff() ? CV_BDF : CV_ADAMS, context);
  if (!memory || !y.handle || !start.handle || !errors.handle || !weights.handle)
    throw std::bad_alloc();
  N_VConst(0, y);
  CVodeSetErrHandlerFn(memory, ignore_message, nullptr);
  CVodeInit(memory, rates_of, 0, y);
  CVodeSetUserData(memory, &parts);
  CVodeWFtolerances(memory, weights_of);
  // Steps are tried anew, shorter, as often as it takes: contacts ask for that.
  CVodeSetMaxConvFails(memory, 200);
  CVodeSetMaxErrTestFails(memory, 50);
  CVodeSetMaxHnilWarns(memory, -1);
  if (std::isfinite(parts.options.max_step)) CVodeSetMaxStep(memory, parts.options.max_step);
  if (parts.stiff()) {
    matrix.handle = SUNDenseMatrix(n, n, context);
    linear.handle = SUNLinSol_Dense(y, matrix, context);
    nonlinear.handle = SUNNonlinSol_Newton(y, context);
    CVodeSetNonlinearSolver(memory, nonlinear);
    CVodeSetLinearSolver(memory, linear, matrix);
    CVodeSetJacFn(memory, jacobian_of);
  } else {
    nonlinear.handle = SUNNonlinSol_FixedPoint(y, 0, context);
    CVodeSetNonlinearSolver(memory, nonlinear);
  }
}

/// For the present size of y.
void Multistep::Parts::create() {
  const Index n = dynamics.size();
  const double share = share_of_a_step(options);
  absolute = share * tolerances(dynamics, options);
  relative = share * options.relative_tolerance;
  const auto pairs = dynamics.system().info().contacts.size();
  mean = std::sqrt(static_cast<double>(n) /
                   static_cast<double>(dynamics.positions() + dynamics.velocities() +
                                       static_cast<Index>(pairs)));
  reached.setZero(n);
  moved.setZero(n);
  solver.reset();
  solver = std::make_unique<Solver>(*this, n);
}

void Multistep::Parts::note_attempt(double end) {
  if (end == tried || end == t) return;
  if (tried != t) rejected.push_back(tried - t);
  tried = end;
}

/// CVODE tries the water before its first step: only the last of the attempts that were noted, as
/// many as it counts failures, were steps.
void Multistep::Parts::forget_probes() {
  long errors = 0, unsolved = 0;
  CVodeGetNumErrTestFails(solver->memory, &errors);
  CVodeGetNumNonlinSolvConvFails(solver->memory, &unsolved);
  const auto steps = static_cast<std::size_t>(errors + unsolved - failures);
  failures = errors + unsolved;
  if (rejected.size() > steps)
    rejected.erase(rejected.begin(), rejected.end() - static_cast<std::ptrdiff_t>(steps));
}

/// At the end of a step: that of the last evaluation, which differs from it by what the corrector
/// has moved since. With forces as stiff as backward differences are for that would count. False
/// where the step ended at something that is not finite.
bool Multistep::Parts::note_integrand() {
  if (stiff() || !dynamics.integrand().allFinite()) {
    ++evaluations;
    dynamics.write_rates(t, reached.data(), moved.data());
  }
  quadrature.add(t, dynamics.integrand());
  if (const Index rows = dynamics.standing_rows(); rows > 0)
    largest = std::max(largest, dynamics.integrand().head(rows).lpNorm<Eigen::Infinity>());
  return dynamics.integrand().allFinite();
}

/// Whether the errors of the motion would let the last step be much longer.
bool Multistep::Parts::motion_is_idle() const {
  constexpr double small = 1e-3;
  if (CVodeGetEstLocalErrors(solver->memory, solver->errors) != CV_SUCCESS ||
      CVodeGetErrWeights(solver->memory, solver->weights) != CV_SUCCESS)
    return false;
  return N_VWrmsNorm(solver->errors, solver->weights) < small;
}

/// Where bodies are driven or held, forces may change within a step that the motion lets be of any
/// length: then it is for their impulses to be resolved. Where a shorter step did not help, for
/// round-off or a jump, as well as can be (theory 10.17).
void Multistep::Parts::limit_next_step(double step_before) {
  constexpr double shorter = 0.7, helped = 0.5;
  const double before = std::exchange(unresolved, 0);
  longest = INFINITY;
  if (!rows_work || !(largest > 0)) return;
  unresolved = quadrature.error(points(), dynamics.standing_rows()) / largest;
  if (last_step < shorter * step_before && unresolved > helped * before)
    achievable = std::max(resolved, 2 * unresolved);
  else
    achievable = std::max(resolved, 0.5 * achievable);
  // Where a derivative of a force passes zero, the last point changes little by chance.
  const double expected =
      step_before > 0 ? std::max(unresolved, before * std::pow(last_step / step_before, points()))
                      : unresolved;
  if (expected < 1e-3 * resolved) return;
  const bool idle = motion_is_idle();
  if (!idle && !dynamics.system().info().contacts.empty()) return;
  longest = last_step * std::clamp(0.9 * std::pow(achievable / expected, 1.0 / points()),
                                   idle ? 0.1 : 1.0, 2.0);
}

int Multistep::Parts::rates(double now, const double* at, double* out) {
  note_attempt(now);
  ++evaluations;
  auto outcome = dynamics.write_rates(now, at, out);
  if (outcome == SmoothDynamics::Outcome::too_deep && now - t <= dynamics.min_step) {
    const double limit = std::exchange(dynamics.live_depth, INFINITY);
    outcome = dynamics.write_rates(now, at, out);
    dynamics.live_depth = limit;
  }
  switch (outcome) {
    case SmoothDynamics::Outcome::done:
      trouble = Advance::done;
      if (quadrature.empty() && now == t) quadrature.add(t, dynamics.integrand());
      return 0;
    case SmoothDynamics::Outcome::too_deep:
    case SmoothDynamics::Outcome::friction_not_found:
      trouble = Advance::tolerance_not_met;
      return 1;  // recoverable: a shorter step will do
    case SmoothDynamics::Outcome::mass_not_positive:
      trouble = Advance::mass_not_positive;
      return 1;
    case SmoothDynamics::Outcome::not_finite:
      trouble = Advance::not_finite;
      return 1;
    case SmoothDynamics::Outcome::singular_position:
      trouble = Advance::singular_position;
      singular = true;
      return 1;
  }
  return -1;
}

/// By forward differences.
int Multistep::Parts::jacobian(double now, double* at, const double* rates_there, SUNMatrix J) {
  const Index n = dynamics.size();
  SUNMatZero(J);
  for (Index j = 0; j < n; ++j) {
    if (!dynamics.counts(j)) continue;
    const double was = at[j];
    const double size = std::max(std::abs(was), absolute[j] / relative);
    const double step = 1.5e-8 * size;
    at[j] = was + step;
    const double exact = at[j] - was;
    const auto outcome = dynamics.write_rates(now, at, moved.data());
    ++evaluations;
    at[j] = was;
    if (outcome != SmoothDynamics::Outcome::done) return 1;
    realtype* column = SUNDenseMatrix_Column(J, j);
    for (Index i = 0; i < n; ++i) column[i] = (moved[i] - rates_there[i]) / exact;
  }
  return 0;
}

/// 1/(rtol |y| + atol). The mean that CVODE takes is made one over positions, velocities and a
/// state of friction for each pair that may touch, so that it is the same whichever contacts are in
/// force.
void Multistep::Parts::weights(const double* at, double* weight) const {
  const Index n = dynamics.size();
  for (Index i = 0; i < n; ++i)
    weight[i] = dynamics.counts(i) ? mean / (relative * std::abs(at[i]) + absolute[i]) : 1e-30;
}

Multistep::Multistep(SmoothDynamics& dynamics, const CompliantOptions& options)
    : parts_(std::make_unique<Parts>(dynamics, options)) {
  parts_->create();
}
Multistep::~Multistep() = default;
Multistep::Multistep(Multistep&&) noexcept = default;
Multistep& Multistep::operator=(Multistep&&) noexcept = default;

double Multistep::t() const { return parts_->t; }
const Vector& Multistep::y() const { return parts_->reached; }
double Multistep::last_step() const { return parts_->last_step; }
bool Multistep::evaluated_end() const { return parts_->evaluated_end; }
int Multistep::order() const { return parts_->order; }
long Multistep::evaluations() const { return parts_->evaluations; }
const std::vector<double>& Multistep::rejected() const { return parts_->rejected; }

void Multistep::set_method(OdeMethod method) {
  parts_->options.integrator = method;
  parts_->create();
}

void Multistep::restart(double t, const Vector& y) {
  Parts& p = *parts_;
  if (y.size() != p.reached.size()) p.create();
  std::copy(y.begin(), y.end(), data(p.solver->start));
  p.reached = y;
  p.t = p.tried = t;
  p.failures = 0;
  p.quadrature.clear();
  p.longest = INFINITY;
  p.largest = p.unresolved = 0;
  p.achievable = resolved;
  CVodeReInit(p.solver->memory, t, p.solver->start);
}

void Multistep::begin_integrals(Index first, Index count) {
  Parts& p = *parts_;
  ++p.evaluations;
  p.dynamics.write_rates(p.t, p.reached.data(), p.moved.data());
  p.quadrature.replace_last(p.dynamics.integrand(), first, count);
}

Advance Multistep::advance(double limit) {
  Parts& p = *parts_;
  p.rejected.clear();
  p.tried = p.t;
  p.trouble = Advance::done;
  p.singular = p.evaluated_end = false;
  limit = std::min(limit, p.t + longest_horizon);
  if (limit - p.t <= 1e-14 * std::max(std::abs(p.t), std::abs(limit))) {  // too short for CVODE
    p.last_step = limit - p.t;
    restart(limit, Vector(p.reached));
    return Advance::done;
  }
  limit = std::min(limit, p.t + p.longest);
  CVodeSetStopTime(p.solver->memory, limit);
  realtype reached = p.t;
  const int status = CVode(p.solver->memory, limit, p.solver->y, &reached, CV_ONE_STEP);
  if (status < 0) {
    if (p.tried != p.t) p.rejected.push_back(p.tried - p.t);
    if (p.singular) return Advance::singular_position;
    return p.trouble == Advance::done ? Advance::tolerance_not_met : p.trouble;
  }
  constexpr double shortest = 1e-13;  // of the time: what is left of steps that a position ends
  if (p.singular && reached - p.t <= shortest * std::max(1.0, std::abs(p.t)))
    return Advance::singular_position;
  if (!(reached > p.t))  // a step so short that it is none; before a force that is not finite?
    return p.dynamics.source() ? Advance::not_finite : Advance::tolerance_not_met;
  p.forget_probes();
  const double step_before = std::exchange(p.last_step, reached - p.t);
  p.t = reached;
  std::copy_n(data(p.solver->y), p.reached.size(), p.reached.data());
  CVodeGetLastOrder(p.solver->memory, &p.order);
  if (!p.note_integrand()) return Advance::not_finite;
  p.limit_next_step(step_before);
  p.evaluated_end = true;
  return Advance::done;
}

void Multistep::interpolate(double t, Vector& y) {
  CVodeGetDky(parts_->solver->memory, t, 0, parts_->solver->y);
  y.resize(parts_->reached.size());
  std::copy_n(data(parts_->solver->y), y.size(), y.data());
}

void Multistep::integrate(double from, double to, double t_end, const Vector& y_end,
                          Vector& gained) {
  Parts& p = *parts_;
  const int points = p.points();
  if (p.quadrature.empty()) {  // after a step that was too short for CVODE
    gained.setZero(p.dynamics.integrand().size());
  } else if (t_end < p.t) {
    ++p.evaluations;
    p.dynamics.write_rates(t_end, y_end.data(), p.moved.data());
    p.quadrature.integrate_cut(from, to, points, t_end, p.dynamics.integrand(), gained);
  } else {
    p.quadrature.integrate(from, to, points, gained);
  }
}

}  // namespace backlash

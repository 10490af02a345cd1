// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/mechanism.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/linear.h"
#include "backlash/dynamics/assembly/mass_blocks.h"
#include "backlash/dynamics/elements/outputs.h"
#include "backlash/dynamics/kernel/moving_frame.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

template <class S>
bool may_have_power(const Element<ForceKind<S>>& force) {
  const auto* spring = std::get_if<CoordinateSpring<S>>(&force.kind);
  return !spring || spring->damping != 0;
}

BodyMotion motion_of(int i, const Motion<Plane>& motion) {
  const PlainVec2 p = Plane::origin(motion.pose(i)), v = motion.velocity(i, p);
  BodyMotion result;
  result.p_W = Vec3(p.x(), p.y(), 0);
  result.angle = motion.rotation(i);
  result.v_W = Vec3(v.x(), v.y(), 0);
  result.w_W = Vec3(0, 0, motion.angular_velocity(i));
  return result;
}

BodyMotion motion_of(int i, const Motion<Space>& motion) {
  const Quaternion q = motion.rotation(i);
  BodyMotion result;
  result.p_W = motion.pose(i).p;
  result.orientation = {q.w, q.x, q.y, q.z};
  result.v_W = motion.velocity(i, result.p_W);
  result.w_W = motion.angular_velocity(i);
  return result;
}

}  // namespace

template <class S>
Mechanism<S>::Mechanism(SystemInfo info, Parts<S> parts)
    : System(std::move(info)), parts_(std::move(parts)) {
  constexpr int few = 8;
  dense_ = System::info().velocities <= few;
  block_bodies_ = mass_blocks(parts_.tree).bodies;
  prepare_contacts();
  has_power_ = std::any_of(parts_.forces.begin(), parts_.forces.end(), may_have_power<S>);
}

template <class S>
void Mechanism<S>::configure(Configuration& c) const {
  parts_.tree.configure(c.q, c.cache);
  const auto states = static_cast<Index>(parts_.states.size());
  const auto numbers = static_cast<Index>(parts_.numbers.size());
  for (Index i = 0; i < numbers; ++i)
    c.cache[c.cache.size() - states - numbers + i] =
        c.switches[parts_.numbers[static_cast<std::size_t>(i)]];
  if (states > 0) c.cache.tail(states) = c.q.tail(states);
}

template <class S>
void Mechanism<S>::position_rate(const Configuration& c, const Vector& u, VectorRef rate) const {
  parts_.tree.position_rate(c.q, u, rate);
  const auto states = static_cast<Index>(parts_.states.size());
  if (states > 0) write_state_rates(c, u, rate.tail(states));
}

template <class S>
void Mechanism<S>::write_state_rates(const Configuration& c, const Vector& u,
                                     VectorRef rates) const {
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  for (std::size_t i = 0; i < parts_.states.size(); ++i)
    rates[static_cast<Index>(i)] = evaluate(parts_.states[i], frame.motion(), c.t);
}

template <class S>
void Mechanism<S>::advance(const Vector& q, const Vector& u, double dt, Vector& end) const {
  parts_.tree.advance(q, u, dt, end);
  const auto states = static_cast<Index>(parts_.states.size());
  if (states > 0) end.tail(states) = q.tail(states);
}

template <class S>
void Mechanism<S>::mass(const Configuration& c, MatrixRef M) const {
  parts_.tree.write_mass(c.cache, c.scratch, M);
  for (Index j = 1; j < M.cols(); ++j)
    for (Index i = 0; i < j; ++i) M(i, j) = M(j, i);
}

template <class S>
bool Mechanism<S>::factor_mass(const Configuration& c, Matrix& factors) const {
  if (!dense_) return parts_.tree.factor_mass(c.cache, factors);
  if (factors.rows() != info().velocities) factors.setZero(info().velocities, info().velocities);
  parts_.tree.write_mass(c.cache, c.scratch, factors);
  return factor_ldlt(factors);
}

template <class S>
void Mechanism<S>::solve_mass(const Configuration& c, const Matrix& factors, VectorRef x) const {
  if (dense_)
    solve_ldlt(factors, x.data());
  else
    parts_.tree.solve_mass(c.cache, factors, {0, parts_.tree.size()}, c.scratch, x);
}

template <class S>
void Mechanism<S>::solve_mass_blocks(const Configuration& c, const Matrix& factors,
                                     std::span<const int> blocks, VectorRef x) const {
  if (dense_) {
    solve_ldlt(factors, x.data());
    return;
  }
  for (const int block : blocks)
    parts_.tree.solve_mass(c.cache, factors, block_bodies_[static_cast<std::size_t>(block)],
                           c.scratch, x);
}

template <class S>
double Mechanism<S>::kinetic_energy(const Configuration& c, const Vector& u) const {
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  return parts_.tree.kinetic_energy(c.cache, frame.motion().velocities);
}

template <class S>
void Mechanism<S>::force(const Configuration& c, const Vector& u, VectorRef h) const {
  Arena::Frame frame(c.scratch);
  const BodyRoom<S> bodies(parts_.tree.size(), frame);
  parts_.tree.write_weight_and_inertia(c.cache, u, parts_.gravity, bodies);
  if (!parts_.forces.empty()) {
    const Motion<S> motion{parts_.tree, c.cache, bodies.velocities};
    for (const Element<ForceKind<S>>& force : parts_.forces)
      if (force.on(c)) add(force.kind, motion, c.t, bodies.forces);
  }
  parts_.tree.write_force(c.cache, bodies.forces, h.data());
}

/// The first state variable, force or driven joint whose number is not finite.
template <class S>
std::optional<Origin> Mechanism<S>::find_not_finite(const Configuration& c, const Vector& u) const {
  if (!c.q.allFinite() || !u.allFinite()) return std::nullopt;  // then everything may be its result
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::accelerations);
  for (std::size_t i = 0; i < parts_.states.size(); ++i)
    if (!std::isfinite(evaluate(parts_.states[i], frame.motion(), c.t)))
      return Origin{info().states[i].name, Origin::Kind::state};
  Vector h(info().velocities);
  for (std::size_t i = 0; i < parts_.forces.size(); ++i) {
    if (!parts_.forces[i].on(c)) continue;
    std::vector<Wrench<S>> forces(static_cast<std::size_t>(parts_.tree.size()));
    add(parts_.forces[i].kind, frame.motion(), c.t, std::span<Wrench<S>>(forces));
    parts_.tree.write_force(c.cache, forces, h.data());
    if (!h.allFinite()) return Origin{parts_.force_names[i], Origin::Kind::force};
  }
  for (std::size_t i = 0; i < parts_.constraints.size(); ++i) {
    const Constraint<S>& constraint = parts_.constraints[i];
    if (constraint.holds(c.switches) && !(std::isfinite(error(constraint, frame.motion(), c.t)) &&
                                          std::isfinite(bias(constraint, frame.motion(), c.t))))
      return info().bilaterals[i].origin;
  }
  return std::nullopt;
}

template <class S>
void Mechanism<S>::bilateral_errors(const Configuration& c, VectorRef g) const {
  const Motion<S> motion{parts_.tree, c.cache};
  for (std::size_t i = 0; i < parts_.constraints.size(); ++i) {
    const Constraint<S>& constraint = parts_.constraints[i];
    g[static_cast<Index>(i)] = constraint.holds(c.switches)
                                   ? error(constraint, motion, c.t) - constraint.origin(c.switches)
                                   : 0;
  }
}

template <class S>
double Mechanism<S>::bilateral_row(const Configuration& c, int row, VectorRef W) const {
  const Constraint<S>& constraint = parts_.constraints[at(row)];
  return constraint.holds(c.switches) ? add_row(constraint, {parts_.tree, c.cache}, c.t, W) : 0;
}

template <class S>
std::optional<RatesAround> Mechanism<S>::jump_of_drive(const Configuration& c, int row,
                                                       double before, double after) const {
  const Constraint<S>& constraint = parts_.constraints[at(row)];
  const auto* driven = std::get_if<DrivenCoordinate<S>>(&constraint.kind);
  if (!driven || !constraint.holds(c.switches) ||
      !acceleration_jumps(driven->position, before, after))
    return std::nullopt;
  return RatesAround{-driven->position.jet(before).first, -driven->position.jet(after).first};
}

template <class S>
void Mechanism<S>::bilateral_rows(const Configuration& c, MatrixRef W, VectorRef w) const {
  W.setZero();
  for (Index i = 0; i < w.size(); ++i) w[i] = bilateral_row(c, static_cast<int>(i), W.col(i));
}

template <class S>
void Mechanism<S>::bilateral_bias(const Configuration& c, const Vector& u, VectorRef b) const {
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::accelerations);
  for (std::size_t i = 0; i < parts_.constraints.size(); ++i)
    b[static_cast<Index>(i)] = parts_.constraints[i].holds(c.switches)
                                   ? bias(parts_.constraints[i], frame.motion(), c.t)
                                   : 0;
}

template <class S>
double Mechanism<S>::relay_row(const Configuration& c, int row, VectorRef W, double& limit) const {
  const CoordinateRelay<S>& relay = parts_.relays[at(row)].kind;
  add_direction(relay.coordinate, Motion<S>{parts_.tree, c.cache}, relay.sign, W);
  limit = parts_.relays[at(row)].on(c) ? relay.strength : 0;
  return 0;
}

template <class S>
void Mechanism<S>::relay_rows(const Configuration& c, MatrixRef W, VectorRef w,
                              VectorRef limit) const {
  W.setZero();
  for (Index i = 0; i < w.size(); ++i) w[i] = relay_row(c, static_cast<int>(i), W.col(i), limit[i]);
}

template <class S>
void Mechanism<S>::relay_loads(const LastStep& step, VectorRef loads) const {
  write_relay_loads(parts_, info(), step, loads);
}

template <class S>
void Mechanism<S>::relay_displacements(const Configuration& c, VectorRef x) const {
  const Motion<S> motion{parts_.tree, c.cache};
  for (std::size_t i = 0; i < parts_.relays.size(); ++i)
    if (info().relays[i].law == RelayLaw::preload)
      x[static_cast<Index>(i)] = displacement(parts_.relays[i].kind, motion);
}

template <class S>
double Mechanism<S>::potential_energy(const Configuration& c) const {
  const Motion<S> motion{parts_.tree, c.cache};
  double sum = parts_.tree.weight_energy(c.cache, parts_.gravity);
  for (const Element<ForceKind<S>>& force : parts_.forces)
    if (force.on(c)) sum += energy(force.kind, motion);
  for (std::size_t i = 0; i < parts_.relays.size(); ++i)
    if (info().relays[i].law == RelayLaw::preload && parts_.relays[i].on(c))
      sum += preload_energy(parts_.relays[i].kind, motion);
  return sum;
}

template <class S>
double Mechanism<S>::applied_power(const Configuration& c, const Vector& u,
                                   const Vector& along) const {
  if (!has_power_) return 0;
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  const auto sum_along = [&](const Motion<S>& motion) {
    double sum = 0;
    for (const Element<ForceKind<S>>& force : parts_.forces)
      if (force.on(c)) sum += power(force.kind, frame.motion(), motion, c.t);
    return sum;
  };
  if (&along == &u) return sum_along(frame.motion());
  const MovingFrame<S> other(parts_.tree, c, along, MovingFrame<S>::Depth::velocities);
  return sum_along(other.motion());
}

template <class S>
void Mechanism<S>::event_conditions(const Configuration& c, const Vector& u,
                                    VectorRef values) const {
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  using Kind = typename Formula<S>::Input::Kind;
  const auto read_input = [&](const typename Formula<S>::Input& input) {
    if (input.kind == Kind::measured) return c.measured[input.component];
    if (input.kind == Kind::gap) return least_gap(c, input.component);
    return read<S>(input, frame.motion(), c.t);
  };
  for (std::size_t i = 0; i < parts_.conditions.size(); ++i)
    values[static_cast<Index>(i)] = evaluate_inputs<S>(parts_.conditions[i], read_input);
}

/// Of all places of an entry of the model's contacts; a large number if there is none.
template <class S>
double Mechanism<S>::least_gap(const Configuration& c, int entry) const {
  double least = 1e6;
  std::vector<ContactFrame>& frames = c.search.frames;
  frames.clear();
  if constexpr (S::dimension == 2)
    parts_.shapes.find_entry(c, {parts_.tree, c.cache}, entry, frames);
  for (const ContactFrame& frame : frames) least = std::min(least, frame.gap);
  return least;
}

template <class S>
void Mechanism<S>::capture(Configuration& c, int item) const {
  const Motion<S> motion{parts_.tree, c.cache};
  for (const Constraint<S>& constraint : parts_.constraints)
    if (constraint.item == item) c.switches[item + 1] = error(constraint, motion, c.t);
}

template <class S>
void Mechanism<S>::measure(const LastStep& last, VectorRef measured) const {
  write_measures(parts_, last, measured);
}

template <class S>
BodyMotion Mechanism<S>::body_motion(const Configuration& c, const Vector& u, int body) const {
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  return motion_of(parts_.body_of[static_cast<std::size_t>(body)], frame.motion());
}

template <class S>
void Mechanism<S>::body_motions(const Configuration& c, const Vector& u,
                                std::span<BodyMotion> motions) const {
  const MovingFrame<S> frame(parts_.tree, c, u, MovingFrame<S>::Depth::velocities);
  for (std::size_t i = 0; i < motions.size(); ++i)
    motions[i] = motion_of(parts_.body_of[i], frame.motion());
}

template <class S>
void Mechanism<S>::reactions(const LastStep& last, VectorRef values) const {
  write_reactions(parts_, last, values);
}

template <class S>
void Mechanism<S>::outputs(const OutputContext& context, VectorRef values) const {
  OutputSink sink(values);
  write_outputs(parts_, info(), context, sink);
}

template class Mechanism<Plane>;
template class Mechanism<Space>;

}  // namespace backlash

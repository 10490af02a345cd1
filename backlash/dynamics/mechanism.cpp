// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/mechanism.h"

#include <algorithm>
#include <cmath>

#include "backlash/base/linear.h"
#include "backlash/dynamics/assembly/mass_blocks.h"
#include "backlash/dynamics/elements/outputs.h"
#include "backlash/dynamics/kernel/moving_frame.h"

namespace backlash::planar {
namespace {

using Index = Eigen::Index;

bool may_have_power(const Element<ForceKind>& force) {
  const auto* spring = std::get_if<CoordinateSpring>(&force.kind);
  return !spring || spring->damping != 0;
}

BodyMotion motion_of(int i, const Motion& motion) {
  const Placement X = motion.placement(i);
  const Vec2 v = motion.velocity(i, {X.x, X.y});
  BodyMotion result;
  result.p_W = Vec3(X.x, X.y, 0);
  result.angle = motion.angle(i);
  result.v_W = Vec3(v.x(), v.y(), 0);
  result.w_W = Vec3(0, 0, motion.turning(i));
  return result;
}

}  // namespace

Mechanism::Mechanism(SystemInfo info, Parts parts)
    : System(std::move(info)), parts_(std::move(parts)) {
  constexpr int few = 8;
  dense_ = System::info().velocities <= few;
  block_bodies_ = mass_blocks(parts_.tree).bodies;
  std::vector<const ContactKind*> contacts;
  for (const Element<ContactKind>& contact : parts_.contacts) contacts.push_back(&contact.kind);
  runs_ = contact_runs(contacts);
  for (const ContactInfo& contact : System::info().contacts) {
    BlockList& blocks = contact_blocks_.emplace_back(no_blocks);
    std::copy(contact.blocks.begin(), contact.blocks.end(), blocks.begin());
  }
  has_power_ = std::any_of(parts_.forces.begin(), parts_.forces.end(), may_have_power);
}

void Mechanism::configure(Configuration& c) const { parts_.tree.configure(c.q, c.cache); }

void Mechanism::mass(const Configuration& c, MatrixRef M) const {
  parts_.tree.write_mass(c.cache, c.scratch, M);
}

bool Mechanism::factor_mass(const Configuration& c, Matrix& factors) const {
  if (!dense_) return parts_.tree.factor_mass(c.cache, factors);
  if (factors.rows() != info().velocities) factors.setZero(info().velocities, info().velocities);
  parts_.tree.write_mass(c.cache, c.scratch, factors);
  return factor_ldlt(factors);
}

void Mechanism::solve_mass(const Configuration& c, const Matrix& factors, VectorRef x) const {
  if (dense_)
    solve_ldlt(factors, x.data());
  else
    parts_.tree.solve_mass(c.cache, factors, {0, parts_.tree.size()}, c.scratch, x);
}

void Mechanism::solve_mass_blocks(const Configuration& c, const Matrix& factors,
                                  std::span<const int> blocks, VectorRef x) const {
  if (dense_) {
    solve_ldlt(factors, x.data());
    return;
  }
  for (const int block : blocks)
    parts_.tree.solve_mass(c.cache, factors, block_bodies_[static_cast<std::size_t>(block)],
                           c.scratch, x);
}

double Mechanism::kinetic_energy(const Configuration& c, const Vector& u, Matrix&) const {
  const MovingFrame frame(parts_.tree, c, u, MovingFrame::Depth::velocities);
  return parts_.tree.kinetic_energy(c.cache, frame.motion().velocities);
}

void Mechanism::force(const Configuration& c, const Vector& u, VectorRef h) const {
  MovingFrame frame(parts_.tree, c, u, MovingFrame::Depth::accelerations);
  const Motion& motion = frame.motion();
  const std::span<Screw> forces = frame.forces();
  parts_.tree.write_weight_and_inertia(c.cache, motion.velocities, motion.accelerations,
                                       parts_.gravity, forces);
  for (const Element<ForceKind>& force : parts_.forces)
    if (force.on(c)) add(force.kind, motion, c.t, forces);
  parts_.tree.write_force(c.cache, forces, h);
}

void Mechanism::bilateral_errors(const Configuration& c, VectorRef g) const {
  const Motion motion{parts_.tree, c.cache};
  for (std::size_t i = 0; i < parts_.constraints.size(); ++i)
    g[static_cast<Index>(i)] = error(parts_.constraints[i], motion, c.t);
}

void Mechanism::bilateral_rows(const Configuration& c, MatrixRef W, VectorRef w) const {
  const Motion motion{parts_.tree, c.cache};
  W.setZero();
  for (std::size_t i = 0; i < parts_.constraints.size(); ++i) {
    const auto column = static_cast<Index>(i);
    w[column] = add_row(parts_.constraints[i], motion, c.t, W.col(column));
  }
}

void Mechanism::bilateral_bias(const Configuration& c, const Vector& u, VectorRef b) const {
  const MovingFrame frame(parts_.tree, c, u, MovingFrame::Depth::accelerations);
  for (std::size_t i = 0; i < parts_.constraints.size(); ++i)
    b[static_cast<Index>(i)] = bias(parts_.constraints[i], frame.motion(), c.t);
}

void Mechanism::relay_rows(const Configuration& c, MatrixRef W, VectorRef w,
                           VectorRef limit) const {
  const Motion motion{parts_.tree, c.cache};
  W.setZero();
  w.setZero();
  for (std::size_t i = 0; i < parts_.relays.size(); ++i) {
    const auto column = static_cast<Index>(i);
    const CoordinateRelay& relay = parts_.relays[i].kind;
    add_direction(relay.coordinate, motion, relay.sign, W.col(column));
    limit[column] = parts_.relays[i].on(c) ? relay.strength : 0;
  }
}

void Mechanism::relay_displacements(const Configuration& c, VectorRef x) const {
  const Motion motion{parts_.tree, c.cache};
  for (std::size_t i = 0; i < parts_.relays.size(); ++i)
    if (info().relays[i].law == RelayLaw::preload)
      x[static_cast<Index>(i)] = displacement(parts_.relays[i].kind, motion);
}

double Mechanism::potential_energy(const Configuration& c) const {
  const Motion motion{parts_.tree, c.cache};
  double sum = parts_.tree.weight_energy(c.cache, parts_.gravity);
  for (const Element<ForceKind>& force : parts_.forces)
    if (force.on(c)) sum += energy(force.kind, motion);
  for (std::size_t i = 0; i < parts_.relays.size(); ++i)
    if (info().relays[i].law == RelayLaw::preload && parts_.relays[i].on(c))
      sum += preload_energy(parts_.relays[i].kind, motion);
  return sum;
}

double Mechanism::applied_power(const Configuration& c, const Vector& u) const {
  if (!has_power_) return 0;
  const MovingFrame frame(parts_.tree, c, u, MovingFrame::Depth::velocities);
  double sum = 0;
  for (const Element<ForceKind>& force : parts_.forces)
    if (force.on(c)) sum += power(force.kind, frame.motion(), c.t);
  return sum;
}

void Mechanism::event_conditions(const Configuration& c, const Vector& u, VectorRef values) const {
  const MovingFrame frame(parts_.tree, c, u, MovingFrame::Depth::velocities);
  for (std::size_t i = 0; i < parts_.conditions.size(); ++i)
    values[static_cast<Index>(i)] = evaluate(parts_.conditions[i], frame.motion(), c.t);
}

BodyMotion Mechanism::body_motion(const Configuration& c, const Vector& u, int body) const {
  const MovingFrame frame(parts_.tree, c, u, MovingFrame::Depth::velocities);
  return motion_of(parts_.body_of[static_cast<std::size_t>(body)], frame.motion());
}

void Mechanism::body_motions(const Configuration& c, const Vector& u,
                             std::span<BodyMotion> motions) const {
  const MovingFrame frame(parts_.tree, c, u, MovingFrame::Depth::velocities);
  for (std::size_t i = 0; i < motions.size(); ++i)
    motions[i] = motion_of(parts_.body_of[i], frame.motion());
}

void Mechanism::outputs(const Configuration& c, const Vector& u, const LastStep& last,
                        VectorRef values) const {
  Index next = 0;
  write_outputs(
      parts_, info(), {c, u, last},
      [&](const std::string&, const char*, const char*, double value) { values[next++] = value; });
}

}  // namespace backlash::planar

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/system.h"

#include <algorithm>

#include "backlash/base/input_error.h"
#include "backlash/base/linear.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

void write_listed_frame(const SystemInfo& info, int contact, double gap, ContactFrame& frame) {
  frame.key.pair = contact;
  frame.gap = gap;
  const std::vector<int>& blocks = info.contacts[static_cast<std::size_t>(contact)].blocks;
  std::copy(blocks.begin(), blocks.end(), frame.blocks.begin());
}

}  // namespace

System::System(SystemInfo info) : info_(std::move(info)) { validate(info_); }

void System::configure(Configuration&) const {}

void System::position_rate(const Configuration& c, const Vector& u, VectorRef rate) const {
  rate.head(u.size()) = u;
  if (!info_.states.empty()) write_state_rates(c, u, rate.tail(rate.size() - u.size()));
}

void System::write_state_rates(const Configuration&, const Vector&, VectorRef rates) const {
  rates.setZero();
}

void System::advance(const Vector& q, const Vector& u, double dt, Vector& end) const {
  for (Index i = 0; i < u.size(); ++i) end[i] = q[i] + dt * u[i];
  for (Index i = u.size(); i < q.size(); ++i) end[i] = q[i];
}

bool System::factor_mass(const Configuration& c, Matrix& factors) const {
  const Index n = info_.velocities;
  if (factors.rows() != n) factors.resize(n, n);  // Eigen's own check divides
  factors.setZero();
  mass(c, factors);
  return factor_ldlt(factors);
}

void System::solve_mass(const Configuration&, const Matrix& factors, VectorRef x) const {
  solve_ldlt(factors, x.data());
}

void System::solve_mass_blocks(const Configuration& c, const Matrix& factors, std::span<const int>,
                               VectorRef x) const {
  solve_mass(c, factors, x);
}

double System::kinetic_energy(const Configuration& c, const Vector& u) const {
  Arena::Frame scratch(c.scratch);
  MatrixMap M = scratch.matrix(u.size(), u.size());
  M.setZero();
  mass(c, M);
  double twice = 0;
  for (Index j = 0; j < u.size(); ++j)
    for (Index i = 0; i < u.size(); ++i) twice += u[i] * M(i, j) * u[j];
  return 0.5 * twice;
}

void System::gaps(const Configuration&, VectorRef) const {}
void System::contact_rows(const Configuration&, int, MatrixRef, VectorRef) const {}
ContactPoint System::contact_point(const Configuration&, int) const { return {}; }

void System::find_contacts(const Configuration& c, double reach, std::span<const ContactRecord>,
                           std::vector<ContactFrame>& frames) const {
  const auto n = static_cast<Index>(info_.contacts.size());
  if (n == 0) return;
  Arena::Frame frame(c.scratch);
  VectorMap g = frame.vector(n);
  gaps(c, g);
  for (Index i = 0; i < n; ++i)
    if (!(g[i] > reach))  // NaN too
      write_listed_frame(info_, static_cast<int>(i), g[i], frames.emplace_back());
}

bool System::find_contact(const Configuration& c, const ContactKey& key,
                          ContactFrame& frame) const {
  Arena::Frame scratch(c.scratch);
  VectorMap g = scratch.vector(static_cast<Index>(info_.contacts.size()));
  gaps(c, g);
  frame = listed_frame(key.pair, g[key.pair]);
  const ContactPoint point = contact_point(c, key.pair);
  frame.p_WA = frame.p_WB = point.p_W;
  frame.n_W = point.n_W;
  return true;
}

bool System::follow_contact(const Configuration& c, const ContactKey& key,
                            std::span<const ContactRecord>, ContactFrame& frame) const {
  return find_contact(c, key, frame);
}

ContactFrame System::listed_frame(int contact, double gap) const {
  ContactFrame frame;
  write_listed_frame(info_, contact, gap, frame);
  return frame;
}

void System::write_contact_rows(const Configuration& c, const ContactFrame& frame, MatrixRef W,
                                VectorRef w) const {
  contact_rows(c, frame.key.pair, W, w);
}

void System::write_contact_velocities(const Configuration& c, const Vector& u,
                                      std::span<const ContactFrame> frames,
                                      std::span<ContactVelocity> velocities) const {
  if (frames.empty()) return;
  Arena::Frame scratch(c.scratch);
  MatrixMap W = scratch.matrix(u.size(), 3);
  VectorMap w = scratch.vector(3);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const int rows = 1 + info_.contacts[static_cast<std::size_t>(frames[i].key.pair)].tangents;
    W.setZero();
    w.setZero();
    write_contact_rows(c, frames[i], W.leftCols(rows), w.head(rows));
    velocities[i] = {};
    for (int k = 0; k < rows; ++k)
      velocities[i][static_cast<std::size_t>(k)] = W.col(k).dot(u) + w[k];
  }
}

std::optional<Origin> System::find_not_finite(const Configuration&, const Vector&) const {
  return std::nullopt;
}

double System::passing_travel(const Configuration&, const Vector&, double) const { return 0; }

double System::passing_reach(const Configuration&, double travel) const { return travel; }

void System::write_passing_limits(const Configuration&, const Vector&,
                                  std::span<const ContactFrame>,
                                  std::span<PassingLimit> limits) const {
  std::ranges::fill(limits, PassingLimit{});
}

std::string System::contact_name(const ContactKey& key) const {
  return info_.contacts[static_cast<std::size_t>(key.pair)].name;
}

void System::bilateral_errors(const Configuration&, VectorRef) const {}
void System::bilateral_rows(const Configuration&, MatrixRef, VectorRef) const {}

void System::relay_rows(const Configuration&, MatrixRef, VectorRef, VectorRef) const {}

double System::bilateral_row(const Configuration& c, int row, VectorRef W) const {
  Arena::Frame scratch(c.scratch);
  const auto n = static_cast<Index>(info_.bilaterals.size());
  MatrixMap all = scratch.matrix(W.size(), n);
  VectorMap w = scratch.vector(n);
  all.setZero();
  w.setZero();
  bilateral_rows(c, all, w);
  W = all.col(row);
  return w[row];
}

double System::relay_row(const Configuration& c, int row, VectorRef W, double& limit) const {
  Arena::Frame scratch(c.scratch);
  const auto n = static_cast<Index>(info_.relays.size());
  MatrixMap all = scratch.matrix(W.size(), n);
  VectorMap w = scratch.vector(n), limits = scratch.vector(n);
  all.setZero();
  w.setZero();
  relay_rows(c, all, w, limits);
  W = all.col(row);
  limit = limits[row];
  return w[row];
}
void System::relay_loads(const LastStep&, VectorRef loads) const { loads.setZero(); }
void System::relay_displacements(const Configuration&, VectorRef) const {}
double System::potential_energy(const Configuration&) const { return 0; }
double System::applied_power(const Configuration&, const Vector&, const Vector&) const { return 0; }
void System::event_conditions(const Configuration&, const Vector&, VectorRef) const {}
void System::capture(Configuration&, int) const {}
void System::measure(const LastStep&, VectorRef) const {}
BodyMotion System::body_motion(const Configuration&, const Vector&, int) const { return {}; }
void System::body_motions(const Configuration& c, const Vector& u,
                          std::span<BodyMotion> motions) const {
  for (std::size_t i = 0; i < motions.size(); ++i)
    motions[i] = body_motion(c, u, static_cast<int>(i));
}
void System::reactions(const LastStep&, VectorRef) const {}
void System::outputs(const OutputContext&, VectorRef) const {}

Configuration configuration(const System& system, double t, const Vector& q) {
  const SystemInfo& info = system.info();
  require_size(q.size(), info.positions, "positions of the configuration");
  Configuration c{.t = t,
                  .q = q,
                  .switches = Vector::Zero(static_cast<Index>(info.switches.size())),
                  .measured = Vector::Zero(info.measured),
                  .cache = Vector::Zero(info.cache)};
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    c.switches[static_cast<Index>(i)] = info.switches[i].at_start();
  system.configure(c);
  return c;
}

}  // namespace backlash

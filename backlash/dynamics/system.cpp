// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/system.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/linear.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

void require_names(std::size_t found, int expected, const std::string& what) {
  if (found != 0) require_size(static_cast<Index>(found), expected, what);
}

void require_new(const std::string& column, std::set<std::string>& columns,
                 const SystemInfo& info) {
  if (columns.insert(column).second) return;
  throw InputError(fmt::format("system '{}': two quantities are called '{}'", info.name, column));
}

/// One row acts on few blocks; the contacts of an info with many candidates on different ones.
void require_blocks(const std::vector<int>& blocks, const SystemInfo& info, const std::string& item,
                    long candidates = 1) {
  for (const int block : blocks)
    require_in_range(block, 0, static_cast<double>(info.mass_blocks.size()) - 1,
                     item + ": number of a mass block", "-");
  if (candidates > 1) return;
  require_in_range(static_cast<double>(blocks.size()), 0, std::tuple_size_v<BlockList>,
                   item + ": how many mass blocks", "-");
}

void validate(const SystemInfo& info) {
  const auto prefix = [&](std::string_view what) {
    return fmt::format("system '{}': {}", info.name, what);
  };
  require_in_range(info.velocities, 1, 1e6, prefix("number of velocities"), "-");
  require_in_range(info.positions, info.velocities, 1e6, prefix("number of positions"), "-");
  require_in_range(info.cache, 0, 1e9, prefix("size of the cache"), "-");
  require_in_range(info.space, 2, 3, prefix("dimension of space"), "-");
  require_positive(info.length, prefix("length"), "m");
  require_names(info.position_names.size(), info.positions, prefix("position names"));
  require_names(info.velocity_names.size(), info.velocities, prefix("velocity names"));
  require_names(info.turning.size(), info.velocities, prefix("marks of angular velocities"));
  require_names(info.position_origins.size(), info.positions, prefix("position origins"));
  require_names(info.velocity_origins.size(), info.velocities, prefix("velocity origins"));
  std::set<std::string> columns;
  for (const auto* list : {&info.position_names, &info.velocity_names})
    for (const std::string& name : *list) require_new(name, columns, info);
  for (const OutputInfo& output : info.outputs) require_new(output.name, columns, info);
  int first = 0;
  for (const MassBlock& block : info.mass_blocks) {
    require_in_range(block.first, first, first, prefix("first velocity of a mass block"), "-");
    require_in_range(block.size, 1, info.velocities - first, prefix("size of a mass block"), "-");
    first += block.size;
  }
  if (!info.mass_blocks.empty())
    require_size(first, info.velocities, prefix("velocities of all mass blocks"));
  std::set<std::string> names;
  for (const ContactInfo& contact : info.contacts) {
    const std::string item = fmt::format("contact '{}'", contact.name);
    validate(contact.law, item);
    if (contact.compliant) validate(*contact.compliant, item);
    require_in_range(contact.tangents, 0, 2, item + ": number of tangents", "-");
    require_choice(contact.unit, GapUnit::radian, item + ": unit of the gap");
    if (contact.name.empty())
      throw InputError(fmt::format("system '{}': a contact has no name", info.name));
    require_blocks(contact.blocks, info, item, contact.candidates);
    if (contact.tangents == 0 && contact.law.friction > 0)
      throw InputError(fmt::format("{}: friction is {}, but the contact has no tangent rows", item,
                                   contact.law.friction));
    if (contact.tangents == 0 && contact.compliant &&
        !std::holds_alternative<Frictionless>(contact.compliant->friction))
      throw InputError(
          fmt::format("{}: it has friction, but the contact has no tangent rows", item));
    if (!names.insert(contact.name).second)
      throw InputError(
          fmt::format("system '{}': two contacts are called '{}'", info.name, contact.name));
  }
  const auto validate_row = [&](const auto& row, const std::string& item) {
    require_positive(row.length, item + ": length", "m");
    require_blocks(row.blocks, info, item);
  };
  for (const BilateralInfo& row : info.bilaterals)
    validate_row(row, fmt::format("bilateral row '{}'", row.name));
  for (const RelayInfo& row : info.relays) {
    const std::string item = fmt::format("dry friction '{}'", row.name);
    validate_row(row, item);
    require_choice(row.law, RelayLaw::preload, item + ": law");
  }
  for (const EventInfo& event : info.events) {
    const std::string item = fmt::format("event '{}'", event.name);
    if (event.time) require_finite(*event.time, item + ": time");
    for (const EventInfo::Turn& turn : event.turns)
      require_in_range(turn.item, 0, static_cast<double>(info.switches.size()) - 1,
                       item + ": number of a switch", "-");
  }
}

/// A step for central differences of a quantity of about that size: ∛ε of it.
double difference_step(double size) { return 6e-6 * std::max(1.0, std::abs(size)); }

/// One in time, so that q moves by about ∛ε [s].
double time_difference(const Vector& u) { return 6e-6 / std::max(u.cwiseAbs().maxCoeff(), 1.0); }

/// A configuration of the thread's own to move away from c, so that differences allocate nothing in
/// step after step.
Configuration& beside(const Configuration& c) {
  thread_local Configuration moved;
  moved.t = c.t;
  moved.q = c.q;
  moved.switches = c.switches;
  moved.cache = c.cache;
  return moved;
}

/// J += ∂f/∂q N by central differences, f written by `write` at a configuration.
template <class Write>
void add_differences(const System& system, const Configuration& c, MatrixRef J, Write write) {
  Configuration moved = c;
  Vector direction = Vector::Zero(J.cols()), forward(J.rows()), backward(J.rows());
  const double step = 6e-6 * std::min(1.0, system.info().length);  // [m] and [rad]
  const auto write_at = [&](double distance, Vector& f) {
    system.advance(c.q, direction, distance, moved.q);
    system.configure(moved);
    write(moved, f);
  };
  for (Index j = 0; j < J.cols(); ++j) {
    direction[j] = 1;
    write_at(step, forward);
    write_at(-step, backward);
    direction[j] = 0;
    J.col(j) += (forward - backward) / (2 * step);
  }
}

}  // namespace

System::System(SystemInfo info) : info_(std::move(info)) { validate(info_); }

void System::configure(Configuration&) const {}

void System::position_rate(const Configuration&, const Vector& u, VectorRef rate) const {
  rate = u;
}

void System::advance(const Vector& q, const Vector& u, double dt, Vector& end) const {
  for (Index i = 0; i < q.size(); ++i) end[i] = q[i] + dt * u[i];
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

void System::force_velocity_jacobian(const Configuration& c, const Vector& u,
                                     MatrixRef dh_du) const {
  Vector v = u, forward(u.size()), backward(u.size());
  for (Index j = 0; j < u.size(); ++j) {
    const double step = difference_step(u[j]);
    v[j] = u[j] + step;
    force(c, v, forward);
    v[j] = u[j] - step;
    force(c, v, backward);
    v[j] = u[j];
    dh_du.col(j) = (forward - backward) / (2 * step);
  }
}

void System::force_position_jacobian(const Configuration& c, const Vector& u,
                                     MatrixRef dh_dq) const {
  dh_dq.setZero();
  add_differences(*this, c, dh_dq,
                  [&](const Configuration& moved, VectorRef h) { force(moved, u, h); });
}

void System::force_time_derivative(const Configuration& c, const Vector& u, VectorRef dh_dt) const {
  Vector forward(u.size()), backward(u.size());
  Configuration moved = c;
  const double step = difference_step(c.t);
  moved.t = c.t + step;
  configure(moved);
  force(moved, u, forward);
  moved.t = c.t - step;
  configure(moved);
  force(moved, u, backward);
  dh_dt = (forward - backward) / (2 * step);
}

void System::mass_position_jacobian(const Configuration& c, const Vector& a,
                                    MatrixRef dMa_dq) const {
  Matrix M(a.size(), a.size());
  dMa_dq.setZero();
  add_differences(*this, c, dMa_dq, [&](const Configuration& moved, VectorRef Ma) {
    M.setZero();
    mass(moved, M);
    Ma = M * a;
  });
}

void System::add_contact_jacobian(const Configuration& c, const ContactFrame& frame,
                                  const ContactVelocity& lambda, MatrixRef J) const {
  const int rows = 1 + info_.contacts[at(frame.key.pair)].tangents;
  Matrix W(J.rows(), rows);
  Vector w(rows);
  add_differences(*this, c, J, [&](const Configuration& moved, VectorRef force) {
    ContactFrame there = frame;
    find_contact(moved, frame.key, there);
    W.setZero();
    w.setZero();
    write_contact_rows(moved, there, W, w);
    force.setZero();
    for (int k = 0; k < rows; ++k) force += lambda[at(k)] * W.col(k);
  });
}

void System::add_bilateral_jacobian(const Configuration& c, const VectorView& lambda,
                                    MatrixRef J) const {
  Matrix W(J.rows(), lambda.size());
  Vector w(lambda.size());
  add_differences(*this, c, J, [&](const Configuration& moved, VectorRef force) {
    W.setZero();
    w.setZero();
    bilateral_rows(moved, W, w);
    force = W * lambda;
  });
}

void System::add_relay_jacobian(const Configuration& c, const VectorView& lambda,
                                MatrixRef J) const {
  Matrix W(J.rows(), lambda.size());
  Vector w(lambda.size()), limit(lambda.size());
  add_differences(*this, c, J, [&](const Configuration& moved, VectorRef force) {
    W.setZero();
    w.setZero();
    relay_rows(moved, W, w, limit);
    force = W * lambda;
  });
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
    if (!(g[i] > reach)) frames.push_back(listed_frame(static_cast<int>(i), g[i]));  // NaN too
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
  ContactFrame frame{.key = {.pair = contact}, .gap = gap};
  const std::vector<int>& blocks = info_.contacts[static_cast<std::size_t>(contact)].blocks;
  std::copy(blocks.begin(), blocks.end(), frame.blocks.begin());
  return frame;
}

void System::write_contact_rows(const Configuration& c, const ContactFrame& frame, MatrixRef W,
                                VectorRef w) const {
  contact_rows(c, frame.key.pair, W, w);
}

void System::write_contact_biases(const Configuration& c, const Vector& u,
                                  std::span<const ContactFrame> frames,
                                  std::span<ContactVelocity> biases) const {
  const double step = time_difference(u);
  Arena::Frame scratch(c.scratch);
  MatrixMap W = scratch.matrix(u.size(), 3);
  VectorMap w = scratch.vector(3);
  Configuration& moved = beside(c);
  const auto add_rates = [&](double dt, double factor) {
    advance(c.q, u, dt, moved.q);
    moved.t = c.t + dt;
    configure(moved);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      ContactFrame there = frames[i];
      find_contact(moved, frames[i].key, there);
      const int rows = 1 + info_.contacts[at(frames[i].key.pair)].tangents;
      W.setZero();
      w.setZero();
      write_contact_rows(moved, there, W.leftCols(rows), w.head(rows));
      for (int k = 0; k < rows; ++k) biases[i][at(k)] += factor * (W.col(k).dot(u) + w[k]);
    }
  };
  std::fill(biases.begin(), biases.end(), ContactVelocity{});
  add_rates(step, 1 / (2 * step));
  add_rates(-step, -1 / (2 * step));
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

double System::passing_travel(const Configuration&, const Vector&, double) const { return 0; }

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

void System::bilateral_bias(const Configuration& c, const Vector& u, VectorRef b) const {
  const auto n = static_cast<Index>(info_.bilaterals.size());
  const double step = time_difference(u);
  Arena::Frame scratch(c.scratch);
  MatrixMap W = scratch.matrix(u.size(), n);
  VectorMap w = scratch.vector(n);
  Configuration& moved = beside(c);
  const auto add_rates = [&](double dt, double factor) {
    advance(c.q, u, dt, moved.q);
    moved.t = c.t + dt;
    configure(moved);
    W.setZero();
    w.setZero();
    bilateral_rows(moved, W, w);
    for (Index i = 0; i < n; ++i) b[i] += factor * (W.col(i).dot(u) + w[i]);
  };
  b.setZero();
  add_rates(step, 1 / (2 * step));
  add_rates(-step, -1 / (2 * step));
}

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
void System::relay_displacements(const Configuration&, VectorRef) const {}
double System::potential_energy(const Configuration&) const { return 0; }
double System::applied_power(const Configuration&, const Vector&) const { return 0; }
void System::event_conditions(const Configuration&, const Vector&, VectorRef) const {}
BodyMotion System::body_motion(const Configuration&, const Vector&, int) const { return {}; }
void System::body_motions(const Configuration& c, const Vector& u,
                          std::span<BodyMotion> motions) const {
  for (std::size_t i = 0; i < motions.size(); ++i)
    motions[i] = body_motion(c, u, static_cast<int>(i));
}
void System::reactions(const LastStep&, VectorRef) const {}
void System::outputs(const OutputContext&, VectorRef) const {}

long candidates(const SystemInfo& info) {
  long sum = 0;
  for (const ContactInfo& contact : info.contacts) sum += contact.candidates;
  return sum;
}

std::size_t usual_contacts(const SystemInfo& info) {
  constexpr long many = 256;
  return static_cast<std::size_t>(std::min(candidates(info), many));
}

Configuration configuration(const System& system, double t, const Vector& q) {
  const SystemInfo& info = system.info();
  require_size(q.size(), info.positions, "positions of the configuration");
  Configuration c{.t = t,
                  .q = q,
                  .switches = Vector::Zero(static_cast<Index>(info.switches.size())),
                  .cache = Vector::Zero(info.cache)};
  for (std::size_t i = 0; i < info.switches.size(); ++i)
    c.switches[static_cast<Index>(i)] = info.switches[i].on ? 1 : 0;
  system.configure(c);
  return c;
}

}  // namespace backlash

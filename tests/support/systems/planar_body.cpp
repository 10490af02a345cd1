// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "support/systems/planar_body.h"

#include <cmath>

#include "backlash/base/input_error.h"

namespace backlash::test {
namespace {

SystemInfo planar_body_info(const PlanarBodyData& data) {
  SystemInfo info{.name = "planar-body", .positions = 3, .velocities = 3};
  for (const PlanarTouch& touch : data.touches)
    info.contacts.push_back({touch.name, touch.law, touch.tangents});
  if (data.dry_friction > 0) info.relays = {{"dry friction"}};
  info.bodies = {"body"};
  return info;
}

Vec2 from_centre(const PlanarTouch& touch, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * touch.p_BC.x() - s * touch.p_BC.y(), s * touch.p_BC.x() + c * touch.p_BC.y()};
}

/// The row of the velocity along `direction` of the body's point at `arm` from its centre.
void write_row(const Vec2& direction, const Vec2& arm, Eigen::Ref<Vector> row) {
  row[0] = direction.x();
  row[1] = direction.y();
  row[2] = arm.x() * direction.y() - arm.y() * direction.x();
}

}  // namespace

PlanarBody::PlanarBody(const PlanarBodyData& data) : System(planar_body_info(data)), data_(data) {
  require_positive(data.mass, "body: mass", "kg");
  require_positive(data.inertia, "body: inertia", "kg m²");
}

void PlanarBody::mass(const Configuration&, MatrixRef M) const {
  M.setZero();
  M(0, 0) = M(1, 1) = data_.mass;
  M(2, 2) = data_.inertia;
}

void PlanarBody::force(const Configuration&, const Vector& u, VectorRef h) const {
  h[0] = data_.mass * data_.gravity.x() + data_.applied.x() - data_.damping * u[0];
  h[1] = data_.mass * data_.gravity.y() + data_.applied.y() - data_.damping * u[1];
  h[2] = 0;
}

void PlanarBody::gaps(const Configuration& c, VectorRef g) const {
  Eigen::Index i = 0;
  for (const PlanarTouch& touch : data_.touches) {
    const Vec2 centre = c.q.head<2>() + from_centre(touch, c.q[2]);
    g[i++] = touch.n_W.dot(centre) - touch.radius - touch.offset;
  }
}

void PlanarBody::contact_rows(const Configuration& c, int contact, MatrixRef W, VectorRef w) const {
  const PlanarTouch& touch = data_.touches[static_cast<std::size_t>(contact)];
  const Vec2 arm = from_centre(touch, c.q[2]) - touch.radius * touch.n_W;
  write_row(touch.n_W, arm, W.col(0));
  if (touch.tangents > 0) write_row({touch.n_W.y(), -touch.n_W.x()}, arm, W.col(1));
  w.setZero();
}

void PlanarBody::relay_rows(const Configuration&, MatrixRef W, VectorRef w, VectorRef limit) const {
  W(0, 0) = 1;
  w[0] = 0;
  limit[0] = data_.dry_friction;
}

double PlanarBody::potential_energy(const Configuration& c) const {
  return -data_.mass * data_.gravity.dot(c.q.head<2>());
}

double PlanarBody::applied_power(const Configuration&, const Vector& u, const Vector& along) const {
  return data_.applied.dot(along.head<2>()) - data_.damping * u.head<2>().dot(along.head<2>());
}

PlanarBodyData wheel(double mass, double radius, double k_squared, const ContactLaw& law) {
  PlanarBodyData data{.mass = mass, .inertia = k_squared * mass * radius * radius};
  data.touches = {{.radius = radius, .law = law}};
  return data;
}

PlanarBodyData block_on_incline(double mass, double slope, const ContactLaw& law, double g) {
  PlanarBodyData data{.mass = mass, .gravity = {g * std::sin(slope), -g * std::cos(slope)}};
  data.touches = {{.law = law}};
  return data;
}

}  // namespace backlash::test

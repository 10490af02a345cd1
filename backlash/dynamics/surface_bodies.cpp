// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/surface_bodies.h"

#include <algorithm>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "backlash/base/input_error.h"
#include "backlash/geometry/quaternion.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

// Per body: 7 positions, 6 velocities, 9 numbers of its rotation in the cache.
constexpr Index positions = 7, velocities = 6, cached = 9;

void check_bodies(const SurfaceBodiesData& data) {
  for (const SpaceBody& body : data.bodies) {
    const std::string item = fmt::format("body '{}'", body.name);
    require_positive(body.mass, item + ": mass", "kg");
    for (int i = 0; i < 3; ++i) require_positive(body.inertia[i], item + ": inertia", "kg m²");
    const Mat3 R = body.X_WB.R;
    if (!((R * R.transpose() - Mat3::Identity()).norm() < 1e-9 && R.determinant() > 0))
      throw InputError(item + ": R_WB must be a rotation");
  }
  const int count = static_cast<int>(data.bodies.size());
  for (const SurfaceContact& contact : data.contacts)
    for (const int body : {contact.shapes.a, contact.shapes.b})
      if (body < -1 || body >= count)
        throw InputError(
            fmt::format("contact '{}': there is no body {}; −1 is the ground, and {} "
                        "bodies are numbered from 0",
                        contact.name, body, count));
}

double size_of(const SurfaceContact& contact) {
  double size = contact.shapes.A ? contact.shapes.A->size() : 0;
  if (const auto* ball = std::get_if<SolidBall<3>>(&contact.shapes.B))
    size = std::min(size, ball->radius);
  return size;
}

SystemInfo info_of(const SurfaceBodiesData& data) {
  check_bodies(data);
  const Index n = static_cast<Index>(data.bodies.size());
  SystemInfo info{.name = "surface bodies",
                  .positions = static_cast<int>(positions * n),
                  .velocities = static_cast<int>(velocities * n),
                  .cache = static_cast<int>(cached * n),
                  .space = 3};
  info.length = 0;
  for (const SurfaceContact& contact : data.contacts) {
    const bool rubs = contact.compliant || contact.law.friction > 0;
    info.contacts.push_back({.name = contact.name,
                             .law = contact.law,
                             .tangents = rubs ? 2 : 0,
                             .compliant = contact.compliant});
    info.length = std::max(info.length, size_of(contact));
    info.passable |= !std::holds_alternative<HalfSpace<3>>(contact.shapes.B);
  }
  if (info.length == 0) info.length = 1;
  for (const SpaceBody& body : data.bodies) {
    info.bodies.push_back(body.name);
    for (int i = 0; i < velocities; ++i) info.angular.push_back(i >= 3);
    for (const char* name : {"x", "y", "z", "qw", "qx", "qy", "qz"})
      info.position_names.push_back(fmt::format("{}.{}", body.name, name));
    for (const char* name : {"vx", "vy", "vz", "wx", "wy", "wz"})
      info.velocity_names.push_back(fmt::format("{}.{}", body.name, name));
  }
  return info;
}

std::vector<SurfacePair> pairs_of(const SurfaceBodiesData& data) {
  std::vector<SurfacePair> pairs;
  for (const SurfaceContact& contact : data.contacts) pairs.push_back(contact.shapes);
  return pairs;
}

Quaternion orientation(const Vector& q, Index body) {
  const double* x = q.data() + positions * body + 3;
  return {x[0], x[1], x[2], x[3]};
}
Quaternion orientation_of(const Mat3& R) {
  const Eigen::Quaterniond q(R);
  return {q.w(), q.x(), q.y(), q.z()};
}
void write(const Quaternion& orientation, double* x) {
  x[0] = orientation.w;
  x[1] = orientation.x;
  x[2] = orientation.y;
  x[3] = orientation.z;
}

Vec3 position(const Configuration& c, Index body) { return c.q.segment<3>(positions * body); }
Eigen::Map<const Mat3> rotation(const Configuration& c, Index body) {
  return Eigen::Map<const Mat3>(c.cache.data() + cached * body);
}
Vec3 velocity(const Vector& u, Index body) { return u.segment<3>(velocities * body); }
Vec3 spin(const Vector& u, Index body) { return u.segment<3>(velocities * body + 3); }

/// The poses of all bodies, in scratch memory.
class BodyPoses {
 public:
  BodyPoses(const Configuration& c, std::size_t bodies)
      : frame_(c.scratch), poses_(frame_.room<Pose3>(static_cast<Index>(bodies))) {
    for (std::size_t i = 0; i < bodies; ++i)
      poses_[i] = {rotation(c, static_cast<Index>(i)), position(c, static_cast<Index>(i))};
  }
  std::span<const Pose3> all() const { return poses_; }

 private:
  Arena::Frame frame_;
  std::span<Pose3> poses_;
};

/// The motions of all bodies while u̇ = 0, which neither moves their origins nor turns them faster.
class BodyMotions {
 public:
  BodyMotions(const Configuration& c, const Vector& u, std::size_t bodies)
      : frame_(c.scratch), motions_(frame_.room<FrameMotion<3>>(static_cast<Index>(bodies))) {
    for (std::size_t i = 0; i < bodies; ++i) {
      const Index k = static_cast<Index>(i);
      motions_[i] = {.v = velocity(u, k), .w = rotation(c, k) * spin(u, k)};
    }
  }
  std::span<const FrameMotion<3>> all() const { return motions_; }

 private:
  Arena::Frame frame_;
  std::span<FrameMotion<3>> motions_;
};

}  // namespace

SurfaceBodies::SurfaceBodies(SurfaceBodiesData data)
    : System(info_of(data)), data_(std::move(data)), contacts_(pairs_of(data_)) {}

void SurfaceBodies::configure(Configuration& c) const {
  for (Index i = 0; i < static_cast<Index>(data_.bodies.size()); ++i)
    Eigen::Map<Mat3>(c.cache.data() + cached * i) = rotation_matrix(orientation(c.q, i));
}

void SurfaceBodies::position_rate(const Configuration& c, const Vector& u, VectorRef rate) const {
  for (Index i = 0; i < static_cast<Index>(data_.bodies.size()); ++i) {
    const Vec3 w = spin(u, i);
    const Quaternion turning = orientation(c.q, i) * Quaternion{0, w.x(), w.y(), w.z()};
    rate.segment<3>(positions * i) = velocity(u, i);
    rate.segment<4>(positions * i + 3) =
        0.5 * Eigen::Vector4d(turning.w, turning.x, turning.y, turning.z);
  }
}

void SurfaceBodies::advance(const Vector& q, const Vector& u, double dt, Vector& end) const {
  for (Index i = 0; i < static_cast<Index>(data_.bodies.size()); ++i) {
    const Quaternion turned = normalized(orientation(q, i) * quaternion(dt * spin(u, i)));
    end.segment<3>(positions * i) = q.segment<3>(positions * i) + dt * velocity(u, i);
    write(turned, end.data() + positions * i + 3);
  }
}

void SurfaceBodies::mass(const Configuration&, MatrixRef M) const {
  for (Index i = 0; i < static_cast<Index>(data_.bodies.size()); ++i) {
    const SpaceBody& body = data_.bodies[static_cast<std::size_t>(i)];
    M.diagonal().segment<3>(velocities * i).setConstant(body.mass);
    M.diagonal().segment<3>(velocities * i + 3) = body.inertia;
  }
}

void SurfaceBodies::force(const Configuration&, const Vector& u, VectorRef h) const {
  for (Index i = 0; i < static_cast<Index>(data_.bodies.size()); ++i) {
    const SpaceBody& body = data_.bodies[static_cast<std::size_t>(i)];
    const Vec3 w = spin(u, i);
    h.segment<3>(velocities * i) = body.mass * data_.gravity;
    h.segment<3>(velocities * i + 3) = -w.cross(body.inertia.cwiseProduct(w));
  }
}

void SurfaceBodies::find_contacts(const Configuration& c, double reach,
                                  std::span<const ContactRecord> remembered,
                                  std::vector<ContactFrame>& frames) const {
  const BodyPoses poses(c, data_.bodies.size());
  contacts_.find(poses.all(), reach, remembered, c.search, frames);
}

bool SurfaceBodies::find_contact(const Configuration& c, const ContactKey& key,
                                 ContactFrame& frame) const {
  const BodyPoses poses(c, data_.bodies.size());
  return contacts_.find_one(poses.all(), key, {}, c.search, frame);
}

void SurfaceBodies::write_contact_rows(const Configuration& c, const ContactFrame& frame,
                                       MatrixRef W, VectorRef) const {
  const auto add = [&](int body, const Vec3& p_W, const Vec3& force, int column) {
    const Vec3 moment = (p_W - position(c, body)).cross(force);
    W.col(column).segment<3>(velocities * body) += force;
    W.col(column).segment<3>(velocities * body + 3) += rotation(c, body).transpose() * moment;
  };
  contacts_.for_each_row(frame, static_cast<int>(W.cols()), add);
}

void SurfaceBodies::write_contact_biases(const Configuration& c, const Vector& u,
                                         std::span<const ContactFrame> frames,
                                         std::span<ContactVelocity> biases) const {
  const BodyPoses poses(c, data_.bodies.size());
  const BodyMotions motions(c, u, data_.bodies.size());
  for (std::size_t k = 0; k < frames.size(); ++k)
    biases[k] = contacts_.biases(frames[k], poses.all(), motions.all());
}

double SurfaceBodies::passing_travel(const Configuration& c, const Vector& u, double step) const {
  const BodyPoses poses(c, data_.bodies.size());
  const BodyMotions motions(c, u, data_.bodies.size());
  return contacts_.passing_travel(poses.all(), motions.all(), step);
}

double SurfaceBodies::passing_reach(const Configuration& c, double travel) const {
  const BodyPoses poses(c, data_.bodies.size());
  return contacts_.passing_reach(poses.all(), travel);
}

void SurfaceBodies::write_passing_limits(const Configuration& c, const Vector& u,
                                         std::span<const ContactFrame> frames,
                                         std::span<PassingLimit> limits) const {
  const BodyPoses poses(c, data_.bodies.size());
  const BodyMotions motions(c, u, data_.bodies.size());
  for (std::size_t k = 0; k < frames.size(); ++k)
    limits[k] = contacts_.passing_limit(frames[k], poses.all(), motions.all());
}

double SurfaceBodies::potential_energy(const Configuration& c) const {
  double energy = 0;
  for (std::size_t i = 0; i < data_.bodies.size(); ++i)
    energy -= data_.bodies[i].mass * data_.gravity.dot(position(c, static_cast<Index>(i)));
  return energy;
}

BodyMotion SurfaceBodies::body_motion(const Configuration& c, const Vector& u, int body) const {
  const Quaternion q = orientation(c.q, body);
  return {.p_W = position(c, body),
          .orientation = {q.w, q.x, q.y, q.z},
          .v_W = velocity(u, body),
          .w_W = rotation(c, body) * spin(u, body)};
}

State SurfaceBodies::start() const {
  Vector q(info().positions), u(info().velocities);
  for (std::size_t i = 0; i < data_.bodies.size(); ++i) {
    const SpaceBody& body = data_.bodies[i];
    const Index k = static_cast<Index>(i);
    q.segment<3>(positions * k) = body.X_WB.p;
    write(orientation_of(body.X_WB.R), q.data() + positions * k + 3);
    u.segment<3>(velocities * k) = body.v_W;
    u.segment<3>(velocities * k + 3) = body.X_WB.R.transpose() * body.w_W;
  }
  return initial_state(*this, 0, q, u);
}

}  // namespace backlash

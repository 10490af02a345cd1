// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/cam_design.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/base/nearest_name.h"
#include "backlash/dynamics/assembly/assemble.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// A body on a joint of its own to the ground.
struct Guided {
  const Joint* joint = nullptr;
  std::string body{};
};

bool turns(const Guided& guided) { return std::holds_alternative<Revolute>(guided.joint->kind); }

/// The body that all shapes of one side of a contact belong to.
std::string body_of(const ContactPair& contact, const std::vector<ShapeName>& side) {
  std::set<std::string> bodies;
  for (const ShapeName& shape : side) bodies.insert(shape.body);
  if (bodies.size() == 1) return *bodies.begin();
  throw InputError(contact.where,
                   fmt::format("the contact '{}' is one of several bodies; a cam and "
                               "a follower are two",
                               contact.name));
}

Guided guided_body(const Model& model, const ContactPair& contact, const std::string& body) {
  const Joint* found = nullptr;
  for (const Joint& joint : model.joints) {
    if (joint.body_A != body && joint.body_B != body) continue;
    const bool grounded = joint.body_A == ground_name || joint.body_B == ground_name;
    const bool known = std::holds_alternative<Revolute>(joint.kind) ||
                       std::holds_alternative<Prismatic>(joint.kind);
    if (grounded && known && !joint.clearance) found = &joint;
  }
  if (found) return {found, body};
  throw InputError(contact.where,
                   fmt::format("body '{}' is neither cam nor follower, expected a revolute or "
                               "prismatic joint without clearance between it and the ground",
                               body));
}

/// The body that turns is the cam; of two the one that is driven, or the first.
std::array<Guided, 2> cam_and_follower(const Model& model, const ContactPair& contact) {
  const Guided A = guided_body(model, contact, body_of(contact, contact.A));
  const Guided B = guided_body(model, contact, body_of(contact, contact.B));
  if (!turns(A) && !turns(B))
    throw InputError(contact.where, fmt::format("neither '{}' nor '{}' turns, expected a cam on a "
                                                "revolute joint",
                                                A.body, B.body));
  const bool second = !turns(A) || (turns(B) && B.joint->drive && !A.joint->drive);
  return second ? std::array{B, A} : std::array{A, B};
}

const ContactPair& contact_of(const Model& model, const std::string& name) {
  if (!name.empty()) {
    if (const ContactPair* found = find_contact(model, name)) return *found;
    std::vector<std::string> names;
    for (const ContactPair& contact : model.contacts) names.push_back(contact.name);
    throw InputError(
        fmt::format("there is no contact '{}' in the model{}", name, did_you_mean(name, names)));
  }
  if (model.contacts.size() == 1) return model.contacts.front();
  std::string names;
  for (const ContactPair& contact : model.contacts)
    names += (names.empty() ? ": " : ", ") + contact.name;
  throw InputError(fmt::format("the model has {} contacts, expected the name of one{}",
                               model.contacts.size(), names));
}

int index_of(const std::vector<Origin>& origins, const std::string& item, Origin::Kind kind) {
  const auto found = std::ranges::find(origins, Origin{item, kind});
  return found == origins.end() ? -1 : static_cast<int>(found - origins.begin());
}

/// A cam and its follower as two coordinates of a System, of which one follows from the other.
class CamMechanism {
 public:
  CamMechanism(const Model& model, const ContactPair& contact, const Guided& cam,
               const Guided& follower)
      : assembly_(assembled(model)),
        system_(*assembly_.system),
        contact_(contact.name),
        cam_(coordinate(cam)),
        follower_(coordinate(follower)),
        W_(Matrix::Zero(system_.info().velocities, 3)),
        M_(Matrix::Zero(W_.rows(), W_.rows())),
        u_(Vector::Zero(W_.rows())),
        h_(u_) {
    const SystemInfo& info = system_.info();
    body_ = static_cast<int>(std::ranges::find(info.bodies, follower.body) - info.bodies.begin());
    c_ = configuration(system_, assembly_.start);
    require_alone(follower);
  }

  double start_angle() const { return assembly_.start.q[cam_]; }
  double start_position() const { return assembly_.start.q[follower_]; }
  double start_speed() const { return assembly_.start.u[cam_]; }

  /// The follower touches the cam at this angle, found from a position near it, which becomes the
  /// one found.
  void touch(double angle, double& position) {
    constexpr int most = 100;
    const double length = system_.info().length;
    for (int k = 0; k < most; ++k) {
      place(angle, position);
      const double rise = W_(follower_, 0);
      if (!(std::abs(rise) > 1e-6 * (turning_follower() ? length : 1))) break;
      if (std::abs(frame_.gap) <= 1e-14 * length) return;
      const double largest = 0.1 * (turning_follower() ? 1 : length);
      position -= std::clamp(frame_.gap / rise, -largest, largest);
    }
    throw InputError(fmt::format(
        "contact '{}': with the cam at {:.4g} deg its follower does not come down on it along its "
        "guide; check profile, guide and start",
        contact_, angle * 180 / std::numbers::pi));
  }

  /// Where it touches. Positions rise away from the cam.
  CamDesignPoint point(double angle, double position) {
    const double rise = W_(follower_, 0), side = rise > 0 ? 1 : -1;
    CamDesignPoint point{.angle = angle, .position = position};
    u_.setZero();
    u_[cam_] = 1;
    u_[follower_] = -W_(cam_, 0) / rise;
    ContactVelocity bias{};
    system_.write_contact_biases(c_, u_, {&frame_, 1}, {&bias, 1});
    point.lift = side * position;
    point.slope = side * u_[follower_];
    point.bend = -side * bias[0] / rise;
    if (std::abs(point.bend) <= 1e-12 * std::abs(point.slope)) point.bend = 0;  // round-off
    const Vec3 v = follower_velocity();
    const bool second = (frame_.n_W.dot(v) > 0) == (rise > 0);  // n points into the follower
    point.pressure_angle = std::atan2(frame_.n_W.cross(v).norm(), std::abs(frame_.n_W.dot(v)));
    point.cam_radius = frame_.radii[second ? 0 : 1];
    point.follower_radius = frame_.radii[second ? 1 : 0];
    return point;
  }

  /// Of the contact at a speed of the cam [N]; after point().
  double force(const CamDesignPoint& point, double speed) {
    const double rise = W_(follower_, 0), side = rise > 0 ? 1 : -1;
    M_.setZero();
    system_.mass(c_, M_);
    system_.force(c_, speed * u_, h_);
    const double acceleration = side * point.bend * speed * speed;
    return (M_(follower_, follower_) * acceleration - h_[follower_]) / rise;
  }

 private:
  static Assembly assembled(Model model) {
    model.simulation.coordinates = Coordinates::joint;
    model.initial = InitialPositions::given;
    return assemble(model);
  }

  int coordinate(const Guided& guided) const {
    const int found =
        index_of(system_.info().velocity_origins, guided.joint->name, Origin::Kind::joint);
    if (found >= 0) return found;
    throw InputError(guided.joint->where,
                     fmt::format("joint '{}' closes a loop, expected cam and follower on one joint "
                                 "each",
                                 guided.joint->name));
  }

  bool turning_follower() const {
    const std::vector<bool>& angular = system_.info().angular;
    return !angular.empty() && angular[static_cast<std::size_t>(follower_)];
  }

  /// The follower must move nothing else: no loop, no other body on it.
  void require_alone(const Guided& follower) {
    const SystemInfo& info = system_.info();
    system_.configure(c_);
    const Index rows = static_cast<Index>(info.bilaterals.size());
    Matrix W = Matrix::Zero(info.velocities, rows);
    Vector w = Vector::Zero(rows);
    system_.bilateral_rows(c_, W, w);
    bool alone = rows == 0 || W.row(follower_).isZero();
    system_.mass(c_, M_);
    for (Index i = 0; i < M_.rows(); ++i)
      alone = alone && (i == follower_ || M_(i, follower_) == 0);
    if (!alone)
      throw InputError(follower.joint->where,
                       fmt::format("joint '{}' of the follower has a drive or moves other joints "
                                   "too, expected a follower that moves by itself",
                                   follower.joint->name));
  }

  void place(double angle, double position) {
    c_.q[cam_] = angle;
    c_.q[follower_] = position;
    system_.configure(c_);
    frames_.clear();
    system_.find_contacts(c_, INFINITY, {}, frames_);
    frame_ = {.gap = INFINITY};
    for (const ContactFrame& frame : frames_) {
      const Origin& origin =
          system_.info().contacts[static_cast<std::size_t>(frame.key.pair)].origin;
      const bool ours = origin.item == contact_ && origin.kind == Origin::Kind::contact_pair;
      if (ours && frame.gap < frame_.gap) frame_ = frame;
    }
    W_.setZero();
    if (!std::isfinite(frame_.gap)) return;
    const Index rows =
        1 + system_.info().contacts[static_cast<std::size_t>(frame_.key.pair)].tangents;
    Vector w = Vector::Zero(rows);
    system_.write_contact_rows(c_, frame_, W_.leftCols(rows), w);
  }

  /// Of the follower's point in contact, per unit of its coordinate's rate.
  Vec3 follower_velocity() const {
    Vector u = Vector::Zero(u_.size());
    u[follower_] = 1;
    const BodyMotion motion = system_.body_motion(c_, u, body_);
    return motion.v_W + motion.w_W.cross(Vec3(0.5 * (frame_.p_WA + frame_.p_WB) - motion.p_W));
  }

  Assembly assembly_;
  const System& system_;
  std::string contact_;
  int cam_, follower_, body_ = 0;
  Configuration c_{};
  ContactFrame frame_{};
  std::vector<ContactFrame> frames_{};
  Matrix W_, M_;  ///< rows of the contact, the normal one first; mass
  Vector u_, h_;
};

/// The least x > 0 with a + b x + c x² = 0; infinite: there is none.
double first_zero(double a, double b, double c) {
  if (a <= 0) return 0;
  const double d = b * b - 4 * a * c;
  if (d < 0) return INFINITY;
  const double q = -0.5 * (b + std::copysign(std::sqrt(d), b));
  double least = INFINITY;
  for (const double x : {c == 0 ? -1 : q / c, q == 0 ? -1 : a / q})
    if (x > 0) least = std::min(least, x);
  return least;
}

/// Forces and the speed at which the follower would leave this point: linear dampers, gravity and
/// springs make the force a polynomial of second degree in the speed (theory 7.25).
void add_forces(CamMechanism& mechanism, CamDesignPoint& point, CamDesign& design) {
  const double unit = design.speed == 0 ? 1 : design.speed;
  const double a = mechanism.force(point, 0), one = mechanism.force(point, unit),
               two = mechanism.force(point, 2 * unit);
  const double c = 0.5 * (two - 2 * one + a), b = one - a - c;
  point.force = design.speed == 0 ? a : one;
  const double lift_off = first_zero(a, b, c) * std::abs(unit);
  if (lift_off >= design.lift_off_speed) return;
  design.lift_off_speed = lift_off;
  design.lift_off_angle = point.angle;
}

void summarise(const CamDesignPoint& point, CamDesign& design) {
  design.lift = std::max(design.lift, point.lift);
  design.largest_pressure_angle = std::max(design.largest_pressure_angle, point.pressure_angle);
  if (point.cam_radius > 0)
    design.smallest_radius = std::min(design.smallest_radius, point.cam_radius);
  design.smallest_force = std::min(design.smallest_force, point.force);
  design.largest_force = std::max(design.largest_force, point.force);
  design.largest_pressure = std::max(design.largest_pressure, point.pressure);
}

/// The first place, if there is one, where the slope changes by more than its bend on both sides
/// makes it, by a tenth of the largest slope.
std::optional<double> corner_of(const std::vector<CamDesignPoint>& points) {
  constexpr double share = 0.1;
  const double turn = 2 * std::numbers::pi / static_cast<double>(points.size());
  double largest = 0;
  for (const CamDesignPoint& point : points) largest = std::max(largest, std::abs(point.slope));
  for (std::size_t k = 0; k < points.size(); ++k) {
    const CamDesignPoint &a = points[k], &b = points[(k + 1) % points.size()];
    const double jump = b.slope - a.slope - 0.5 * turn * (a.bend + b.bend);
    if (std::abs(jump) > share * largest) return a.angle + 0.5 * turn;
  }
  return {};
}

}  // namespace

double hertz_pressure(const HertzLine& line, double a, double b, double force) {
  const double curvature = 1 / a + 1 / b;
  if (!(force > 0) || !(line.width > 0) || !(curvature > 0)) return 0;
  return std::sqrt(force * line.modulus * curvature / (std::numbers::pi * line.width));
}

CamDesign design_cam(const Model& model, const CamQuestion& question) {
  require_positive(question.points, "cam: points", "-");
  require_not_negative(question.hertz.width, "cam: width", "m");
  if (question.hertz.width > 0) require_positive(question.hertz.modulus, "cam: modulus", "Pa");
  const ContactPair& contact = contact_of(model, question.contact);
  const auto [cam, follower] = cam_and_follower(model, contact);
  CamMechanism mechanism(model, contact, cam, follower);
  CamDesign design{.cam = cam.joint->name,
                   .follower = follower.joint->name,
                   .contact = contact.name,
                   .unit = turns(follower) ? GapUnit::radian : GapUnit::metre,
                   .speed = question.speed.value_or(mechanism.start_speed()),
                   .smallest_radius = INFINITY,
                   .smallest_force = INFINITY,
                   .largest_force = -INFINITY,
                   .lift_off_speed = INFINITY};
  double position = mechanism.start_position(), lowest = INFINITY;
  for (int k = 0; k < question.points; ++k) {
    const double angle = mechanism.start_angle() + 2 * std::numbers::pi * k / question.points;
    mechanism.touch(angle, position);
    CamDesignPoint& point = design.points.emplace_back(mechanism.point(angle, position));
    add_forces(mechanism, point, design);
    lowest = std::min(lowest, point.lift);
  }
  for (CamDesignPoint& point : design.points) {
    point.lift -= lowest;
    point.pressure =
        hertz_pressure(question.hertz, point.cam_radius, point.follower_radius, point.force);
    summarise(point, design);
  }
  design.corner_angle = corner_of(design.points);
  return design;
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/check/lints.h"

namespace backlash {
namespace {

/// How far a body reaches from its centre of mass, by all that the model says of it.
struct Reach {
  double outline = 0;  ///< by its shapes [m]
  double points = 0;   ///< by its shapes, joints, frames, springs and outputs [m]
};

class ReachOfBody {
 public:
  explicit ReachOfBody(const Body& body) : body_(body) {}

  void add(const std::string& body, const Vec3& p_B) {
    if (body == body_.name) points_ = std::max(points_, (p_B - body_.com).norm());
  }
  void add(const Attachment& point) { add(point.body, point.p_B); }

  Reach reach() const {
    double outline_reach = 0;
    for (const BodyShape& shape : body_.shapes)
      for (const Vec2& p_S : boundary(shape.shape).points)
        outline_reach = std::max(outline_reach, (shape.X_BS * in_space(p_S) - body_.com).norm());
    return {outline_reach, std::max(points_, outline_reach)};
  }

 private:
  const Body& body_;
  double points_ = 0;
};

Reach reach_of(const Model& model, const Body& body) {
  ReachOfBody reach(body);
  for (const Joint& joint : model.joints)
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.p_AP; }) {
            reach.add(joint.body_A, kind.p_AP);
            reach.add(joint.body_B, kind.p_BQ);
          }
        },
        joint.kind);
  for (const Frame& frame : body.frames) reach.add(body.name, frame.X_BF.p);
  for (const OutputPoint& point : model.output.points) reach.add(point.at);
  for (const Force& force : model.forces)
    std::visit(
        [&](const auto& element) {
          if constexpr (requires { element.from.p_B; }) {
            reach.add(element.from);
            reach.add(element.to);
          }
          if constexpr (requires { element.at.p_B; }) reach.add(element.at);
        },
        force.element);
  return reach.reach();
}

/// The largest part of the reach that a radius of gyration may have without a doubt: a body has
/// parts that the model does not mention, but hardly ten times as far out.
constexpr double far_out = 10;
/// The least part of it: below, the mass would sit in a point.
constexpr double nearly_a_point = 1e-3;

void check_inertia(const Body& body, const Reach& reach, Findings& findings) {
  const auto add = [&](Severity severity, const std::string& message, const char* advice) {
    findings.push_back(
        {severity, fmt::format("body '{}'", body.name), body.where, message, advice});
  };
  if (!(body.mass > 0)) {
    if (body.inertia.zz > 0)
      add(Severity::warning,
          fmt::format("has the inertia {:.4g} kg m², but no mass", body.inertia.zz),
          "give it a mass");
    return;
  }
  const double gyration = std::sqrt(body.inertia.zz / body.mass);
  const std::string figures = fmt::format(
      "mass {:.4g} kg and inertia {:.4g} kg m² belong to a radius of gyration of {:.4g} m",
      body.mass, body.inertia.zz, gyration);
  if (reach.points > 0 && gyration > far_out * reach.points)
    add(Severity::warning,
        fmt::format(
            "{}, but all that the model says of the body lies within {:.4g} m of its centre "
            "of mass",
            figures, reach.points),
        "look at the unit of the inertia (1 kg mm² = 1e-6 kg m²) and of the lengths");
  else if (reach.outline > 0 && reach.outline == reach.points && gyration > reach.outline)
    add(Severity::note,
        fmt::format("{}, but its shapes reach only {:.4g} m from its centre of mass", figures,
                    reach.outline),
        "look at inertia, mass and com, unless the body has parts beyond its shapes");
  else if (gyration > 0 && gyration < nearly_a_point * reach.points)
    add(Severity::note,
        fmt::format("{}, though the body reaches {:.4g} m from its centre of mass", figures,
                    reach.points),
        "look at the unit of the inertia, unless the mass does sit in one place");
}

}  // namespace

void find_implausible_inertia(const Model& model, Findings& findings) {
  for (const Body& body : model.bodies) check_inertia(body, reach_of(model, body), findings);
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/admm.h"

#include <algorithm>
#include <cmath>

#include "backlash/solvers/proximal_newton.h"
#include "backlash/solvers/sweeping.h"
#include "backlash/solvers/velocity_factors.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// The set that a contact's scaled impulses lie in: ‖y_T‖ ≤ μ y_N + a, y_N ≥ 0 (theory 5.15).
struct Cone {
  Contact contact;
  double friction = 0;  ///< μ of the scaled rows
  double radius = 0;    ///< a of the scaled rows
};

/// Nearest point of the cone, whose slope is not zero, to (N, ‖T‖), in place.
void project_to_cone(const Cone& cone, double& normal, double& tangential) {
  const double mu = cone.friction, a = cone.radius;
  if (tangential <= mu * normal + a && normal >= 0) return;
  const double along = std::max(0.0, (normal + mu * (tangential - a)) / (1 + mu * mu));
  if (along > 0 || tangential > a) {
    if (tangential > mu * normal + a) {
      normal = along;
      tangential = mu * along + a;
      return;
    }
  }
  normal = std::max(0.0, normal);
  tangential = std::min(tangential, mu * normal + a);
}

double tangential_length(const Contact& contact, const VectorMap& v) {
  double sum = 0;
  for (int i = 0; i < contact.tangents; ++i) sum += v[contact.tangent + i] * v[contact.tangent + i];
  return std::sqrt(sum);
}

void project_contact(const Cone& cone, VectorMap& y) {
  const Contact& contact = cone.contact;
  if (contact.bilateral) return;
  double normal = contact.has_normal() ? y[contact.normal] : 0;
  const double length = tangential_length(contact, y);
  double tangential = length;
  if (contact.tangents == 0)
    normal = std::max(0.0, normal);
  else if (!contact.has_normal())
    tangential = std::min(tangential, cone.radius);
  else
    project_to_cone(cone, normal, tangential);
  if (contact.has_normal()) y[contact.normal] = normal;
  if (tangential == length) return;
  for (int i = 0; i < contact.tangents; ++i) y[contact.tangent + i] *= tangential / length;
}

class AlternatingDirections {
 public:
  AlternatingDirections(const ContactProblem& problem, std::span<Contact> contacts, Arena& scratch,
                        Arena::Frame& frame)
      : problem_(problem),
        G_(factor_rows(problem.delassus, frame)),
        cones_(frame.list<Cone>(static_cast<Index>(contacts.size()))),
        scale_(frame.vector(problem.free_velocity.size())),
        x_(frame.vector(scale_.size())),
        y_(frame.vector(scale_.size())),
        z_(frame.vector(scale_.size())),
        c_(frame.vector(scale_.size())),
        last_(frame.vector(scale_.size())),
        response_(frame.vector(G_.velocities)),
        weights_(frame.list<RowWeights>(static_cast<Index>(contacts.size()))),
        factors_(G_, contacts, scratch, frame) {
    scale_rows(contacts);
    c_ = scale_.cwiseProduct(problem.free_velocity);
  }

  double most_entries() const { return factors_.most_entries(); }

  /// Begin at an impulse, with the velocities that belong to it.
  void begin(const VectorMap& impulse, Arena& scratch) {
    for (Index i = 0; i < x_.size(); ++i) x_[i] = scale_[i] == 0 ? 0 : impulse[i] / scale_[i];
    y_ = x_;
    apply(problem_.delassus, impulse, scratch, z_);
    z_ = scale_.cwiseProduct(z_) + c_;
    for (const Cone& cone : cones_) lift(cone, z_);
    if (rho_ == 0) set_rho(0.3 * largest_eigenvalue(scratch));
  }

  /// (5.16); returns ‖x − y‖ and the change of y in the same units, the larger.
  double iterate() {
    last_ = y_;
    x_ = proximal * x_ + rho_ * y_ + z_ - c_;
    for (const Cone& cone : cones_)
      if (cone.contact.has_normal() && cone.contact.tangents > 0)
        x_[cone.contact.normal] -= cone.friction * tangential_length(cone.contact, z_);
    solve(x_);
    y_ = x_ - z_ / rho_;
    for (const Cone& cone : cones_) project_contact(cone, y_);
    z_ += rho_ * (y_ - x_);
    primal_ = (x_ - y_).norm();
    dual_ = rho_ * (y_ - last_).norm();
    return std::max(primal_, dual_);
  }

  /// ρ follows the ratio of the two errors (theory 5.16).
  void adapt() {
    constexpr double apart = 2, factor = 2;
    if (primal_ > apart * dual_) set_rho(rho_ * factor);
    if (dual_ > apart * primal_) set_rho(rho_ / factor);
  }

  void write_impulse(VectorMap& impulse) const { impulse = scale_.cwiseProduct(y_); }

 private:
  static constexpr double proximal = 1e-6;

  void scale_rows(std::span<Contact> contacts) {
    set_r_of_rows(G_, contacts);
    scale_.setZero();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const Contact& contact = contacts[k];
      const double normal = std::sqrt(contact.normal_r), tangent = std::sqrt(contact.tangent_r);
      if (contact.has_normal()) scale_[contact.normal] = normal;
      for (int i = 0; i < contact.tangents; ++i) scale_[contact.tangent + i] = tangent;
      cones_[k].contact = contact;
      weights_[k] = row_weights(contact);
      if (contact.tangents == 0) continue;
      cones_[k].friction = contact.friction * normal / tangent;
      cones_[k].radius = contact.offset / tangent;
    }
  }

  /// S² of a contact's rows.
  static RowWeights row_weights(const Contact& contact) {
    RowWeights weights;
    const auto add_row = [&](Index row, double r) {
      weights.row[weights.rows] = row;
      weights.H[weights.rows][weights.rows] = r;
      ++weights.rows;
    };
    if (contact.has_normal()) add_row(contact.normal, contact.normal_r);
    for (int i = 0; i < contact.tangents; ++i) add_row(contact.tangent + i, contact.tangent_r);
    return weights;
  }

  /// x = (S G S + ρ + η)⁻¹ x (theory 5.17).
  void solve(VectorMap& x) {
    const double tau = rho_ + proximal;
    response_.setZero();
    for (Index i = 0; i < x.size(); ++i)
      if (scale_[i] != 0) G_.scatter(i, scale_[i] * x[i], response_);
    factors_.solve(response_);
    for (Index i = 0; i < x.size(); ++i) x[i] = (x[i] - scale_[i] * G_.gather(i, response_)) / tau;
  }

  /// ξ̃_N = ξ_N + μ‖ξ_T‖ (theory 5.14).
  static void lift(const Cone& cone, VectorMap& z) {
    if (cone.contact.has_normal() && cone.contact.tangents > 0)
      z[cone.contact.normal] += cone.friction * tangential_length(cone.contact, z);
  }

  /// Of S G S, by a few steps of the power method.
  double largest_eigenvalue(Arena& scratch) {
    Arena::Frame frame(scratch);
    VectorMap v = frame.vector(scale_.size()), w = frame.vector(scale_.size());
    for (Index i = 0; i < v.size(); ++i) v[i] = 1 + 0.3 * static_cast<double>(i % 7);
    double value = 1;
    for (int k = 0; k < 10; ++k) {
      v /= v.norm();
      v = scale_.cwiseProduct(v);
      apply(problem_.delassus, v, scratch, w);
      v = scale_.cwiseProduct(w);
      value = v.norm();
      if (!(value > 0)) return 1;
    }
    return value;
  }

  void set_rho(double rho) {
    rho_ = std::clamp(rho, 1e-6, 1e6);
    factors_.factor(rho_ + proximal, weights_);
  }

  const ContactProblem& problem_;
  FactorRows G_;
  std::span<Cone> cones_;
  VectorMap scale_;      ///< S: roots of r; 0 for rows that no contact owns
  VectorMap x_, y_, z_;  ///< impulses over S: of the equations, in the cones; velocities times S
  VectorMap c_, last_;   ///< S c; y of the iteration before
  VectorMap response_;   ///< over velocities
  std::span<RowWeights> weights_;
  VelocityFactors factors_;
  double rho_ = 0, primal_ = 0, dual_ = 0;
};

SolverStatus iterate_admm_rounds(const ContactProblem& problem, int iterations, Arena& scratch,
                                 Judge& judge, ContactSolution& solution) {
  constexpr double most_entries = 1e8;  // of the factors
  constexpr double near_enough = 1e-3;  // relative residual from which Newton's steps are tried,
  constexpr Index always = 100;         // and rows up to which they cost little
  constexpr int between_adaptions = 20, first_polish = 40;
  Arena::Frame frame(scratch);
  VectorMap impulse = frame.vector(solution.impulse.size());
  impulse = solution.impulse;
  clear_frictionless_tangents(problem, impulse);
  if (judge.accepts(impulse)) return SolverStatus::solved;
  const std::span<Contact> contacts = list_contacts(problem, frame);
  AlternatingDirections admm(problem, contacts, scratch, frame);
  if (admm.most_entries() > most_entries) return SolverStatus::too_large;
  admm.begin(impulse, scratch);
  int polish = first_polish;
  for (int k = 1; solution.iterations < iterations; ++k) {
    const double error = admm.iterate();
    ++solution.iterations;
    if (!std::isfinite(error)) break;
    const bool near = error <= judge.absolute_tolerance();
    if (near || k == polish) {
      admm.write_impulse(impulse);
      const bool accepted = judge.accepts(impulse);  // and yet some digits can be won
      if ((impulse.size() <= always || judge.last_residual() <= near_enough * judge.scale()) &&
          polish_by_newton(problem, impulse, iterations, scratch, judge, solution))
        return SolverStatus::solved;
      if (accepted) return SolverStatus::solved;
      if (k == polish) polish += polish / 2;
    }
    if (k % between_adaptions == 0) admm.adapt();
  }
  return SolverStatus::iteration_limit;
}

}  // namespace

bool iterate_admm(const ContactProblem& problem, int iterations, Arena& scratch, Judge& judge,
                  ContactSolution& solution) {
  return iterate_admm_rounds(problem, iterations, scratch, judge, solution) == SolverStatus::solved;
}

void solve_admm(const ContactProblem& problem, const SolverOptions& options, Arena& scratch,
                ContactSolution& solution) {
  Judge judge(problem, options, scratch, solution);
  const SolverStatus status =
      iterate_admm_rounds(problem, options.max_iterations, scratch, judge, solution);
  judge.finish("admm", status);
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/solvers/interior_point.h"

#include <algorithm>
#include <cmath>

#include "backlash/solvers/lorentz_cone.h"
#include "backlash/solvers/proximal_newton.h"
#include "backlash/solvers/sweeping.h"
#include "backlash/solvers/velocity_factors.h"

namespace backlash {
namespace {

using Index = Eigen::Index;

/// A contact with its impulses x and its velocities s (theory 5.19), both inside of the cone
/// x_0 ≥ ‖x_T‖. Component 0: normal, or the given strength of dry friction; 1 and 2: tangents.
struct InnerContact {
  Contact contact;
  double scale[2] = {1, 1};  ///< x = scale Λ, s = ξ/scale: of the normal, and of tangents
  ConePoint x{}, s{};
  ConePoint dx{}, ds{};  ///< the step
  ConePoint error{};     ///< of s beside ξ
  ConePoint target{};    ///< W² dx + ds
  NesterovToddScaling W;
  double H[3][3] = {};  ///< inverse of W² over the rows that the contact has

  bool is_cone() const { return !contact.bilateral; }
  bool has(int i) const { return i == 0 ? contact.has_normal() : i <= contact.tangents; }
  Index row(int i) const { return i == 0 ? contact.normal : contact.tangent + i - 1; }
  double scale_of(int i) const { return scale[i == 0 ? 0 : 1]; }
  double& at(ConePoint& v, int i) const { return v[static_cast<std::size_t>(i)]; }
};

/// x_0 = μ Λ_N and x_T = Λ_T, both over √r_T (theory 5.19).
void set_scales(InnerContact& inner) {
  const Contact& contact = inner.contact;
  inner.scale[0] = inner.scale[1] = 1 / std::sqrt(contact.normal_r);
  if (contact.tangents == 0) return;
  inner.scale[1] = 1 / std::sqrt(contact.tangent_r);
  inner.scale[0] = contact.friction * inner.scale[1];
}

/// Inverse of W² over the contact's rows; of a bilateral row that of a small proximal term.
void invert_scaling(InnerContact& inner) {
  constexpr double proximal_term = 1e-9;
  double determinant = 1;  // of W² over the tangents, for dry friction of given strength
  const NesterovToddScaling& W = inner.W;
  const int tangents = inner.contact.tangents;
  if (!inner.contact.has_normal())
    determinant = tangents == 1 ? W.square(1, 1)
                                : W.square(1, 1) * W.square(2, 2) - W.square(1, 2) * W.square(1, 2);
  const auto inverse = [&](int i, int j) {
    if (!inner.is_cone()) return 1 / proximal_term;
    if (inner.contact.has_normal()) return W.inverse_square(i, j);
    if (tangents == 1) return 1 / determinant;
    return (i == j ? W.square(3 - i, 3 - j) : -W.square(1, 2)) / determinant;
  };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (inner.has(i) && inner.has(j)) inner.H[i][j] = inverse(i, j);
}

/// H of the impulses Λ = x/scale.
void write_row_weights(const InnerContact& inner, RowWeights& weights) {
  weights.rows = 0;
  for (int i = 0; i < 3; ++i) {
    if (!inner.has(i)) continue;
    int column = 0;
    for (int j = 0; j < 3; ++j)
      if (inner.has(j))
        weights.H[weights.rows][column++] = inner.H[i][j] / (inner.scale_of(i) * inner.scale_of(j));
    weights.row[weights.rows++] = inner.row(i);
  }
}

/// W of an iterate, and steps from it.
class InteriorPoint {
 public:
  InteriorPoint(const ContactProblem& problem, std::span<Contact> contacts, Arena& scratch,
                Arena::Frame& frame)
      : problem_(problem),
        G_(factor_rows(problem.delassus, frame)),
        contacts_(frame.list<InnerContact>(static_cast<Index>(contacts.size()))),
        weights_(frame.list<RowWeights>(static_cast<Index>(contacts.size()))),
        impulse_(frame.vector(problem.free_velocity.size())),
        xi_(frame.vector(problem.free_velocity.size())),
        response_(frame.vector(G_.velocities)),
        factors_(G_, contacts, scratch, frame) {
    set_r_of_rows(G_, contacts);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      contacts_[k].contact = contacts[k];
      set_scales(contacts_[k]);
      if (contacts_[k].is_cone()) ++cones_;
    }
    begin();
  }

  double most_entries() const { return factors_.most_entries(); }
  bool has_cones() const { return cones_ > 0; }

  /// Λ that belongs to the iterate, and its velocities. Returns the mean of x · s.
  double evaluate() {
    response_.setZero();
    impulse_.setZero();
    double products = 0;
    for (InnerContact& inner : contacts_) {
      for (int i = 0; i < 3; ++i)
        if (inner.has(i)) impulse_[inner.row(i)] = inner.at(inner.x, i) / inner.scale_of(i);
      if (inner.is_cone()) products += dot(inner.x, inner.s);
    }
    for (Index i = 0; i < impulse_.size(); ++i)
      if (impulse_[i] != 0) G_.scatter(i, impulse_[i], response_);
    for (Index i = 0; i < xi_.size(); ++i)
      xi_[i] = problem_.free_velocity[i] + G_.gather(i, response_);
    for (InnerContact& inner : contacts_) write_error(inner);
    return products / cones_;
  }

  const VectorMap& impulse() const { return impulse_; }

  /// The mean square of the free velocities, in the unit of x · s.
  double free_product() const {
    double squares = 0, rows = 0;
    for (const InnerContact& inner : contacts_)
      for (int i = 0; i < 3; ++i) {
        if (!inner.has(i)) continue;
        const double c = problem_.free_velocity[inner.row(i)] / inner.scale[1];
        squares += c * c;
        ++rows;
      }
    return squares / std::max(1.0, rows);
  }

  /// Mehrotra's step: towards the solution, then corrected by what its products leave and by the
  /// centre (theory 5.22). Returns its length.
  double take_step(double mean_product) {
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      InnerContact& inner = contacts_[k];
      if (inner.is_cone()) inner.W = NesterovToddScaling(inner.x, inner.s);
      invert_scaling(inner);
      write_row_weights(inner, weights_[k]);
      for (std::size_t i = 0; i < 3; ++i) inner.target[i] = inner.is_cone() ? -inner.s[i] : 0;
    }
    factors_.factor(1, weights_);
    solve_step();
    const double length = longest();
    const double left = product_after(length) / mean_product;
    const double centring = std::clamp(left * left * left, 1e-6, 1.0);
    for (InnerContact& inner : contacts_)
      if (inner.is_cone()) correct(centring * mean_product, length > 0.1 ? 1 : 0, inner);
    solve_step();
    const double taken = std::min(1.0, 0.99 * longest());
    for (InnerContact& inner : contacts_)
      for (std::size_t i = 0; i < 3; ++i) {
        inner.x[i] += taken * inner.dx[i];
        inner.s[i] += taken * inner.ds[i];
      }
    return taken;
  }

 private:
  /// On the axes of the cones, far out beside the free velocities: what lies deep in a pile carries
  /// all that is above it, and steps from too near are short.
  void begin() {
    constexpr double distance = 100;
    const double size = distance * std::sqrt(free_product());
    for (InnerContact& inner : contacts_) {
      if (!inner.is_cone()) continue;
      inner.x[0] = inner.s[0] = size;
      if (!inner.contact.has_normal()) inner.x[0] = inner.contact.offset * inner.scale[1];
    }
  }

  /// ξ̃/scale − s, with ξ̃ of the velocities at the iterate (theory 5.14).
  void write_error(InnerContact& inner) const {
    double slip = 0;
    for (int i = 1; i <= inner.contact.tangents; ++i) slip = std::hypot(slip, xi_[inner.row(i)]);
    for (int i = 0; i < 3; ++i) {
      if (!inner.has(i)) continue;
      double xi = xi_[inner.row(i)];
      if (i == 0 && inner.contact.tangents > 0) xi += inner.contact.friction * slip;
      inner.at(inner.error, i) = xi / inner.scale_of(i) - inner.at(inner.s, i);
    }
  }

  /// (G + W²) dx = target − error over the velocities of the bodies, and ds (theory 5.21).
  void solve_step() {
    response_.setZero();
    for (InnerContact& inner : contacts_)
      for (int i = 0; i < 3; ++i)
        if (inner.has(i))
          G_.scatter(inner.row(i), weighted(inner, i) / inner.scale_of(i), response_);
    factors_.solve(response_);
    for (InnerContact& inner : contacts_) {
      for (int i = 0; i < 3; ++i)
        if (inner.has(i))
          inner.at(inner.ds, i) =
              inner.at(inner.error, i) + G_.gather(inner.row(i), response_) / inner.scale_of(i);
      for (int i = 0; i < 3; ++i)
        if (inner.has(i)) inner.at(inner.dx, i) = step_of(inner, i);
      if (inner.is_cone() && !inner.contact.has_normal())
        inner.ds[0] = inner.target[0] - inner.W.square(0, 1) * inner.dx[1] -
                      inner.W.square(0, 2) * inner.dx[2];
    }
  }

  /// H (target − error).
  static double weighted(InnerContact& inner, int i) {
    double sum = 0;
    for (int j = 0; j < 3; ++j)
      if (inner.has(j))
        sum += inner.H[i][j] * (inner.at(inner.target, j) - inner.at(inner.error, j));
    return sum;
  }

  /// dx = H (target − ds).
  static double step_of(InnerContact& inner, int i) {
    double sum = 0;
    for (int j = 0; j < 3; ++j)
      if (inner.has(j)) sum += inner.H[i][j] * (inner.at(inner.target, j) - inner.at(inner.ds, j));
    return sum;
  }

  static void correct(double product, double second_order, InnerContact& inner) {
    const ConePoint scaled = inner.W.times(inner.x);
    const ConePoint own = jordan_product(scaled, scaled);
    const ConePoint steps =
        jordan_product(inner.W.inverse_times(inner.ds), inner.W.times(inner.dx));
    ConePoint rest{};
    for (std::size_t i = 0; i < 3; ++i) rest[i] = -own[i] - second_order * steps[i];
    rest[0] += product;
    inner.target = inner.W.times(jordan_quotient(rest, scaled));
  }

  double longest() const {
    double length = 1;
    for (const InnerContact& inner : contacts_)
      if (inner.is_cone())
        length =
            std::min({length, longest_step(inner.x, inner.dx), longest_step(inner.s, inner.ds)});
    return length;
  }

  double product_after(double length) const {
    double products = 0;
    for (const InnerContact& inner : contacts_) {
      if (!inner.is_cone()) continue;
      products += dot(inner.x, inner.s) + length * length * dot(inner.dx, inner.ds) +
                  length * (dot(inner.dx, inner.s) + dot(inner.x, inner.ds));
    }
    return products / cones_;
  }

  const ContactProblem& problem_;
  FactorRows G_;
  std::span<InnerContact> contacts_;
  std::span<RowWeights> weights_;
  VectorMap impulse_, xi_, response_;
  VelocityFactors factors_;
  double cones_ = 0;
};

/// Normal rows with friction of given strength besides have no cone.
bool all_have_cones(std::span<const Contact> contacts) {
  return std::all_of(contacts.begin(), contacts.end(), [](const Contact& contact) {
    return contact.has_normal() ? contact.offset == 0 : contact.offset > 0;
  });
}

SolverStatus iterate_inside(const ContactProblem& problem, int iterations, Arena& scratch,
                            Judge& judge, ContactSolution& solution) {
  constexpr double most_entries = 1e8;  // of the factors
  constexpr int usual = 150;
  constexpr double first_polish = 1e-2, between = 1e-3, nearest = 1e-16, short_step = 0.1;
  constexpr int patience = 10;  // with short steps
  Arena::Frame frame(scratch);
  const std::span<Contact> contacts = list_contacts(problem, frame);
  if (!all_have_cones(contacts)) return SolverStatus::no_solution;
  InteriorPoint point(problem, contacts, scratch, frame);
  if (point.most_entries() > most_entries) return SolverStatus::too_large;
  if (!point.has_cones()) return SolverStatus::no_solution;
  const double free = point.free_product();
  double product = point.evaluate(), polish = first_polish * free;
  const int most = std::min(iterations, solution.iterations + usual);
  int short_steps = 0;
  while (solution.iterations < most && product > nearest * free && short_steps < patience) {
    const double length = point.take_step(product);
    ++solution.iterations;
    product = point.evaluate();
    if (!std::isfinite(product)) break;
    short_steps = length < short_step ? short_steps + 1 : 0;
    if (product > polish) continue;
    polish = between * product;
    if (judge.accepts(point.impulse()) ||
        polish_by_newton(problem, point.impulse(), iterations, scratch, judge, solution))
      return SolverStatus::solved;
  }
  return SolverStatus::iteration_limit;
}

}  // namespace

bool iterate_interior_point(const ContactProblem& problem, int iterations, Arena& scratch,
                            Judge& judge, ContactSolution& solution) {
  return iterate_inside(problem, iterations, scratch, judge, solution) == SolverStatus::solved;
}

void solve_interior_point(const ContactProblem& problem, const SolverOptions& options,
                          Arena& scratch, ContactSolution& solution) {
  Judge judge(problem, options, scratch, solution);
  SolverStatus status = SolverStatus::solved;
  if (!judge.accepts(solution.impulse))
    status = iterate_inside(problem, options.max_iterations, scratch, judge, solution);
  if (status == SolverStatus::no_solution)  // it has no inside
    iterate_proximal_newton(problem, options.max_iterations, scratch, judge, solution);
  judge.finish("interior-point",
               status == SolverStatus::too_large ? status : SolverStatus::iteration_limit);
}

}  // namespace backlash

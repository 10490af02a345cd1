// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "backlash/check/lints.h"
#include "backlash/check/mobility.h"
#include "backlash/dynamics/assembly/provenance.h"

namespace backlash {
namespace {

constexpr double nearly = 0.02;  ///< of the model's length: a contact so far open may soon close

/// How a contact answers a normal force while it slides.
struct Wedging {
  double G_NN = 0, G_NT = 0;  ///< (theory 8.2) [1/kg]
  double gap = 0;             ///< [m]
  double t = 0;               ///< [s]

  double critical_friction() const { return G_NN / std::abs(G_NT); }
};

/// The worst of one configuration and those before.
void keep_worse(const Wedging& found, std::optional<Wedging>& worst) {
  if (!worst || found.critical_friction() < worst->critical_friction()) worst = found;
}

double friction_of(const ContactInfo& contact) {
  return contact.compliant ? sliding_friction(contact.compliant->friction) : contact.law.friction;
}

std::string describe(const Wedging& w, double friction) {
  const double pushed = w.G_NN - friction * std::abs(w.G_NT);
  return fmt::format(
      "friction can press the contact shut (Painlevé's paradox): with μ = {:.4g}, sliding {} its "
      "tangent, a normal force of 1 N accelerates the gap by {:.4g} m/s² instead of opening it, at "
      "t = {:g} s{}",
      friction, w.G_NT > 0 ? "along" : "against", pushed, w.t,
      w.gap > 0 ? fmt::format(" (then {:.3g} m apart)", w.gap) : "");
}

}  // namespace

void find_painleve(const Model& model, const System& system, const Trial& trial,
                   Findings& findings) {
  const auto& contacts = system.info().contacts;
  std::map<ContactKey, std::optional<Wedging>> worst;
  std::vector<ContactFrame> frames;
  for (const State& state : trial.samples) {
    const Configuration c = configuration(system, state);
    frames.clear();
    system.find_contacts(c, nearly * system.info().length, state.contacts, frames);
    if (frames.empty()) continue;
    const Mobility mobility(system, c);
    if (!mobility.valid()) continue;
    for (const ContactFrame& frame : frames) {
      const ContactInfo& contact = contacts[static_cast<std::size_t>(frame.key.pair)];
      const double friction = friction_of(contact);
      if (contact.tangents != 1 || friction == 0) continue;
      Matrix W = Matrix::Zero(state.u.size(), 2);
      Vector w = Vector::Zero(2);
      system.write_contact_rows(c, frame, W, w);
      const Vector x = mobility.acceleration(W.col(0));
      const Wedging found{
          .G_NN = W.col(0).dot(x), .G_NT = W.col(1).dot(x), .gap = frame.gap, .t = state.t};
      const bool moves = found.G_NN > 1e-9 * W.col(0).dot(mobility.free_acceleration(W.col(0)));
      if (moves && found.critical_friction() <= friction) keep_worse(found, worst[frame.key]);
    }
  }
  for (const auto& [key, wedging] : worst) {
    const ContactInfo& contact = contacts[static_cast<std::size_t>(key.pair)];
    findings.push_back({.severity = wedging->gap > 0 ? Severity::note : Severity::warning,
                        .item = fmt::format("contact '{}'", system.contact_name(key)),
                        .where = location_of(model, contact.origin),
                        .message = describe(*wedging, friction_of(contact)),
                        .advice = fmt::format(
                            "expect impacts without collision and solutions that are not unique; "
                            "friction below {:.4g} is free of it there",
                            wedging->critical_friction())});
  }
}

}  // namespace backlash

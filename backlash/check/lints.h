// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backlash/check/contact_impact.h"
#include "backlash/check/finding.h"
#include "backlash/check/trial.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/model/model.h"

/// The single looks that `check` takes at a model. Each adds what it finds.
namespace backlash {

using Findings = std::vector<Finding>;

/// Parameters and laws that nothing uses.
void find_unused(const Model& model, Findings& findings);

/// Cams whose formula is another at the end of a turn than at its start.
void find_cam_seams(const Model& model, Findings& findings);

/// Cams that no metal can be cut to: the profile that gives the lift would cross itself.
void find_undercut_cams(const Model& model, Findings& findings);

/// Masses and inertias that no body of that size has.
void find_implausible_inertia(const Model& model, Findings& findings);

/// Rows of output within steps, where nothing new is known.
void find_idle_rows(const Model& model, Findings& findings);

/// Gravity and densities that look like other units than they are in.
void find_slipped_units(const Model& model, Findings& findings);

/// Clearances without any play.
void find_absent_play(const Model& model, Findings& findings);

/// Friction of journals without a radius, which brakes nothing.
void find_idle_friction(const Model& model, Findings& findings);

/// Profiles: what they are, and self-intersections, corners, hollows that their partners
/// do not fit into.
void find_profiles(const Model& model, Findings& findings);

/// Degrees of freedom, redundant rows, what assembly moved, bodies that nothing holds.
void report_dofs(const Model& model, const AssemblyReport& assembly, Findings& findings);

/// Contacts that overlap at the start.
void find_overlaps(const Model& model, const System& system, std::span<const ContactFrame> contacts,
                   Findings& findings);

/// What a step should not jump across, and an impact not fill.
struct AvailableTravel {
  double size = INFINITY;  ///< [m] or [rad], as the contact's gap
  const char* what = "";   ///< "the travel between the stops"
};
AvailableTravel available_travel(const Model& model, const Origin& contact);

/// Compliant laws: restitution asked for and delivered, stiffness without unit, impacts that are
/// too deep for the play or too short for the step, formulas that do not push.
void find_compliance(const Model& model, const SystemInfo& info,
                     const std::vector<ContactImpact>& impacts, Findings& findings);

/// Contacts that close so fast that a step jumps across their play, or through the thinner shape.
void find_tunnelling(const Model& model, const System& system, const Trial& trial,
                     Findings& findings);

/// Contacts whose friction can press them shut: Painlevé's paradox (theory 8.2).
void find_painleve(const Model& model, const System& system, const Trial& trial,
                   Findings& findings);

/// How fast the free motion is, beside the step.
struct Stiffness {
  double fastest_rate = 0;      ///< largest |λ| (theory 8.3) [1/s]
  std::string unstable_step{};  ///< "the step … is beyond the stability limit …"; empty: it is not
};

/// A step too long for the fastest mode of the free motion (theory 8.3).
Stiffness find_stiffness(const Model& model, const Assembly& assembly, const Trial& trial,
                         Findings& findings);

}  // namespace backlash

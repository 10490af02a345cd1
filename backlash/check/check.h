// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backlash/check/contact_impact.h"
#include "backlash/check/finding.h"
#include "backlash/check/trial.h"
#include "backlash/dynamics/assembly/assemble.h"
#include "backlash/model/model.h"

/// Looks at a model without running it to its end, for what is wrong or suspicious.
namespace backlash {

struct CheckOptions {
  long trial_steps = 2000;  ///< at most, from the start on, to see speeds and configurations
};

/// What was found.
struct CheckReport {
  Assembly assembly{};                   ///< without a system if the model cannot be assembled
  Assembly attempt{};                    ///< then: with open loops, to look at; or none either
  std::vector<ContactFrame> contacts{};  ///< that are near at the start
  Trial trial{};  ///< the first steps by Moreau's method; compliant contacts are rigid in them
  std::vector<ContactImpact> impacts{};  ///< of the compliant contacts
  double fastest_rate = 0;               ///< largest |λ| of the free motion (theory 8.3) [1/s]
  std::vector<Finding> findings{};       ///< errors first
};

/// Never throws for what is wrong with the model: that is a finding.
CheckReport check(const Model& model, const CheckOptions& options = {});

int count(const CheckReport& report, Severity severity);

}  // namespace backlash

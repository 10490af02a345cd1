// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/planar/contact_parts.h"

#include <fmt/format.h>

#include "backlash/base/input_error.h"

namespace backlash::planar {

void add_contacts(Draft& draft) {
  for (const ContactPair& pair : draft.model.contacts)
    throw InputError(fmt::format("{}: contacts between shapes cannot be run yet; use a clearance",
                                 to_string(pair.where)));
}

}  // namespace backlash::planar

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_contacts.h"

#include <set>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/touch_radii.h"

namespace backlash {

namespace {

/// The candidates of two shapes, which may be several: corners of a box.
std::vector<FeaturePair> candidates(const MechanismBuilder<Plane>& builder, const ContactPair& pair,
                                    const ShapeName& name_A, const ShapeName& name_B) {
  const BodyShape* A = find_shape(builder.model, name_A);
  const BodyShape* B = find_shape(builder.model, name_B);
  try {
    return feature_pairs(A->shape, A->X_BS, B->shape, B->X_BS);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}.{} and {}.{}: {}", to_string(pair.where), name_A.body,
                                 name_A.shape, name_B.body, name_B.shape, error.what()));
  }
}

ContactSetting setting_of(const MechanismBuilder<Plane>& builder, const ShapeContact& contact) {
  const TouchRadii radii = touch_radii(contact.pair);
  return {radii.A, radii.B, reduced_mass(builder, contact.a, contact.b)};
}

}  // namespace

void add_contacts(MechanismBuilder<Plane>& builder) {
  for (const ContactPair& pair : builder.model.contacts) {
    std::vector<ShapeContact> found;
    std::set<std::set<std::string>> seen;  // two shapes of one group meet once, not twice
    for (const ShapeName& A : pair.A)
      for (const ShapeName& B : pair.B) {
        if (A.body == B.body) continue;
        const std::string names[] = {A.body + "." + A.shape, B.body + "." + B.shape};
        if (!seen.insert({names[0], names[1]}).second) continue;
        const int a = builder.tree.find(builder.model, A.body),
                  b = builder.tree.find(builder.model, B.body);
        for (const FeaturePair& candidate : candidates(builder, pair, A, B))
          found.push_back({a, b, candidate, bound_of_A(candidate), bound_of_B(candidate)});
      }
    if (found.empty())
      throw InputError(fmt::format("{}: both sides are the same body", to_string(pair.where)));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string name =
          found.size() == 1 ? pair.name : fmt::format("{}.{}", pair.name, i + 1);
      const ContactInfo info =
          contact_info(builder, name, {pair.law, pair.where}, setting_of(builder, found[i]));
      add_contact(builder, info, found[i], {});
    }
  }
}

void add_contacts(MechanismBuilder<Space>& builder) {
  for (const ContactPair& pair : builder.model.contacts)
    throw InputError(fmt::format("{}: contact '{}': shapes touch in the plane only",
                                 to_string(pair.where), pair.name));
}

}  // namespace backlash

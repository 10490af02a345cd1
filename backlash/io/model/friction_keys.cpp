// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/io/model/friction_keys.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

constexpr Dimension per_length{.m = -1}, slowness{.m = -1, .s = 1};

template <class F>
Key<F> friction_key(std::string name, double F::*member, std::string doc) {
  return required(number_key(std::move(name), member, dim::none, not_negative, std::move(doc)));
}
template <class F>
Key<F> speed_key(std::string name, double F::*member, std::string doc) {
  return required(number_key(std::move(name), member, dim::velocity, positive, std::move(doc)));
}

Keys<Threlfall> keys_of(const Threlfall&) {
  using F = Threlfall;
  return {friction_key("friction", &F::friction, "μ; 0.95 of it is reached"),
          speed_key("speed", &F::speed, "from which on it is constant")};
}

Keys<Ambrosio> keys_of(const Ambrosio&) {
  using F = Ambrosio;
  return {friction_key("friction", &F::friction, "μ"),
          required(number_key("lower_speed", &F::lower_speed, dim::velocity, not_negative,
                              "up to which there is no friction")),
          speed_key("higher_speed", &F::higher_speed, "from which on it is μ")};
}

Keys<BengisuAkay> keys_of(const BengisuAkay&) {
  using F = BengisuAkay;
  return {friction_key("static_friction", &F::static_friction, "μ_s, the most that is reached"),
          friction_key("kinetic_friction", &F::kinetic_friction, "μ_k, of fast sliding"),
          speed_key("speed", &F::speed, "at which μ_s is reached"),
          required(number_key("decay", &F::decay, slowness, not_negative,
                              "how fast μ falls beyond that speed"))};
}

Keys<AdamsStep> keys_of(const AdamsStep&) {
  using F = AdamsStep;
  return {friction_key("static_friction", &F::static_friction, "μ_s"),
          friction_key("kinetic_friction", &F::kinetic_friction, "μ_d, of fast sliding"),
          speed_key("stiction_speed", &F::stiction_speed, "at which μ_s is reached"),
          speed_key("friction_speed", &F::friction_speed, "from which on it is μ_d")};
}

Keys<LuGre> keys_of(const LuGre&) {
  using F = LuGre;
  return {friction_key("static_friction", &F::static_friction, "μ_s"),
          friction_key("kinetic_friction", &F::kinetic_friction, "μ_k"),
          speed_key("stribeck_speed", &F::stribeck_speed, "over which μ falls from μ_s to μ_k"),
          required(number_key("stiffness", &F::stiffness, per_length, positive,
                              "σ_0 of the bristles, for each newton of normal force")),
          fallback("0", number_key("damping", &F::damping, slowness, not_negative,
                                   "σ_1 of the bristles, likewise")),
          fallback("0", number_key("viscosity", &F::viscosity, slowness, not_negative,
                                   "σ_2, likewise"))};
}

struct FrictionType {
  std::string_view name;
  FrictionForce friction;
};

/// All models of friction in the file.
const std::vector<FrictionType>& friction_types() {
  static const std::vector<FrictionType> types{{"threlfall", Threlfall{}},
                                               {"ambrosio", Ambrosio{}},
                                               {"bengisu-akay", BengisuAkay{}},
                                               {"adams-step", AdamsStep{}},
                                               {"lugre", LuGre{}}};
  return types;
}

std::vector<std::string_view> friction_type_names() {
  std::vector<std::string_view> names;
  for (const FrictionType& type : friction_types()) names.push_back(type.name);
  return names;
}

template <class F>
Keys<F> all_keys(const F& friction) {
  Keys<F> keys{
      required(Key<F>{{"model", choice_type(friction_type_names()), "the kind of friction"},
                      [](const Value&, F&) {}})};
  if constexpr (!std::is_same_v<F, Frictionless>) {
    const Keys<F> own = keys_of(friction);
    keys.insert(keys.end(), own.begin(), own.end());
  }
  return keys;
}

}  // namespace

FrictionForce read_friction(const Value& value) {
  const std::optional<Value> model = value.find("model");
  if (!model) value.fail("missing key 'model': a friction needs it (threlfall, lugre, …)");
  const FrictionType& type = friction_types()[model->choice(friction_type_names())];
  FrictionForce result = type.friction;
  std::visit(
      [&](auto& friction) {
        read_mapping(value, all_keys(friction), fmt::format("a friction of model {}", type.name),
                     friction);
      },
      result);
  checked(value, [&] { validate(result, "the friction"); });
  return result;
}

DefinitionInfo friction_definition() {
  DefinitionInfo definition{
      .name = "friction", .doc = "The friction of a compliant law.", .selector = "model"};
  for (const FrictionType& type : friction_types())
    std::visit(
        [&](const auto& friction) {
          definition.variants.push_back(info(std::string(type.name), all_keys(friction)));
        },
        type.friction);
  return definition;
}

}  // namespace backlash::reading

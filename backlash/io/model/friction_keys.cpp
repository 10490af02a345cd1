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

const Keys<FrictionPair>& friction_pair_keys() {
  using F = FrictionPair;
  static const Keys<F> keys{friction_key("static", &F::static_friction, "μ while it sticks"),
                            friction_key("kinetic", &F::friction, "μ while it slides")};
  return keys;
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

FrictionPair read_friction_pair(const Value& value) {
  FrictionPair pair;
  if (!value.is_mapping()) {
    pair.friction = value.number(dim::none, not_negative);
    return pair;
  }
  read_mapping(value, friction_pair_keys(), "a friction", pair);
  checked(value,
          [&] { require_static_friction(pair.static_friction, pair.friction, "the friction"); });
  return pair;
}

ValueType friction_pair_type() {
  return either_type({number_type(dim::none), mapping_type("friction_pair")});
}

DefinitionInfo friction_pair_definition() {
  return {"friction_pair",
          "Friction that is larger while it sticks.",
          {info("friction_pair", friction_pair_keys())}};
}

Keys<JointFriction> joint_friction_keys(const JointKind& kind) {
  using F = JointFriction;
  const bool revolute = coordinate_types(kind).front() == CoordinateType::rotation;
  Keys<F> keys{
      fallback("0", number_key("strength", &F::strength, revolute ? dim::torque : dim::force,
                               not_negative, "what it is without load, sliding or held")),
      number_key("coefficient", &F::friction, dim::none, not_negative,
                 "μ of what the joint carries, sliding or held"),
      number_key("static", &F::static_friction, dim::none, not_negative,
                 "in its place: μ while it sticks, with `kinetic`"),
      number_key("kinetic", &F::friction, dim::none, not_negative, "and μ while it slides")};
  if (revolute)
    keys.push_back(number_key("radius", &F::radius, dim::length, positive,
                              "of the pin, where friction acts; goes with a coefficient"));
  if (std::holds_alternative<Prismatic>(kind))
    keys.push_back(number_key("length", &F::length, dim::length, positive,
                              "of the guide, which carries moments by forces at both of its ends; "
                              "goes with a coefficient"));
  return keys;
}

void read_joint_friction(const Value& value, Joint& joint) {
  constexpr std::string_view either[] = {"coefficient", "static"};
  JointFriction friction;
  const Keys<JointFriction> keys = joint_friction_keys(joint.kind);
  read_mapping(value, keys, "friction", friction);
  require_one_of(value, either, Count::at_most_one);
  const auto has = [&](const char* key) { return value.find(key).has_value(); };
  if (has("static") != has("kinetic"))
    value.fail(fmt::format("'static' and 'kinetic' go together, found '{}' alone",
                           has("static") ? "static" : "kinetic"));
  if (has("static") && friction.static_friction < friction.friction)
    value.find("static")->fail(fmt::format("static must not be below kinetic, {}, is {}",
                                           friction.friction, friction.static_friction));
  if (has("coefficient") && has("kinetic"))
    value.fail("expected one of 'coefficient' and 'kinetic', found both");
  const bool loaded = has("coefficient") || has("static");
  if (!loaded && !has("strength"))
    value.fail(fmt::format("missing key: friction needs 'strength' or 'coefficient', {}",
                           keys.back().name == "kinetic"
                               ? "{coefficient: 0.1}"
                               : fmt::format("{{coefficient: 0.1, {}: 10 mm}}", keys.back().name)));
  for (const char* key : {"radius", "length"})
    if (has(key) && !loaded)
      value.find(key)->fail("goes with a coefficient of friction, and there is none");
  if (loaded && keys.back().name != "kinetic" && !has(keys.back().name.c_str()))
    value.fail(fmt::format("missing key '{}': a coefficient of friction needs it ({})",
                           keys.back().name, keys.back().doc));
  joint.friction = friction;
}

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

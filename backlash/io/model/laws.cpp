// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backlash/base/input_error.h"
#include "backlash/io/model/friction_keys.h"
#include "backlash/io/model/sections.h"
#include "backlash/laws/hysteresis.h"

namespace backlash::reading {
namespace {

namespace dim = dimensions;

// Set-valued laws.

constexpr std::string_view impact_laws[] = {"newton", "poisson", "stronge"};

const Keys<ContactLaw>& set_valued_keys() {
  using L = ContactLaw;
  static const Keys<L> keys{
      fallback("0", number_key("restitution", &L::restitution, dim::none, between(0, 1), "ε_N")),
      fallback("0", number_key("tangential_restitution", &L::tangential_restitution, dim::none,
                               between(0, 1), "ε_T; Newton's law alone")),
      fallback("0", Key<L>{{"friction", friction_pair_type(), "Coulomb's μ"},
                           [](const Value& v, L& law) {
                             const FrictionPair pair = read_friction_pair(v);
                             law.friction = pair.friction;
                             law.static_friction = pair.static_friction;
                           }}),
      fallback("newton", Key<L>{{"impact", choice_type(impact_laws), "whose law of impacts"},
                                [](const Value& v, L& law) {
                                  law.impact = ImpactLaw(v.choice(impact_laws));
                                }}),
  };
  return keys;
}

// Materials.

const Keys<Material>& material_keys() {
  constexpr Dimension pressure{.kg = 1, .m = -1, .s = -2};
  static const Keys<Material> keys{
      required(number_key("E", &Material::elasticity, pressure, positive, "Young's modulus")),
      required(number_key("nu", &Material::poisson, dim::none, between(0, 0.5), "Poisson's ratio")),
  };
  return keys;
}

Material read_material(const Value& value) {
  if (value.is_scalar()) {
    std::vector<std::string> names;
    for (const NamedMaterial& entry : material_table) names.emplace_back(entry.name);
    return *find_material(value.reference(names, "material"));
  }
  Material material;
  read_mapping(value, material_keys(), "a material", material);
  if (value.is_empty()) value.fail("expected the name of a material, or its E and nu");
  return material;
}

ValueType material_type() {
  const ValueType one = either_type({text_type("name of a material"), mapping_type("material")});
  return either_type({one, list_type(one, 2, "a list of two of them")});
}

// Compliant laws.

/// A law while it is read.
struct LawDraft {
  std::string item{};  ///< "law 'steel'"
  CompliantDescription law{};
  bool exponent_is_open = true;            ///< nobody said it, the unit of the stiffness may
  std::optional<FrictionPair> friction{};  ///< if it has no model
  double friction_speed = default_friction_speed;
};
using LawKey = Key<LawDraft>;
using LawKeys = Keys<LawDraft>;

Dimension stiffness_dimension(double exponent) { return dim::force / power(dim::length, exponent); }

LawKey restitution_key(std::string doc) {
  return {{"restitution", number_type(dim::none), std::move(doc)},
          [](const Value& v, LawDraft& draft) {
            draft.law.restitution = v.number(dim::none, between(0, 1));
            const HysteresisRule* rule = find_hysteresis_rule(draft.law.model);
            if (rule != nullptr)
              checked(v, [&] { hysteresis_of(*rule, *draft.law.restitution, draft.item); });
          }};
}

/// The n of N/m^n, if the quantity has such a unit.
std::optional<double> exponent_of(const Value::Quantity& stiffness) {
  if (!stiffness.dimension) return std::nullopt;
  const double exponent = dim::force.m - stiffness.dimension->m;
  const bool fitting = *stiffness.dimension == stiffness_dimension(exponent);
  return fitting && 1 <= exponent && exponent <= 10 ? std::optional(exponent) : std::nullopt;
}

/// A pressure is no stiffness that anybody means, though N/m² has the form of one.
void require_no_pressure(const Value& stiffness, double exponent) {
  if (exponent != 2) return;
  stiffness.fail(fmt::format(
      "{} is a pressure, and as N/m^2 the stiffness of a force that grows as the square of the "
      "depth; expected N/m or N/m^1.5, or the key 'exponent: 2' beside it",
      stiffness.text()));
}

LawKey stiffness_key(std::string phrase, std::string doc = "K") {
  return {{"stiffness", number_type(std::move(phrase)), std::move(doc)},
          [](const Value& v, LawDraft& draft) {
            const Value::Quantity found = v.is_scalar() ? v.quantity() : Value::Quantity{};
            draft.law.stiffness_has_unit = found.measured;
            if (draft.exponent_is_open) {
              draft.law.exponent = exponent_of(found).value_or(draft.law.exponent);
              require_no_pressure(v, draft.law.exponent);
            }
            draft.law.stiffness = v.number(stiffness_dimension(draft.law.exponent), positive);
          }};
}

LawKey exponent_key() {
  return fallback("1.5",
                  LawKey{{"exponent", number_type(dim::none),
                          "n ≥ 1 of the depth; without it: that of the stiffness' unit, N/m^n"},
                         [](const Value& v, LawDraft& draft) {
                           draft.law.exponent = v.number(dim::none, between(1, 10));
                           draft.exponent_is_open = false;
                         }});
}

LawKey material_key() {
  return {{"material", material_type(), "of both bodies or of each: Hertz' stiffness follows"},
          [](const Value& v, LawDraft& draft) {
            if (!v.is_list()) {
              const Material both = read_material(v);
              draft.law.material = {both, both};
              return;
            }
            const std::vector<Value> two = v.items(2, "one or two materials");
            draft.law.material = {read_material(two[0]), read_material(two[1])};
          }};
}

LawKey damping_key(std::string doc) {
  return {{"damping", number_type(dim::damping), std::move(doc)},
          [](const Value& v, LawDraft& draft) {
            draft.law.damping = v.number(dim::damping, not_negative);
          }};
}

LawKey mass_key() {
  return fallback("reduced mass of the two bodies",
                  LawKey{{"mass", number_type(dim::mass),
                          "that collides: the damping follows from it and the restitution"},
                         [](const Value& v, LawDraft& draft) {
                           draft.law.mass = v.number(dim::mass, positive);
                         }});
}

LawKey depth_key() {
  return {
      {"depth", number_type(dim::length), "over which the damping grows from zero"},
      [](const Value& v, LawDraft& draft) { draft.law.depth = v.number(dim::length, positive); }};
}

constexpr Value::Variable depth_and_rates[] = {{force_variables[0], dim::length},
                                               {force_variables[1], dim::velocity},
                                               {force_variables[2], dim::velocity}};

LawKey force_key() {
  return {{"force", number_type("formula of delta, ddelta and ddelta0, force [N]"),
           "the normal force; negative values count as 0"},
          [](const Value& v, LawDraft& draft) {
            for (const Value::Variable& variable : depth_and_rates)
              if (v.names().parameters.contains(variable.name))
                v.fail(
                    fmt::format("'{}' has a meaning in this formula; give the parameter of that "
                                "name another one",
                                variable.name));
            draft.law.force = v.formula(dim::force, depth_and_rates);
            checked(v, [&] { validate(NormalForce(ForceFormula{draft.law.force}), draft.item); });
          }};
}

/// A number, or a mapping without a model of its own.
bool is_pair(const Value& friction) {
  return !friction.is_mapping() ||
         (find_entry(friction.node(), "model") == nullptr &&
          (find_entry(friction.node(), "static") || find_entry(friction.node(), "kinetic")));
}

LawKeys friction_keys_of_law() {
  return {fallback("0", LawKey{{"friction",
                                either_type({friction_pair_type(), mapping_type("friction")}),
                                "Coulomb's μ, regularised; or another friction"},
                               [](const Value& v, LawDraft& draft) {
                                 if (is_pair(v))
                                   draft.friction = read_friction_pair(v);
                                 else
                                   draft.law.friction = read_friction(v);
                               }}),
          fallback("1 mm/s", number_key("friction_speed", &LawDraft::friction_speed, dim::velocity,
                                        positive, "at which friction is μ, without `model`"))};
}

LawKey slowest_entry_key() {
  return fallback("0.1 mm/s", LawKey{{"slowest_entry", number_type(dim::velocity),
                                      "contacts that begin more slowly count as this fast"},
                                     [](const Value& v, LawDraft& draft) {
                                       draft.law.slowest_entry = v.number(dim::velocity, positive);
                                     }});
}

LawKeys hysteretic_keys() {
  return {required(restitution_key("that is asked for; `check` says what is delivered")),
          exponent_key(), stiffness_key("stiffness [N/m^n]", "K; or a material in its place"),
          material_key(), slowest_entry_key()};
}

LawKeys hertz_keys() {
  LawKeys keys = hysteretic_keys();
  keys[0] = fallback("1", restitution_key("1: nothing is lost"));
  return keys;
}

LawKeys kelvin_voigt_keys() {
  return {required(stiffness_key("stiffness [N/m]")),
          damping_key("c; or a restitution in its place"),
          restitution_key("of a contact that may pull; Anagnostopoulos' damping"), mass_key()};
}

LawKeys anagnostopoulos_keys() {
  return {required(stiffness_key("stiffness [N/m]")),
          required(restitution_key("of a contact that may pull")), mass_key()};
}

LawKeys impact_keys() {
  return {exponent_key(), required(stiffness_key("stiffness [N/m^n]")),
          fallback("0", damping_key("c at full depth")), required(depth_key())};
}

LawKeys formula_keys() { return {required(force_key()), slowest_entry_key()}; }

struct LawType {
  std::string_view model;
  LawKeys (*keys)();
};

/// All models of compliant law in the file.
std::vector<LawType> law_types() {
  std::vector<LawType> types;
  for (const HysteresisRule& rule : hysteresis_rules)
    types.push_back({rule.name, rule.lowest == 1 ? hertz_keys : hysteretic_keys});
  types.push_back({kelvin_voigt_model, kelvin_voigt_keys});
  types.push_back({anagnostopoulos_model, anagnostopoulos_keys});
  types.push_back({impact_model, impact_keys});
  types.push_back({formula_model, formula_keys});
  return types;
}

LawKeys all_keys(const LawType& type) {
  const std::vector<std::string_view> names = compliant_models();
  LawKeys keys{required(LawKey{{"model", choice_type(names), "the kind of compliant law"},
                               [](const Value&, LawDraft&) {}})};
  for (const LawKeys& part : {type.keys(), friction_keys_of_law()})
    keys.insert(keys.end(), part.begin(), part.end());
  return keys;
}

/// What must stand beside what, beyond single keys.
void check_together(const Value& value, const CompliantDescription& law) {
  constexpr std::string_view stiffness[] = {"stiffness", "material"};
  constexpr std::string_view damping[] = {"damping", "restitution"};
  if (law.model == kelvin_voigt_model) require_one_of(value, damping, Count::exactly_one);
  if (find_hysteresis_rule(law.model) != nullptr)
    require_one_of(value, stiffness, Count::exactly_one);
  const std::optional<Value> friction = value.find("friction");
  const std::optional<Value> speed = value.find("friction_speed");
  if (speed && (!friction || !is_pair(*friction)))
    speed->fail("goes with a friction that is a number, or static and kinetic ones");
}

CompliantDescription read_compliant(const Value& value, const Value& model,
                                    const std::string& name) {
  const std::vector<std::string_view> names = compliant_models();
  const LawType type = law_types()[model.choice(names)];
  LawDraft draft{.item = fmt::format("law '{}'", name)};
  draft.law.model = type.model;
  if (type.keys == kelvin_voigt_keys || type.keys == anagnostopoulos_keys) {
    draft.law.exponent = 1;
    draft.exponent_is_open = false;
  }
  read_mapping(value, all_keys(type), fmt::format("a law of model {}", type.model), draft);
  check_together(value, draft.law);
  if (draft.friction)
    draft.law.friction = regularised_friction(draft.friction->friction, draft.friction_speed,
                                              draft.friction->static_friction);
  checked(value, [&] { validate(draft.law, draft.item); });
  return draft.law;
}

/// Keys that only compliant laws have show what was meant.
void check_model_is_given(const Value& value) {
  if (!value.is_mapping()) return;
  for (const char* key : {"stiffness", "material", "force"})
    if (const YamlEntry* entry = find_entry(value.node(), key))
      value.fail(*entry, fmt::format("a law with '{}' is compliant and needs 'model' ({}, …)", key,
                                     hysteresis_rules.back().name));
}

}  // namespace

void read_laws(const Value& value) {
  read_items(value, "law", [&](const Value& item, const std::string& name) {
    NamedLaw law{.name = name, .where = item.where()};
    const std::optional<Value> model = item.is_mapping() ? item.find("model") : std::nullopt;
    if (model) {
      law.law = read_compliant(item, *model, name);
    } else {
      ContactLaw set_valued;
      check_model_is_given(item);
      read_mapping(item, set_valued_keys(), "a law", set_valued);
      checked(item, [&] { validate(set_valued, fmt::format("law '{}'", name)); });
      law.law = set_valued;
    }
    value.context().model.laws.push_back(std::move(law));
  });
}

std::vector<DefinitionInfo> law_definitions() {
  DefinitionInfo law{
      .name = "law",
      .doc =
          "What happens between two shapes that touch: a set-valued law, or with a `model` a "
          "force.",
      .selector = "model",
      .otherwise = "set-valued"};
  law.variants.push_back(info("set-valued", set_valued_keys()));
  const std::vector<LawType> types = law_types();
  for (std::size_t i = 0; i < types.size(); ++i)
    if (i > 0 && types[i].keys == types[i - 1].keys)
      law.variants.back().also.emplace_back(types[i].model);
    else
      law.variants.push_back(info(std::string(types[i].model), all_keys(types[i])));
  std::vector<DefinitionInfo> list{
      law, {"material", "A material that has no name here.", {info("material", material_keys())}}};
  list.push_back(friction_pair_definition());
  list.push_back(friction_definition());
  return list;
}

}  // namespace backlash::reading

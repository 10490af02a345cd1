// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/build_contacts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/geometry/touch_radii.h"

namespace backlash {
namespace {

/// All shapes that contacts name, each once.
class ShapeList {
 public:
  explicit ShapeList(const MechanismBuilder<Plane>& builder) : builder_(builder) {
    bodies_[std::string(ground_name)] = {&builder.model.ground, -1};
    for (std::size_t i = 0; i < builder.model.bodies.size(); ++i)
      bodies_[builder.model.bodies[i].name] = {&builder.model.bodies[i], builder.tree.body_of[i]};
  }

  int find_or_add(const ContactPair& pair, const ShapeName& name) {
    const auto [known, is_new] =
        numbers_.try_emplace({name.body, name.shape}, static_cast<int>(shapes_.size()));
    if (!is_new) return known->second;
    const auto body = bodies_.find(name.body);
    const BodyShape* shape = nullptr;
    if (body != bodies_.end())
      for (const BodyShape& own : body->second.body->shapes)
        if (own.name == name.shape) shape = &own;
    if (shape == nullptr)
      throw InputError(pair.where, fmt::format("contact '{}': shape '{}.{}' does not exist",
                                               pair.name, name.body, name.shape));
    auto features =
        std::make_shared<const ShapeFeatures>(shape_features(shape->shape, shape->X_BS));
    const ShapeBound bound = features->bound;
    shapes_.push_back({.body = body->second.index,
                       .features = std::move(features),
                       .bound = bound,
                       .body_name = name.body,
                       .name = name.shape});
    kinds_.push_back(kind_name(shape->shape));
    return known->second;
  }

  std::vector<int> find_or_add(const ContactPair& pair, const std::vector<ShapeName>& names) {
    std::vector<int> found;
    std::vector<bool> known;
    for (const ShapeName& name : names) {
      const int shape = find_or_add(pair, name);
      known.resize(std::max(known.size(), at(shape + 1)));
      if (!known[at(shape)]) found.push_back(shape);
      known[at(shape)] = true;
    }
    return found;
  }

  const ContactShape& operator[](int i) const { return shapes_[at(i)]; }
  std::string_view kind(int i) const { return kinds_[at(i)]; }
  double reduced_mass(int i, int k) const {
    return backlash::reduced_mass(builder_, shapes_[at(i)].body, shapes_[at(k)].body);
  }
  std::vector<ContactShape> take() { return std::move(shapes_); }
  const std::vector<ContactShape>& all() const { return shapes_; }

 private:
  struct Place {
    const Body* body = nullptr;
    int index = -1;
  };
  const MechanismBuilder<Plane>& builder_;
  std::map<std::string, Place> bodies_{};
  std::map<std::pair<std::string, std::string>, int> numbers_{};
  std::vector<ContactShape> shapes_{};
  std::vector<std::string_view> kinds_{};
};

/// What of two shapes decides how many candidates they have, and which laws these: shapes of which
/// this is equal are of one class.
std::vector<double> characteristics(const ContactShape& shape, int number) {
  const ShapeFeatures& f = *shape.features;
  std::vector<double> found{static_cast<double>(f.corners.size())};
  if (!f.corners.empty()) found.push_back(f.corners[0].radius);
  const auto add = [&]<class T>(const T& outline) {
    if constexpr (std::is_same_v<T, Cam>) found.push_back(number);  // each cam is its own
    const auto add_radius = [&](const auto& piece) {
      found.push_back(touch_radius(piece).value_or(0));
    };
    if constexpr (InPieces<T>) {
      found.push_back(piece_count(outline));
      add_radius(piece_of(outline, 0));
    } else {
      add_radius(outline);
    }
  };
  for (const SharedOutline& outline : {f.outline, f.faces}) {
    found.push_back(outline ? static_cast<double>(outline->index()) : -1);
    if (outline) std::visit(add, *outline);
  }
  return found;
}

/// Makes the group of one entry of the model, with its laws.
class GroupBuilder {
 public:
  GroupBuilder(MechanismBuilder<Plane>& builder, const ContactPair& pair, ShapeList& shapes)
      : builder_(builder), pair_(pair), shapes_(shapes) {
    group_.name = pair.name;
    group_.item = builder.find_switch(Origin::Kind::contact_pair, pair.name);
    group_.A = shapes.find_or_add(pair, pair.A);
    group_.B = shapes.find_or_add(pair, pair.B);
    group_.first_pair = static_cast<int>(builder.info.contacts.size());
    const NamedLaw* law = find_law(builder.model, pair.law);
    if (law != nullptr) compliant_ = std::get_if<CompliantDescription>(&law->law);
  }

  ShapeGroup build() {
    classify();
    const std::vector<Membership> members = memberships(group_);
    for (const Membership& p : members)
      for (const Membership* q = &p + 1; q != members.data() + members.size(); ++q) {
        const ShapePair found = meeting(p, *q);
        if (found.a >= 0 && shapes_[p.shape].body != shapes_[q->shape].body) add(found);
      }
    if (numbers_.empty())
      throw InputError(pair_.where,
                       fmt::format("contact '{}': both sides are the same body", pair_.name));
    if (numbers_.size() <= 1) group_.class_A = group_.class_B = group_.first_law = group_.laws = {};
    return std::move(group_);
  }

 private:
  /// What is known of two classes.
  struct Known {
    bool looked_at = false;
    int candidates = 0;
  };

  void classify() {
    std::map<std::vector<double>, int> classes;
    const auto class_of = [&](int shape) {
      std::vector<double> found = characteristics(shapes_[shape], shape);
      if (compliant_ != nullptr && depends_on_mass(*compliant_))
        found.push_back(shapes_.reduced_mass(shape, shape));
      return classes.try_emplace(std::move(found), static_cast<int>(classes.size())).first->second;
    };
    for (const int shape : group_.A) group_.class_A.push_back(class_of(shape));
    for (const int shape : group_.B) group_.class_B.push_back(class_of(shape));
    group_.classes = static_cast<int>(classes.size());
    known_.resize(classes.size() * classes.size());
    if (compliant_ != nullptr) group_.first_law.resize(known_.size(), -1);
  }

  void add(const ShapePair& pair) {
    const std::size_t classes =
        at(group_.class_A[at(pair.a)] * group_.classes + group_.class_B[at(pair.b)]);
    Known& known = known_[classes];
    if (!known.looked_at) look_at(pair, classes, known);
    if (compliant_ == nullptr) {
      builder_.info.contacts.back().candidates += known.candidates;
      return;
    }
    for (int k = 0; k < known.candidates; ++k) {
      const int law = group_.laws[at(group_.first_law[classes] + k)];
      ++builder_.info.contacts[at(group_.first_pair + law)].candidates;
    }
  }

  void look_at(const ShapePair& pair, std::size_t classes, Known& known) {
    const int a = group_.A[at(pair.a)], b = group_.B[at(pair.b)];
    const Candidates all = candidates(*shapes_[a].features, *shapes_[b].features);
    if (!all.refusal.empty())
      throw InputError(pair_.where,
                       fmt::format("{}.{} and {}.{}: {}", shapes_[a].body_name, shapes_[a].name,
                                   shapes_[b].body_name, shapes_[b].name,
                                   refusal_message(shapes_.kind(a), shapes_.kind(b), all)));
    builder_.info.curves = builder_.info.curves || profile_touch(all) != nullptr;
    known = {true, all.count()};
    if (compliant_ != nullptr) group_.first_law[classes] = static_cast<int>(group_.laws.size());
    for (int k = 0; k < all.count(); ++k) {
      const int law = law_of(all, k, a, b);
      if (compliant_ != nullptr) group_.laws.push_back(law);
    }
  }

  /// The number of the law of a candidate; a new one if there is none with the same numbers.
  int law_of(const Candidates& all, int k, int a, int b) {
    ContactSetting setting;
    if (compliant_ != nullptr) {
      const TouchRadii radii = touch_radii(all, k);
      if (depends_on_radii(*compliant_)) setting = {radii.A, radii.B};
      if (depends_on_mass(*compliant_)) setting.mass = shapes_.reduced_mass(a, b);
    }
    const auto numbers = std::tuple(setting.radius_A, setting.radius_B, setting.mass);
    const auto [law, is_new] = numbers_.try_emplace(numbers, static_cast<int>(numbers_.size()));
    if (is_new) {
      const std::string name =
          all.count() == 1 ? pair_.name : fmt::format("{}.{}", pair_.name, k + 1);
      ContactInfo info =
          contact_info(builder_, name, {pair_.name, Origin::Kind::contact_pair, law->second},
                       {pair_.law, pair_.where}, setting);
      info.name =
          law->second == 0 ? pair_.name : fmt::format("{}.law{}", pair_.name, law->second + 1);
      info.candidates = 0;
      builder_.info.contacts.push_back(std::move(info));
    }
    return law->second;
  }

  MechanismBuilder<Plane>& builder_;
  const ContactPair& pair_;
  ShapeList& shapes_;
  const CompliantDescription* compliant_ = nullptr;
  ShapeGroup group_{};
  std::vector<Known> known_{};  ///< of each pair of classes
  std::map<std::tuple<std::optional<double>, std::optional<double>, double>, int> numbers_{};
};

/// Half the size of a usual shape: neighbours are nearer, what lies behind them is not.
double usual_distance(const std::vector<ContactShape>& shapes) {
  std::vector<double> radii;
  for (const ContactShape& shape : shapes)
    if (shape.bound.finite() && shape.bound.radius > 0) radii.push_back(shape.bound.radius);
  if (radii.empty()) return INFINITY;
  const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return 0.5 * *middle;
}

}  // namespace

void add_contacts(MechanismBuilder<Plane>& builder) {
  constexpr long many = 1000;
  ShapeList shapes(builder);
  std::vector<ShapeGroup> groups;
  for (const ContactPair& pair : builder.model.contacts)
    groups.push_back(GroupBuilder(builder, pair, shapes).build());
  if (candidates(builder.info) > many) builder.info.reach = usual_distance(shapes.all());
  builder.parts.shapes = PlanarShapes(shapes.take(), std::move(groups));
  builder.info.passable = builder.parts.shapes.least_passing_depth() < INFINITY;
}

void add_contacts(MechanismBuilder<Space>& builder) {
  for (const ContactPair& pair : builder.model.contacts)
    throw InputError(fmt::format("{}: contact '{}': shapes touch in the plane only",
                                 to_string(pair.where), pair.name));
}

}  // namespace backlash

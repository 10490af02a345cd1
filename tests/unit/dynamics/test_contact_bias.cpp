// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "backlash/dynamics/elements/contact_element.h"
#include "support/random_trees.h"

namespace backlash::test {
namespace {

/// Two bodies that fly by each other, near enough to touch, in many ways.
struct Flight {
  explicit Flight(unsigned seed) : random(seed, 1), tree(bodies()) {
    std::uniform_real_distribution<double> in(-1, 1);
    q = Vector::NullaryExpr(6, [&] { return in(random.engine); });
    u = Vector::NullaryExpr(6, [&] { return 2 * in(random.engine); });
  }
  TreeState<Plane> after(double dt) const { return {tree, q + dt * u, u}; }

  static std::vector<TreeBody<Plane>> bodies() {
    TreeBody<Plane> body;
    body.joint = free_joint<Plane>();
    body.mass = body.inertia = 1;
    return {body, body};
  }

  RandomTree<Plane> random;
  Tree<Plane> tree;
  Vector q, u;
};

/// Compares the bias of a contact with differences of its rates, where it lasts; how often it did.
int compare(const ContactKind<Plane>& contact, const Flight& flight) {
  const double h = 1e-5;
  const auto rates_at = [&](double dt) {
    const TreeState<Plane> state = flight.after(dt);
    const auto at = touch<Plane>(contact, state.motion());
    if (!at) return std::optional<RowRates>();
    return std::optional(rates<Plane>(contact, *at, state.motion()));
  };
  const TreeState<Plane> now = flight.after(0);
  const auto at = touch<Plane>(contact, now.motion());
  if (!at || !std::isfinite(at->gap)) return 0;  // profiles may be too deep
  const RowRates middle = rates<Plane>(contact, *at, now.motion());
  const auto before = rates_at(-h), after = rates_at(h);
  if (!before || !after) return 0;
  const RowRates bias = rate_biases<Plane>(contact, *at, now.motion());
  for (std::size_t i = 0; i < 2; ++i) {
    const double left = (middle[i] - (*before)[i]) / h, right = ((*after)[i] - middle[i]) / h;
    if (!(std::abs(right - left) <= 1e-2 * (1 + std::abs(left))))
      return 0;  // another feature, or near a pole
    const double slope = 0.5 * (left + right);
    EXPECT_NEAR(bias[i], slope, 1e-5 * (1 + std::abs(slope)) + std::abs(right - left))
        << "row " << i;
  }
  return 1;
}

/// In how many of many flights it could be compared.
template <class Make>
int compare_many(Make make) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Flight flight(seed);
    for (const ContactKind<Plane>& contact : make(flight)) compared += compare(contact, flight);
  }
  return compared;
}

TEST(ContactBias, OfAJournalInItsBearingIsTheRateOfItsRates) {
  EXPECT_GT(compare_many([](Flight& f) {
              return std::vector<ContactKind<Plane>>{
                  JournalInBearing{0, 1, f.random.vec(), f.random.vec(), 0.1, 0.4}};
            }),
            30);
}

TEST(ContactBias, OfASliderInItsGuideIsTheRateOfItsRates) {
  EXPECT_GT(compare_many([](Flight& f) {
              CornerInGuide corner{.a = 0, .b = 1, .p_AP = f.random.vec()};
              corner.half_width = 0.3;
              corner.side = -1;
              corner.p_BC = f.random.vec();
              GuideEndOnSlider end{.a = 1, .b = 0, .p_AE = f.random.vec(), .p_BQ = f.random.vec()};
              end.half_length = 5;
              end.half_width = 0.2;
              return std::vector<ContactKind<Plane>>{corner, end};
            }),
            60);
}

/// All candidates of two shapes.
auto pair_of(const Shape& A, const Shape& B) {
  return [pairs = feature_pairs(A, planar_pose({0.1, 0.2}, 0.3), B, {})](Flight&) {
    std::vector<ContactKind<Plane>> contacts;
    for (const FeaturePair& pair : pairs)
      contacts.push_back(ShapeContact{0, 1, pair.A.get(), pair.B.get(), pair.candidate});
    return contacts;
  };
}

TEST(ContactBias, OfShapesIsTheRateOfTheirRates) {
  const Circle disk{{0.1, 0}, 0.3};
  const Shape cam = CamProfile{.base = 0.5, .function = 0.0};
  const std::pair<Shape, Shape> pairs[] = {{disk, Line{}},
                                           {disk, Circle{{0, 0.2}, 0.4}},
                                           {Circle{{0.1, 0}, 0.2}, Ring{{0, 0}, 2}},
                                           {Point{{0.3, 0.1}}, disk},
                                           {box(0.6, 0.4), Line{}},
                                           {box(0.6, 0.4), disk},
                                           {disk, Segment{{-1, 0}, {1, 0}}},
                                           {disk, cam},
                                           {Line{}, cam}};
  for (const auto& [A, B] : pairs) {
    SCOPED_TRACE(std::string(kind_name(A)) + " on " + std::string(kind_name(B)));
    EXPECT_GT(compare_many(pair_of(A, B)), 10);
    EXPECT_GT(compare_many(pair_of(B, A)), 10);
  }
}

TEST(ContactBias, OfCamsFollowsTheirCurvature) {
  constexpr std::string_view variables[] = {"phi"};
  const Expression lift = parse_expression("0.1*cos(2*phi)", variables);
  for (const CamFunction meaning : {CamFunction::radius, CamFunction::flat, CamFunction::roller}) {
    CamProfile cam{.base = 0.9, .function = lift, .meaning = meaning};
    if (meaning == CamFunction::roller) cam.roller_radius = 0.2;
    SCOPED_TRACE(static_cast<int>(meaning));
    EXPECT_GT(compare_many(pair_of(Circle{{0.1, 0}, 0.2}, cam)), 10);
    EXPECT_GT(compare_many(pair_of(Line{}, cam)), 10);
  }
}

TEST(ContactBias, OfProfilesFollowsTheirCurvature) {
  const NurbsProfile egg{{.points = {{0.85, 0},
                                     {0.55, 0.45},
                                     {0, 0.55},
                                     {-0.45, 0.45},
                                     {-0.6, 0},
                                     {-0.45, -0.45},
                                     {0, -0.55},
                                     {0.55, -0.45}},
                          .weights = {2, 1, 1, 1, 1, 1, 1, 1},
                          .ends = SplineEnds::periodic}};
  const NurbsProfile bean{{.points = {{0.9, 0.1},
                                      {0.7, 0.8},
                                      {0.2, 0.2},
                                      {-0.2, 0.2},
                                      {-0.7, 0.8},
                                      {-0.9, 0.1},
                                      {-0.5, -0.6},
                                      {0.5, -0.6}},
                           .ends = SplineEnds::periodic}};
  const NurbsProfile open{{.points = {{-1, 0}, {-0.3, 0.5}, {0.4, -0.6}, {1, 0.2}}}};
  const Shape others[] = {egg,
                          bean,
                          open,
                          Circle{{0.1, 0}, 0.2},
                          Line{},
                          box(0.6, 0.4),
                          Point{{0.3, 0.1}},
                          Ring{{0, 0}, 3}};
  for (const Shape& other : others) {
    SCOPED_TRACE(kind_name(other));
    EXPECT_GT(compare_many(pair_of(egg, other)), 10);
    EXPECT_GT(compare_many(pair_of(other, bean)), 10);
  }
}

TEST(ContactBias, OfALimitIsThatOfItsCoordinate) {
  EXPECT_GT(compare_many([](Flight& f) {
              Coordinate<Plane> distance{.kind = Coordinate<Plane>::Kind::distance, .a = 0, .b = 1};
              distance.p_AP = f.random.vec();
              distance.p_BQ = f.random.vec();
              return std::vector<ContactKind<Plane>>{Stop<Plane>{distance, 0.2, -1}};
            }),
            30);
}

}  // namespace
}  // namespace backlash::test

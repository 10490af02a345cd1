// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/elements/planar_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "backlash/geometry/passing_depth.h"

namespace backlash {
namespace {

constexpr std::size_t few_pairs = 64;  ///< of shapes: looked at one by one
constexpr std::size_t few_shapes = 4;  ///< on one side: each is compared with all of the other

// Feature of a key: shape of A, shape of B, candidate.
constexpr int shape_bits = 19, candidate_bits = 25;

std::int64_t encoded(const ShapePair& pair, int candidate) {
  return (std::int64_t{pair.a} << (shape_bits + candidate_bits)) |
         (std::int64_t{pair.b} << candidate_bits) | candidate;
}
ShapePair pair_in(std::int64_t feature) {
  constexpr std::int64_t mask = (std::int64_t{1} << shape_bits) - 1;
  return {static_cast<int>(feature >> (shape_bits + candidate_bits)),
          static_cast<int>((feature >> candidate_bits) & mask)};
}
int candidate_in(std::int64_t feature) {
  return static_cast<int>(feature & ((std::int64_t{1} << candidate_bits) - 1));
}

bool is_on(const ShapeGroup& group, const Configuration& c) {
  return group.item < 0 || c.switches[group.item] != 0;
}

BlockList blocks_of_two(int a, int b) {
  BlockList blocks = no_blocks;
  blocks[0] = a >= 0 ? a : b >= 0 ? b : 0;  // between bodies that cannot move: any
  if (b >= 0 && b != blocks[0]) blocks[1] = b;
  return blocks;
}

/// The box around a shape in the world.
Box2 world_box(const ShapeBound& bound, const Pose2& X) {
  const PlainVec2 centre = X.point(PlainVec2(bound.centre));
  const double c = std::abs(X.c), s = std::abs(X.s);
  const double x = std::min(c * bound.half.x() + s * bound.half.y(), bound.radius);
  const double y = std::min(s * bound.half.x() + c * bound.half.y(), bound.radius);
  return {{centre.x() - x, centre.y() - y}, {centre.x() + x, centre.y() + y}};
}

/// (theory 7.18)
bool far_apart(const ContactShape& A, const ContactShape& B, const Motion<Plane>& motion,
               double reach) {
  if (!A.bound.finite() || !B.bound.finite()) return false;
  const PlainVec2 d = motion.pose(B.body).point(PlainVec2(B.bound.centre)) -
                      motion.pose(A.body).point(PlainVec2(A.bound.centre));
  const double radii = A.bound.radius + B.bound.radius;
  const double far = std::max(1.1 * radii, radii + reach);
  return d.squaredNorm() > far * far;
}

/// Whether the box is farther out of the half-plane than the reach.
bool far_out(const ShapeBound& half_plane, const Pose2& X, const Box2& box, double reach) {
  const PlainVec2 n = X.direction(PlainVec2(half_plane.normal));
  const PlainVec2 p = X.point(PlainVec2(half_plane.centre));
  const double x = n.x() > 0 ? box.low[0] : box.high[0];  // of the corner that is deepest
  const double y = n.y() > 0 ? box.low[1] : box.high[1];
  return n.dot(PlainVec2(x, y) - p) > reach;
}

}  // namespace

int ShapeGroup::pair_of(int a, int b, int candidate) const {
  if (class_A.empty()) return first_pair;
  const int classes_of_two = class_A[at(a)] * classes + class_B[at(b)];
  return first_pair + laws[at(first_law[at(classes_of_two)] + candidate)];
}

std::vector<Membership> memberships(const ShapeGroup& group) {
  std::vector<Membership> members;
  std::map<int, std::size_t> places;
  for (std::size_t a = 0; a < group.A.size(); ++a) {
    places[group.A[a]] = members.size();
    members.push_back({.shape = group.A[a], .a = static_cast<int>(a)});
  }
  for (std::size_t b = 0; b < group.B.size(); ++b) {
    const auto [place, is_new] = places.try_emplace(group.B[b], members.size());
    if (is_new) members.push_back({.shape = group.B[b]});
    members[place->second].b = static_cast<int>(b);
  }
  return members;
}

ShapePair meeting(const Membership& p, const Membership& q) {
  const bool forwards = p.a >= 0 && q.b >= 0, backwards = q.a >= 0 && p.b >= 0;
  if (forwards && (!backwards || p.a < q.a)) return {p.a, q.b};
  return backwards ? ShapePair{q.a, p.b} : ShapePair{};
}

/// What a search needs and writes to.
struct PlanarShapes::Search {
  const Configuration& c;
  const Motion<Plane>& motion;
  double reach;
  std::span<const ContactRecord> remembered;
  std::vector<ContactFrame>* frames = nullptr;

  double far() const { return std::max(reach, 0.0); }  // boxes know nothing of overlap
};

PlanarShapes::PlanarShapes(std::vector<ContactShape> shapes, std::vector<ShapeGroup> groups)
    : shapes_(std::move(shapes)) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const int laws = groups[i].laws.empty() ? 1 : 1 + std::ranges::max(groups[i].laws);
    group_of_pair_.insert(group_of_pair_.end(), at(laws), static_cast<int>(i));
    groups_.push_back({.group = std::move(groups[i])});
    prepare(groups_.back());
    least_depth_ = std::min(least_depth_, least_depth_of(groups_.back()));
  }
}

/// Lists the pairs of a group of few; or says which shapes are compared with all others: those that
/// have no box, and the few of one side.
void PlanarShapes::prepare(PreparedGroup& prepared) const {
  const ShapeGroup& group = prepared.group;
  std::vector<Membership> members = memberships(group);
  std::vector<ShapePair> pairs;
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t k = i + 1; k < members.size(); ++k) {
      const ShapePair pair = meeting(members[i], members[k]);
      if (pair.a < 0 || shape(members[i].shape).body == shape(members[k].shape).body) continue;
      ++prepared.pairs;
      if (pairs.size() <= few_pairs) pairs.push_back(pair);
    }
  if (pairs.size() <= few_pairs) {
    std::ranges::sort(pairs, {}, [](const ShapePair& pair) { return encoded(pair, 0); });
    for (const ShapePair& pair : pairs)
      prepared.few.push_back(
          {pair, candidates(*shape_A(group, pair.a).features, *shape_B(group, pair.b).features)});
    return;
  }
  const bool few_A = group.A.size() <= few_shapes, few_B = group.B.size() <= few_shapes;
  const auto alone_ones = std::ranges::stable_partition(members, [&](const Membership& m) {
    const bool alone = (few_A && m.a >= 0) || (few_B && m.b >= 0);
    return !alone && shape(m.shape).bound.finite();
  });
  prepared.first_alone = static_cast<std::size_t>(alone_ones.begin() - members.begin());
  prepared.members = std::move(members);
  prepared.sweeps = !few_A && !few_B;
}

void PlanarShapes::set_blocks(std::span<const int> block_of_body) {
  for (ContactShape& own : shapes_)
    own.block = own.body < 0 ? -1 : block_of_body[static_cast<std::size_t>(own.body)];
}

std::vector<int> PlanarShapes::blocks(int pair) const {
  const ShapeGroup& group = group_of(pair).group;
  std::vector<int> blocks;
  for (const std::vector<int>* side : {&group.A, &group.B})
    for (const int i : *side)
      if (shape(i).block >= 0) blocks.push_back(shape(i).block);
  if (blocks.empty()) blocks.push_back(0);  // between bodies that cannot move
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

const PlanarShapes::PreparedGroup& PlanarShapes::group_of(int pair) const {
  return groups_[at(group_of_pair_[at(pair - groups_.front().group.first_pair)])];
}
const ContactShape& PlanarShapes::shape_A(const ShapeGroup& group, int a) const {
  return shape(group.A[at(a)]);
}
const ContactShape& PlanarShapes::shape_B(const ShapeGroup& group, int b) const {
  return shape(group.B[at(b)]);
}

ShapeContact PlanarShapes::contact(const ContactKey& key) const {
  const ShapeGroup& group = group_of(key.pair).group;
  const ShapePair pair = pair_in(key.feature);
  const ContactShape &A = shape_A(group, pair.a), &B = shape_B(group, pair.b);
  return {A.body, B.body, A.features.get(), B.features.get(), candidate_in(key.feature)};
}

BlockList PlanarShapes::blocks(const ContactKey& key) const {
  const ShapeGroup& group = group_of(key.pair).group;
  const ShapePair pair = pair_in(key.feature);
  return blocks_of_two(shape_A(group, pair.a).block, shape_B(group, pair.b).block);
}

/// The body, and the shape if the side has others of the same body.
std::string PlanarShapes::label(const std::vector<int>& side, int i) const {
  const ContactShape& own = shape(side[at(i)]);
  const auto of_body = [&](int other) { return shape(other).body_name == own.body_name; };
  return std::ranges::count_if(side, of_body) == 1 ? own.body_name
                                                   : fmt::format("{}.{}", own.body_name, own.name);
}

std::string PlanarShapes::name(const ContactKey& key) const {
  const PreparedGroup& prepared = group_of(key.pair);
  const ShapeGroup& group = prepared.group;
  const ShapePair pair = pair_in(key.feature);
  const ShapeFeatures &A = *shape_A(group, pair.a).features, &B = *shape_B(group, pair.b).features;
  const Candidates all = candidates(A, B);
  const int candidate = candidate_in(key.feature);
  const CandidatePlace place = place_of(all, candidate, A, B);
  const bool corners = all.count() > 1 && place.corner >= 0;
  const auto side = [&](Role role) {
    const bool is_A = role == Role::A;
    std::string own = is_A ? label(group.A, pair.a) : label(group.B, pair.b);
    if (corners && place.side == role && (is_A ? A : B).corners.size() > 1)
      return fmt::format("{}.corner{}", own, place.corner + 1);
    const bool alone = corners && (is_A ? group.A : group.B).size() == 1;
    return prepared.pairs > 1 && !alone ? own : std::string();
  };
  const std::string on_A = side(Role::A), on_B = side(Role::B);
  std::string name = group.name;
  if (!on_A.empty() || !on_B.empty())
    name += fmt::format(".{}{}{}", on_A, on_A.empty() || on_B.empty() ? "" : "-", on_B);
  if (all.count() > 1 && place.corner < 0) name += fmt::format(".{}", candidate + 1);
  if (place.on_end)
    name += ".end";
  else if (place.piece >= 0)
    name += ".face";
  return place.piece < 0 ? name : name + std::to_string(place.piece + 1);
}

double PlanarShapes::least_depth_of(const PreparedGroup& prepared) const {
  double least = INFINITY;
  for (const ListedPair& listed : prepared.few)
    least = std::min(least, backlash::least_passing_depth(listed.candidates));
  for (const Membership& member : prepared.members)
    least = std::min(least, passing_depth_with_any(*shape(member.shape).features));
  return least;
}

double PlanarShapes::greatest_speed(const Motion<Plane>& motion, double size) const {
  double greatest = 0;
  for (const ContactShape& own : shapes_) {
    if (own.body < 0) continue;
    const Vec2 p_W = motion.pose(own.body).point(own.bound.centre);
    const double radius = own.bound.finite() ? own.bound.radius : size;
    greatest = std::max(greatest, motion.velocity(own.body, p_W).norm() +
                                      radius * std::abs(motion.angular_velocity(own.body)));
  }
  return greatest;
}

/// What moves is where the smaller shape is.
PassingLimit PlanarShapes::passing_limit(const ContactFrame& frame, const Motion<Plane>& motion,
                                         double size) const {
  const ShapeGroup& group = group_of(frame.key.pair).group;
  const ShapePair pair = pair_in(frame.key.feature);
  const ContactShape &A = shape_A(group, pair.a), &B = shape_B(group, pair.b);
  const bool A_is_smaller = A.bound.radius < B.bound.radius;
  const ContactShape &smaller = A_is_smaller ? A : B, &larger = A_is_smaller ? B : A;
  const double radius = smaller.bound.finite() ? smaller.bound.radius : size;
  const Vec2 p_W = motion.pose(smaller.body).point(smaller.bound.centre);
  const double w = motion.angular_velocity(smaller.body),
               w_larger = motion.angular_velocity(larger.body);
  const Vec2 v_W = motion.velocity(smaller.body, p_W) - motion.velocity(larger.body, p_W);
  const PassingDepth own =
      passing_depth(candidates(*A.features, *B.features), candidate_in(frame.key.feature));
  PassingLimit limit{.depth = own.depth,
                     .may_jump = own.may_jump,
                     .size = smaller.bound.finite() ? 2 * smaller.bound.radius : INFINITY,
                     .speed = v_W.norm() + radius * std::abs(w - w_larger),
                     .angular = std::abs(w) + std::abs(w_larger)};
  if (!bulges(*A.features) || !bulges(*B.features)) return limit;
  const Vec2 closest_W = (A_is_smaller ? frame.p_WA : frame.p_WB).head<2>();
  limit.turning = std::abs(w - w_larger) * ((closest_W - p_W).norm() + radius);
  limit.bend = motion.acceleration(smaller.body, p_W).norm() +
               motion.acceleration(larger.body, p_W).norm() +
               (w * w + w_larger * w_larger) * radius + 2 * std::abs(w_larger) * limit.speed;
  return limit;
}

void PlanarShapes::find(const Configuration& c, const Motion<Plane>& motion, double reach,
                        std::span<const ContactRecord> remembered,
                        std::vector<ContactFrame>& frames) const {
  const Search search{c, motion, reach, remembered, &frames};
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (!is_on(groups_[i].group, c)) continue;
    const std::size_t first = frames.size();
    if (groups_[i].members.empty()) {
      find_few(groups_[i], search);
    } else {
      if (c.search.orders.size() < groups_.size()) begin_search(c.search);
      find_many(groups_[i], c.search.orders[i], search);
    }
    if (groups_[i].group.laws.empty()) continue;
    const std::span<ContactFrame> found = std::span(frames).subspan(first);
    const auto key = [](const ContactFrame& frame) { return frame.key; };
    if (!std::ranges::is_sorted(found, {}, key)) std::ranges::sort(found, {}, key);
  }
}

void PlanarShapes::find_entry(const Configuration& c, const Motion<Plane>& motion, int group,
                              std::vector<ContactFrame>& frames) const {
  const Search search{c, motion, INFINITY, {}, &frames};
  const PreparedGroup& prepared = groups_[static_cast<std::size_t>(group)];
  if (c.search.orders.size() < groups_.size()) begin_search(c.search);
  if (prepared.members.empty())
    find_few(prepared, search);
  else
    find_many(prepared, c.search.orders[static_cast<std::size_t>(group)], search);
}

int PlanarShapes::entry_of(int pair) const {
  return group_of_pair_[static_cast<std::size_t>(pair - groups_.front().group.first_pair)];
}

/// Makes room, so that searches hardly ever allocate later on.
void PlanarShapes::begin_search(ContactSearch& memory) const {
  memory.orders.resize(groups_.size());
  memory.boxes.reserve(8 * shapes_.size());
  memory.pairs.reserve(8 * shapes_.size());
}

void PlanarShapes::find_few(const PreparedGroup& prepared, const Search& search) const {
  const ShapeGroup& group = prepared.group;
  for (const ListedPair& listed : prepared.few) {
    const ContactShape &A = shape_A(group, listed.pair.a), &B = shape_B(group, listed.pair.b);
    if (!far_apart(A, B, search.motion, search.far()))
      look_at(group, listed.pair, listed.candidates, search);
  }
}

/// Pairs of members whose boxes overlap.
void PlanarShapes::find_near_boxes(const PreparedGroup& prepared, SweepOrder& order,
                                   const Search& search) const {
  const std::vector<Membership>& members = prepared.members;
  std::vector<BoxPair>& found = search.c.search.boxes;
  found.clear();
  Arena::Frame frame(search.c.scratch);
  const std::span<Box2> boxes = frame.room<Box2>(static_cast<Eigen::Index>(members.size()));
  for (std::size_t i = 0; i < members.size(); ++i) {
    const ContactShape& own = shape(members[i].shape);
    boxes[i] = world_box(own.bound, search.motion.pose(own.body));
  }
  if (prepared.sweeps) sweep(boxes.first(prepared.first_alone), search.far(), order, found);
  for (std::size_t i = prepared.first_alone; i < members.size(); ++i) {
    const ContactShape& own = shape(members[i].shape);
    const Pose2 X = search.motion.pose(own.body);
    const auto far = [&](const Box2& other) {
      return own.bound.half_plane() ? far_out(own.bound, X, other, search.far())
                                    : far_apart(boxes[i], other, search.far());
    };
    for (std::size_t k = 0; k < i; ++k)
      if (!far(boxes[k])) found.push_back({static_cast<int>(k), static_cast<int>(i)});
  }
}

void PlanarShapes::find_many(const PreparedGroup& prepared, SweepOrder& order,
                             const Search& search) const {
  ContactSearch& memory = search.c.search;
  find_near_boxes(prepared, order, search);
  memory.pairs.clear();
  for (const BoxPair& boxes : memory.boxes) {
    const Membership &p = prepared.members[at(boxes.first)],
                     &q = prepared.members[at(boxes.second)];
    const ShapePair pair = meeting(p, q);
    const ContactShape &P = shape(p.shape), &Q = shape(q.shape);
    if (pair.a >= 0 && P.body != Q.body && !far_apart(P, Q, search.motion, search.far()))
      memory.pairs.push_back(encoded(pair, 0));
  }
  std::ranges::sort(memory.pairs);
  const ShapeGroup& group = prepared.group;
  for (const std::int64_t code : memory.pairs) {
    const ShapePair pair = pair_in(code);
    look_at(group, pair,
            candidates(*shape_A(group, pair.a).features, *shape_B(group, pair.b).features), search);
  }
}

/// Of profiles: they are followed from the last search, and keep the names that are remembered.
std::size_t PlanarShapes::find_near_places(const ShapeGroup& group, const ShapePair& pair,
                                           const Candidates& all, const Search& search,
                                           std::span<NearCandidate> near) const {
  constexpr std::size_t most = 32;
  std::array<KnownPlace, most> known;
  std::size_t count = 0;
  for (const ContactRecord& record : search.remembered) {
    if (record.key.pair < group.first_pair ||
        encoded(pair_in(record.key.feature), 0) != encoded(pair, 0))
      continue;
    if (record.parameters[0] == not_located) continue;
    const int place = candidate_in(record.key.feature);
    if (place < all.count() && record.key.pair == group.pair_of(pair.a, pair.b, place) &&
        count < most)
      known[count++] = {place, {record.parameters[0], record.parameters[1]}};
  }
  ProfileMemory& memory = search.c.search.profiles[{group.first_pair, encoded(pair, 0)}];
  const ContactShape &A = shape_A(group, pair.a), &B = shape_B(group, pair.b);
  return find_near(all, search.motion.pose(A.body), search.motion.pose(B.body), search.reach,
                   {std::span(known).first(count), memory}, near);
}

bool PlanarShapes::find_one(const Configuration& c, const Motion<Plane>& motion,
                            const ContactKey& key, std::span<const ContactRecord> remembered,
                            ContactFrame& frame) const {
  const ShapeGroup& group = group_of(key.pair).group;
  if (!is_on(group, c)) return false;
  const ShapeContact contact = this->contact(key);
  const Candidates all = candidates(*contact.A, *contact.B);
  const ShapePair pair = pair_in(key.feature);
  const auto make_frame = [&](const ClosestPoints& closest) {
    frame = contact_frame<Plane>(key, kinematics_of(closest), blocks(key));
    return true;
  };
  if (!profile_touch(all))
    return make_frame(
        closest_points(all, contact.candidate, motion.pose(contact.a), motion.pose(contact.b)));
  Arena::Frame room(c.scratch);
  const std::span<NearCandidate> near = room.room<NearCandidate>(all.count());
  const double size =
      std::min(shape_A(group, pair.a).bound.radius, shape_B(group, pair.b).bound.radius);
  for (const double reach : {1e-3 * size, double{INFINITY}}) {  // mostly it is near
    const Search search{c, motion, reach, remembered};
    const std::size_t count = find_near_places(group, pair, all, search, near);
    for (const NearCandidate& found : near.first(count))
      if (found.candidate == contact.candidate) return make_frame(found.closest);
  }
  return false;
}

void PlanarShapes::look_at(const ShapeGroup& group, const ShapePair& pair, const Candidates& all,
                           const Search& search) const {
  const ContactShape &A = shape_A(group, pair.a), &B = shape_B(group, pair.b);
  Arena::Frame frame(search.c.scratch);
  const std::span<NearCandidate> near = frame.room<NearCandidate>(all.count());
  const std::size_t count = profile_touch(all)
                                ? find_near_places(group, pair, all, search, near)
                                : find_near(all, search.motion.pose(A.body),
                                            search.motion.pose(B.body), search.reach, near);
  for (const NearCandidate& found : near.first(count))
    search.frames->push_back(contact_frame<Plane>(
        {group.pair_of(pair.a, pair.b, found.candidate), encoded(pair, found.candidate)},
        kinematics_of(found.closest), blocks_of_two(A.block, B.block)));
}

}  // namespace backlash

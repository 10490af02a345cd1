// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/dynamics/assembly/contact_guesses.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backlash/base/input_error.h"

namespace backlash {
namespace {

/// The curves of the two sides; none where a side is no profile.
using Curves = std::array<std::optional<NurbsCurve<2>>, 2>;

[[noreturn]] void refuse(const ContactPair& pair, const std::string& what) {
  throw InputError(pair.where, fmt::format("contact '{}': {}", pair.name, what));
}

Curves curves_of(const Model& model, const ContactPair& pair) {
  if (pair.A.size() != 1 || pair.B.size() != 1)
    refuse(pair, "a guess is for one shape on each side; give each pair its own contact");
  Curves curves;
  for (std::size_t side = 0; side < 2; ++side) {
    const BodyShape* shape = find_shape(model, side == 0 ? pair.A[0] : pair.B[0]);
    const auto* profile = shape ? std::get_if<NurbsProfile>(&shape->shape) : nullptr;
    if (profile) curves[side].emplace(profile->curve, pair.name);
  }
  if (!curves[0] && !curves[1])
    refuse(pair, "a guess says where on a profile the closest points are, and neither side is one");
  return curves;
}

/// How far two places are apart, as a part of the curves.
double distance(const Curves& curves, const std::array<double, 2>& guess,
                const std::array<double, 4>& found) {
  double most = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!curves[side]) continue;
    const NurbsCurve<2>& curve = *curves[side];
    double part = std::abs(guess[side] - found[side]) / (curve.last() - curve.first());
    if (curve.closed()) part = std::abs(part - std::round(part));
    most = std::max(most, part);
  }
  return most;
}

ContactRecord record_of(const Model& model, const ContactPair& pair,
                        std::span<const ContactFrame> frames) {
  constexpr double near = 0.1;  // as far as the closest points are followed, too
  const Curves curves = curves_of(model, pair);
  const ContactFrame* best = nullptr;
  std::vector<std::string> places;
  for (const ContactFrame& frame : frames) {
    const auto apart = [&](const ContactFrame& f) {
      return distance(curves, *pair.guess, f.parameters);
    };
    if (!best || apart(frame) < apart(*best)) best = &frame;
    places.push_back(fmt::format("[{:.4g}, {:.4g}] ({:.4g} m apart)", frame.parameters[0],
                                 frame.parameters[1], frame.gap));
  }
  if (!best || distance(curves, *pair.guess, best->parameters) > near)
    refuse(pair, fmt::format("there are no closest points near the guess [{:.4g}, {:.4g}] at the "
                             "start; {}",
                             (*pair.guess)[0], (*pair.guess)[1],
                             places.empty() ? "the profiles are too far apart, or too deep"
                                            : fmt::format("there are {}; leave the guess out to "
                                                          "have them found",
                                                          fmt::join(places, ", "))));
  return {.key = best->key, .parameters = best->parameters};
}

}  // namespace

void follow_guesses(const Model& model, const System& system, State& start) {
  std::vector<ContactFrame> all;
  for (const ContactPair& pair : model.contacts) {
    if (!pair.guess) continue;
    if (all.empty()) system.find_contacts(configuration(system, start), INFINITY, {}, all);
    std::vector<ContactFrame> frames;
    for (const ContactFrame& frame : all) {
      const Origin& origin = system.info().contacts[at(frame.key.pair)].origin;
      if (origin.kind == Origin::Kind::contact_pair && origin.item == pair.name)
        frames.push_back(frame);
    }
    const ContactRecord record = record_of(model, pair, frames);
    if (find_record(start.contacts, record.key)) continue;
    start.contacts.push_back(record);
    std::ranges::sort(start.contacts, {}, &ContactRecord::key);
  }
}

}  // namespace backlash

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "backlash/geometry/nurbs/bezier_pieces.h"

/// Where the line from a point to a curve in the plane is normal to the curve: all roots of a
/// polynomial in Bernstein form, with certainty (theory 11.30).
namespace backlash::nurbs {

/// Ranges of t ∈ [0, 1] of one piece, in ascending order, in which the polynomial is zero to
/// rounding: of no width where the root is single, else several roots or all of an arc around the
/// point.
struct PieceFeet {
  static constexpr std::size_t most = 3 * max_degree + 3;
  std::array<Interval, most> ranges;
  std::size_t count = 0;
  double at_start = 0, at_end = 0;  ///< of the polynomial

  /// Those that touch the last one are one with it.
  void add(const Interval& range);
};
PieceFeet normal_feet(const PieceView<1>& piece, const Vec2& p);

/// The parameters of a foot; `last` of one that goes across the seam is beyond the domain.
struct CurveFoot {
  double first, last;

  double middle() const { return 0.5 * (first + last); }
};

/// Whether it is one root of the polynomial; and where, by Newton's method to rounding. Else the
/// middle.
bool is_single(const BezierPieces<2, 1>& pieces, const CurveFoot& foot);
double settled(const BezierPieces<2, 1>& pieces, const CurveFoot& foot, const Vec2& p);

/// Whether the line from p is normal to the curve at u: at a corner, u is that of the piece which
/// begins there.
bool is_foot(const BezierPieces<2, 1>& pieces, double u, const Vec2& p);

/// Whether a foot is an arc around the point rather than one place: longer than a hundredth of the
/// curve's size.
bool is_stretch(const BezierPieces<2, 1>& pieces, const CurveFoot& foot);
/// Whether it is all of a closed curve: a circle.
bool is_whole(const BezierPieces<2, 1>& pieces, const CurveFoot& foot);
/// Whether the distance from p has a minimum there, seen from beside it: where its second
/// derivative cannot say.
bool is_lowest_around(const BezierPieces<2, 1>& pieces, const CurveFoot& foot, const Vec2& p);

/// Joins feet that go on in the next piece, or across the seam of a closed curve, and hands them
/// on.
template <class Use>
class JoinedFeet {
 public:
  JoinedFeet(const BezierPieces<2, 1>::Axis& axis, Use& use)
      : axis_(axis), same_(1e-12 * axis.period()), use_(use) {}

  void add(const CurveFoot& foot) {
    if (has_last_ && foot.first <= last_.last + same_) {
      last_.last = foot.last;
      return;
    }
    if (has_last_ && axis_.closed && last_.first <= axis_.first() + same_) {
      head_ = last_;
      has_head_ = true;
    } else if (has_last_) {
      use_(last_);
    }
    last_ = foot;
    has_last_ = true;
  }

  void finish() {
    if (has_head_ && last_.last >= axis_.last() - same_)
      last_.last += head_.last - head_.first;
    else if (has_head_)
      use_(head_);
    if (has_last_) use_(last_);
  }

 private:
  const BezierPieces<2, 1>::Axis& axis_;
  double same_;
  Use& use_;
  CurveFoot head_{}, last_{};  ///< the first, at the seam, and the one that may go on
  bool has_head_ = false, has_last_ = false;
};

/// Calls use(CurveFoot) for each foot of p on a curve, but for pieces that are farther away than
/// `reach`, which may become less meanwhile. Where the distance falls until a knot and rises behind
/// it there is one at the knot, whatever the tangents do in their last digits.
template <class Use>
void for_each_foot(const BezierPieces<2, 1>& pieces, const Vec2& p, const double& reach, Use use) {
  const auto& axis = pieces.axis(0);
  JoinedFeet<Use> joined(axis, use);
  double at_seam = 0, before = 0;  // the polynomial at the start of the first, the end of the last
  for (int i = 0; i < pieces.count(); ++i) {
    if ((pieces.centre(i) - p).norm() - pieces.radius(i) > reach) {
      before = 0;
      continue;
    }
    const PieceFeet feet = normal_feet(pieces.piece(i), p);
    const double knot = axis.breaks[at(i)];
    if (before < 0 && feet.at_start > 0) joined.add({knot, knot});
    for (std::size_t k = 0; k < feet.count; ++k)
      joined.add({pieces.parameters(i, {feet.ranges[k].lower})[0],
                  pieces.parameters(i, {feet.ranges[k].upper})[0]});
    before = feet.at_end;
    if (i == 0) at_seam = feet.at_start;
  }
  if (axis.closed && before < 0 && at_seam > 0) joined.add({axis.last(), axis.last()});
  joined.finish();
}

}  // namespace backlash::nurbs

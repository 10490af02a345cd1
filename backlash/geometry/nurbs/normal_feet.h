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

/// Calls use(CurveFoot) for each foot of p on a curve, but for pieces that are farther away than
/// `reach`, which may become less meanwhile.
template <class Use>
void for_each_foot(const BezierPieces<2, 1>& pieces, const Vec2& p, const double& reach, Use use) {
  const auto& axis = pieces.axis(0);
  const double same = 1e-12 * axis.period();
  CurveFoot head{}, last{};  // the first at the seam, and the one that may go on in the next piece
  bool has_head = false, has_last = false;
  for (int i = 0; i < pieces.count(); ++i) {
    if ((pieces.centre(i) - p).norm() - pieces.radius(i) > reach) continue;
    const PieceFeet feet = normal_feet(pieces.piece(i), p);
    for (std::size_t k = 0; k < feet.count; ++k) {
      const CurveFoot foot{pieces.parameters(i, {feet.ranges[k].lower})[0],
                           pieces.parameters(i, {feet.ranges[k].upper})[0]};
      if (has_last && foot.first <= last.last + same) {
        last.last = foot.last;
        continue;
      }
      const bool at_seam = has_last && axis.closed && last.first <= axis.first() + same;
      if (at_seam) head = last;
      has_head = has_head || at_seam;
      if (has_last && !at_seam) use(last);
      last = foot;
      has_last = true;
    }
  }
  if (has_head && last.last >= axis.last() - same) {
    last.last += head.last - head.first;
    has_head = false;
  }
  if (has_head) use(head);
  if (has_last) use(last);
}

}  // namespace backlash::nurbs

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
#include "backlash/study/snapshots.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backlash/base/input_error.h"
#include "backlash/draw/drawing.h"
#include "backlash/io/results/scene_at.h"
#include "backlash/scene/exaggerate.h"

namespace backlash {
namespace {

constexpr double space = 12, caption = 22;  ///< around a picture, and for its time [px]

/// Wide mechanisms below each other, high ones beside each other.
int columns_for(std::size_t pictures, double aspect, const SnapshotOptions& options) {
  if (options.columns > 0) return options.columns;
  const int usual = aspect > 5 ? 1 : aspect > 2.2 ? 2 : aspect > 1 ? 3 : 4;
  return std::min(static_cast<int>(pictures), usual);
}

}  // namespace

std::string snapshots_svg(const Results& results, const std::vector<double>& times,
                          const SnapshotOptions& options) {
  const Scene& scene = results.run.scene;
  if (scene.bodies.empty())
    throw InputError(
        "these results hold no scene of the mechanism to draw: results.h5 of a model has one, CSV "
        "files do not");
  std::vector<SceneState> states;
  drawing::Box box;
  for (const double t : times) {
    states.push_back(exaggerated(scene, scene_at(results, t), options.exaggeration));
    const drawing::Box own = scene_extent(scene, states.back());
    box.include(own.low);
    box.include(own.high);
  }
  const double aspect = std::clamp(box.size().x() / std::max(box.size().y(), 1e-12), 0.4, 6.0);
  const int columns = columns_for(times.size(), aspect, options);
  const double width = (options.width - space * (columns + 1)) / columns, height = width / aspect;
  Svg svg;
  double top = space;
  if (!options.title.empty())
    svg.text({space, top += 16}, options.title,
             {.colour = "#222222", .size = 15, .weight = "bold"});
  if (!options.title.empty()) top += space;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
    const Vec2 corner(space + column * (width + space), top + row * (height + caption + space));
    const drawing::View view(box, corner, {width, height});
    svg.begin_clip(corner, {width, height});
    draw_scene(scene, states[i], DrawingDetail::plain, view, svg);
    svg.end_clip();
    svg.text(corner + Vec2(width / 2, height + 16), fmt::format("t = {:g} s", states[i].t),
             {.colour = "#222222", .size = 13, .anchor = "middle"});
  }
  const auto rows = (static_cast<int>(states.size()) + columns - 1) / columns;
  return svg.finish(options.width, top + rows * (height + caption + space),
                    options.title.empty() ? "snapshots" : options.title);
}

}  // namespace backlash

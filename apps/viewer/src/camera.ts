// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Scene } from "./data";
import { Moment, Motion, Point, toWorld } from "./motion";

export interface Box { low: Point; high: Point }

/** From the world [m] to the canvas [px]. */
export class Camera {
  centre: Point = [0, 0];
  scale = 1;            // [px/m]
  width = 1;
  height = 1;

  px(p: Point): Point {
    return [this.width / 2 + (p[0] - this.centre[0]) * this.scale,
            this.height / 2 - (p[1] - this.centre[1]) * this.scale];
  }
  world(px: Point): Point {
    return [this.centre[0] + (px[0] - this.width / 2) / this.scale,
            this.centre[1] - (px[1] - this.height / 2) / this.scale];
  }
  /** A direction of the world in the canvas. */
  direction(d: Point): Point {
    const n = Math.hypot(d[0], d[1]) || 1;
    return [d[0] / n, -d[1] / n];
  }
  fit(box: Box) {
    const w = Math.max(box.high[0] - box.low[0], 1e-9), h = Math.max(box.high[1] - box.low[1], 1e-9);
    const above = 26, below = 52;   // the scale bars stand below
    this.scale = Math.min((this.width - 2 * above) / w, (this.height - above - below) / h);
    this.centre = [(box.low[0] + box.high[0]) / 2,
                   (box.low[1] + box.high[1]) / 2 - (below - above) / 2 / this.scale];
  }
  zoom(factor: number, at: Point) {
    const fixed = this.world(at);
    this.scale = Math.min(1e9, Math.max(1e-6, this.scale * factor));
    const now = this.world(at);
    this.centre = [this.centre[0] + fixed[0] - now[0], this.centre[1] + fixed[1] - now[1]];
  }
  pan(dx: number, dy: number) {
    this.centre = [this.centre[0] - dx / this.scale, this.centre[1] + dy / this.scale];
  }
}

function include(box: Box, p: Point) {
  if (!Number.isFinite(p[0]) || !Number.isFinite(p[1])) return;
  box.low = [Math.min(box.low[0], p[0]), Math.min(box.low[1], p[1])];
  box.high = [Math.max(box.high[0], p[0]), Math.max(box.high[1], p[1])];
}

function includeMoment(scene: Scene, moment: Moment, box: Box) {
  scene.bodies.forEach((body, i) => include(box, toWorld(moment.pose(i), body.com)));
  for (const o of scene.outlines) {
    if (o.kind === "half_plane") continue;
    const pose = moment.pose(o.body);
    for (const p of o.points) {
      const r = o.kind === "arc" ? o.radius! : 0, [x, y] = toWorld(pose, p);
      include(box, [x - r, y - r]);
      include(box, [x + r, y + r]);
    }
  }
  for (const j of scene.joints) {
    if (!j.p || !j.q) continue;
    const r = j.clearance?.kind === "journal" ? j.clearance.radius! + j.clearance.gap : 0;
    for (const point of [j.p, j.q]) {
      const [x, y] = moment.world(point);
      include(box, [x - r, y - r]);
      include(box, [x + r, y + r]);
    }
  }
  for (const mark of scene.marks) include(box, moment.world(mark.at));
  for (const f of scene.forces)
    if (f.shape === "spring" || f.shape === "damper") {
      include(box, moment.world(f.p));
      include(box, moment.world(f.q));
    }
}

/** All places that the mechanism comes to; not those of bodies that fly far away. */
export function extent(motion: Motion): Box {
  const scene = motion.scene, times = motion.frames.times;
  const box: Box = { low: [Infinity, Infinity], high: [-Infinity, -Infinity] };
  const first: Box = { low: [Infinity, Infinity], high: [-Infinity, -Infinity] };
  includeMoment(scene, motion.at(times[0]), first);
  const count = Math.min(times.length, 240);
  for (let i = 0; i < count; ++i)
    includeMoment(scene, motion.at(times[Math.floor((i * (times.length - 1)) / Math.max(1, count - 1))]), box);
  const size = Math.max(first.high[0] - first.low[0], first.high[1] - first.low[1], 1e-9);
  const centre: Point = [(first.low[0] + first.high[0]) / 2, (first.low[1] + first.high[1]) / 2];
  for (const k of [0, 1] as const) {
    box.low[k] = Math.max(box.low[k], centre[k] - 6 * size);
    box.high[k] = Math.min(box.high[k], centre[k] + 6 * size);
  }
  for (const o of scene.outlines)
    if (o.kind === "half_plane" && o.body < 0) {
      const c: Point = [(box.low[0] + box.high[0]) / 2, (box.low[1] + box.high[1]) / 2];
      const p = o.points[0], n = o.normal!, d = n[0] * (c[0] - p[0]) + n[1] * (c[1] - p[1]);
      include(box, [c[0] - d * n[0], c[1] - d * n[1]]);
    }
  return box;
}

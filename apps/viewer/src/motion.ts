// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Frames, Scene, ScenePoint, rowAt } from "./data";

/** Where a body is, seen along z: (x, y) = p + R (x, y, z) of the body. */
export interface Pose { x: number; y: number; r: [number, number, number, number, number, number] }
export type Point = [number, number];

export const ground: Pose = { x: 0, y: 0, r: [1, 0, 0, 0, 1, 0] };

export function planarPose(x: number, y: number, angle: number): Pose {
  const c = Math.cos(angle), s = Math.sin(angle);
  return { x, y, r: [c, -s, 0, s, c, 0] };
}

function spatialPose(v: number[]): Pose {
  let [x, y, , w, a, b, c] = v;
  const n = Math.hypot(w, a, b, c) || 1;
  w /= n; a /= n; b /= n; c /= n;
  return {
    x, y,
    r: [1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b),
        2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)],
  };
}

export const angleOf = (pose: Pose) => Math.atan2(pose.r[3], pose.r[0]);

export function toWorld(pose: Pose, p: ArrayLike<number>): Point {
  const z = p[2] ?? 0, r = pose.r;
  return [pose.x + r[0] * p[0] + r[1] * p[1] + r[2] * z, pose.y + r[3] * p[0] + r[4] * p[1] + r[5] * z];
}
export function turned(pose: Pose, d: ArrayLike<number>): Point {
  const z = d[2] ?? 0, r = pose.r;
  return [r[0] * d[0] + r[1] * d[1] + r[2] * z, r[3] * d[0] + r[4] * d[1] + r[5] * z];
}
/** In the axes of a body in the plane. */
export function toBody(pose: Pose, p: Point): Point {
  const dx = p[0] - pose.x, dy = p[1] - pose.y, r = pose.r;
  return [r[0] * dx + r[3] * dy, r[1] * dx + r[4] * dy];
}

export interface Touch {
  name: string; id: number; p: Point; n: Point; gap: number; state: number; force: Point;
}
export const contactStates = ["open", "stick", "slip", "impact"];

/** Where everything is at one time. */
export class Moment {
  constructor(public t: number, public poses: Pose[], public touches: Touch[]) {}
  pose(body: number): Pose { return body < 0 ? ground : this.poses[body]; }
  world(point: ScenePoint): Point { return toWorld(this.pose(point.body), point.at); }
}

/** The motion of a run. */
export class Motion {
  readonly bodies: number;
  constructor(readonly scene: Scene, readonly frames: Frames, readonly contacts: string[]) {
    this.bodies = scene.bodies.length;
  }

  private numbers(body: number, row: number, next: number, share: number): number[] {
    const { count, width, poses } = this.frames, values = [];
    for (let k = 0; k < width; ++k) {
      const from = (body * width + k) * count;
      values.push((1 - share) * poses[from + row] + share * poses[from + next]);
    }
    return values;
  }

  posesAt(t: number): Pose[] {
    const times = this.frames.times, row = rowAt(times, t), next = Math.min(row + 1, times.length - 1);
    const span = times[next] - times[row];
    const share = span > 0 ? Math.min(1, Math.max(0, (t - times[row]) / span)) : 0;
    const poses: Pose[] = [];
    for (let body = 0; body < this.bodies; ++body) {
      const v = this.numbers(body, row, next, share);
      poses.push(this.frames.width === 3 ? planarPose(v[0], v[1], v[2]) : spatialPose(v));
    }
    return poses;
  }

  /** Contacts of the nearest frame. */
  touchesAt(t: number): Touch[] {
    const c = this.frames.contacts;
    if (!c) return [];
    const times = this.frames.times;
    let row = rowAt(times, t);
    if (row + 1 < times.length && times[row + 1] - t < t - times[row]) ++row;
    const touches: Touch[] = [], width = c.columns.length;
    for (let i = c.first[row]; i < c.first[row + 1]; ++i) {
      const v = c.values.subarray(i * width, (i + 1) * width);
      const n: Point = [v[2], v[3]];
      touches.push({
        id: c.contact[i], name: this.contacts[c.contact[i]], p: [v[0], v[1]], n, gap: v[4], state: v[5],
        force: [v[6] * n[0] + v[7] * n[1], v[6] * n[1] - v[7] * n[0]],
      });
    }
    return touches;
  }

  at(t: number): Moment { return new Moment(t, this.posesAt(t), this.touchesAt(t)); }

  /** The path of a point over the whole run. */
  path(point: ScenePoint): Point[] {
    if (point.body < 0) return [];
    const { count, width } = this.frames, path: Point[] = [];
    for (let row = 0; row < count; ++row) {
      const v = this.numbers(point.body, row, row, 0);
      path.push(toWorld(width === 3 ? planarPose(v[0], v[1], v[2]) : spatialPose(v), point.at));
    }
    return path;
  }

  /** The largest contact force of the frames but for a tenth of them [N]. */
  usualForce(): number {
    const c = this.frames.contacts;
    if (!c) return 0;
    const width = c.columns.length, forces: number[] = [];
    const every = Math.max(1, Math.floor(c.contact.length / 200000));
    for (let i = 0; i < c.contact.length; i += every) {
      const f = Math.hypot(c.values[i * width + 6], c.values[i * width + 7]);
      if (f > 0 && Number.isFinite(f)) forces.push(f);
    }
    forces.sort((a, b) => a - b);
    return forces.length ? forces[Math.floor(0.9 * (forces.length - 1))] : 0;
  }
}

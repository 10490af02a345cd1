// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Scene, SceneJoint } from "./data";
import { Moment, Point, Pose, angleOf, ground, planarPose, toBody, toWorld, turned } from "./motion";

/**
 * Play drawn larger than it is. In every joint with clearance the displacement of its second body
 * from the middle of the play is multiplied; the bodies are moved as little as possible so that all
 * other joints stay together. Rows that cannot all hold (near dead centres) are met as well as may be,
 * those of clearances first.
 */

interface Row {
  value: (poses: Pose[]) => number;      // what is to become zero
  bodies: number[];
  soft: number;                          // 0: must hold
}

const poseOf = (poses: Pose[], body: number): Pose => (body < 0 ? ground : poses[body]);

export const playing = (scene: Scene) =>
  scene.joints.filter((j) => j.p && j.clearance && j.clearance.kind !== "teeth" && j.clearance.gap > 0);

const wrap = (angle: number) => Math.atan2(Math.sin(angle), Math.cos(angle));

/** Where Q is from P, in the axes of A; and how B is turned against A, less what is kept. */
export function displacement(joint: SceneJoint, poses: Pose[]): { e: Point; tilt: number } {
  const A = poseOf(poses, joint.p!.body), B = poseOf(poses, joint.q!.body);
  const q = toBody(A, toWorld(B, joint.q!.at));
  return {
    e: [q[0] - joint.p!.at[0], q[1] - joint.p!.at[1]],
    tilt: wrap(angleOf(B) - angleOf(A) - (joint.angle ?? 0)),
  };
}

function clearanceRows(joint: SceneJoint, truth: Pose[], factor: number): Row[] {
  const { e, tilt } = displacement(joint, truth), bodies = [joint.p!.body, joint.q!.body];
  const row = (value: Row["value"]): Row => ({ value, bodies, soft: 0 });
  if (joint.clearance!.kind === "journal")
    return [0, 1].map((k) => row((poses) => displacement(joint, poses).e[k] - factor * e[k]));
  const axis = joint.axis!, across = (v: Point) => -axis[1] * v[0] + axis[0] * v[1];
  return [
    row((poses) => across(displacement(joint, poses).e) - factor * across(e)),
    row((poses) => wrap(displacement(joint, poses).tilt - factor * tilt)),
  ];
}

/** What an ideal joint holds stays as it is. */
function idealRows(joint: SceneJoint, truth: Pose[]): Row[] {
  if (!joint.p || !joint.q || joint.symbol === "none" || joint.symbol === "rod") return [];
  const { e, tilt } = displacement(joint, truth), bodies = [joint.p.body, joint.q.body];
  const row = (value: Row["value"]): Row => ({ value, bodies, soft: 1e-6 });
  const axis = joint.axis, across = (v: Point) => -axis![1] * v[0] + axis![0] * v[1];
  const rows: Row[] = [];
  if (axis) rows.push(row((poses) => across(displacement(joint, poses).e) - across(e)));
  else rows.push(...[0, 1].map((k) => row((poses: Pose[]) => displacement(joint, poses).e[k] - e[k])));
  if (joint.symbol === "slide" || joint.symbol === "weld")
    rows.push(row((poses) => wrap(displacement(joint, poses).tilt - tilt)));
  return rows;
}

/** x = A⁻¹ b, A symmetric positive definite and overwritten. */
function solve(A: Float64Array[], b: Float64Array): Float64Array {
  const n = b.length;
  for (let j = 0; j < n; ++j) {
    for (let k = 0; k < j; ++k)
      for (let i = j; i < n; ++i) A[i][j] -= A[i][k] * A[j][k];
    const d = Math.sqrt(Math.max(A[j][j], 1e-300));
    for (let i = j; i < n; ++i) A[i][j] /= d;
  }
  for (let i = 0; i < n; ++i) {
    for (let k = 0; k < i; ++k) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  for (let i = n - 1; i >= 0; --i) {
    for (let k = i + 1; k < n; ++k) b[i] -= A[k][i] * b[k];
    b[i] /= A[i][i];
  }
  return b;
}

function moved(pose: Pose, d: ArrayLike<number>, from: number): Pose {
  return planarPose(pose.x + d[from], pose.y + d[from + 1], angleOf(pose) + d[from + 2]);
}

/** How rows change with the place [m] and the angle [rad] of their bodies. */
function jacobian(rows: Row[], poses: Pose[], size: number): Float64Array[] {
  const h = 1e-6;
  return rows.map((row) => {
    const line = new Float64Array(3 * poses.length);
    for (const body of new Set(row.bodies)) {
      if (body < 0) continue;
      for (let k = 0; k < 3; ++k) {
        const step = k < 2 ? h * size : h;
        const shifted = (sign: number) => {
          const d = [0, 0, 0];
          d[k] = sign * step;
          const changed = poses.slice();
          changed[body] = moved(poses[body], d, 0);
          return row.value(changed);
        };
        line[3 * body + k] = (shifted(1) - shifted(-1)) / (2 * step);
      }
    }
    return line;
  });
}

/** The moment with all play `factor` times as large; `size` is the model's [m]. */
export function exaggerated(scene: Scene, moment: Moment, factor: number, size: number): Moment {
  const joints = playing(scene);
  if (factor === 1 || joints.length === 0) return moment;
  const truth = moment.poses;
  const rows = scene.joints.flatMap((j) =>
    joints.includes(j) ? clearanceRows(j, truth, factor) : idealRows(j, truth));
  let poses = truth.slice();
  for (let iteration = 0; iteration < 8; ++iteration) {
    const residual = Float64Array.from(rows, (row) => -row.value(poses));
    if (residual.every((r) => Math.abs(r) < 1e-9 * size)) break;
    const J = jacobian(rows, poses, size);
    // The least motion, an angle counting by the arc at a fifth of the size, that meets the rows.
    const weight = (k: number) => (k % 3 < 2 ? 1 : 25 / (size * size));
    const A = J.map((a, i) => Float64Array.from(J, (b, j) => {
      let sum = i === j ? rows[i].soft + 1e-12 : 0;
      for (let k = 0; k < a.length; ++k) sum += a[k] * b[k] * weight(k);
      return sum;
    }));
    const multiplier = solve(A, residual), d = new Float64Array(3 * poses.length);
    for (let i = 0; i < J.length; ++i)
      for (let k = 0; k < d.length; ++k) d[k] += weight(k) * J[i][k] * multiplier[i];
    poses = poses.map((pose, body) => moved(pose, d, 3 * body));
  }
  const touches = moment.touches.map((touch) => {
    const joint = joints.find((j) => touch.name === j.name || touch.name.startsWith(j.name + "."));
    const body = joint ? joint.q!.body : -1;
    if (body < 0) return touch;
    const B = truth[body], axes = { ...B, x: 0, y: 0 };
    return {
      ...touch, p: toWorld(poses[body], toBody(B, touch.p)),
      n: turned(poses[body], toBody(axes, touch.n)), force: turned(poses[body], toBody(axes, touch.force)),
    };
  });
  return new Moment(moment.t, poses, touches);
}

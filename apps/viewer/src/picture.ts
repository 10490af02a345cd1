// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Brush, along, unit } from "./brush";
import { Camera } from "./camera";
import { Scene, SceneForce, SceneJoint, SceneOutline, RunEvent } from "./data";
import { Moment, Point, contactStates, toWorld, turned } from "./motion";
import { bodyColour, theme } from "./theme";

export interface PictureOptions {
  names: boolean;
  contacts: boolean;
  forces: boolean;
  pixelsPerNewton: number;
  exaggeration: number;
}

/** Draws a mechanism at a moment. */
export class Picture {
  private brush: Brush;
  constructor(ctx: CanvasRenderingContext2D, private camera: Camera, private scene: Scene,
              private moment: Moment, private options: PictureOptions) {
    this.brush = new Brush(ctx);
  }

  draw(flashes: RunEvent[]) {
    for (const outline of this.scene.outlines) this.outline(outline);
    for (const force of this.scene.forces) this.force(force);
    for (const joint of this.scene.joints) this.joint(joint);
    if (this.options.contacts) this.contacts(flashes);
    if (this.options.forces) this.contactForces();
    this.marks();
    if (this.options.names) this.names();
  }

  private colour(body: number): string {
    return body < 0 ? theme().faint : bodyColour(this.scene.bodies[body].colour);
  }
  private px(body: number, p: ArrayLike<number>): Point {
    return this.camera.px(toWorld(this.moment.pose(body), p));
  }
  private get far(): number { return (this.camera.width + this.camera.height) / this.camera.scale; }

  private outline(o: SceneOutline) {
    const colour = this.colour(o.body), ctx = this.brush.ctx;
    if (o.kind === "half_plane") return this.halfPlane(o, colour);
    const link = o.name === "", width = link ? (o.closed ? 3 : 7) : 1.6;
    const alpha = link ? (o.closed ? 0.5 : 0.35) : 1;
    if (o.kind === "arc") {
      const [x, y] = this.px(o.body, o.points[0]), r = this.moment.pose(o.body).r;
      const turn = Math.atan2(r[3], r[0]);
      ctx.beginPath();
      ctx.arc(x, y, o.radius! * this.camera.scale, -(o.from! + turn), -(o.to! + turn), true);
      if (o.filled) this.brush.fill(colour, 0.13);
      return this.brush.stroke({ colour, width });
    }
    const points = o.points.map((p) => this.px(o.body, p));
    if (points.length === 1) return this.brush.circle(points[0], 2.2, null, colour);
    if (o.filled) this.brush.area(points, colour, 0.13);
    this.brush.line(points, { colour, width, alpha }, o.closed);
  }

  private halfPlane(o: SceneOutline, colour: string) {
    const pose = this.moment.pose(o.body), p = toWorld(pose, o.points[0]), n = turned(pose, o.normal!);
    this.edge(p, [-n[1], n[0]], n, colour, -Infinity, Infinity);
  }

  /** A straight edge through p, from and to places along it, as far as it is to be seen. */
  private edge(p: Point, d: Point, n: Point, colour: string, from: number, to: number) {
    const c = this.camera.centre, middle = d[0] * (c[0] - p[0]) + d[1] * (c[1] - p[1]);
    const a = along(p, d, Math.max(from, middle - this.far)), b = along(p, d, Math.min(to, middle + this.far));
    if (Math.min(to, middle + this.far) <= Math.max(from, middle - this.far)) return;
    this.brush.hatching(this.camera.px(a), this.camera.px(b), this.camera.direction([-n[0], -n[1]]), colour);
  }

  private guide(j: SceneJoint) {
    const c = j.clearance!, A = this.moment.pose(j.p!.body), p = this.moment.world(j.p!);
    const axis = turned(A, j.axis!), across: Point = [-axis[1], axis[0]];
    const half = c.width! / 2 + this.options.exaggeration * c.gap;
    for (const side of [1, -1])
      this.edge(along(p, across, side * half), axis, [-side * across[0], -side * across[1]],
                this.colour(j.p!.body), c.from ?? -Infinity, c.to ?? Infinity);
  }

  private bearing(j: SceneJoint) {
    const c = j.clearance!, ink = theme().ink, scale = this.camera.scale;
    this.brush.circle(this.camera.px(this.moment.world(j.p!)),
                      (c.radius! + this.options.exaggeration * c.gap) * scale, { colour: ink, width: 1.2 });
    const q = this.camera.px(this.moment.world(j.q!));
    this.brush.circle(q, c.radius! * scale, { colour: this.colour(j.q!.body), width: 1.4 },
                      this.colour(j.q!.body), 0.13);
    this.brush.circle(q, 1.5, { colour: ink, width: 1 });
  }

  private joint(j: SceneJoint) {
    const ink = theme().ink, paper = theme().paper;
    if (j.first) {
      const [a, b] = [j.first, j.second].map((name) => this.scene.joints.find((o) => o.name === name));
      if (a?.q && b?.q)
        this.brush.line([this.camera.px(this.moment.world(a.q)), this.camera.px(this.moment.world(b.q))],
                        { colour: ink, width: 1, dash: [5, 4] });
      return;
    }
    const p = this.camera.px(this.moment.world(j.p!)), q = this.camera.px(this.moment.world(j.q!));
    const axis = j.axis && this.camera.direction(turned(this.moment.pose(j.p!.body), j.axis));
    if (j.clearance?.kind === "slider") this.guide(j);
    else if (j.clearance?.kind === "journal") this.bearing(j);
    else if (j.symbol === "pin")
      j.p!.body < 0 || j.q!.body < 0 ? this.brush.support(q, ink, paper, theme().shade) : this.brush.pin(q, ink, paper);
    else if (j.symbol === "slide") this.brush.slide(q, axis!, ink);
    else if (j.symbol === "slide_and_pin") { this.brush.slide(q, axis!, ink); this.brush.pin(q, ink, paper); }
    else if (j.symbol === "weld") this.brush.weld(q, ink);
    else if (j.symbol === "rod") {
      this.brush.line([p, q], { colour: ink, width: 2 });
      this.brush.pin(p, ink, paper);
      this.brush.pin(q, ink, paper);
    }
    if (j.driven) this.brush.turn(q, theme().force);
    for (const stop of [j.lower, j.upper])
      if (stop !== undefined && j.axis) {
        const at = j.p!.at, end: [number, number, number] =
          [at[0] + stop * j.axis[0], at[1] + stop * j.axis[1], at[2] + stop * j.axis[2]];
        const s = this.px(j.p!.body, end), across: Point = [-axis![1], axis![0]];
        this.brush.line([along(s, across, 12), along(s, across, -12)], { colour: theme().states.impact, width: 2.4 });
      }
  }

  private force(f: SceneForce) {
    const colour = theme().force, p = this.camera.px(this.moment.world(f.p)), q = this.camera.px(this.moment.world(f.q));
    const d = f.direction ? this.camera.direction(turned(this.moment.pose(f.axes ?? -1), f.direction)) : null;
    const far = Math.hypot(q[0] - p[0], q[1] - p[1]) > 30;
    if (f.shape === "spring") this.brush.spring(p, q, colour);
    else if (f.shape === "axial_spring") this.brush.spring(far ? p : along(q, d!, -55), q, colour);
    else if (f.shape === "damper") this.brush.damper(p, q, colour);
    else if (f.shape === "spiral") this.brush.spiral(q, colour);
    else if (f.shape === "turn") this.brush.turn(q, colour);
    else if (f.shape === "bushing") this.brush.circle(q, 9, { colour, dash: [3, 2] });
    else if (f.shape === "axial_force") {
      const beside = along(q, [d![1], -d![0]], 15);
      this.brush.arrow(along(beside, d!, -50), along(beside, d!, -6), colour);
    } else if (d) this.brush.arrow(q, along(q, d, 50), colour);
    else this.brush.circle(q, 7, { colour });
  }

  private contacts(flashes: RunEvent[]) {
    for (const touch of this.moment.touches) {
      if (touch.n[0] === 0 && touch.n[1] === 0) continue;   // of a coordinate: it has no place
      const state = contactStates[touch.state] ?? "open", colour = theme().states[state];
      const at = this.camera.px(touch.p);
      if (state === "open") this.brush.cross(at, 3.5, colour, 1.2);
      else if (state === "slip") this.brush.circle(at, 4.5, { colour: theme().paper, width: 1 }, colour);
      else if (state === "stick") this.brush.area(square(at, 4.2), colour, 1);
      else this.brush.area(diamond(at, 6.5), colour, 1);
    }
    for (const event of flashes) {
      const moved = this.moment.touches.find((touch) => touch.name === event.contact);
      const at = this.camera.px(moved ? moved.p : [event.px, event.py]), colour = theme().states.impact;
      for (let k = 0; k < 8; ++k) {
        const d: Point = [Math.cos((k * Math.PI) / 4), Math.sin((k * Math.PI) / 4)];
        this.brush.line([along(at, d, 9), along(at, d, k % 2 ? 13 : 17)], { colour, width: 2 });
      }
    }
  }

  private contactForces() {
    const k = this.options.pixelsPerNewton;
    for (const touch of this.moment.touches) {
      const at = this.camera.px(touch.p), length = k * Math.hypot(touch.force[0], touch.force[1]);
      if (!(length > 0.5)) continue;
      const d = unit([0, 0], [touch.force[0], -touch.force[1]]);
      this.brush.arrow(at, along(at, d, Math.min(length, 4000)), theme().states[contactStates[touch.state]] ?? theme().ink, 2.2);
    }
  }

  private marks() {
    for (const mark of this.scene.marks)
      this.brush.cross(this.camera.px(this.moment.world(mark.at)), 4, theme().mark);
  }

  private names() {
    const taken: { at: Point; w: number }[] = [];
    const inside = (x: number, y: number) => x >= 0 && x <= this.camera.width && y >= 0 && y <= this.camera.height;
    const put = (words: string, at: Point, colour: string, size: number) => {
      const w = 0.56 * size * words.length;
      for (const [dx, dy] of [[9, -11], [9, 12], [-9 - w, -11], [-9 - w, 12], [9, -26], [9, 27], [-w / 2, -30]]) {
        const spot: Point = [at[0] + dx, at[1] + dy];
        if (inside(at[0], at[1]) && !(inside(spot[0], spot[1] - 8) && inside(spot[0] + w, spot[1] + 8))) continue;
        if (taken.some((o) => Math.abs(o.at[1] - spot[1]) < size + 2 && spot[0] < o.at[0] + o.w && o.at[0] < spot[0] + w))
          continue;
        taken.push({ at: spot, w });
        return this.brush.text(words, spot, colour, theme().paper, size);
      }
    };
    this.scene.bodies.forEach((body, i) => put(body.name, this.px(i, body.com), this.colour(i), 13));
    for (const j of this.scene.joints) if (j.q) put(j.name, this.camera.px(this.moment.world(j.q)), theme().ink, 11.5);
    for (const mark of this.scene.marks) put(mark.name, this.camera.px(this.moment.world(mark.at)), theme().mark, 11.5);
    for (const f of this.scene.forces) {
      const [p, q] = [f.p, f.q].map((point) => this.camera.px(this.moment.world(point)));
      const middle: Point = f.shape === "spring" || f.shape === "damper" ? [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2] : q;
      put(f.name, middle, theme().force, 11.5);
    }
  }
}

const square = ([x, y]: Point, r: number): Point[] => [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]];
const diamond = ([x, y]: Point, r: number): Point[] => [[x, y - r], [x + r, y], [x, y + r], [x - r, y]];

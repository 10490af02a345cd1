// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Point } from "./motion";

/** Lines, areas and symbols of mechanical engineering on a canvas, in pixels. */

export interface Stroke { colour: string; width?: number; dash?: number[]; alpha?: number }

export class Brush {
  constructor(readonly ctx: CanvasRenderingContext2D) {}

  line(points: Point[], s: Stroke, closed = false) {
    this.path(points, closed);
    this.stroke(s);
  }
  area(points: Point[], colour: string, alpha: number) {
    this.path(points, true);
    this.fill(colour, alpha);
  }
  circle(at: Point, r: number, s: Stroke | null, fill?: string, alpha = 1) {
    this.ctx.beginPath();
    this.ctx.arc(at[0], at[1], Math.max(0, r), 0, 2 * Math.PI);
    if (fill) this.fill(fill, alpha);
    if (s) this.stroke(s);
  }
  text(words: string, at: Point, colour: string, halo: string, size = 12, align: CanvasTextAlign = "left") {
    const c = this.ctx;
    c.font = `${size}px system-ui, "Segoe UI", "DejaVu Sans", sans-serif`;
    c.textAlign = align;
    c.textBaseline = "middle";
    c.lineWidth = 3;
    c.lineJoin = "round";
    c.strokeStyle = halo;
    c.globalAlpha = 1;
    c.strokeText(words, at[0], at[1]);
    c.fillStyle = colour;
    c.fillText(words, at[0], at[1]);
  }

  pin(at: Point, colour: string, paper: string) { this.circle(at, 4, { colour, width: 1.4 }, paper); }

  support(at: Point, colour: string, paper: string, shade: string) {
    const [x, y] = at, foot: Point[] = [[x, y], [x - 9, y + 15], [x + 9, y + 15]];
    this.area(foot, shade, 1);
    this.line(foot, { colour, width: 1.2 }, true);
    this.hatching([x - 13, y + 15], [x + 13, y + 15], [0, 1], colour);
    this.pin(at, colour, paper);
  }

  slide(at: Point, d: Point, colour: string) {
    const across: Point = [-d[1], d[0]];
    for (const side of [-7, 7])
      this.line([along(along(at, across, side), d, -16), along(along(at, across, side), d, 16)],
                { colour, width: 1.4 });
    this.line([along(at, d, -45), along(at, d, 45)], { colour, width: 0.8, dash: [9, 3, 2, 3] });
  }

  weld(at: Point, colour: string) {
    const [x, y] = at;
    this.area([[x - 4, y - 4], [x + 4, y - 4], [x + 4, y + 4], [x - 4, y + 4]], colour, 1);
  }

  centre(at: Point, colour: string, paper: string) {
    this.circle(at, 3.5, { colour, width: 1.1 }, paper);
    this.line([[at[0] - 3.5, at[1]], [at[0] + 3.5, at[1]]], { colour, width: 1.1 });
    this.line([[at[0], at[1] - 3.5], [at[0], at[1] + 3.5]], { colour, width: 1.1 });
  }

  cross(at: Point, r: number, colour: string, width = 1.4) {
    this.line([[at[0] - r, at[1] - r], [at[0] + r, at[1] + r]], { colour, width });
    this.line([[at[0] - r, at[1] + r], [at[0] + r, at[1] - r]], { colour, width });
  }

  spring(a: Point, b: Point, colour: string) {
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]), d = unit(a, b), across: Point = [-d[1], d[0]];
    const end = Math.min(8, 0.2 * length), teeth = 8, points: Point[] = [a, along(a, d, end)];
    for (let i = 0; i < 2 * teeth; ++i)
      points.push(along(along(a, d, end + ((i + 0.5) * (length - 2 * end)) / (2 * teeth)), across,
                        i % 2 === 0 ? 6 : -6));
    points.push(along(b, d, -end), b);
    this.line(points, { colour, width: 1.4 });
  }

  damper(a: Point, b: Point, colour: string) {
    const d = unit(a, b), across: Point = [-d[1], d[0]], s = { colour, width: 1.4 };
    const m: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const at = (u: number, v: number) => along(along(m, d, u), across, v);
    this.line([a, at(-8, 0)], s);
    this.line([at(10, 6), at(-8, 6), at(-8, -6), at(10, -6)], s);
    this.line([at(2, 5), at(2, -5)], s);
    this.line([at(2, 0), b], s);
  }

  spiral(at: Point, colour: string) { this.line(turning(at, 0, 4 * Math.PI, 6, 15), { colour, width: 1.4 }); }

  turn(at: Point, colour: string) {
    const points = turning(at, -0.6, 3.6, 14, 14), n = points.length;
    this.line(points, { colour, width: 1.4 });
    this.head(points[n - 1], unit(points[n - 4], points[n - 1]), colour);
  }

  arrow(from: Point, to: Point, colour: string, width = 1.8) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (!(length > 0.5)) return;
    const d = unit(from, to), head = Math.min(9, length);
    this.line([from, along(to, d, -head * 0.7)], { colour, width });
    this.head(to, d, colour, head);
  }

  private head(tip: Point, d: Point, colour: string, length = 8) {
    const back = along(tip, d, -length), across: Point = [-d[1], d[0]];
    this.area([tip, along(back, across, 0.42 * length), along(back, across, -0.42 * length)], colour, 1);
  }

  /** An edge with strokes on the side of the material. */
  hatching(a: Point, b: Point, inwards: Point, colour: string) {
    const [start, end] = [a, b], length = Math.min(Math.hypot(end[0] - start[0], end[1] - start[1]), 6000);
    if (!(length > 0)) return;
    const d = unit(start, end), c = this.ctx;
    this.line([start, end], { colour, width: 1.5 });
    c.beginPath();
    for (let s = 4; s <= length; s += 8) {
      const p = along(start, d, s);
      c.moveTo(p[0], p[1]);
      c.lineTo(p[0] + 6 * inwards[0] - 4 * d[0], p[1] + 6 * inwards[1] - 4 * d[1]);
    }
    this.stroke({ colour, width: 1 });
  }

  private path(points: Point[], closed: boolean) {
    const c = this.ctx;
    c.beginPath();
    points.forEach((p, i) => (i === 0 ? c.moveTo(p[0], p[1]) : c.lineTo(p[0], p[1])));
    if (closed) c.closePath();
  }
  stroke(s: Stroke) {
    const c = this.ctx;
    c.globalAlpha = s.alpha ?? 1;
    c.strokeStyle = s.colour;
    c.lineWidth = s.width ?? 1.4;
    c.lineCap = "round";
    c.lineJoin = "round";
    c.setLineDash(s.dash ?? []);
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
  }
  fill(colour: string, alpha: number) {
    this.ctx.globalAlpha = alpha;
    this.ctx.fillStyle = colour;
    this.ctx.fill();
    this.ctx.globalAlpha = 1;
  }
}

export const along = (p: Point, d: Point, s: number): Point => [p[0] + s * d[0], p[1] + s * d[1]];
export function unit(a: Point, b: Point): Point {
  const n = Math.hypot(b[0] - a[0], b[1] - a[1]);
  return n > 0 ? [(b[0] - a[0]) / n, (b[1] - a[1]) / n] : [1, 0];
}
function turning(at: Point, from: number, to: number, r0: number, r1: number): Point[] {
  const points: Point[] = [];
  for (let i = 0; i <= 40; ++i) {
    const s = i / 40, a = from + s * (to - from), r = r0 + s * (r1 - r0);
    points.push([at[0] + r * Math.cos(a), at[1] - r * Math.sin(a)]);
  }
  return points;
}

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import uPlot from "uplot";
import { Clock } from "./clock";
import { Report, valueAt } from "./data";
import { button, download, el, fileName, number } from "./dom";
import { axisLabel, channelsOf, csvOf, curve, folded, isZero, roundOff, timeData, turns, xAxisLabel } from "./series";
import { PlotSpec } from "./sets";
import { svgPlot } from "./svgplot";
import { theme } from "./theme";

export interface PlotHost {
  report: Report;
  clock: Clock;
  /** The times that all plots over the time show. */
  range: { from: number; to: number };
  rangeChanged(from: number, to: number, source: Plot): void;
  close(plot: Plot): void;
  activate(plot: Plot): void;
}

/** A plot in a card of its own. */
export class Plot {
  readonly card: HTMLElement;
  private area = el("div", { class: "plot-area" });
  private head = el("header");
  u!: uPlot;
  private marker = el("div");
  private quiet = false;

  constructor(readonly spec: PlotSpec, private host: PlotHost) {
    this.card = el("section", { class: "plot", tabindex: "-1" }, this.head, this.area);
    this.card.addEventListener("pointerdown", () => host.activate(this));
    new ResizeObserver(() => {
      if (this.u && Math.abs(this.u.width - this.area.clientWidth) > 1) this.u.setSize({ width: this.area.clientWidth, height: this.height });
    }).observe(this.area);
  }

  private get height() { return this.spec.circle ? 340 : this.spec.x ? 280 : 210; }
  private get channels() { return channelsOf(this.host.report, this.spec); }
  /** What a picture without a curve means. */
  private get remark() {
    const { report } = this.host, shown = this.spec.x ? [report.byName.get(this.spec.x)!, ...this.channels] : this.channels;
    return shown.length && shown.every(isZero) ? "zero but for rounding" : "";
  }
  /** The least value that is shown, in decades: no rounding of zero. Null: values are shown in proportion. */
  private get decades(): number | null {
    let low = Infinity, high = 0;
    if (!this.spec.log) return null;
    for (const c of this.channels) for (const v of c.values) if (v > high) high = v;
    const least = Math.max(1e-18 * high, 1e-30);
    for (const c of this.channels) for (const v of c.values) if (v >= least && v < low) low = v;
    return high > 1.5 * low ? low : null;
  }

  build() {
    this.u?.destroy();
    this.head.replaceChildren(
      el("h3", {}, this.spec.title, this.remark ? el("small", {}, ` (${this.remark})`) : null),
      el("span", { class: "tools" },
        button("Save as PNG", "PNG", () => this.savePng()),
        button("Save as SVG", "SVG", () => this.saveSvg()),
        button("Save as CSV", "CSV", () => download(`${fileName(this.spec.title)}.csv`, csvOf(this.host.report, this.spec), "text/csv")),
        button("Close", "✕", () => this.host.close(this))));
    this.u = this.spec.x ? this.portrait() : this.overTime();
    this.marker = el("div", { class: this.spec.x ? "dot-now" : "line-now" });
    this.u.over.append(this.marker);
    this.drawSwatches();
    this.bind();
  }

  /** Lines of the legend are dashed as those of the plot. */
  private drawSwatches() {
    const first = this.spec.x ? 0 : 1;   // over the time, the time stands first
    this.area.querySelectorAll<HTMLElement>(".u-legend .u-series").forEach((row, k) => {
      const marker = row.querySelector<HTMLElement>(".u-marker");
      if (!marker || k < first) return;
      const colour = theme().series[(k - first) % theme().series.length], dash = dashOf(k - first)?.join(" ") ?? "none";
      marker.innerHTML = `<svg width="26" height="8" aria-hidden="true"><path d="M0 4h26" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/></svg>`;
    });
  }

  private axis(words: string, side: number): uPlot.Axis {
    const t = theme();
    return {
      side, label: words, labelSize: 18, labelGap: 0, labelFont: "12px system-ui, 'DejaVu Sans', sans-serif",
      font: "11px system-ui, 'DejaVu Sans', sans-serif", stroke: t.ink, grid: { stroke: t.grid, width: 1 }, ticks: { stroke: t.grid, width: 1, size: 5 },
      size: side === 3 ? 62 : 34, space: side === 3 ? 26 : 60,
      values: (_u, splits) => splits.map((v) => (v === null ? "" : number(v, 5))),
    };
  }

  private overTime(): uPlot {
    const { range } = this.host, channels = this.channels, colours = theme().series, log = this.decades;
    const options: uPlot.Options = {
      width: Math.max(200, this.area.clientWidth), height: this.height,
      scales: { x: { time: false, min: range.from, max: range.to }, y: { range: (_u, min, max) => linearRange(min, max, roundOff(channels)) } },
      axes: [this.axis("t [s]", 2), { ...this.axis(axisLabel(channels, 24), 3), ...(log ? { values: powers } : {}) }],
      cursor: { drag: { x: true, y: false, uni: 20 }, sync: { key: "time" }, points: { size: 5 } },
      legend: { live: true },
      series: [{ label: "t", value: (_u, v) => `${number(v ?? this.host.clock.t)} s` },
        ...channels.map((c, i) => ({
          label: c.name, stroke: colours[i % colours.length], width: 1.6, dash: dashOf(i), points: { show: false },
          // Without a cursor: where the player is.
          value: (_u: uPlot, v: number | null) => `${number(v === null || v === undefined ? valueAt(c, this.host.clock.t) : log ? 10 ** v : v)} ${c.unit === "-" ? "" : c.unit}`,
        }))],
      hooks: { draw: [() => this.follow(this.host.clock.t)], setScale: [(u, key) => {
        if (key === "x" && !this.quiet) this.host.rangeChanged(u.scales.x.min!, u.scales.x.max!, this);
      }] },
    };
    this.quiet = true;
    const u = new uPlot(options, timeData(channels, log), this.area);
    u.setScale("x", { min: range.from, max: range.to });
    queueMicrotask(() => (this.quiet = false));
    return u;
  }

  private portrait(): uPlot {
    const { report } = this.host, x = report.byName.get(this.spec.x!)!, channels = this.channels, colours = theme().series;
    const curves = channels.map((c) => curve(x, c, this.spec)), box = bounds(curves, this.spec, [roundOff([x]), roundOff(channels)]);
    const draw = (u: uPlot, k: number) => {
      uPlot.orient(u, k, (_s, xs, ys, _sx, _sy, X, Y, left, top, w, h) => {
        const c = u.ctx, dx = xs as unknown as number[], dy = ys as unknown as number[];
        c.save();
        c.beginPath();
        c.rect(left, top, w, h);
        c.clip();
        c.beginPath();
        let pen = false;
        for (let i = 0; i < dx.length; ++i) {
          if (!Number.isFinite(dx[i]) || !Number.isFinite(dy[i])) { pen = false; continue; }
          const px = X(dx[i], u.scales.x, w, left), py = Y(dy[i], u.scales.y, h, top);
          pen ? c.lineTo(px, py) : c.moveTo(px, py);
          pen = true;
        }
        c.lineWidth = 1.3 * devicePixelRatio;
        c.strokeStyle = colours[(k - 1) % colours.length];
        c.setLineDash((dashOf(k - 1) ?? []).map((length) => length * devicePixelRatio));
        c.stroke();
        c.setLineDash([]);
        if (this.spec.within) this.drawRows(c, dx, dy, (v) => X(v, u.scales.x, w, left), (v) => Y(v, u.scales.y, h, top));
        if (k === 1 && this.spec.circle) {
          const r = this.spec.circle, cx = X(0, u.scales.x, w, left), cy = Y(0, u.scales.y, h, top);
          c.beginPath();
          c.ellipse(cx, cy, Math.abs(X(r, u.scales.x, w, left) - cx), Math.abs(Y(r, u.scales.y, h, top) - cy), 0, 0, 2 * Math.PI);
          c.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
          c.strokeStyle = theme().faint;
          c.stroke();
          c.setLineDash([]);
        }
        c.restore();
        return null as any;
      });
      return null;
    };
    const width = Math.max(200, this.area.clientWidth);
    const options: uPlot.Options = {
      mode: 2, width, height: this.height,
      scales: { x: { time: false, range: (_u, min, max) => (min === null ? box.x : wideEnough(min, max)) }, y: { range: (_u, min, max) => (min === null ? box.y : wideEnough(min, max)) } },
      axes: [this.axis(xAxisLabel(x), 2), this.axis(axisLabel(channels, 34), 3)],
      cursor: { drag: { x: true, y: true, uni: 15 }, points: { show: false } },
      legend: { live: false, show: channels.length > 1 },
      series: [{} as any, ...channels.map((c, i) => ({ label: c.name, stroke: colours[i % colours.length], paths: draw as any, facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }] }))],
      hooks: { ready: [(u) => this.showBox(u, box)], draw: [() => this.follow(this.host.clock.t)], setCursor: [(u) => { this.readout(u); }] },
    };
    return new uPlot(options, [null, ...curves] as any, this.area);
  }

  /** Rows as dots, where there are so few that the lines between them are guesses. */
  private drawRows(c: CanvasRenderingContext2D, xs: number[], ys: number[], X: (v: number) => number, Y: (v: number) => number) {
    const shown = xs.map((_, i) => i).filter((i) => ys[i] > 0 && xs[i] >= this.spec.within![0] && xs[i] <= this.spec.within![1]);
    if (shown.length > 400) return;
    c.fillStyle = c.strokeStyle;
    for (const i of shown) { c.beginPath(); c.arc(X(xs[i]), Y(ys[i]), 1.8 * devicePixelRatio, 0, 2 * Math.PI); c.fill(); }
  }

  /** Values under the cursor of a portrait. */
  private readout(u: uPlot) {
    const { left, top } = u.cursor;
    let text = this.area.querySelector<HTMLElement>(".readout");
    if (!text) this.area.append((text = el("div", { class: "readout" })));
    text.textContent = left !== undefined && left >= 0 && top! >= 0
      ? `${number(u.posToVal(left, "x"), 4)}, ${number(u.posToVal(top!, "y"), 4)}` : "";
  }

  private home() {
    if (!this.spec.x) { const { clock } = this.host; return this.u.setScale("x", { min: clock.start, max: clock.end }); }
    const x = this.host.report.byName.get(this.spec.x)!, channels = this.channels;
    const box = bounds(channels.map((c) => curve(x, c, this.spec)), this.spec, [roundOff([x]), roundOff(channels)]);
    this.showBox(this.u, box);
  }

  /** All of a box; a circle is shown round. */
  private showBox(u: uPlot, box: { x: [number, number]; y: [number, number] }) {
    let x = box.x;
    const wide = (u.bbox.width / u.bbox.height) * (box.y[1] - box.y[0]);
    if (this.spec.circle && wide > x[1] - x[0]) x = [(x[0] + x[1] - wide) / 2, (x[0] + x[1] + wide) / 2];
    u.batch(() => { u.setScale("x", { min: x[0], max: x[1] }); u.setScale("y", { min: box.y[0], max: box.y[1] }); });
  }

  /** Wheel zooms, shift and drag pans, a click sets the time, a double click shows all. */
  private bind() {
    const over = this.u.over, u = this.u, keys = this.spec.x ? ["x", "y"] : ["x"];
    over.addEventListener("dblclick", () => this.home());
    over.addEventListener("wheel", (e) => {
      e.preventDefault();
      const r = over.getBoundingClientRect(), factor = Math.exp(0.0015 * e.deltaY);
      u.batch(() => {
        for (const key of keys) {
          const at = u.posToVal(key === "x" ? e.clientX - r.left : e.clientY - r.top, key), s = u.scales[key];
          u.setScale(key, { min: at - (at - s.min!) * factor, max: at + (s.max! - at) * factor });
        }
      });
    }, { passive: false });
    let from: [number, number] | null = null, moved = 0;
    over.addEventListener("mousedown", (e) => {
      from = [e.clientX, e.clientY];
      moved = 0;
      if (e.shiftKey) e.stopImmediatePropagation();
    }, true);
    over.addEventListener("mousemove", (e) => {
      if (!from || !(e.buttons & 1)) return;
      moved += Math.abs(e.movementX) + Math.abs(e.movementY);
      if (!e.shiftKey) return;
      const dx = u.posToVal(from[0], "x") - u.posToVal(e.clientX, "x"), sx = u.scales.x;
      u.batch(() => {
        u.setScale("x", { min: sx.min! + dx, max: sx.max! + dx });
        if (!this.spec.x) return;
        const dy = u.posToVal(from![1], "y") - u.posToVal(e.clientY, "y"), sy = u.scales.y;
        u.setScale("y", { min: sy.min! + dy, max: sy.max! + dy });
      });
      from = [e.clientX, e.clientY];
    });
    over.addEventListener("click", (e) => {
      if (moved > 4 || this.spec.x) return;
      this.host.clock.set(u.posToVal(e.clientX - over.getBoundingClientRect().left, "x"));
    });
  }

  setRange(from: number, to: number) {
    if (this.spec.x) return;
    this.quiet = true;
    this.u.setScale("x", { min: from, max: to });
    queueMicrotask(() => (this.quiet = false));
  }

  /** Where the player is. */
  follow(t: number) {
    const u = this.u, style = this.marker.style, report = this.host.report;
    if (!u || u.scales.x.min === null || u.scales.x.min === undefined) return;   // not drawn yet
    let x = t, y = 0;
    if (this.spec.x) {
      const channel = report.byName.get(this.spec.x)!;
      x = turns(channel) ? folded(valueAt(channel, t)) : valueAt(channel, t);
      y = this.channels.length ? valueAt(this.channels[0], t) : NaN;
    }
    const left = u.valToPos(x, "x"), top = this.spec.x ? u.valToPos(y, "y") : 0;
    const inside = left >= 0 && left <= u.over.clientWidth && Number.isFinite(top);
    style.display = inside ? "" : "none";
    style.transform = `translate(${left.toFixed(2)}px, ${top.toFixed(2)}px)`;
    this.marker.dataset.value = String(x);
    if (!this.spec.x && (u.cursor.left ?? -1) < 0) u.setLegend({ idx: null as any }, false);
  }

  private savePng() {
    const from = this.u.ctx.canvas, ratio = devicePixelRatio || 1, head = 26 * ratio, line = 20 * ratio;
    const measure = el("canvas").getContext("2d")!, font = `${11 * ratio}px system-ui, sans-serif`;
    measure.font = font;
    // The legend, in as many lines as it takes.
    let x = 62 * ratio, y = 0;
    const legend = this.channels.map((channel) => {
      const w = measure.measureText(channel.name).width + 42 * ratio;
      if (x + w > from.width && x > 62 * ratio) { x = 62 * ratio; y += line; }
      const at = [x, from.height + head + y + 8 * ratio];
      x += w;
      return at;
    });
    const canvas = el("canvas", { width: from.width, height: from.height + head + y + line }), c = canvas.getContext("2d")!;
    c.fillStyle = theme().paper;
    c.fillRect(0, 0, canvas.width, canvas.height);
    c.fillStyle = theme().ink;
    c.font = `bold ${13 * ratio}px system-ui, sans-serif`;
    c.fillText(this.spec.title, 12 * ratio, 18 * ratio);
    c.drawImage(from, 0, head);
    c.font = font;
    this.channels.forEach((channel, i) => {
      const [left, middle] = legend[i];
      c.strokeStyle = theme().series[i % theme().series.length];
      c.lineWidth = 2 * ratio;
      c.setLineDash((dashOf(i) ?? []).map((length) => length * ratio));
      c.beginPath();
      c.moveTo(left - 8 * ratio, middle);
      c.lineTo(left + 14 * ratio, middle);
      c.stroke();
      c.fillStyle = theme().ink;
      c.fillText(channel.name, left + 18 * ratio, middle + 4 * ratio);
    });
    canvas.toBlob((blob) => blob && download(`${fileName(this.spec.title)}.png`, blob));
  }

  svg(): string {
    const { report } = this.host, channels = this.channels, x = this.spec.x ? report.byName.get(this.spec.x)! : undefined;
    const sx = this.u.scales.x, sy = this.u.scales.y, colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a07800", "#4c9fd4", "#6a51a3", "#8c564b"];
    const log = this.decades, aligned = x ? null : timeData(channels, log);
    return svgPlot({
      title: this.spec.title, xLabel: xAxisLabel(x), yLabel: axisLabel(channels, 44), log: !!log,
      xRange: [sx.min!, sx.max!], yRange: log ? [10 ** sy.min!, 10 ** sy.max!] : [sy.min!, sy.max!], circle: this.spec.circle,
      lines: channels.map((c, i) => {
        const [xs, ys] = x ? curve(x, c, this.spec) : [aligned![0], log ? Array.from(aligned![i + 1] as any, (v: any) => (v == null ? v : 10 ** v)) : aligned![i + 1] as any];
        return { name: c.name, colour: colours[i % colours.length], dash: dashOf(i), x: xs, y: ys };
      }),
    });
  }
  private saveSvg() { download(`${fileName(this.spec.title)}.svg`, this.svg(), "image/svg+xml"); }
}

/** Labels of an axis of logarithms: whole decades alone. */
const powers = (_u: uPlot, splits: number[]) => splits.map((v) => (Number.isInteger(v) ? `1e${v}` : ""));

/** So wide that an axis has room for numbers. */
function wideEnough(min: number, max: number): [number, number] {
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size < 1e-30) return [-1, 1];
  return max - min > 1e-6 * size ? [min, max] : [min - 0.1 * size, max + 0.1 * size];
}

/** Lines that cover each other are both seen: the upper one has gaps. */
const dashes = [undefined, [8, 5], [2, 3], [10, 4, 2, 4]];
export const dashOf = (line: number): number[] | undefined => dashes[line % dashes.length];

/** With a margin; what is constant, or zero, but for rounding is shown as that. */
function linearRange(min: number | null, max: number | null, zero: number): [number, number] {
  if (min === null || max === null) return [0, 1];
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (size < zero) return zero > 1e-20 ? [-10 * zero, 10 * zero] : [-1, 1];
  const margin = max - min > 1e-5 * size ? 0.06 * (max - min) : 0.1 * size;
  return [min - margin, max + margin];
}

/** The extent of curves, with a margin. */
function bounds(curves: [number[], number[]][], spec: PlotSpec, zero: [number, number]): { x: [number, number]; y: [number, number] } {
  const range = (k: 0 | 1): [number, number] => {
    let low = spec.circle ? -spec.circle : Infinity, high = spec.circle ?? -Infinity;
    for (const c of curves)
      for (let i = 0; i < c[k].length; ++i) {
        if (k === 1 && spec.within && !(c[0][i] >= spec.within[0] && c[0][i] <= spec.within[1])) continue;
        const v = c[k][i];
        if (v < low) low = v;
        if (v > high) high = v;
      }
    if (k === 0 && spec.within) return spec.within;
    if (!(high >= low)) return [0, 1];
    return linearRange(low, high, zero[k]);
  };
  return { x: range(0), y: range(1) };
}

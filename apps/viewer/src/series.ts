// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import uPlot from "uplot";
import { Channel, Report, valueAt } from "./data";
import { csvField } from "./dom";
import { PlotSpec } from "./sets";

/** The data of a plot, in the forms in which they are drawn and saved. */

const gap = (v: number) => (Number.isFinite(v) ? v : null);

export const channelsOf = (report: Report, spec: PlotSpec): Channel[] =>
  spec.y.map((name) => report.byName.get(name)!).filter(Boolean);

/** Over the time: rows that the channels share, or all of theirs; in decades the logarithms of those of at least `least`. */
export function timeData(channels: Channel[], least: number | null): uPlot.AlignedData {
  const value = (v: number) => (least === null ? gap(v) : v >= least ? Math.log10(v) : null);
  const tables = channels.map((c) => [c.t as any, Array.from(c.values, value)] as uPlot.AlignedData);
  if (tables.length === 0) return [[0, 1]];
  if (channels.every((c) => c.t === channels[0].t))
    return [channels[0].t as any, ...tables.map((table) => table[1])] as uPlot.AlignedData;
  return uPlot.join(tables.map((table) => [Array.from(table[0]), table[1]] as uPlot.AlignedData));
}

/** Over another channel: points in the order of their times, NaN where the curve is interrupted. */
export function curve(x: Channel, y: Channel, spec: PlotSpec): [number[], number[]] {
  const times = x.t === y.t ? x.t : merged(x.t, y.t), fold = turns(x);
  const xs: number[] = [], ys: number[] = [];
  const outside = (v: number) => spec.within !== undefined && (v < spec.within[0] || v > spec.within[1]);
  for (let i = 0; i < times.length; ++i) {
    const raw = x.t === times ? x.values[i] : valueAt(x, times[i]), last = xs[xs.length - 1];
    const value = fold ? folded(raw) : raw;
    // Neither back from the end of a turn to the begin of the next, nor to what is far from all that is of interest.
    if ((fold && Math.abs(value - last) > Math.PI) || outside(value) || outside(last)) { xs.push(NaN); ys.push(NaN); }
    xs.push(value);
    ys.push(y.t === times ? y.values[i] : valueAt(y, times[i]));
  }
  return [xs, ys];
}

const turn = 2 * Math.PI;
/** Whether an angle goes round so often that its portrait is drawn over one turn. */
export function turns(x: Channel | undefined): boolean {
  if (!x || x.unit !== "rad") return false;
  let low = Infinity, high = -Infinity;
  for (const v of x.values) { if (v < low) low = v; if (v > high) high = v; }
  return high - low > 1.1 * turn;
}
export const folded = (angle: number) => angle - turn * Math.floor(angle / turn);

function merged(a: Float64Array, b: Float64Array): Float64Array {
  const all = Float64Array.from([...a, ...b]).sort();
  return all.filter((t, i) => i === 0 || t !== all[i - 1]);
}

export const label = (channel: Channel | undefined, name: string) =>
  channel && channel.unit && channel.unit !== "-" ? `${name} [${channel.unit}]` : name;

const quantities: Record<string, string> = {
  m: "length", rad: "angle", "m/s": "velocity", "rad/s": "angular velocity", N: "force", "N m": "torque", "N s": "impulse", J: "energy", s: "time",
};

/** Axis label, of so many letters at most: one channel by its name, several by their quantity; the unit, or that there is none. */
export function axisLabel(channels: Channel[], most: number): string {
  const units = [...new Set(channels.map((c) => c.unit || "-"))], unit = units.length === 1 ? (units[0] === "-" ? "[–]" : `[${units[0]}]`) : "[mixed units]";
  const ends = [...new Set(channels.map((c) => c.name.slice(c.name.lastIndexOf(".") + 1).replace(/\d+$/, "")))];
  const words = [channels.length === 1 ? channels[0].name : "", ends.join(", ").replace(/_/g, " "), quantities[units[0]] ?? "value"];
  return `${words.find((w) => w && w.length + 1 + unit.length <= most) ?? words[2]} ${unit}`;
}

/** Of the time, or of the channel along x. */
export const xAxisLabel = (x: Channel | undefined) =>
  !x ? "t [s]" : turns(x) ? `${x.name} modulo 2π [rad]` : x.unit === "-" ? `${x.name} [–]` : label(x, x.name);

/** Values of channels that are no larger are the round-off of zero. */
const zeros: Record<string, number> = { m: 1e-14, rad: 1e-12, "m/s": 1e-10, "rad/s": 1e-8 };
export const roundOff = (channels: Channel[]) => Math.min(...channels.map((c) => zeros[c.unit] ?? 1e-30));
export function isZero(c: Channel): boolean {
  const most = zeros[c.unit] ?? 0;
  return c.values.every((v) => !(Math.abs(v) > most));
}

export function csvOf(report: Report, spec: PlotSpec): string {
  const channels = channelsOf(report, spec), x = spec.x ? report.byName.get(spec.x) : undefined;
  const columns = x ? [x, ...channels] : channels;
  const times = columns.reduce((t, c) => (c.t === t ? t : merged(t, c.t)), columns[0].t);
  const lines = [["t [s]", ...columns.map((c) => label(c, c.name))].map(csvField).join(",")];
  for (let i = 0; i < times.length; ++i)
    lines.push([times[i], ...columns.map((c) => (c.t === times ? c.values[i] : valueAt(c, times[i])))].join(","));
  return lines.join("\n") + "\n";
}

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

/** Over another channel: points in the order of their times. */
export function curve(x: Channel, y: Channel): [number[], number[]] {
  const times = x.t === y.t ? x.t : merged(x.t, y.t);
  const xs: number[] = [], ys: number[] = [];
  for (let i = 0; i < times.length; ++i) {
    xs.push(x.t === times ? x.values[i] : valueAt(x, times[i]));
    ys.push(y.t === times ? y.values[i] : valueAt(y, times[i]));
  }
  return [xs, ys];
}

function merged(a: Float64Array, b: Float64Array): Float64Array {
  const all = Float64Array.from([...a, ...b]).sort();
  return all.filter((t, i) => i === 0 || t !== all[i - 1]);
}

export const label = (channel: Channel | undefined, name: string) =>
  channel && channel.unit && channel.unit !== "-" ? `${name} [${channel.unit}]` : name;

/** The one unit of all channels, or none. */
export function commonUnit(channels: Channel[]): string {
  const units = [...new Set(channels.map((c) => c.unit))];
  return units.length === 1 && units[0] !== "-" ? units[0] : "";
}

/** Axis label: one channel by its name, several by their quantity and unit. */
export function axisLabel(channels: Channel[]): string {
  if (channels.length === 1) return label(channels[0], channels[0].name);
  const unit = commonUnit(channels);
  const ends = [...new Set(channels.map((c) => c.name.slice(c.name.lastIndexOf(".") + 1).replace(/\d+$/, "")))];
  const what = ends.length === 1 ? ends[0].replace(/_/g, " ") : "";
  if (unit) return what ? `${what} [${unit}]` : `[${unit}]`;
  return what || "value";
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

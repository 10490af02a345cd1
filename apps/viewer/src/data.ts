// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

/** Unpacks what `backlash report` wrote into the page (docs/reference/report.md). */

export interface Numbers {
  at: number;
  count: number;
  type: "f32" | "f64" | "u32" | "u32 steps" | "time";
  start?: number;
  tick?: number;
}

export type Vec3 = [number, number, number];
export interface ScenePoint { body: number; at: Vec3 }
export interface SceneBody { name: string; com: Vec3; colour: string }
export interface SceneOutline {
  name: string; body: number; kind: "polyline" | "arc" | "half_plane"; points: Vec3[];
  closed: boolean; filled: boolean; radius?: number; from?: number; to?: number; normal?: Vec3;
}
export interface SceneClearance {
  kind: "journal" | "slider" | "teeth"; gap: number; radius?: number; length?: number;
  width?: number; from?: number; to?: number; ratio?: number;
}
export interface SceneJoint {
  name: string; symbol: string; p?: ScenePoint; q?: ScenePoint; axis?: Vec3; angle?: number;
  lower?: number; upper?: number; driven?: boolean; first?: string; second?: string;
  clearance?: SceneClearance;
}
export interface SceneForce {
  name: string; shape: string; p: ScenePoint; q: ScenePoint; direction?: Vec3; axes?: number;
}
export interface SceneContact { item: string; kind: string; unit: string; play: number }
export interface Scene {
  version: number; title: string; bodies: SceneBody[]; outlines: SceneOutline[];
  joints: SceneJoint[]; forces: SceneForce[]; contacts: SceneContact[];
  marks: { name: string; at: ScenePoint }[];
}

export interface Channel {
  name: string; unit: string;
  t: Float64Array; values: Float32Array;
}

export interface Frames {
  count: number;
  width: number;              // numbers of a body's pose: 3 in the plane, 7 in space
  times: Float64Array;
  poses: Float64Array;        // column after column: body by body, number by number
  contacts: null | {
    first: Uint32Array; contact: Uint32Array; values: Float32Array; columns: string[];
  };
}

export interface RunEvent {
  t: number; kind: string; contact: string; before: number; after: number;
  impulseN: number; impulseT: number; loss: number; px: number; py: number; unit: string;
}
export interface Interval { contact: string; state: string; from: number; to: number }
export interface PlotDescription { name: string; title: string; x: string; y: string[] }
export interface Finding {
  severity: string; item: string; line: number; file: string; message: string; advice: string;
}

export interface Report {
  title: string; programVersion: string; runVersion: string; status: string; partial: boolean;
  tStart: number; tEnd: number;
  summary: any;
  options: Record<string, unknown>; parameters: Record<string, number>;
  files: { file: string; text: string }[];
  findings: Finding[]; findingsMissing: string;
  shown: string[];
  scene: Scene | null;
  frames: Frames | null;
  channels: Channel[];
  byName: Map<string, Channel>;
  contacts: string[];
  events: RunEvent[];
  impacts: RunEvent[];
  intervals: Interval[];
  plots: Record<string, PlotDescription[]>;
  thinned: null | { rows: number; kept: number; points: number; whole: number; channels: number;
                    impactRows: boolean };
}

const sizes = { f32: 4, f64: 8, u32: 4, "u32 steps": 4, time: 4 } as const;

/** The bytes of numbers stand apart: all first ones, then all second ones, … */
function joined(bytes: Uint8Array, n: Numbers): ArrayBuffer {
  const size = sizes[n.type], out = new Uint8Array(n.count * size);
  for (let k = 0; k < size; ++k) {
    const from = n.at + k * n.count;
    for (let i = 0; i < n.count; ++i) out[i * size + k] = bytes[from + i];
  }
  return out.buffer;
}

class Unpacker {
  constructor(private bytes: Uint8Array) {}
  f32(n: Numbers) { return new Float32Array(joined(this.bytes, n)); }
  f64(n: Numbers) { return new Float64Array(joined(this.bytes, n)); }
  u32(n: Numbers) {
    const values = new Uint32Array(joined(this.bytes, n));
    if (n.type === "u32 steps")
      for (let i = 1; i < values.length; ++i) values[i] += values[i - 1];
    return values;
  }
  times(n: Numbers) {
    const ticks = new Uint32Array(joined(this.bytes, n));
    for (let order = 0; order < 2; ++order)
      for (let i = 1; i < ticks.length; ++i) ticks[i] += ticks[i - 1];
    return Float64Array.from(ticks, (k) => n.start! + k * n.tick!);
  }
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(packed: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function channelsOf(tables: any[], unpack: Unpacker): Channel[] {
  const channels: Channel[] = [];
  for (const table of tables) {
    const times = unpack.times(table.times);
    for (const c of table.channels) {
      // Unpacked when they are first asked for: most never are.
      let t: Float64Array | undefined, values: Float32Array | undefined;
      channels.push({
        name: c.name, unit: c.unit,
        get t() { return t ??= c.rows ? Float64Array.from(unpack.u32(c.rows), (i) => times[i]) : times; },
        get values() { return values ??= unpack.f32(c.values); },
      });
    }
  }
  return channels;
}

function eventsOf(json: any, unpack: Unpacker): RunEvent[] {
  if (json.count === 0) return [];
  const column = (name: string) => {
    const c = json.columns[name];
    if (!c) return () => 0;
    if (c.labels) { const v = unpack.u32(c.values); return (i: number) => c.labels[v[i]]; }
    const v = unpack.f64(c.values); return (i: number) => v[i];
  };
  const t = column("t"), kind = column("kind"), contact = column("contact"),
    before = column("gamma_n_before"), after = column("gamma_n_after"), n = column("impulse_n"),
    tangential = column("impulse_t"), loss = column("energy_loss"), px = column("px"),
    py = column("py"), unit = column("unit");
  const events: RunEvent[] = [];
  for (let i = 0; i < json.count; ++i)
    events.push({
      t: t(i), kind: kind(i), contact: contact(i), before: before(i), after: after(i),
      impulseN: n(i), impulseT: tangential(i), loss: loss(i), px: px(i), py: py(i), unit: unit(i),
    });
  return events.sort((a, b) => a.t - b.t);
}

/**
 * Impacts with all that they did. One after whose event the bodies still approach takes longer: the contact's rest or release, what
 * comes first, knows the velocity afterwards, the impulse and the loss of all the impact. Of one that is not over these are not known.
 */
function impactsOf(events: RunEvent[]): RunEvent[] {
  const impacts = events.filter((e) => e.kind === "impact");
  const lasting = new Map<string, RunEvent>();
  const whole = new Map<RunEvent, RunEvent>();
  for (const e of events) {
    if (e.kind === "impact" && e.after < -1e-3 * Math.abs(e.before)) lasting.set(e.contact, e);
    else if (e.kind === "impact") whole.set(e, e);
    const begun = lasting.get(e.contact);
    if ((e.kind !== "release" && e.kind !== "rest") || !begun) continue;
    whole.set(begun, { ...begun, after: e.after, impulseN: e.impulseN, impulseT: e.impulseT, loss: e.loss });
    lasting.delete(e.contact);
  }
  return impacts.map((e) => whole.get(e) ?? { ...e, after: NaN, impulseN: NaN, impulseT: NaN, loss: NaN });
}

function framesOf(json: any, unpack: Unpacker): Frames | null {
  if (!json) return null;
  const c = json.contacts;
  return {
    count: json.count, width: json.width, times: unpack.f64(json.times), poses: unpack.f64(json.poses),
    contacts: c && {
      columns: c.columns, first: unpack.u32(c.first), contact: unpack.u32(c.contact),
      values: unpack.f32(c.values),
    },
  };
}

export async function unpackReport(base64: string): Promise<Report> {
  const bytes = await inflate(bytesOf(base64));
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const unpack = new Unpacker(bytes.subarray(4 + length));
  const channels = channelsOf(json.tables, unpack);
  const events = eventsOf(json.events, unpack);
  const table = json.tables[0], times = unpack.times(table.times);
  return {
    title: json.title, programVersion: json.program_version, runVersion: json.run_version,
    status: json.status, partial: json.partial, tStart: times[0], tEnd: json.t_end,
    summary: json.summary, options: json.options, parameters: json.parameters, files: json.files,
    findings: json.findings, findingsMissing: json.findings_missing, shown: json.shown,
    scene: json.scene, frames: framesOf(json.frames, unpack), channels,
    byName: new Map(channels.map((c) => [c.name, c])), contacts: json.contacts, events,
    impacts: impactsOf(events),
    intervals: json.intervals.map((i: any) => ({ ...i, contact: json.contacts[i.contact] })),
    plots: json.plots,
    thinned: table.kept < table.rows || table.channels.some((c: any) => c.rows)
      ? { rows: table.rows, kept: table.kept, points: json.points, whole: table.with_every_extremum,
          channels: table.channels.length, impactRows: json.impact_rows }
      : null,
  };
}

/** The index of the last time that is not after t. */
export function rowAt(times: ArrayLike<number>, t: number): number {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}

/** A channel's value at a time, between two rows in proportion. */
export function valueAt(channel: Channel, t: number): number {
  const i = rowAt(channel.t, t), j = Math.min(i + 1, channel.t.length - 1);
  const span = channel.t[j] - channel.t[i];
  if (!(span > 0)) return channel.values[i];
  const share = Math.min(1, Math.max(0, (t - channel.t[i]) / span));
  return (1 - share) * channel.values[i] + share * channel.values[j];
}

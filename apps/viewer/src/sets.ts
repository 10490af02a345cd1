// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Channel, Report } from "./data";
import { isZero } from "./series";

/** What a plot shows. */
export interface PlotSpec {
  title: string;
  x?: string;                 // a channel; left out: the time
  y: string[];
  circle?: number;            // a circle of that radius around the origin [unit of x and y]
  log?: boolean;              // the values in decades
  within?: [number, number];  // what is shown of x, and drawn
}
/** `note`: what is missing; `hint`: how to see more. */
export interface PlotSet { name: string; plots: PlotSpec[]; note?: string; hint?: string }

const most = 8;   // lines in one plot

class Finder {
  constructor(readonly report: Report) {}
  has(name: string) { return this.report.byName.has(name); }
  all(...names: string[]) { return names.filter((name) => this.has(name)); }
  matching(pattern: RegExp): string[] {
    return this.report.channels.map((c) => c.name).filter((name) => pattern.test(name));
  }
  moves(name: string) {
    const channel = this.report.byName.get(name);
    return !!channel && !isZero(channel) && this.differs(name);
  }
  /** Round-off counts, too. */
  differs(name: string) {
    const values = this.report.byName.get(name)?.values;
    return !!values && values.some((v) => Number.isFinite(v) && v !== values[0]);
  }
  get joints() { return this.report.scene?.joints ?? []; }
  get contacts() { return this.report.contacts; }
}

const shown = (plots: PlotSpec[]) => plots.filter((plot) => plot.y.length > 0);

function gaps(f: Finder): PlotSpec[] {
  const plots: PlotSpec[] = [];
  for (const j of f.joints) {
    plots.push({ title: `Gaps of ${j.name} over its clearance`, y: f.all(...[1, 2, 3, 4].map((k) => `${j.name}.gap${k}`)) });
    plots.push({ title: `Eccentricity of ${j.name} over its clearance`, y: f.all(`${j.name}.eccentricity_ratio`) });
    plots.push({ title: `Play of ${j.name} over its clearance`, y: f.all(`${j.name}.play_ratio`) });
  }
  if (shown(plots).length === 0) plots.push({ title: "Gaps", y: f.contacts.map((c) => `${c}.gap`).filter((c) => f.has(c)).slice(0, most) });
  return shown(plots);
}

/** The bodies that have play, then the others. */
function livelyBodies(f: Finder): string[] {
  const bodies = f.report.scene?.bodies ?? [];
  const loose = f.joints.filter((j) => j.clearance && j.q && j.q.body >= 0).map((j) => bodies[j.q!.body].name);
  return [...new Set([...loose, ...bodies.map((b) => b.name)])].slice(0, 4);
}

function speedsAndPortraits(f: Finder): PlotSpec[] {
  const bodies = livelyBodies(f), plots: PlotSpec[] = [
    { title: "Angular velocities", y: bodies.map((b) => `${b}.omega`).filter((c) => f.moves(c)) },
    { title: "Velocities", y: bodies.flatMap((b) => [`${b}.vx`, `${b}.vy`]).filter((c) => f.moves(c)).slice(0, most) },
  ];
  for (const b of bodies.slice(0, 2)) {
    for (const [q, u, what] of [["x", "vx", "x"], ["y", "vy", "y"], ["angle", "omega", "angle"]])
      if (f.moves(`${b}.${q}`)) plots.push({ title: `Portrait of ${b}: ${what}`, x: `${b}.${q}`, y: f.all(`${b}.${u}`) });
  }
  return shown(plots);
}

function displacement(f: Finder): PlotSpec[] {
  const plots: PlotSpec[] = [];
  const sliding = f.joints.filter((j) => j.axis && j.q && f.has(`${j.name}.q`));
  for (const j of sliding.slice(0, 3)) {
    plots.push({ title: `Displacement of ${j.name}`, y: f.all(`${j.name}.q`) });
    plots.push({ title: `Velocity of ${j.name}`, y: f.all(`${j.name}.u`) });
  }
  for (const mark of (f.report.scene?.marks ?? []).slice(0, 2)) {
    plots.push({ title: `Displacement of ${mark.name}`, y: f.all(`${mark.name}.x`, `${mark.name}.y`) });
    plots.push({ title: `Velocity of ${mark.name}`, y: f.all(`${mark.name}.vx`, `${mark.name}.vy`) });
  }
  if (shown(plots).length === 0)
    for (const b of livelyBodies(f).slice(0, 2)) {
      plots.push({ title: `Displacement of ${b}`, y: f.all(`${b}.x`, `${b}.y`) });
      plots.push({ title: `Velocity of ${b}`, y: f.all(`${b}.vx`, `${b}.vy`) });
    }
  return shown(plots);
}

function orbits(f: Finder): PlotSpec[] {
  return shown(f.joints.filter((j) => f.has(`${j.name}.ex`)).map((j) => ({
    title: `Journal of ${j.name} in its clearance circle`, x: `${j.name}.ex`, y: f.all(`${j.name}.ey`), circle: j.clearance?.gap,
  })));
}

function penetration(f: Finder): PlotSpec[] {
  const plots: PlotSpec[] = [
    { title: "Gaps (negative: penetration)", y: f.contacts.map((c) => `${c}.gap`).filter((c) => f.has(c)).slice(0, most) },
    { title: "Deepest penetration of each step", y: f.all("steps.penetration") },
    { title: "Step size", y: f.all("steps.step"), log: true },
  ];
  return shown(plots);
}

const pushing = (f: Finder, column: string) =>
  f.contacts.map((c) => `${c}.${column}`).filter((name) => f.moves(name)).slice(0, most);

function contactForces(f: Finder): PlotSpec[] {
  return shown([
    { title: "Normal contact forces", y: pushing(f, "force_n") },
    { title: "Tangential contact forces", y: pushing(f, "force_t") },
    { title: "Largest normal force since the row before", y: pushing(f, "peak_n") },
    { title: "Impulses of impacts", y: pushing(f, "impact_n") },
  ]);
}

function reactions(f: Finder): PlotSpec[] {
  return shown(f.joints.slice(0, 8).map((j) => ({
    title: `Reaction of ${j.name}`, y: f.all(`${j.name}.fx`, `${j.name}.fy`, `${j.name}.tension`, `${j.name}.force`),
  })));
}

function phasePortraits(f: Finder): PlotSpec[] {
  const plots: PlotSpec[] = [];
  for (const name of f.matching(/\.q\d*$/)) {
    const rate = name.replace(/\.q(\d*)$/, ".u$1");
    if (f.moves(name) && f.has(rate)) plots.push({ title: `Phase portrait of ${name.replace(/\.q\d*$/, "")}`, x: name, y: [rate] });
  }
  return plots.slice(0, 6);
}

/** Rows in which a force acts, over the times that it begins to act. */
function rowsPerContact(forces: ArrayLike<number>): [number, number] {
  let rows = 0, begins = 0;
  for (let i = 0; i < forces.length; ++i) {
    if (!(forces[i] > 0)) continue;
    ++rows;
    if (i === 0 || !(forces[i - 1] > 0)) ++begins;
  }
  return [rows, begins];
}

/** Of contacts that are forces: others have no penetration that a force follows from. */
function loops(f: Finder): { plots: PlotSpec[]; hint?: string } {
  const plots: PlotSpec[] = [];
  let rows = 0, begins = 0;
  if (f.report.options.method !== "compliant") return { plots };
  for (const c of f.contacts) {
    const gap = f.report.byName.get(`${c}.gap`), force = f.report.byName.get(`${c}.force_n`);
    if (!gap || !force || !f.moves(`${c}.force_n`)) continue;
    let least = 0;
    for (const v of gap.values) if (v < least) least = v;
    if (!(least < 0) || plots.length === 6) continue;
    plots.push({ title: `Force over gap of ${c} (negative: penetration)`, x: gap.name, y: [force.name], within: [1.05 * least, -0.15 * least] });
    const [r, b] = rowsPerContact(force.values);
    rows += r;
    begins += b;
  }
  const coarse = rows < 10 * begins;
  return { plots, hint: coarse ? "Contacts last for less than ten rows of the output here: backlash run --every step shows their loops." : undefined };
}

function energy(f: Finder): PlotSpec[] {
  return shown([
    { title: "Energy", y: f.all("energy.kinetic", "energy.potential") },
    { title: "Work done on the mechanism",
      y: f.all("energy.contact_work", "energy.dry_friction_work", "energy.drive_work", "energy.applied_work", "energy.switching").filter((c) => f.moves(c)) },
    { title: "Made or lost by the method itself", y: f.all("energy.made_by_method") },
  ]);
}

function solver(f: Finder): PlotSpec[] {
  return shown([
    { title: "Iterations of the solver", y: f.all("steps.iterations").filter((c) => f.differs(c)) },
    { title: "Residual", y: f.all("steps.residual").filter((c) => f.differs(c)), log: true },
    { title: "Step size", y: f.all("steps.step"), log: true },
  ]);
}

/** The channels that a name stands for; `*` is any letters. */
export function matching(channels: Channel[], pattern: string): string[] {
  const text = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*");
  const expression = new RegExp(`^${text}$`);
  return channels.map((c) => c.name).filter((name) => expression.test(name));
}

function modelSets(report: Report): PlotSet[] {
  return Object.entries(report.plots).map(([name, plots]) => {
    const missing: string[] = [];
    const specs = plots.map((plot) => ({
      title: plot.title || plot.name, x: plot.x || undefined,
      y: plot.y.flatMap((pattern) => {
        const found = matching(report.channels, pattern);
        if (found.length === 0) missing.push(pattern);
        return found;
      }).slice(0, 2 * most),
      circle: circleOf(report, plot.x),
    }));
    for (const spec of specs) if (spec.x && !report.byName.has(spec.x)) missing.push(spec.x);
    return {
      name: name === "paper" ? "Figures of the paper" : name,
      plots: specs.filter((spec) => spec.y.length > 0 && (!spec.x || report.byName.has(spec.x))),
      note: missing.length ? `Not in the results: ${missing.join(", ")}` + (missing.some((m) => m.startsWith("steps.")) ? " (steps are recorded by backlash run --steps)" : "") : undefined,
    };
  });
}

/** Orbits are shown in their clearance circle. */
function circleOf(report: Report, x: string): number | undefined {
  const joint = report.scene?.joints.find((j) => x === `${j.name}.ex`);
  return joint?.clearance?.gap;
}

export function plotSets(report: Report): PlotSet[] {
  const f = new Finder(report);
  const sets: PlotSet[] = modelSets(report);
  const add = (name: string, plots: PlotSpec[], hint?: string) => { if (plots.length) sets.push({ name, plots, hint }); };
  add(f.joints.some((j) => j.clearance) ? "Gaps over clearance" : "Gaps", gaps(f));
  add("Speeds and portraits", speedsAndPortraits(f));
  add("Displacement and velocity", displacement(f));
  add("Journal orbits", orbits(f));
  add("Penetration and step size", penetration(f));
  add("Contact forces", contactForces(f));
  add("Joint reactions", reactions(f));
  add("Phase portraits", phasePortraits(f));
  const { plots, hint } = loops(f);
  add("Force–penetration loops", plots, hint);
  add("Energy balance", energy(f));
  add("Solver", solver(f));
  return sets;
}

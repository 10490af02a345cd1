// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Clock } from "./clock";
import { Report } from "./data";
import { button, csvField, download, el, number } from "./dom";

/** Tables that can be sorted and saved; a click on a row goes to its time. */

interface Column<T> { head: string; value: (row: T) => number | string; digits?: number }

const page = 200;   // rows at once

function table<T>(name: string, rows: T[], columns: Column<T>[], go?: (row: T) => void): HTMLElement {
  let sorted = rows, by = -1, down = false, shown = page;
  const body = el("tbody"), more = button("More rows", "", () => { shown += 5 * page; fill(); }, { class: "more" });
  const text = (v: number | string, digits = 5) => (typeof v === "number" ? number(v, digits) : v);
  const fill = () => {
    body.replaceChildren(...sorted.slice(0, shown).map((row) => {
      const line = el("tr", go ? { tabindex: "0", class: "link" } : {},
        ...columns.map((c) => { const v = c.value(row); return el("td", typeof v === "number" ? { class: "number" } : {}, text(v, c.digits)); }));
      if (go) {
        line.addEventListener("click", () => go(row));
        line.addEventListener("keydown", (e) => { if (e.key === "Enter") go(row); });
      }
      return line;
    }));
    more.textContent = `${sorted.length - shown} more rows …`;
    more.hidden = shown >= sorted.length;
  };
  const heads = columns.map((c, k) => {
    const th = el("th", { title: "Sort", "aria-sort": "none" }, button(`Sort by ${c.head}`, c.head, () => {
      down = by === k ? !down : typeof c.value(rows[0]) === "number" && k > 0;
      by = k;
      sorted = rows.slice().sort((a, b) => { const x = c.value(a), y = c.value(b); return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1); });
      heads.forEach((h, i) => h.setAttribute("aria-sort", i !== k ? "none" : down ? "descending" : "ascending"));
      fill();
    }));
    return th;
  });
  fill();
  const csv = () => [columns.map((c) => csvField(c.head)).join(","), ...sorted.map((row) => columns.map((c) => csvField(String(c.value(row)))).join(","))].join("\n") + "\n";
  return el("div", { class: "table" },
    el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body)), more,
    button("Save the table as CSV", "CSV", () => download(`${name}.csv`, csv(), "text/csv"), { class: "save" }));
}

const unitOf = (e: { unit: string }, metre: string, radian: string) => (e.unit === "rad" ? radian : metre);

function impacts(report: Report, clock: Clock): HTMLElement {
  if (report.impacts.length === 0) return el("p", {}, "There was no impact.");
  const angular = report.impacts.some((e) => e.unit === "rad");
  const columns: Column<(typeof report.impacts)[number]>[] = [
    { head: "time [s]", value: (e) => e.t, digits: 9 },
    { head: "contact", value: (e) => e.contact },
    { head: angular ? "velocity before" : "velocity before [m/s]", value: (e) => e.before },
    { head: angular ? "velocity after" : "velocity after [m/s]", value: (e) => e.after },
    { head: angular ? "normal impulse" : "normal impulse [N s]", value: (e) => e.impulseN },
    { head: angular ? "tangential impulse" : "tangential impulse [N s]", value: (e) => e.impulseT },
    { head: "energy lost [J]", value: (e) => e.loss },
  ];
  if (angular) columns.push({ head: "units", value: (e) => unitOf(e, "m/s, N s", "rad/s, N m s") });
  return table("impacts", report.impacts, columns, (e) => clock.set(e.t));
}

function intervals(report: Report, clock: Clock): HTMLElement {
  if (report.intervals.length === 0) return el("p", {}, "No contact lasted from one row of output to the next.");
  return table("stick_and_slip", report.intervals, [
    { head: "from [s]", value: (i) => i.from, digits: 9 },
    { head: "to [s]", value: (i) => i.to, digits: 9 },
    { head: "duration [s]", value: (i) => i.to - i.from },
    { head: "contact", value: (i) => i.contact },
    { head: "state", value: (i) => i.state },
  ], (i) => clock.set(i.from));
}

const summaryRows: [string, string, string][] = [
  ["steps", "steps", ""], ["rejected_steps", "rejected steps", ""], ["smallest_step", "smallest step", "s"], ["largest_step", "largest step", "s"],
  ["impacts", "impacts (contact by contact)", ""],
  ["largest_penetration", "largest penetration", "m"], ["largest_angular_penetration", "largest angular penetration", "rad"],
  ["worst_residual", "worst residual of the contact solver (relative)", ""], ["solver_iterations", "iterations of the contact solver", ""],
  ["imprecise_steps", "steps solved less precisely, with nearly redundant rows", ""], ["jammed_steps", "steps with contacts that contradicted each other", ""], ["singular_steps", "steps near singular positions of loops", ""], ["fallback_steps", "steps that the chosen solver did not solve", ""],
  ["wall_time", "wall time of the run", "s"],
];

function pairs(entries: [string, string][]): HTMLElement {
  return el("table", { class: "pairs" }, el("tbody", {}, ...entries.map(([k, v]) => el("tr", {}, el("th", { scope: "row" }, k), el("td", {}, v)))));
}

function summary(report: Report): HTMLElement {
  const s = report.summary, entries: [string, string][] = [["time", `${number(report.tStart)} … ${number(report.tEnd)} s`]];
  if (s) {
    for (const [key, words, unit] of summaryRows)
      if (s[key] !== undefined && s[key] !== null && !(key.startsWith("largest_angular") && s[key] === 0))
        entries.push([words, `${number(s[key])} ${unit}`.trim()]);
    if (s.small_bounces?.count > 0)
      entries.push(["small bounces that come to rest", `${s.small_bounces.count}, ${number(s.small_bounces.energy_loss, 3)} J in all`]);
    if (s.hardest_impact)
      entries.push(["hardest impact", `t = ${number(s.hardest_impact.t)} s in ${s.hardest_impact.contact}: ${number(s.hardest_impact.speed, 4)} ${unitOf(s.hardest_impact, "m/s", "rad/s")}, ${number(s.hardest_impact.impulse, 4)} ${unitOf(s.hardest_impact, "N s", "N m s")}, ${number(s.hardest_impact.energy_loss, 3)} J`]);
    if (s.deepest_in_play)
      entries.push(["deepest in its play", `${s.deepest_in_play.contact} at t = ${number(s.deepest_in_play.t)} s: ${number(100 * s.deepest_in_play.of_play, 2)} % of the play`]);
  }
  const parts: HTMLElement[] = [el("div", {}, el("h3", {}, "Run"), pairs(entries))];
  if (s?.energy) parts.push(el("div", {}, el("h3", {}, "Energy"), pairs(Object.entries(s.energy).map(([k, v]) => [k.replace(/_/g, " "), `${number(v as number)} J`]))));
  const list = (values: Record<string, unknown>): [string, string][] =>
    Object.entries(values).map(([k, v]) => [k, typeof v === "number" ? number(v) : String(v)]);
  if (Object.keys(report.options).length) parts.push(el("div", {}, el("h3", {}, "Options"), pairs(list(report.options))));
  if (Object.keys(report.parameters).length) parts.push(el("div", {}, el("h3", {}, "Parameters (SI)"), pairs(list(report.parameters))));
  return el("div", { class: "summaries" }, ...parts);
}

function model(report: Report): HTMLElement {
  return el("div", {}, ...report.files.map((f) => el("div", {}, el("h3", {}, f.file), el("pre", {}, f.text))));
}

export function tables(report: Report, clock: Clock, host: HTMLElement) {
  const parts: [string, () => HTMLElement][] = [
    [`Impacts (${report.impacts.length})`, () => impacts(report, clock)],
    [`Stick and slip (${report.intervals.length})`, () => intervals(report, clock)],
    ["Summary", () => summary(report)],
  ];
  if (report.files.length) parts.push(["Model", () => model(report)]);
  const body = el("div", { class: "tab-body" }), tabs = el("div", { class: "tabs", role: "tablist" });
  const buttons = parts.map(([name, make], i) => button(name, name, () => {
    buttons.forEach((b, k) => b.setAttribute("aria-selected", String(k === i)));
    body.replaceChildren(make());
  }, { role: "tab" }));
  tabs.append(...buttons);
  host.append(tabs, body);
  buttons[report.impacts.length ? 0 : 2].click();
}

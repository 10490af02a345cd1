// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Clock } from "./clock";
import { Report, unpackReport } from "./data";
import { button, el, number } from "./dom";
import { Player } from "./player";
import { Plots } from "./plots";
import { tables } from "./tables";
import { darkNow, setDark, startTheme } from "./theme";

const shortcuts: [string, string][] = [
  ["space", "play and pause"], ["← →", "one row; with shift ten"], ["n  p", "next and previous impact"],
  ["Home  End", "start and end"], [",  .", "slower and faster"], ["e  d", "exaggerate clearance more and less"],
  ["+  −  0", "zoom in, out, show all"], ["r", "reset"], ["t", "light and dark"], ["?", "this list"],
];

function statusText(report: Report): [string, string] {
  const at = `t = ${number(report.tEnd)} s`;
  if (report.status === "done") return ["done", `complete, to ${at}`];
  if (report.status === "failed") return ["failed", `failed at ${at}`];
  if (report.status === "interrupted") return ["partial", `interrupted at ${at}`];
  return ["partial", `incomplete: the run did not end by itself; its results end at ${at}`];
}

function facts(report: Report): HTMLElement {
  const s = report.summary ?? {}, o = report.options, list: [string, string][] = [];
  const add = (key: string, value: unknown) => { if (value !== undefined && value !== null && value !== "") list.push([key, String(value)]); };
  if (report.scene) add("Bodies", report.scene.bodies.length);
  if (report.scene) add("Joints", report.scene.joints.length);
  add("Contacts met", report.contacts.length);
  add("Method", o.method);
  add("Solver", o.solver);
  add("Step", typeof o.step === "number" ? `${number(o.step)} s` : o.step);
  add("Steps", s.steps);
  add("Impacts", report.impacts.length);
  if (s.energy) add("Energy made by the method", `${number(s.energy.made_by_method, 2)} J of ${number(s.energy.at_hand, 3)} J`);
  if (s.largest_penetration !== undefined) add("Largest penetration", `${number(s.largest_penetration, 3)} m`);
  return el("dl", { class: "facts" }, ...list.map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, v))));
}

function notices(report: Report): HTMLElement {
  const box = el("div", { class: "notices" }), s = report.summary ?? {};
  if (report.status !== "done") {
    const [, words] = statusText(report);
    const verb = report.status === "failed" ? "" : report.status === "interrupted" ? "was " : "is ";
    box.append(el("p", { class: "notice error" }, el("b", {}, `This run ${verb}`), words + ". ", s.message || ""));
  }
  // What check says, too, is said there, with advice.
  for (const warning of (s.warnings ?? []).filter((w: string) => !report.findings.some((f) => w.includes(f.message)))) box.append(el("p", { class: "notice warning" }, el("b", {}, "Run: "), warning));
  const place = (f: { file: string; line: number }) => (f.file ? `${f.file}${f.line > 0 ? `:${f.line}` : ""}` : "");
  const serious = report.findings.filter((f) => f.severity !== "note"), notes = report.findings.filter((f) => f.severity === "note");
  const line = (f: (typeof report.findings)[number]) => el("p", { class: `notice ${f.severity}` },
    el("b", {}, `${f.severity}: `), [f.item, f.message].filter(Boolean).join(": "), f.advice ? el("span", { class: "advice" }, " " + f.advice) : null,
    place(f) ? el("span", { class: "place" }, ` ${place(f)}`) : null);
  serious.forEach((f) => box.append(line(f)));
  if (notes.length) box.append(el("details", {}, el("summary", {}, `${notes.length} note${notes.length > 1 ? "s" : ""} of check on the model`), ...notes.map(line)));
  if (report.findingsMissing) box.append(el("p", { class: "notice note" }, `The model was not checked: ${report.findingsMissing}.`));
  if (report.thinned) {
    const t = report.thinned;
    box.append(el("p", { class: "notice note thinned" }, el("b", {}, "Thinned: "),
      `the run has ${t.rows.toLocaleString("en")} rows; this page keeps up to about ${t.points.toLocaleString("en")} of each channel. ` +
      `${t.whole === t.channels ? "All" : `${t.whole} of ${t.channels}`} channels keep every local extremum` +
      (t.whole === t.channels ? "" : `, the others the least and largest value of each of ${Math.floor(t.points / 3).toLocaleString("en")} equal parts`) +
      `; all impacts are kept${t.impactRows ? ", with the rows on both sides of each" : ""}. The results hold every row.`));
  }
  return box;
}

function help(): HTMLDialogElement {
  const dialog = el("dialog", { class: "help" }, el("h2", {}, "Keys"),
    el("table", {}, el("tbody", {}, ...shortcuts.map(([k, v]) => el("tr", {}, el("td", {}, ...k.split(/\s+/).map((x) => el("kbd", {}, x))), el("td", {}, v))))),
    el("p", {}, "In the picture: drag to pan, wheel to zoom, double click to show all. In a plot: click to go to a time, drag to zoom, shift and drag to pan, wheel to zoom, double click to show all."),
    el("form", { method: "dialog" }, el("button", {}, "Close")));
  return dialog;
}

function show(report: Report) {
  const root = document.getElementById("page")!, clock = new Clock(report.tStart, report.tEnd);
  const [kind, words] = statusText(report), dialog = help();
  const toggle = () => setDark(!darkNow());
  const playerHost = el("section", { class: "player", "aria-label": "Player" }), plotHost = el("section", { class: "plots", "aria-label": "Plots" });
  const tableHost = el("section", { class: "tables", "aria-label": "Tables" });
  root.replaceChildren(
    el("header", { class: "top" }, el("h1", {}, report.title || "Run"), el("span", { class: `badge ${kind}` }, words),
      el("span", { class: "grow" }), button("Keys (?)", "Keys", () => dialog.showModal()), button("Light or dark (t)", "◐", toggle, { class: "theme" })),
    facts(report), notices(report), el("main", {}, playerHost, plotHost), tableHost,
    el("footer", {}, `Backlash ${report.programVersion}. All numbers are in SI units. Plots show 32-bit numbers (7 digits); the results hold all digits.`), dialog);
  let player: Player | null = null;
  if (report.scene && report.frames) player = new Player(report, clock, playerHost);
  else playerHost.append(el("p", { class: "notice note" }, "These results hold no picture of their mechanism: " +
    (report.scene ? "the motion of its bodies is missing." : "no model describes it, or they were read from CSV files.")));
  const plots = new Plots(report, clock, plotHost);
  tables(report, clock, tableHost);
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (/^(SELECT|TEXTAREA)$/.test(target.tagName) || (target.tagName === "INPUT" && (target as HTMLInputElement).type !== "range" && (target as HTMLInputElement).type !== "checkbox")) return;
    if (event.key === "?") dialog.showModal();
    else if (event.key === "t") toggle();
    else if (event.key === " " && /^(BUTTON|SUMMARY)$/.test(target.tagName)) return;
    else if (!player?.key(event)) return;
    event.preventDefault();
  });
  // For programs that drive the page, such as its tests.
  (window as any).backlash = { report, clock, player, plots };
  root.removeAttribute("aria-busy");
}

startTheme();
unpackReport(document.getElementById("data")!.textContent!.trim()).then(show).catch((error) => {
  document.getElementById("page")!.replaceChildren(el("p", { class: "notice error" }, `This page could not be shown: ${error.message ?? error}. It needs a browser of 2023 or newer.`));
  throw error;
});

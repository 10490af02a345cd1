// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Clock } from "./clock";
import { Report } from "./data";
import { el } from "./dom";
import { Plot, PlotHost } from "./plot";
import { PlotSet, PlotSpec, plotSets } from "./sets";
import { onTheme } from "./theme";

/** All plots, and how they are chosen. */
export class Plots implements PlotHost {
  readonly range: { from: number; to: number };
  readonly sets: PlotSet[];
  readonly plots: Plot[] = [];
  private active: Plot | null = null;
  private list = el("div", { class: "plot-list" });
  private note = el("p", { class: "plot-note" });
  private results = el("ul", { class: "found", role: "listbox" });
  private search = el("input", { type: "search", placeholder: "Find a channel …", class: "channel-search", "aria-label": "Find a channel" });
  readonly chooser: HTMLSelectElement;

  constructor(readonly report: Report, readonly clock: Clock, host: HTMLElement) {
    this.range = { from: clock.start, to: clock.end };
    this.sets = plotSets(report);
    if (report.shown.length) this.sets.unshift({ name: "Chosen channels", plots: this.chosen() });
    this.chooser = el("select", { class: "set", "aria-label": "Ready-made plots" },
      ...this.sets.map((set, i) => el("option", { value: i }, set.name)));
    this.chooser.addEventListener("change", () => this.open(Number(this.chooser.value)));
    this.search.addEventListener("input", () => this.find());
    this.search.addEventListener("focus", () => this.find());
    this.search.addEventListener("keydown", (e) => {
      if (e.key === "Enter") this.results.querySelector<HTMLButtonElement>("button")?.click();
      if (e.key === "Escape") this.hide();
    });
    document.addEventListener("pointerdown", (e) => { if (!this.picker.contains(e.target as Node)) this.hide(); });
    this.picker.append(this.search, this.results);
    host.append(el("div", { class: "plot-bar" }, el("label", {}, "Plots ", this.chooser), this.picker), this.note, this.list);
    clock.listen((t) => this.plots.forEach((plot) => plot.follow(t)));
    onTheme(() => this.plots.forEach((plot) => plot.build()));
    if (this.sets.length) this.open(0);
    else this.note.textContent = "Choose a channel to plot it.";
  }

  private picker = el("div", { class: "picker" });

  /** Channels that the command line asked for: those of one unit together. */
  private chosen(): PlotSpec[] {
    const groups = new Map<string, string[]>();
    for (const name of this.report.shown) {
      const unit = this.report.byName.get(name)?.unit ?? "";
      groups.set(unit, [...(groups.get(unit) ?? []), name]);
    }
    return [...groups.values()].map((y) => ({ title: y.length === 1 ? y[0] : "Chosen channels", y }));
  }

  open(index: number) {
    this.plots.slice().forEach((plot) => this.close(plot));
    const set = this.sets[index];
    this.chooser.value = String(index);
    this.note.textContent = [set.note, set.hint].filter(Boolean).join(" ");
    for (const spec of set.plots) this.add({ ...spec, y: spec.y.slice() });
  }

  add(spec: PlotSpec): Plot {
    const plot = new Plot(spec, this);
    this.list.append(plot.card);
    plot.build();   // now that it has a width
    this.plots.push(plot);
    this.activate(plot);
    return plot;
  }

  private hide() { this.results.replaceChildren(); }

  private find() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.report.channels.filter((c) => words.every((w) => c.name.toLowerCase().includes(w)));
    const rows = found.slice(0, 120).map((c) => el("li", {},
      el("button", { type: "button", class: "new", title: "A plot of its own", onclick: () => { this.add({ title: c.name, y: [c.name] }); this.hide(); } },
        el("span", {}, c.name), el("small", {}, c.unit === "-" ? "" : c.unit)),
      el("button", { type: "button", class: "join", title: "Into the plot that was touched last", onclick: () => this.join(c.name) }, "+")));
    if (found.length === 0) rows.push(el("li", { class: "none" }, "no such channel"));
    else if (found.length > 120) rows.push(el("li", { class: "none" }, `${found.length - 120} more …`));
    this.results.replaceChildren(...rows);
  }

  private join(name: string) {
    const plot = this.active;
    if (!plot || plot.spec.x || plot.spec.y.includes(name)) { if (!plot || plot.spec.x) this.add({ title: name, y: [name] }); return; }
    plot.spec.y.push(name);
    plot.build();
  }

  rangeChanged(from: number, to: number, source: Plot) {
    if (from === this.range.from && to === this.range.to) return;
    this.range.from = from;
    this.range.to = to;
    for (const plot of this.plots) {
      if (plot !== source) plot.setRange(from, to);
      plot.follow(this.clock.t);
    }
  }
  close(plot: Plot) {
    plot.u.destroy();
    plot.card.remove();
    this.plots.splice(this.plots.indexOf(plot), 1);
    if (this.active === plot) this.active = this.plots[this.plots.length - 1] ?? null;
  }
  activate(plot: Plot) {
    this.active = plot;
    for (const other of this.plots) other.card.classList.toggle("active", other === plot);
  }
}

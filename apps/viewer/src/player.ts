// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { Camera, extent, Box } from "./camera";
import { Clock } from "./clock";
import { Report, RunEvent, ScenePoint, rowAt } from "./data";
import { button, el, icon, number, roundBelow } from "./dom";
import { exaggerated, playing } from "./exaggerate";
import { Moment, Motion, Point } from "./motion";
import { Picture } from "./picture";
import { Brush } from "./brush";
import { onTheme, theme } from "./theme";

const icons = {
  play: "M4 2l10 6-10 6z", pause: "M3 2h4v12H3zM9 2h4v12H9z", next: "M3 2l7 6-7 6zM11 2h2v12h-2z",
  previous: "M13 2L6 8l7 6zM3 2h2v12H3z", forward: "M5 2h2v12H5zM8 4l6 4-6 4z", back: "M9 2h2v12H9zM8 4L2 8l6 4z",
  plus: "M7 3h2v4h4v2H9v4H7V9H3V7h4z", minus: "M3 7h10v2H3z",
  fit: "M2 2h5v2H4v3H2zM9 2h5v5h-2V4H9zM2 9h2v3h3v2H2zM12 9h2v5H9v-2h3z",
};

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** "1/200×" */
export const speedText = (speed: number) => (speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`);

interface Trace { name: string; point: ScenePoint; shown: boolean; path?: Path2D; points?: Point[] }

export class Player {
  readonly camera = new Camera();
  readonly motion: Motion;
  readonly canvas = el("canvas", { class: "picture", tabindex: "0", "aria-label": "The mechanism" });
  private ctx = this.canvas.getContext("2d")!;
  private box: Box;
  private size: number;
  private fitted = true;
  private playing = false;
  private last = 0;
  private waiting = false;               // a picture is asked for
  private usualForce: number;
  private newtons: number;               // pixels per newton, before the user's factor
  speed: number;
  exaggeration = 1;
  forceFactor = 1;
  private traces: Trace[];
  private show = { names: true, contacts: true, forces: true };
  private playButton!: HTMLButtonElement;
  private scrub!: HTMLInputElement;
  private clockText = el("output", { class: "clock" });
  private impactText = el("output", { class: "impact-text" });
  private speedInput!: HTMLInputElement;
  private exaggerationInput!: HTMLInputElement;
  private forceInput!: HTMLInputElement;
  private readouts = { speed: el("output"), exaggeration: el("output"), force: el("output") };
  /** Pictures drawn since the page was opened. */
  frames = 0;

  constructor(private report: Report, private clock: Clock, host: HTMLElement) {
    this.motion = new Motion(report.scene!, report.frames!, report.contacts);
    this.box = extent(this.motion);
    this.size = Math.max(this.box.high[0] - this.box.low[0], this.box.high[1] - this.box.low[1], 1e-9);
    this.usualForce = this.motion.usualForce();
    this.newtons = this.usualForce > 0 ? 70 / this.usualForce : 0;
    this.speed = this.usualSpeed();
    this.traces = this.points();
    host.append(this.stage(), this.controls(), this.settings());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    clock.listen(() => this.timeChanged());
    onTheme(() => this.redraw());
    this.bindPointer();
    this.timeChanged();
  }

  /** At which the run takes about ten seconds. */
  private usualSpeed(): number {
    const span = this.clock.end - this.clock.start;
    return speeds.reduce((best, s) => (Math.abs(Math.log(span / s / 10)) < Math.abs(Math.log(span / best / 10)) ? s : best), 1);
  }

  private points(): Trace[] {
    const scene = this.report.scene!, list: Trace[] = [];
    for (const mark of scene.marks) list.push({ name: mark.name, point: mark.at, shown: false });
    for (const j of scene.joints)
      if (j.q && j.q.body >= 0) list.push({ name: j.name, point: j.q, shown: false });
    scene.bodies.forEach((body, i) => list.push({ name: `${body.name} (centre of mass)`, point: { body: i, at: body.com }, shown: false }));
    return list;
  }

  /** What is drawn now. */
  moment(): Moment {
    return exaggerated(this.report.scene!, this.motion.at(this.clock.t), this.exaggeration, this.size);
  }

  // The page

  private stage(): HTMLElement {
    return el("div", { class: "stage" }, this.canvas,
      el("div", { class: "corner" },
        button("Zoom in (+)", icon(icons.plus), () => this.zoom(1.3)),
        button("Zoom out (−)", icon(icons.minus), () => this.zoom(1 / 1.3)),
        button("Show all of the motion (0)", icon(icons.fit), () => this.fit(), { class: "fit" })));
  }

  private controls(): HTMLElement {
    const impacts = this.report.impacts.length > 0;
    this.playButton = button("Play (space)", icon(icons.play), () => this.toggle(), { class: "play" });
    this.scrub = el("input", { type: "range", min: 0, max: 100000, value: 0, step: 1, class: "scrub", "aria-label": "Time" });
    this.scrub.addEventListener("input", () => {
      this.pause();
      const share = Number(this.scrub.value) / 100000;
      this.clock.set(this.clock.start + share * (this.clock.end - this.clock.start));
    });
    return el("div", { class: "controls" },
      el("div", { class: "row" },
        button("Previous impact (p)", icon(icons.previous), () => this.jump(-1), { class: "previous-impact", disabled: !impacts }),
        button("One row back (←)", icon(icons.back), () => this.step(-1), { class: "step-back" }),
        this.playButton,
        button("One row on (→)", icon(icons.forward), () => this.step(1), { class: "step-on" }),
        button("Next impact (n)", icon(icons.next), () => this.jump(1), { class: "next-impact", disabled: !impacts }),
        this.clockText, this.impactText),
      el("div", { class: "scrubber" }, this.scrub, this.impactStrip()));
  }

  /** Ticks where impacts are; darker where there are many. */
  private impactStrip(): HTMLElement {
    const strip = el("canvas", { class: "impact-strip", width: 1000, height: 8, title: "Impacts" });
    const draw = () => {
      const c = strip.getContext("2d")!, span = this.clock.end - this.clock.start || 1;
      c.clearRect(0, 0, 1000, 8);
      c.fillStyle = theme().states.impact;
      c.globalAlpha = this.report.impacts.length > 400 ? 0.25 : 0.75;
      for (const impact of this.report.impacts) c.fillRect(999 * ((impact.t - this.clock.start) / span), 0, 1.4, 8);
      c.globalAlpha = 1;
    };
    onTheme(draw);
    draw();
    return strip;
  }

  private slider(label: string, title: string, attributes: Record<string, any>, output: HTMLElement, changed: (value: number) => void) {
    const input = el("input", { type: "range", ...attributes });
    input.addEventListener("input", () => { changed(Number(input.value)); this.redraw(); });
    return { input, line: el("label", { class: "slider", title }, el("span", {}, label), input, output) };
  }

  private settings(): HTMLElement {
    const speed = this.slider("Speed", "Simulated seconds per second (, and .)", { min: 0, max: speeds.length - 1, step: 1, value: speeds.indexOf(this.speed), class: "speed" },
      this.readouts.speed, (v) => this.setSpeed(speeds[v]));
    const play = playing(this.report.scene!).length > 0;
    const more = this.slider("Exaggerate clearance", "Play in joints is drawn this many times as large (e and d)",
      { min: 0, max: 3, step: 0.01, value: 0, class: "exaggeration", disabled: !play },
      this.readouts.exaggeration, (v) => this.setExaggeration(10 ** v));
    const force = this.slider("Force arrows", "Length of the arrows", { min: -2, max: 2, step: 0.05, value: 0, class: "force-scale", disabled: this.newtons === 0 },
      this.readouts.force, (v) => { this.forceFactor = 10 ** v; this.updateReadouts(); });
    this.speedInput = speed.input;
    this.exaggerationInput = more.input;
    this.forceInput = force.input;
    this.updateReadouts();
    const check = (label: string, key: keyof typeof this.show) => {
      const box = el("input", { type: "checkbox", checked: this.show[key] });
      box.addEventListener("change", () => { this.show[key] = box.checked; this.redraw(); });
      return el("label", { class: "check" }, box, label);
    };
    return el("div", { class: "settings" },
      el("div", { class: "sliders" }, speed.line, more.line, force.line),
      el("div", { class: "checks" }, check("Names", "names"), check("Contacts", "contacts"), check("Forces", "forces"), this.traceList()),
      this.legend());
  }

  private traceList(): HTMLElement {
    const list = el("div", { class: "trace-list" });
    for (const trace of this.traces) {
      const box = el("input", { type: "checkbox" });
      box.addEventListener("change", () => { trace.shown = box.checked; this.redraw(); });
      list.append(el("label", { class: "check" }, box, trace.name));
    }
    return el("details", { class: "traces" }, el("summary", {}, "Traces"), list);
  }

  private legend(): HTMLElement {
    const entry = (state: string, mark: string) => el("span", { class: `state ${state}` }, el("b", {}, mark), state);
    return el("div", { class: "legend" }, entry("open", "×"), entry("stick", "■"), entry("slip", "●"), entry("impact", "◆"));
  }

  // Time

  private timeChanged() {
    const span = this.clock.end - this.clock.start || 1;
    this.scrub.value = String(Math.round((100000 * (this.clock.t - this.clock.start)) / span));
    this.clockText.textContent = `t = ${this.clock.t.toFixed(Math.max(2, Math.min(9, 5 - Math.floor(Math.log10(span)))))} s`;
    const impact = this.impactNow();
    this.impactText.textContent = impact ? `impact of ${impact.contact}: ${number(impact.impulseN, 3)} ${impact.unit === "rad" ? "N m s" : "N s"}` : "";
    this.redraw();
  }

  /** The impact that is shown: within half a row of now. */
  private impactNow(): RunEvent | undefined {
    const times = this.report.frames!.times, row = rowAt(times, this.clock.t);
    const near = 0.5 * Math.max(1e-12, (times[Math.min(row + 1, times.length - 1)] - times[Math.max(0, row - 1)]) / 2);
    return this.impactsBetween(this.clock.t - near, this.clock.t + near)
      .sort((a, b) => Math.abs(a.t - this.clock.t) - Math.abs(b.t - this.clock.t))[0];
  }

  private impactsBetween(from: number, to: number): RunEvent[] {
    const all = this.report.impacts, found: RunEvent[] = [];
    let low = 0, high = all.length;
    while (low < high) { const m = (low + high) >> 1; if (all[m].t < from) low = m + 1; else high = m; }
    for (let i = low; i < all.length && all[i].t <= to; ++i) found.push(all[i]);
    return found;
  }

  toggle() { this.playing ? this.pause() : this.play(); }
  play() {
    if (this.clock.t >= this.clock.end) this.clock.set(this.clock.start);
    this.playing = true;
    this.last = performance.now();
    this.redraw();
    this.playButton.replaceChildren(icon(icons.pause));
    this.playButton.title = "Pause (space)";
  }
  pause() {
    this.playing = false;
    this.playButton.replaceChildren(icon(icons.play));
    this.playButton.title = "Play (space)";
  }
  get isPlaying() { return this.playing; }

  step(rows: number) {
    this.pause();
    const times = this.report.frames!.times, row = rowAt(times, this.clock.t);
    const on = rows < 0 && times[row] < this.clock.t ? row + rows + 1 : row + rows;
    this.clock.set(times[Math.min(times.length - 1, Math.max(0, on))]);
  }

  jump(sign: number) {
    this.pause();
    const slack = 1e-9 * (this.clock.end - this.clock.start), now = this.clock.t;
    const times = this.report.impacts.map((i) => i.t).filter((t, i, all) => i === 0 || t > all[i - 1] + slack);
    const next = sign > 0 ? times.find((t) => t > now + slack) : times.filter((t) => t < now - slack).pop();
    if (next !== undefined) this.clock.set(next);
  }

  setSpeed(speed: number) {
    this.speed = speed;
    this.speedInput.value = String(speeds.indexOf(speed));
    this.updateReadouts();
  }
  setExaggeration(factor: number) {
    this.exaggeration = Math.min(1000, Math.max(1, Math.abs(factor - 1) < 0.02 ? 1 : factor));
    this.exaggerationInput.value = String(Math.log10(this.exaggeration));
    this.updateReadouts();
    this.redraw();
  }
  private updateReadouts() {
    this.readouts.speed.textContent = speedText(this.speed);
    this.readouts.exaggeration.textContent = `${number(this.exaggeration, 3)}×`;
    this.readouts.force.textContent = `${number(this.forceFactor, 2)}×`;
  }

  // The picture

  fit() { this.fitted = true; this.camera.fit(this.box); this.redraw(); }
  zoom(factor: number, at: Point = [this.camera.width / 2, this.camera.height / 2]) {
    this.fitted = false;
    this.camera.zoom(factor, at);
    this.redraw();
  }

  private resize() {
    const ratio = window.devicePixelRatio || 1, w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    this.canvas.width = Math.round(w * ratio);
    this.canvas.height = Math.round(h * ratio);
    this.camera.width = w;
    this.camera.height = h;
    if (this.fitted) this.camera.fit(this.box);
    this.draw();   // at once: the canvas has been cleared
  }

  private bindPointer() {
    let from: Point | null = null;
    this.canvas.addEventListener("pointerdown", (e) => { from = [e.clientX, e.clientY]; this.canvas.setPointerCapture(e.pointerId); });
    this.canvas.addEventListener("pointermove", (e) => {
      if (!from) return;
      this.fitted = false;
      this.camera.pan(e.clientX - from[0], e.clientY - from[1]);
      from = [e.clientX, e.clientY];
      this.redraw();
    });
    this.canvas.addEventListener("pointerup", () => (from = null));
    this.canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      const r = this.canvas.getBoundingClientRect();
      this.zoom(Math.exp(-0.0015 * e.deltaY), [e.clientX - r.left, e.clientY - r.top]);
    }, { passive: false });
    this.canvas.addEventListener("dblclick", () => this.fit());
  }

  /** Asks for a picture. None is drawn unless something changes. */
  private redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number) {
    this.waiting = false;
    if (this.playing) {
      const t = this.clock.t + ((now - this.last) / 1000) * this.speed;
      this.last = now;
      this.clock.set(t);
      if (t >= this.clock.end) this.pause();
    }
    this.draw();
    if (this.playing) this.redraw();
  }

  private drawTraces() {
    const c = this.ctx, { scale, centre, width, height } = this.camera, ratio = window.devicePixelRatio || 1;
    this.traces.filter((trace) => trace.shown).forEach((trace, k) => {
      trace.points ??= this.motion.path(trace.point);
      if (!trace.path) {
        trace.path = new Path2D();
        trace.points.forEach((p, i) => (i === 0 ? trace.path!.moveTo(p[0], p[1]) : trace.path!.lineTo(p[0], p[1])));
      }
      c.save();
      c.setTransform(ratio * scale, 0, 0, -ratio * scale, ratio * (width / 2 - centre[0] * scale), ratio * (height / 2 + centre[1] * scale));
      c.lineWidth = 1.3 / scale;
      c.lineJoin = "round";
      c.strokeStyle = theme().series[k % theme().series.length];
      c.globalAlpha = 0.75;
      c.stroke(trace.path);
      c.restore();
    });
  }

  private draw() {
    ++this.frames;
    const c = this.ctx, ratio = window.devicePixelRatio || 1;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = theme().paper;
    c.fillRect(0, 0, this.camera.width, this.camera.height);
    this.drawTraces();
    const flash = this.impactNow();
    const picture = new Picture(c, this.camera, this.report.scene!, this.moment(), {
      ...this.show, pixelsPerNewton: this.newtons * this.forceFactor, exaggeration: this.exaggeration,
    });
    picture.draw(flash ? [flash] : []);
    this.drawScales();
  }

  /** Bars that tell how long a metre, and a newton, is. */
  private drawScales() {
    const brush = new Brush(this.ctx), ink = theme().ink, y = this.camera.height - 14;
    const metres = roundBelow(110 / this.camera.scale), length = metres * this.camera.scale;
    const bar = (x: number, w: number, words: string) => {
      brush.line([[x, y - 4], [x, y], [x + w, y], [x + w, y - 4]], { colour: ink, width: 1.2 });
      brush.text(words, [x + w / 2, y - 10], ink, theme().paper, 11, "center");
    };
    bar(14, length, metres >= 1 ? `${number(metres)} m` : metres >= 1e-3 ? `${number(metres * 1e3)} mm` : `${number(metres * 1e6)} µm`);
    if (this.exaggeration > 1)
      brush.text(`clearances drawn ${number(this.exaggeration, 3)} times as large`, [this.camera.width - 14, y - 4], ink, theme().paper, 11, "right");
    const k = this.newtons * this.forceFactor;
    if (!(k > 0) || !this.show.forces) return;
    const newtons = roundBelow(90 / k), x = 14 + length + 40;
    brush.arrow([x, y - 2], [x + newtons * k, y - 2], ink);
    brush.text(`${number(newtons)} N`, [x + (newtons * k) / 2, y - 12], ink, theme().paper, 11, "center");
  }

  key(event: KeyboardEvent): boolean {
    const at = speeds.indexOf(this.speed);
    switch (event.key) {
      case " ": this.toggle(); return true;
      case "ArrowRight": this.step(event.shiftKey ? 10 : 1); return true;
      case "ArrowLeft": this.step(event.shiftKey ? -10 : -1); return true;
      case "n": this.jump(1); return true;
      case "p": this.jump(-1); return true;
      case "Home": this.pause(); this.clock.set(this.clock.start); return true;
      case "End": this.pause(); this.clock.set(this.clock.end); return true;
      case ",": this.setSpeed(speeds[Math.max(0, at - 1)]); return true;
      case ".": this.setSpeed(speeds[Math.min(speeds.length - 1, at + 1)]); return true;
      case "e": this.setExaggeration(this.exaggeration * 10 ** 0.25); return true;
      case "d": this.setExaggeration(this.exaggeration / 10 ** 0.25); return true;
      case "+": this.zoom(1.3); return true;
      case "-": this.zoom(1 / 1.3); return true;
      case "0": this.fit(); return true;
      case "r": this.reset(); return true;
    }
    return false;
  }

  /** As the page was opened, but for what is shown. */
  reset() {
    this.pause();
    this.setExaggeration(1);
    this.setSpeed(this.usualSpeed());
    this.forceFactor = 1;
    this.forceInput.value = "0";
    this.updateReadouts();
    this.fit();
    this.clock.set(this.clock.start);
  }

}

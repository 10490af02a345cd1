// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { changed, colours, csv, example, folder, openReport, redrawn, remember, reportOf } from "./support.mjs";

let sliderCrank, page, errors;
before(async () => {
  sliderCrank = reportOf("slider_crank", example("slider_crank"));
  ({ page, errors } = await openReport(sliderCrank));
});

/** One page for most tests, as it was opened. */
const fresh = async () => { await page.evaluate(() => { backlash.player.reset(); backlash.plots.open(0); }); await redrawn(page); };

const time = (page) => page.evaluate(() => backlash.clock.t);
const setTime = async (page, t) => { await page.evaluate((t) => backlash.clock.set(t), t); await redrawn(page); };
const hideWords = (page) => page.evaluate(() => document.querySelectorAll(".checks > .check input:checked").forEach((box) => box.click()));

test("A report opens from its file, light and dark, without complaints and without the network", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page, errors } = await openReport(sliderCrank, { scheme });
    assert.equal(await page.title(), "Slider-crank with a translational clearance joint");
    assert.match(await page.textContent(".badge"), /complete, to t = 0.1 s/);
    assert.ok((await page.locator(".plot canvas").count()) >= 1);
    assert.deepEqual((await colours(page)).corner, scheme === "light" ? [255, 255, 255] : [20, 25, 31]);
    assert.deepEqual(errors, []);
    await page.close();
  }
});

test("It plays at the speed that was chosen, and pauses", async () => {
  await fresh();
  await remember(page);
  await page.evaluate(() => backlash.player.setSpeed(0.01));
  // However slow the machine: some pictures later, the time is that of the last one.
  const [t, clock] = await page.evaluate(() => new Promise((done) => {
    const began = performance.now();
    backlash.player.play();
    let pictures = 0;
    const watch = (now) => (++pictures < 12 ? requestAnimationFrame(watch) : done([backlash.clock.t, (now - began) / 1000]));
    requestAnimationFrame(watch);
  }));
  assert.ok(t > 0.5 * 0.01 * clock && t < 1.1 * 0.01 * clock, `${t} s after ${clock} s`);
  assert.ok((await changed(page)) > 500);
  await page.keyboard.press(" ");
  const paused = await time(page);
  await page.waitForTimeout(150);
  assert.equal(await time(page), paused);
  assert.deepEqual(errors, []);
});

test("The time is scrubbed, stepped and follows the keys", async () => {
  await fresh();
  await page.evaluate(() => { const s = document.querySelector(".scrub"); s.value = 50000; s.dispatchEvent(new Event("input")); });
  assert.ok(Math.abs((await time(page)) - 0.05) < 1e-6);
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await time(page)) - 0.0501) < 1e-9);
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await time(page)) - 0.05) < 1e-9);
  await page.keyboard.press("End");
  assert.ok(Math.abs((await time(page)) - 0.1) < 1e-12);
});

test("It jumps from impact to impact as events.csv has them", async () => {
  await fresh();
  const impacts = csv(path.join(sliderCrank, "events.csv")).filter((e) => e.kind === "impact").map((e) => e.t).sort((a, b) => a - b);
  const distinct = impacts.filter((t, i) => i === 0 || t - impacts[i - 1] > 1e-10);
  for (const expected of distinct.slice(0, 3)) {
    await page.click(".next-impact");
    assert.equal(await time(page), expected);
  }
  await page.keyboard.press("p");
  assert.equal(await time(page), distinct[1]);
  assert.match(await page.textContent(".impact-text"), /impact of guide\.\d/);
  assert.equal(await page.evaluate(() => backlash.report.impacts.length), impacts.length);
});

test("Intervals of sticking and sliding are those that contacts.csv has", async () => {
  const intervals = await page.evaluate(() => backlash.report.intervals), row = 1.01e-4;
  for (const i of intervals) assert.ok(["stick", "slip"].includes(i.state) && i.to >= i.from, `${i.state} from ${i.from} to ${i.to} s`);
  const rows = csv(path.join(sliderCrank, "contacts.csv"), ["t", "contact", "state"]);
  let inside = 0;
  for (const { t, contact, state } of rows) {
    const at = intervals.filter((i) => i.contact === contact && i.from - row < t && t < i.to + row).map((i) => i.state);
    const within = intervals.some((i) => i.contact === contact && i.from + row < t && t < i.to - row);
    if (state === "stick" || state === "slip") { ++inside; assert.ok(at.includes(state), `${contact} has ${at} at ${t} s, not ${state}`); }
    else assert.ok(!within, `${contact} is ${state} at ${t} s`);
  }
  assert.ok(inside > 100, `${inside} rows`);
});

test("Plots follow the player, and the player follows them", async () => {
  await fresh();
  await setTime(page, 0.025);
  const place = () => page.evaluate(() => {
    const over = document.querySelector(".u-over").getBoundingClientRect(), line = document.querySelector(".line-now").getBoundingClientRect();
    return { share: (line.left - over.left) / over.width, x: over.left, y: over.top + over.height / 2, width: over.width };
  });
  await page.selectOption(".set", { label: "Energy balance" });
  assert.ok(Math.abs((await place()).share - 0.25) < 0.005);
  await setTime(page, 0.08);
  const at = await place();
  assert.ok(Math.abs(at.share - 0.8) < 0.005);
  await page.mouse.click(at.x + 0.4 * at.width, at.y);
  assert.ok(Math.abs((await time(page)) - 0.04) < 0.001);
});

test("Every key does what the list of keys says", async () => {
  await fresh();
  const state = () => page.evaluate(() => ({ t: backlash.clock.t, playing: backlash.player.isPlaying, speed: backlash.player.speed,
    exaggeration: backlash.player.exaggeration, scale: backlash.player.camera.scale, dark: document.documentElement.dataset.theme, list: document.querySelector("dialog").open }));
  const start = await state(), press = async (key) => { await page.keyboard.press(key); return state(); };
  assert.ok((await press(".")).speed > start.speed);
  assert.equal((await press(",")).speed, start.speed);
  assert.ok((await press("e")).exaggeration > 1);
  assert.equal((await press("d")).exaggeration, 1);
  assert.ok((await press("+")).scale > start.scale);
  assert.ok((await press("-")).scale < 1.001 * start.scale);
  assert.ok((await press("+")).scale > start.scale);
  assert.equal((await press("0")).scale, start.scale);
  assert.ok(Math.abs((await press("Shift+ArrowRight")).t - 10e-4) < 1e-9);
  assert.equal((await press("Home")).t, 0);
  assert.notEqual((await press("t")).dark, start.dark);
  assert.equal((await press("t")).dark, start.dark);
  assert.ok((await press("?")).list);
  assert.ok(!(await press("Escape")).list);
  for (const key of [".", "e", "+", "End"]) await press(key);
  assert.deepEqual(await press("r"), start);
});

test("A trace is drawn, the picture is panned and zoomed", async () => {
  await fresh();
  await remember(page);
  await page.click(".traces summary");
  await page.click(".trace-list label:has-text('crank (centre of mass)')");
  await redrawn(page);
  assert.ok((await changed(page)) > 300, "a circle");
  await page.click(".trace-list label:has-text('crank (centre of mass)')");
  await page.click(".traces summary");
  const box = await page.locator("canvas.picture").boundingBox(), camera = () => page.evaluate(() => ({ ...backlash.player.camera }));
  const before = await camera();
  await page.mouse.move(box.x + 100, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 70);
  await page.mouse.up();
  const panned = await camera();
  assert.ok(Math.abs((before.centre[0] - panned.centre[0]) * before.scale - 40) < 1 && Math.abs((before.centre[1] - panned.centre[1]) * before.scale - 30) < 1);
  await page.mouse.wheel(0, -200);
  assert.ok((await camera()).scale > 1.2 * before.scale);
});

test("A plot is zoomed by a drag, panned with shift, and shown whole by a double click", async () => {
  await fresh();
  await page.selectOption(".set", { label: "Energy balance" });
  const box = await page.locator(".plot .u-over").first().boundingBox();
  const ranges = () => page.evaluate(() => backlash.plots.plots.map((p) => [p.u.scales.x.min, p.u.scales.x.max]));
  const drag = async (from, to) => {
    await page.mouse.move(box.x + from * box.width, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * (from + to) * box.width, box.y + 42);
    await page.mouse.move(box.x + to * box.width, box.y + 44);
    await page.mouse.up();
    await redrawn(page);
  };
  const near = (range, low, high) => assert.ok(Math.abs(range[0] - low) < 1e-3 && Math.abs(range[1] - high) < 1e-3, `${range}`);
  await drag(0.2, 0.4);
  for (const range of await ranges()) near(range, 0.02, 0.04);   // all plots over the time together
  await page.keyboard.down("Shift");
  await drag(0.2, 0.7);
  await page.keyboard.up("Shift");
  near((await ranges())[0], 0.01, 0.03);
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 40);
  await redrawn(page);
  near((await ranges())[0], 0, 0.1);
});

test("Lines of the legend are dashed as in the plot, and its values have units", async () => {
  await fresh();
  const swatches = await page.$$eval(".plot:first-child .u-legend .u-marker path", (paths) => paths.map((p) => p.getAttribute("stroke-dasharray")));
  assert.deepEqual(swatches, ["none", "8 5", "2 3", "10 4 2 4"]);
  await page.selectOption(".set", { label: "Joint reactions" });
  for (const value of await page.$$eval(".plot .u-legend .u-series .u-value", (values) => values.map((v) => v.textContent))) assert.match(value, /^-?[\d.e-]+ (s|N)$/);
});

test("Any channel is found by its name, plotted and saved", async () => {
  await fresh();
  await page.fill(".channel-search", "crank omega");
  await page.click(".found .new");
  const plot = page.locator(".plot").last();
  assert.equal(await plot.locator("h3").textContent(), "crank.omega");
  await page.fill(".channel-search", "rod omega");
  await page.click(".found .join");
  await page.keyboard.press("Escape");
  assert.deepEqual(await page.evaluate(() => backlash.plots.plots.at(-1).spec.y), ["crank.omega", "rod.omega"]);
  const saved = {};
  for (const kind of ["PNG", "SVG", "CSV"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), plot.getByRole("button", { name: `Save as ${kind}` }).click()]);
    const file = path.join(folder, download.suggestedFilename());
    await download.saveAs(file);
    saved[kind] = file;
    assert.ok(statSync(file).size > 500, kind);
  }
  const rows = csv(saved.CSV), states = csv(path.join(sliderCrank, "states.csv"));
  assert.equal(rows.length, states.length);
  rows.forEach((row, i) => assert.ok(Math.abs(row["crank.omega"] - states[i]["crank.omega"]) < 1e-6 * 150));
  assert.deepEqual(errors, []);
});

/** Where a pin is drawn: the centre of the ring of ink with paper in it, near a place [px]. */
const drawnPin = (page, near) => page.evaluate(([x, y]) => {
  const canvas = document.querySelector("canvas.picture"), c = canvas.getContext("2d");
  const size = 40, left = Math.round(x) - size / 2, top = Math.round(y) - size / 2;
  const image = c.getImageData(left, top, size, size).data;
  const dark = (i, j) => 255 - (image[4 * (j * size + i)] + image[4 * (j * size + i) + 1] + image[4 * (j * size + i) + 2]) / 3;
  let best = -Infinity, at = null;
  for (let cy = 10; cy < size - 10; cy += 0.25)
    for (let cx = 10; cx < size - 10; cx += 0.25) {
      let score = 0;
      for (let k = 0; k < 24; ++k) {
        const a = (k * Math.PI) / 12, on = (r) => dark(Math.floor(cx + r * Math.cos(a)), Math.floor(cy + r * Math.sin(a)));
        score += on(4) - on(1.5);
      }
      if (score > best) { best = score; at = [left + cx, top + cy]; }
    }
  return { at, best };
}, near);

test("Of contacts that are forces the table has what they did from their begin to their end", async () => {
  const results = reportOf("cams", example("bouncing_cams"));
  const { page, errors } = await openReport(results);
  const rows = await page.evaluate(() => backlash.report.impacts.map((e) => [e.t, e.before, e.after, e.impulseN, e.loss]));
  const events = csv(path.join(results, "events.csv")), released = events.filter((e) => e.kind === "release");
  assert.equal(rows.length, 3);
  rows.forEach(([t, before, after, impulse, loss], i) => {
    assert.equal(t, events.filter((e) => e.kind === "impact")[i].t);
    if (!released[i]) return assert.ok(Number.isNaN(after));
    assert.ok(before < -0.5 && after > 0.5, `it comes with ${before} and leaves with ${after} m/s`);
    assert.equal(impulse, released[i].impulse_n);
    assert.equal(loss, released[i].energy_loss);
  });
  assert.ok(released.length >= 2);
  // The legend has the values where the player is.
  await page.evaluate(() => backlash.clock.set(0.3));
  await redrawn(page);
  const gap = csv(path.join(results, "contacts.csv")).find((row) => row.t === 0.3).gap;
  const shown = await page.textContent(".plot .u-legend .u-series:nth-child(2) .u-value");
  assert.ok(Math.abs(parseFloat(shown) - gap) < 1e-5 * gap, `${shown} for ${gap}`);
  assert.deepEqual(errors, []);
  await page.close();
});

test("Of an impact that takes two steps the table has both", async () => {
  // 5 kg that fall by 10 µm and stay: each end takes half of the momentum, and of the weight in two steps.
  const { page } = await openReport(reportOf("plastic", example("prismatic_clearance")));
  const impacts = await page.evaluate(() => backlash.report.impacts.map((e) => [e.before, e.after, e.impulseN]));
  assert.equal(impacts.length, 2);
  for (const [before, after, impulse] of impacts) {
    assert.ok(Math.abs(after) < 1e-9, `${after} m/s`);
    assert.ok(Math.abs(impulse - 2.5 * (-before + 2 * 9.81e-4)) < 1e-9, `${impulse} N s`);
  }
  await page.close();
});

test("Loops of force over penetration are of contacts that are forces, and ask for more rows where there are few", async () => {
  const sets = (page) => page.evaluate(() => backlash.plots.sets.filter((s) => s.name.startsWith("Force")).map((s) => s.hint ?? ""));
  assert.deepEqual(await sets(page), []);
  const { page: cams } = await openReport(path.join(folder, "cams"));
  assert.match((await sets(cams))[0], /--every step/);
  await cams.close();
});

test("Round-off of zero is shown as zero, and lines that cover each other are told apart", async () => {
  const { page } = await openReport(path.join(folder, "plastic"));
  const scale = await page.evaluate(() => {
    const plot = backlash.plots.plots.find((p) => p.spec.y[0] === "slider.angle");
    return [plot.u.scales.y.min, plot.u.scales.y.max];
  });
  assert.ok(scale[0] <= -1e-12 && scale[1] >= 1e-12, `${scale}`);
  const svg = await page.evaluate(() => backlash.plots.plots.find((p) => p.spec.y.length === 4).svg());
  assert.ok(new Set(svg.match(/stroke-dasharray="[^"]*"/g)).size === 3, "four lines: one whole, three dashed in ways of their own");
  await page.close();
});

test("Pins are drawn where states.csv has them, to one pixel", async () => {
  await fresh();
  await hideWords(page);
  const states = csv(path.join(sliderCrank, "states.csv"));
  for (const row of [0, 137, 402, 777, states.length - 1]) {
    const s = states[row];
    await setTime(page, s.t);
    const camera = await page.evaluate(() => ({ ...backlash.player.camera }));
    for (const [x, y] of [[s["rod.x"], s["rod.y"]], [s["slider.x"], s["slider.y"]]]) {
      const expected = [camera.width / 2 + (x - camera.centre[0]) * camera.scale, camera.height / 2 - (y - camera.centre[1]) * camera.scale];
      const { at } = await drawnPin(page, expected);
      assert.ok(Math.hypot(at[0] - expected[0], at[1] - expected[1]) <= 1, `row ${row}: drawn at ${at}, is at ${expected}`);
    }
  }
});

/** Distances of the drawn slider's corners from the drawn sides of the guide [m], and how well the rod holds its pin. */
const drawnGaps = (page) => page.evaluate(() => {
  const { player, report } = backlash, moment = player.moment(), guide = report.scene.joints.find((j) => j.name === "guide");
  const { length, width, gap } = guide.clearance, half = width / 2 + player.exaggeration * gap;
  const corners = [[-length / 2, -width / 2], [length / 2, -width / 2], [length / 2, width / 2], [-length / 2, width / 2]];
  const slider = moment.pose(2), rod = moment.pose(1), small = report.scene.joints.find((j) => j.name === "small");
  const at = (pose, p) => [pose.x + pose.r[0] * p[0] + pose.r[1] * p[1], pose.y + pose.r[3] * p[0] + pose.r[4] * p[1]];
  const gaps = corners.map((c) => { const y = at(slider, c)[1]; return c[1] > 0 ? half - y : y + half; });
  const [a, b] = [at(rod, small.p.at), at(slider, small.q.at)];
  return { gaps, apart: Math.hypot(a[0] - b[0], a[1] - b[1]), scale: player.camera.scale };
});

test("Exaggerated clearance changes the picture, gaps scale as asked, and joints stay together", async () => {
  await fresh();
  for (const t of [0.0123, 0.0377, 0.0861]) {
    await page.evaluate(() => backlash.player.setExaggeration(1));
    await setTime(page, t);
    const truth = await drawnGaps(page);
    await remember(page);
    for (const factor of [2, 10, 30]) {
      await page.evaluate((f) => backlash.player.setExaggeration(f), factor);
      await redrawn(page);
      const drawn = await drawnGaps(page);
      // The corners rise by sin of the exaggerated tilt, not by the tilt itself.
      drawn.gaps.forEach((gap, i) => assert.ok(Math.abs(gap - factor * truth.gaps[i]) < 0.03 * factor * 2e-3 + 1 / drawn.scale, `${gap} instead of ${factor * truth.gaps[i]}`));
      assert.ok(drawn.apart * drawn.scale < 1, `${drawn.apart * drawn.scale} px apart`);
      assert.ok((await changed(page)) > 100);
    }
  }
  await page.evaluate(() => { const s = document.querySelector(".exaggeration"); s.value = 3; s.dispatchEvent(new Event("input")); });
  assert.equal(await page.evaluate(() => backlash.player.exaggeration), 1000);
});

test("Thinning keeps every extremum and every impact, and says so", async () => {
  const results = reportOf("long", example("slider_crank"), "--every", "1e-6", "--until", "0.0205", "--step", "1e-6", "--format", "csv,hdf5");
  const { page, errors } = await openReport(results);
  assert.match(await page.textContent(".thinned"), /20,50\d rows/);
  const names = ["crank.angle", "slider.y", "slider.omega", "guide.gap1", "energy.kinetic", "nose.ay"];
  const states = csv(path.join(results, "states.csv"), ["t", ...names]), whole = [], most = 0.3 * (await page.evaluate(() => backlash.report.thinned.points));
  for (const name of names) {
    const kept = await page.evaluate((n) => { const c = backlash.report.byName.get(n); return { t: Array.from(c.t), v: Array.from(c.values) }; }, name);
    assert.ok(kept.t.length < 25000, `${name} has ${kept.t.length} points`);
    const values = new Map(kept.t.map((t, i) => [Math.round(t * 1e8), kept.v[i]]));
    const v = states.map((row) => row[name]), extrema = [];
    for (let i = 1; i + 1 < v.length; ++i) if ((v[i] - v[i - 1]) * (v[i + 1] - v[i]) < 0) extrema.push(i);
    const size = Math.max(...v.map(Math.abs)), same = (i) => Math.abs(values.get(Math.round(states[i].t * 1e8)) - v[i]) <= 1e-6 * size;
    if (extrema.length < most) { whole.push(name); extrema.forEach((i) => assert.ok(same(i), `${name} at ${states[i].t}`)); }
    for (const extreme of [Math.min(...v), Math.max(...v)]) assert.ok(same(v.indexOf(extreme)), `${name}: ${extreme}`);
  }
  assert.ok(whole.length >= 4, `every extremum of ${whole}`);
  const impacts = csv(path.join(results, "events.csv")).filter((e) => e.kind === "impact");
  assert.deepEqual(await page.evaluate(() => backlash.report.impacts.map((e) => e.t)), impacts.map((e) => e.t).sort((a, b) => a - b));
  const frames = await page.evaluate(() => Array.from(backlash.report.frames.times));
  for (const { t } of impacts) {
    const after = frames.findIndex((f) => f >= t);
    assert.ok(frames[after] - frames[after - 1] < 1.5e-6, `rows around the impact at ${t} s`);
  }
  assert.deepEqual(errors, []);
  await page.close();
});

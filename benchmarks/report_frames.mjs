// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
// How many pictures in a second a report shows while it plays, in headless Chromium, and what one costs.
// Usage: node benchmarks/report_frames.mjs report.html...   (after scripts/test; needs Debian's chromium)
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const require = createRequire(path.join(root, "build/release/apps/viewer/node_modules/x.js"));
const { chromium } = require("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
for (const file of process.argv.slice(2)) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const began = Date.now();
  await page.goto("file://" + path.resolve(file));
  await page.waitForFunction(() => !!window.backlash, null, { timeout: 120000 });
  const opened = (Date.now() - began) / 1000;
  const play = (exaggeration) => page.evaluate((factor) => new Promise((done) => {
    const { player, clock } = window.backlash;
    clock.set(clock.start);
    player.setExaggeration(factor);
    player.setSpeed(0.01);
    player.play();
    const before = player.frames, start = performance.now();
    setTimeout(() => { player.pause(); done((player.frames - before) / ((performance.now() - start) / 1000)); }, 4000);
  }), exaggeration);
  const cost = await page.evaluate(() => {
    const { player, clock } = window.backlash, n = 300, start = performance.now();
    for (let i = 0; i < n; ++i) { clock.set(clock.start + (i / n) * (clock.end - clock.start)); player.draw(); }
    return (performance.now() - start) / n;
  });
  console.log(`${file}: opens in ${opened.toFixed(1)} s; ${(await play(1)).toFixed(0)} frames/s, ` +
    `${(await play(100)).toFixed(0)} with exaggerated clearance; a picture with its plots takes ${cost.toFixed(2)} ms`);
  await page.close();
}
await browser.close();

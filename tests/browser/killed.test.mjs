// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { backlash, example, folder, openReport } from "./support.mjs";

test("The report of a run that was killed says where it ends", async () => {
  const results = path.join(folder, "killed");
  const run = spawn(process.env.BACKLASH_PROGRAM, ["run", example("slider_crank"), "-o", results, "--quiet", "--until", "10000"]);
  const ended = new Promise((done) => run.on("exit", done));
  const size = () => (existsSync(path.join(results, "results.h5")) ? statSync(path.join(results, "results.h5")).size : 0);
  const sizes = new Set();  // room for a block of rows is taken before they are written: after five sizes a block is there
  while (sizes.size < 5) { await new Promise((done) => setTimeout(done, 50)); if (size() > 0) sizes.add(size()); }
  run.kill("SIGKILL");
  await ended;
  assert.match(backlash("report", results), /its results end at t = [\d.]+ s/);
  const { page, errors } = await openReport(results);
  assert.match(await page.textContent(".badge"), /incomplete: .* its results end at t = [\d.]+ s/);
  assert.ok((await page.evaluate(() => backlash.clock.end)) > 0);
  assert.deepEqual(errors, []);
  await page.close();
});

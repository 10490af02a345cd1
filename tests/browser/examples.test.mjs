// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { closeBrowser, colours, example, openBrowser, openReport, redrawn, reportOf } from "./support.mjs";

before(openBrowser);
after(closeBrowser);

test("Every example has a report, and figures of papers find their channels", async () => {
  let papers = 0;
  for (const name of readdirSync(process.env.BACKLASH_EXAMPLES)) {
    if (!existsSync(example(name))) continue;
    const results = reportOf(`example_${name}`, example(name), "--steps");
    const { page, errors } = await openReport(results);
    assert.ok((await colours(page)).count > 5, `${name} is drawn`);
    const sets = await page.evaluate(() => backlash.plots.sets.map((set) => ({ name: set.name, plots: set.plots.length, note: set.note })));
    assert.ok(sets.length > 0, name);
    for (const set of sets) assert.equal(set.note, undefined, `${name}: ${set.note}`);
    if (sets[0].name === "Figures of the paper") ++papers;
    for (let i = 0; i < sets.length; ++i) await page.evaluate((k) => backlash.plots.open(k), i);
    await page.evaluate(() => backlash.clock.set(backlash.clock.end));
    await redrawn(page);
    assert.deepEqual(errors, [], name);
    await page.close();
  }
  assert.ok(papers >= 8, `${papers} examples have the figures of their paper`);
});

// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { colours, example, openReport, redrawn, reportOf } from "./support.mjs";

/** Until when the longer ones run here: all contacts of their figures have met by then [s]. */
const until = { circuit_breaker: 0.11, woodpecker: 0.4, geneva: 1.2, newton_cradle: 0.4, parallelogram: 0.5, file_cutting_machine: 0.1, four_bar: 0.4 };

test("Every example has a report, figures of papers find their channels, and every axis says its unit", async () => {
  let papers = 0, opened;
  for (const name of readdirSync(process.env.BACKLASH_EXAMPLES)) {
    if (!existsSync(example(name))) continue;
    const results = reportOf(`example_${name}`, example(name), "--steps", "--format", "hdf5", ...(until[name] ? ["--until", String(until[name])] : []));
    opened = await openReport(results, { on: opened });
    const { page, errors } = opened;
    assert.ok((await colours(page)).count > 5, `${name} is drawn`);
    const { sets, axes } = await page.evaluate(() => {
      const axes = [];
      // The last set first: it is drawn in the end.
      backlash.plots.sets.forEach((set, i) => {
        backlash.plots.open(backlash.plots.sets.length - 1 - i);
        for (const plot of backlash.plots.plots) axes.push(...plot.u.axes.map((axis) => `${plot.spec.title}: ${axis.label}`));
      });
      backlash.clock.set(backlash.clock.end);
      return { axes, sets: backlash.plots.sets.map((set) => ({ name: set.name, plots: set.plots.length, note: set.note })) };
    });
    assert.ok(sets.length > 0, name);
    for (const set of sets) assert.equal(set.note, undefined, `${name}: ${set.note}`);
    for (const axis of axes) assert.match(axis, /: .+ \[.+\]$/, name);
    if (sets[0].name === "Figures of the paper") ++papers;
    await redrawn(page);
    assert.deepEqual(errors, [], name);
  }
  assert.ok(papers >= 8, `${papers} examples have the figures of their paper`);
});

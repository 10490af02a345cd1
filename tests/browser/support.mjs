// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const env = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the tests by ctest`);
  return value;
};
const { chromium } = createRequire(path.join(env("BACKLASH_PACKAGES"), "x.js"))("playwright-core");

/** A folder that is gone in the end. */
export const folder = mkdtempSync(path.join(tmpdir(), "backlash-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const backlash = (...args) => execFileSync(env("BACKLASH_PROGRAM"), args, { encoding: "utf8" });
export const example = (name) => path.join(env("BACKLASH_EXAMPLES"), name, "model.yaml");

/** Runs a model and makes its report; returns the folder of the results. */
export function reportOf(name, model, ...options) {
  const results = path.join(folder, name);
  backlash("run", model, "-o", results, "--quiet", ...options);
  backlash("report", results);
  return results;
}

/** Rows of a CSV file, each by its columns' names, all of them or these. */
export function csv(file, columns) {
  const [head, ...lines] = readFileSync(file, "utf8").trim().split("\n");
  const names = head.split(",").map((name) => name.replace(/ \[.*\]$/, "")), wanted = names.map((name, i) => [name, i]).filter(([name]) => !columns || columns.includes(name));
  const value = (v) => (Number.isNaN(Number(v)) ? v : Number(v));
  return lines.map((line) => { const fields = line.split(","); return Object.fromEntries(wanted.map(([name, i]) => [name, value(fields[i])])); });
}

let browser;
/** One for all tests: to start one costs as much as most of them. */
const theBrowser = () => (browser ??= chromium.launch({
  executablePath: env("CHROMIUM"), headless: true,
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
}));
export const closeBrowser = async () => (await browser)?.close();

/** A page with a report in it, from its file, or another page that is used again; `errors` is all that it complains about or asks the network for. */
export async function openReport(results, { scheme = "light", on } = {}) {
  if (on) { await show(on.page, results); return on; }
  const page = await (await theBrowser()).newPage({ viewport: { width: 1400, height: 1000 }, colorScheme: scheme });
  const errors = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !/willReadFrequently/.test(message.text())) errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) errors.push(`asks for ${request.url()}`); });
  await show(page, results);
  return { page, errors };
}
async function show(page, results) {
  await page.goto("file://" + path.join(results, "report.html"));
  await page.waitForFunction(() => !!window.backlash, null, { timeout: 60000 });
  await redrawn(page);
}

/** Remembers the picture that is drawn now, in the page. */
export const remember = (page) => page.evaluate(() => {
  const canvas = document.querySelector("canvas.picture");
  window.remembered = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
});
/** How many pixels are now another colour than remembered. */
export const changed = (page) => page.evaluate(() => {
  const canvas = document.querySelector("canvas.picture"), a = window.remembered;
  const b = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let i = 0; i < a.length; i += 4) if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2]) ++count;
  return count;
});
/** The colour in the picture's corner, and how many colours there are. */
export const colours = (page) => page.evaluate(() => {
  const canvas = document.querySelector("canvas.picture");
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return { corner: Array.from(data.slice(0, 3)), count: seen.size };
});
export const redrawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

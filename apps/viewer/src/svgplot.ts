// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0
import { number, roundBelow } from "./dom";

/** A plot as SVG, for print: dark on white. */

export interface SvgLine { name: string; colour: string; dash?: number[]; x: ArrayLike<number>; y: ArrayLike<number | null> }
export interface SvgPlot {
  title: string; xLabel: string; yLabel: string; xRange: [number, number]; yRange: [number, number];
  log: boolean; lines: SvgLine[]; circle?: number;
}

const dashed = (line: SvgLine) => (line.dash ? ` stroke-dasharray="${line.dash.join(" ")}"` : "");
const escape = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

function ticks(low: number, high: number, count: number): number[] {
  const step = roundBelow((1.7 * (high - low)) / count), list: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step && list.length < 40; ++i) list.push(i * step);
  return list;
}

export function svgPlot(plot: SvgPlot, w = 720, h = 400): string {
  const left = 82, right = 18, top = 40, bottom = 62 + 18 * Math.ceil(plot.lines.length / 3);
  const scale = (v: number) => (plot.log ? Math.log10(v) : v);
  const [x0, x1] = plot.xRange, [y0, y1] = plot.yRange.map(scale);
  const X = (v: number) => left + ((v - x0) / (x1 - x0)) * (w - left - right);
  const Y = (v: number) => h - bottom - ((scale(v) - y0) / (y1 - y0)) * (h - top - bottom);
  const out = [`<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="12">`,
    `<title>${escape(plot.title)}</title><rect width="${w}" height="${h}" fill="#fff"/>`,
    `<text x="${left}" y="24" font-size="14" font-weight="bold">${escape(plot.title)}</text>`];
  for (const v of ticks(x0, x1, 9))
    out.push(`<path d="M${X(v).toFixed(2)} ${top}V${h - bottom}" stroke="#e6e6e6"/><text x="${X(v).toFixed(2)}" y="${h - bottom + 17}" text-anchor="middle">${number(v)}</text>`);
  const yTicks = plot.log ? ticks(y0, y1, 6).filter(Number.isInteger).map((e) => 10 ** e) : ticks(y0, y1, 7);
  for (const v of yTicks)
    out.push(`<path d="M${left} ${Y(v).toFixed(2)}H${w - right}" stroke="#e6e6e6"/><text x="${left - 7}" y="${(Y(v) + 4).toFixed(2)}" text-anchor="end">${number(v)}</text>`);
  out.push(`<clipPath id="c"><rect x="${left}" y="${top}" width="${w - left - right}" height="${h - top - bottom}"/></clipPath><g clip-path="url(#c)" fill="none" stroke-width="1.4" stroke-linejoin="round">`);
  if (plot.circle)
    out.push(`<ellipse cx="${X(0)}" cy="${Y(0)}" rx="${X(plot.circle) - X(0)}" ry="${Y(0) - Y(plot.circle)}" stroke="#777" stroke-dasharray="5 4"/>`);
  for (const line of plot.lines) out.push(`<path d="${pathOf(line, X, Y, plot)}" stroke="${line.colour}"${dashed(line)}/>`);
  out.push(`</g><rect x="${left}" y="${top}" width="${w - left - right}" height="${h - top - bottom}" fill="none" stroke="#555"/>`);
  out.push(`<text x="${(left + w - right) / 2}" y="${h - bottom + 38}" text-anchor="middle">${escape(plot.xLabel)}</text>`);
  out.push(`<text transform="translate(18 ${(top + h - bottom) / 2}) rotate(-90)" text-anchor="middle">${escape(plot.yLabel)}</text>`);
  plot.lines.forEach((line, i) => {
    const x = left + (i % 3) * ((w - left - right) / 3), y = h - bottom + 58 + 18 * Math.floor(i / 3);
    out.push(`<path d="M${x} ${y - 4}h22" stroke="${line.colour}"${dashed(line)} stroke-width="2"/><text x="${x + 28}" y="${y}">${escape(line.name)}</text>`);
  });
  return out.join("\n") + "\n</svg>\n";
}

/** Only what is in sight, and one point beyond. */
function pathOf(line: SvgLine, X: (v: number) => number, Y: (v: number) => number, plot: SvgPlot): string {
  let d = "", pen = false;
  const [x0, x1] = plot.xRange, margin = x1 - x0;
  for (let i = 0; i < line.x.length; ++i) {
    const x = line.x[i], y = line.y[i];
    if (y === undefined) continue;
    if (y === null || !Number.isFinite(y) || (plot.log && !(y > 0)) || x < x0 - margin || x > x1 + margin) { pen = false; continue; }
    d += `${pen ? "L" : "M"}${X(x).toFixed(2)} ${Y(y).toFixed(2)}`;
    pen = true;
  }
  return d;
}

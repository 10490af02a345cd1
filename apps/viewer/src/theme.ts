// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

/** Colours that people with any colour vision tell apart (Okabe and Ito), for light and dark. */

export interface Theme {
  paper: string; ink: string; faint: string; shade: string; grid: string; force: string; mark: string;
  series: string[];
  states: Record<string, string>;   // of contacts
}

const light: Theme = {
  paper: "#ffffff", ink: "#1d2733", faint: "#7b8794", shade: "#eef1f4", grid: "#e6e9ed",
  force: "#0060a0", mark: "#7a2ca0",
  series: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a07800", "#4c9fd4", "#6a51a3", "#8c564b"],
  states: { open: "#7b8794", stick: "#0072b2", slip: "#c98500", impact: "#d5300e" },
};
const dark: Theme = {
  paper: "#14191f", ink: "#e4e9ee", faint: "#8b97a4", shade: "#242c35", grid: "#2a323c",
  force: "#6cb8ee", mark: "#c99be6",
  series: ["#56b4e9", "#f28e3c", "#35c69b", "#e39ac4", "#d9b23a", "#8fcdf0", "#a999dd", "#c99a8d"],
  states: { open: "#8b97a4", stick: "#56b4e9", slip: "#f0b83c", impact: "#ff6a4d" },
};

export type Listener = () => void;
const listeners: Listener[] = [];
let isDark = false;

export const theme = () => (isDark ? dark : light);
export const onTheme = (listener: Listener) => listeners.push(listener);

export function setDark(value: boolean) {
  isDark = value;
  document.documentElement.dataset.theme = value ? "dark" : "light";
  listeners.forEach((listener) => listener());
}
export const darkNow = () => isDark;
export const startTheme = () => setDark(window.matchMedia("(prefers-color-scheme: dark)").matches);

/** A body's colour, as the scene has it, made lighter on a dark page. */
export function bodyColour(colour: string): string {
  if (!isDark) return colour;
  const i = light.series.indexOf(colour);
  if (i >= 0) return dark.series[i];
  return colour === "#56b4e9" ? "#8fcdf0" : colour;
}

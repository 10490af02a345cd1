// SPDX-FileCopyrightText: The Backlash authors
// SPDX-License-Identifier: Apache-2.0

/** The time that player, plots and tables share. */
export class Clock {
  private listeners: ((t: number) => void)[] = [];
  private now: number;
  constructor(readonly start: number, readonly end: number) { this.now = start; }
  get t() { return this.now; }
  set(t: number) {
    this.now = Math.min(this.end, Math.max(this.start, t));
    for (const listener of this.listeners) listener(this.now);
  }
  listen(listener: (t: number) => void) { this.listeners.push(listener); }
}

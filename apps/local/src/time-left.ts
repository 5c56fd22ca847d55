/** Estimates the remaining time of a step from its last duration, or else from a rough figure. */
import { readFileSync, writeFileSync } from "node:fs";

export interface Expectation {
  readonly totalMs: number;
  /** False for a rough figure that no earlier run has confirmed. */
  readonly isRecorded: boolean;
}

export interface Timer {
  describeTimeLeft(): string;
  /** Records the duration for the next time. */
  record(): void;
}

/** `file` holds the last duration in milliseconds. */
export function createTimer(file: string, roughMs: number, now = () => performance.now()): Timer {
  const startedMs = now();
  const recordedMs = readDuration(file);
  const expectation: Expectation = { totalMs: recordedMs ?? roughMs, isRecorded: recordedMs !== undefined };
  return {
    describeTimeLeft: () => describeTimeLeft(expectation, now() - startedMs),
    record: () => writeFileSync(file, `${Math.round(now() - startedMs)}\n`),
  };
}

/** Rounds to at least five seconds, so that a log gets few lines. */
export function describeTimeLeft({ totalMs, isRecorded }: Expectation, elapsedMs: number): string {
  const leftSeconds = (totalMs - elapsedMs) / 1000;
  if (leftSeconds > 0) return `${isRecorded ? "about" : "roughly"} ${roundSeconds(leftSeconds)} s left`;
  const lateSeconds = Math.floor(elapsedMs / 10_000) * 10;
  return `${lateSeconds} s, longer than usual`;
}

function roundSeconds(seconds: number): number {
  const step = seconds < 20 ? 5 : 10;
  return Math.max(5, Math.round(seconds / step) * step);
}

function readDuration(file: string): number | undefined {
  try {
    const ms = Number(readFileSync(file, "utf8"));
    return Number.isFinite(ms) && ms > 0 ? ms : undefined;
  } catch {
    return undefined;
  }
}

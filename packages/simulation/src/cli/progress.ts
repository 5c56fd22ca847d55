/** Progress line of a long run: rewritten in place on a terminal, repeated periodically elsewhere. */
import type { Writable } from "node:stream";

export type ProgressOutput = Writable & { readonly isTTY?: boolean };

const TERMINAL_EVERY_MS = 250;
const LOG_EVERY_MS = 10_000;

export class Progress {
  readonly #output: ProgressOutput;
  readonly #totalCount: number;
  readonly #startMs = performance.now();
  #shownMs = performance.now();
  #isLineOpen = false;

  constructor(output: ProgressOutput, totalCount: number) {
    this.#output = output;
    this.#totalCount = totalCount;
  }

  show(doneCount: number, what: string): void {
    const nowMs = performance.now();
    const isTerminal = this.#output.isTTY === true;
    if (nowMs - this.#shownMs < (isTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) return;
    this.#shownMs = nowMs;
    const left = formatSeconds(estimateMs(nowMs - this.#startMs, doneCount, this.#totalCount));
    const line = `${formatCount(doneCount)} of ${formatCount(this.#totalCount)} ${what}, about ${left} left`;
    this.#output.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
    this.#isLineOpen = isTerminal;
  }

  /** Clears the line before other output. */
  end(): void {
    if (this.#isLineOpen) this.#output.write("\r\x1b[K");
    this.#isLineOpen = false;
  }
}

function estimateMs(spentMs: number, doneCount: number, totalCount: number): number {
  return doneCount === 0 ? Number.POSITIVE_INFINITY : (spentMs * (totalCount - doneCount)) / doneCount;
}

export function formatSeconds(ms: number): string {
  if (!Number.isFinite(ms)) return "an unknown time";
  const seconds = Math.round(ms / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Formats 1234567 as "1,234,567". */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

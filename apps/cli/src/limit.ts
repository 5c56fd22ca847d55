/** What a run may take at most, for pipelines: "PUT 256kB p95 150ms". */
import type { RunSummary } from "@stashlight/stats";
import { parseSize } from "./units.ts";
import { UsageError } from "./usage-error.ts";

const operations = ["PUT", "GET", "DELETE", "HEAD", "TCP_CONNECT"] as const;
const figures = ["mean", "median", "p90", "p95", "p99"] as const;

export interface Limit {
  readonly operation: (typeof operations)[number];
  readonly sizeBytes: number;
  readonly figure: (typeof figures)[number];
  readonly ms: number;
  /** As it was written. */
  readonly text: string;
}

/** Throws a UsageError. */
export function parseLimit(text: string): Limit {
  const [word = "", size = "", name = "", time = "", ...more] = text.trim().split(/\s+/);
  const operation = operations.find((each) => each === word.toUpperCase());
  const figure = figures.find((each) => each === name);
  const sizeBytes = parseSize(size);
  const ms = /^(\d+(?:\.\d+)?)ms$/.exec(time)?.[1];
  if (
    operation === undefined ||
    figure === undefined ||
    sizeBytes === null ||
    ms === undefined ||
    more.length > 0
  ) {
    throw new UsageError(
      `--limit must be an operation (${operations.join(", ")}), a size, a figure (${figures.join(", ")}) and a time, such as "PUT 256kB p95 150ms", and "${text}" is not.`,
    );
  }
  return { operation, sizeBytes, figure, ms: Number(ms), text };
}

/** Null if the limit is kept; otherwise a sentence. What failed counts as longer than any limit. */
export function missedLimit(limit: Limit, endpoint: string, summary: RunSummary | null): string | null {
  if (summary === null) return `${endpoint}: ${limit.text} is not kept, because none was measured.`;
  const value = limit.figure === "mean" ? meanOf(summary) : summary.percentiles[limit.figure].value;
  if (value === null) return `${endpoint}: ${limit.text} is not kept, because too many failed.`;
  return value > limit.ms ? `${endpoint}: ${limit.text} is not kept: ${value.toFixed(2)} ms.` : null;
}

/** The mean of successes alone would reward failures. */
const meanOf = ({ mean, failureCount }: RunSummary): number | null => (failureCount === 0 ? mean : null);

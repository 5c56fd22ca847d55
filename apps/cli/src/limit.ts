/** Upper limits for a run in a pipeline: "PUT 256kB p95 150ms", or "GET 256kB@16 p95 150ms" over 16 connections. */
import type { RunSummary } from "@stashlight/stats";
import { parseSize } from "./units.ts";
import { UsageError } from "./usage-error.ts";

const operations = ["PUT", "GET", "DELETE", "HEAD", "TCP_CONNECT"] as const;
const figures = ["mean", "median", "p90", "p95", "p99"] as const;

export interface Limit {
  readonly operation: (typeof operations)[number];
  readonly sizeBytes: number;
  /** Null if the method measures this operation and size over only one number of connections. */
  readonly connectionCount: number | null;
  readonly figure: (typeof figures)[number];
  readonly ms: number;
  /** Original text. */
  readonly text: string;
}

/** Throws a UsageError. */
export function parseLimit(text: string): Limit {
  const [word = "", size = "", name = "", time = "", ...more] = text.trim().split(/\s+/);
  const operation = operations.find((each) => each === word.toUpperCase());
  const figure = figures.find((each) => each === name);
  const [, sizeText = "", connections] = /^([^@]+)(?:@([1-9]\d{0,3}))?$/.exec(size) ?? [];
  const sizeBytes = parseSize(sizeText);
  const ms = /^(\d+(?:\.\d+)?)ms$/.exec(time)?.[1];
  if (
    operation === undefined ||
    figure === undefined ||
    sizeBytes === null ||
    ms === undefined ||
    more.length > 0
  ) {
    throw new UsageError(
      `--limit must be an operation (${operations.join(", ")}), a size, optionally connections, a figure (${figures.join(", ")}) and a time, such as "PUT 256kB p95 150ms" or "GET 256kB@16 p95 150ms"; got "${text}".`,
    );
  }
  const connectionCount = connections === undefined ? null : Number(connections);
  return { operation, sizeBytes, connectionCount, figure, ms: Number(ms), text };
}

/** Throws a UsageError if the limit is ambiguous between several loads. */
export function requireOneLoad(
  limit: Limit,
  legs: readonly {
    readonly operation: string;
    readonly sizeBytes: number;
    readonly connectionCount: number;
  }[],
): void {
  if (limit.connectionCount !== null) return;
  const ofLimit = legs.filter(
    ({ operation, sizeBytes }) => operation === limit.operation && sizeBytes === limit.sizeBytes,
  );
  const counts = [...new Set(ofLimit.map(({ connectionCount }) => connectionCount))];
  if (counts.length < 2) return;
  const size = limit.text.trim().split(/\s+/)[1];
  const choices = counts.map((count) => `${size}@${count}`);
  throw new UsageError(
    `--limit "${limit.text}" fits loads over ${counts.join(" and over ")} connections, which are judged separately: use ${choices.join(" or ")} for its size.`,
  );
}

/** Null if the limit is met; otherwise a sentence. A failure counts as longer than any limit. */
export function missedLimit(limit: Limit, endpoint: string, summary: RunSummary | null): string | null {
  if (summary === null) return `${endpoint}: ${limit.text} is not met, because no such load was measured.`;
  const value = limit.figure === "mean" ? completeMean(summary) : summary.percentiles[limit.figure].value;
  if (value === null) return `${endpoint}: ${limit.text} is not met, because too many requests failed.`;
  return value > limit.ms ? `${endpoint}: ${limit.text} is not met: ${value.toFixed(2)} ms.` : null;
}

/** A mean over successes alone would reward failures. */
const completeMean = ({ mean, failureCount }: RunSummary): number | null =>
  failureCount === 0 ? mean : null;

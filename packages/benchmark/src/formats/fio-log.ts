import { type BenchmarkOperation, benchmarkDurationMsMax } from "@stashlight/contracts/benchmark/sample";
import type { ImportedSummary, ImportLimits, ReadRun } from "./imported-run.ts";
import { createLineCutter } from "./lines.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createRowBudget } from "./row-budget.ts";
import type { TakeSample, TextReader } from "./text-reader.ts";

/** Milliseconds since the start, value, direction, block size in bytes, offset and, in later versions, priority. */
const LINE = /^\d+, *\d+, *[012], *\d+, *(?:\d+|0x[0-9a-f]+)(?:, *(?:\d+|0x[0-9a-f]+))*\r?$/i;
const FIRST_LINE = new RegExp(`${LINE.source}`, "im");

const directions: readonly BenchmarkOperation[] = ["READ", "WRITE"];
/** What the values are is told by the file's name alone, such as "job_clat.1.log". */
const NAME = /_(lat|clat|slat|iops|bw)(?:\.\d+)?\.log(?:\.(?:gz|zst))?$/i;
const NS_PER_MS = 1e6;
const KIB = 1024;
/** With log_unix_epoch=1 times are of the clock; nothing runs for thirty years. */
const EPOCH_MS_MIN = 946_684_800_000;

export function isFioLog(head: string): boolean {
  const [first = ""] = head.split("\n", 1);
  return FIRST_LINE.test(first);
}

type Value = "latency" | "iops" | "bandwidth";

/**
 * A log of `--write_lat_log`, `--write_iops_log` or `--write_bw_log`. A line of latencies is a sample: the mean of an
 * interval with `log_avg_msec`, one request without. Rates have no samples, so their means are kept.
 */
export function fioLogReader(name: string, limits: ImportLimits, take: TakeSample): TextReader {
  const value = measureOf(name);
  const takeRow = createRowBudget(limits.rowsMax);
  const rates = new Map<
    string,
    { readonly operation: BenchmarkOperation; readonly sizeBytes: number; sum: number; n: number }
  >();
  let index = 0;
  let isOfClock = false;
  let trimCount = 0;
  const cutter = createLineCutter((text, line) => {
    if (text.trim() === "") return;
    if (!LINE.test(text)) {
      throw new RefusedFile("bad-value", `${shown(text)} is no line of a log that fio writes.`, { line });
    }
    takeRow({ line });
    const [timeMs = 0, amount = 0, direction = 0, sizeBytes = 0] = text.split(",", 4).map(Number);
    const operation = directions[direction];
    if (operation === undefined) {
      trimCount += 1;
      return;
    }
    if (value !== "latency") {
      const key = `${operation} ${sizeBytes}`;
      const rate = rates.get(key) ?? { operation, sizeBytes, sum: 0, n: 0 };
      rates.set(key, Object.assign(rate, { sum: rate.sum + amount, n: rate.n + 1 }));
      return;
    }
    isOfClock ||= timeMs >= EPOCH_MS_MIN;
    const wireMs = amount / NS_PER_MS;
    if (wireMs > benchmarkDurationMsMax) {
      throw new RefusedFile("bad-value", `A latency of ${amount} ns is longer than an hour.`, { line });
    }
    take({
      index,
      operation,
      outcome: "ok",
      sizeBytes,
      transferredBytes: sizeBytes,
      startedAtMs: timeMs,
      wireMs,
      perceivedMs: wireMs,
      attempts: 1,
      phases: {},
      isCold: false,
      isTagged: false,
    });
    index += 1;
  });
  return {
    push: cutter.push,
    end() {
      cutter.end();
      const isRate = value !== "latency";
      return {
        tool: "fio",
        ...(isOfClock ? {} : { startedAtMs: null }),
        summaries: [...rates.values()].map((rate) => summaryOf(rate, value)),
        notes: [
          ...(trimCount > 0 ? [`${trimCount} lines of trims are not read.`] : []),
          ...(isRate
            ? [
                "The log has rates and no latencies, so the mean rate is kept and nothing can be compared by a test.",
              ]
            : ["With log_avg_msec each sample is the mean of an interval, so percentiles are of means."]),
        ],
      } satisfies ReadRun;
    },
  };
}

function measureOf(name: string): Value {
  const [, kind] = NAME.exec(name) ?? [];
  if (kind === undefined) {
    throw new RefusedFile(
      "unknown-format",
      `It looks like a log of fio, and its name must say of what: it must end in _lat.log, _clat.log, _iops.log or _bw.log, also with a number as in _lat.1.log, and ${shown(name)} does not.`,
    );
  }
  switch (kind.toLowerCase()) {
    case "iops":
      return "iops";
    case "bw":
      return "bandwidth";
    case "slat":
      throw new RefusedFile(
        "unknown-format",
        "The log has the times of submission (slat), which say nothing of the drive; import the log of lat or clat.",
      );
    default:
      return "latency";
  }
}

function summaryOf(
  {
    operation,
    sizeBytes,
    sum,
    n,
  }: { operation: BenchmarkOperation; sizeBytes: number; sum: number; n: number },
  value: Value,
): ImportedSummary {
  const mean = sum / n;
  return {
    label: operation === "READ" ? "read" : "write",
    operation,
    sizeBytes,
    ...(value === "iops" ? { operationsPerSecond: mean } : { bytesPerSecond: mean * KIB }),
    isApproximate: false,
  };
}

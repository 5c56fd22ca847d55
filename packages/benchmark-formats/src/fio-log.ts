import { type BenchmarkOperation, benchmarkDurationMsMax } from "@stashlight/contracts/sample";
import { EPOCH_MS_MIN, type FioRate, FioRates } from "./fio-rates.ts";
import type { ImportLimits, ReadRun } from "./imported-run.ts";
import { createLineCutter } from "./lines.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createRowBudget } from "./row-budget.ts";
import type { TakeSample, TextReader } from "./text-reader.ts";

/** Milliseconds since the start, value, direction, block size in bytes, offset and, in later versions, priority. */
const LINE = /^\d+, *\d+, *[012], *\d+, *(?:\d+|0x[0-9a-f]+)(?:, *(?:\d+|0x[0-9a-f]+))*\r?$/i;
const FIRST_LINE = new RegExp(`${LINE.source}`, "im");

const directions: readonly BenchmarkOperation[] = ["READ", "WRITE"];
/** Only the file's name, such as "job_clat.1.log", identifies the values. */
const NAME = /_(lat|clat|slat|iops|bw)(?:\.\d+)?\.log(?:\.(?:gz|zst))?$/i;
const NS_PER_MS = 1e6;

export function isFioLog(head: string): boolean {
  const [first = ""] = head.split("\n", 1);
  return FIRST_LINE.test(first);
}

/**
 * Reads a log of `--write_lat_log`, `--write_iops_log` or `--write_bw_log`. A line with a block size is one request,
 * and a line without is the mean of an interval, as with `log_avg_msec`. Latencies become samples; for rates, the mean
 * over the log is kept.
 */
export function fioLogReader(name: string, limits: ImportLimits, take: TakeSample): TextReader {
  const value = parseLogName(name);
  const takeRow = createRowBudget(limits.rowsMax);
  const rates = value === "latency" ? null : new FioRates(value);
  let index = 0;
  let isOfClock = false;
  let intervalCount = 0;
  let trimCount = 0;
  const cutter = createLineCutter((text, line) => {
    if (text.trim() === "") return;
    if (!LINE.test(text)) {
      throw new RefusedFile("bad-value", `${shown(text)} is not a line of a fio log.`, { line });
    }
    takeRow({ line });
    const [timeMs = 0, amount = 0, direction = 0, sizeBytes = 0] = text.split(",", 4).map(Number);
    const operation = directions[direction];
    if (operation === undefined) {
      trimCount += 1;
      return;
    }
    if (rates !== null) {
      rates.take({ operation, timeMs, amount, sizeBytes });
      return;
    }
    isOfClock ||= timeMs >= EPOCH_MS_MIN;
    if (sizeBytes === 0) intervalCount += 1;
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
      return {
        tool: "fio",
        ...(isOfClock ? {} : { startedAtMs: null }),
        summaries: rates?.summaries() ?? [],
        notes: [
          ...(trimCount > 0 ? [`${counted(trimCount, "line")} of trims left out.`] : []),
          ...(rates === null ? [] : [RATES_NOTE, ...rates.notes()]),
          ...(intervalCount > 0 ? [INTERVALS_NOTE] : []),
        ],
      } satisfies ReadRun;
    },
  };
}

const RATES_NOTE =
  "The log has rates but no latencies, so only the mean rate is kept and no test can compare it.";
const INTERVALS_NOTE =
  "Lines without a block size are means of intervals (log_avg_msec), so percentiles are of means.";

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function parseLogName(name: string): "latency" | FioRate {
  const [, kind] = NAME.exec(name) ?? [];
  if (kind === undefined) {
    throw new RefusedFile(
      "unknown-format",
      `It looks like a fio log, but its name ${shown(name)} does not show its content: it must end in _lat.log, _clat.log, _iops.log or _bw.log, or with a number as in _lat.1.log.`,
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
        "The log has the times of submission (slat), which do not describe the drive; import the log of lat or clat.",
      );
    default:
      return "latency";
  }
}

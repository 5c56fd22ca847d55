import { expect, test } from "vitest";
import { progressLine, summaryLines } from "./summary.ts";
import { createStats } from "./writers.ts";

function stats() {
  const made = createStats();
  for (let ms = 1; ms <= 1000; ms++) made.durationsMs.push(ms);
  made.bytesWritten.total = 262_144_000;
  made.paths.set("direct", 20).set("stash", 980);
  made.errors.set("ECONNREFUSED", 1).set("SlowDown", 3);
  return made;
}

const frame = { sizeBytes: 262_144, concurrency: 16, elapsedMs: 10_000 };

test("a summary has rates, latencies with their sample count, paths and errors", () => {
  expect(summaryLines(stats(), frame)).toEqual([
    "1,000 uploads of 256 KiB in 10.0 s, 16 at a time: 100.0 uploads/s, 26.2 MB/s.",
    "  latency  p50 500 ms  p90 900 ms  p99 990 ms  max 1000 ms  (n = 1,000)",
    "  path     stash 98.0 % (980)  direct 2.0 % (20)",
    "  errors   SlowDown 3  ECONNREFUSED 1",
  ]);
});

test("reports no latencies without an upload", () => {
  const none = createStats();
  none.errors.set("ECONNREFUSED", 2);
  expect(summaryLines(none, frame)).toEqual([
    "0 uploads of 256 KiB in 10.0 s, 16 at a time.",
    "  errors   ECONNREFUSED 2",
  ]);
  expect(progressLine(none, 2000)).toBe("2 s  0.0 uploads/s  0.0 MB/s  no upload yet  2 errors");
});

test("reports progress in one line", () => {
  expect(progressLine(stats(), 10_000)).toBe(
    "10 s  100.0 uploads/s  26.2 MB/s  p50 500 ms  p99 990 ms  4 errors",
  );
});

/**
 * Waiting times of result pages: five years of six-hourly runs of four endpoints and two sizes, 100 samples each, in a
 * real Postgres. The archive is simulated, and labelled as such. Comparisons use another period each time, because
 * repeated ones come from the cache; "off the main thread" is the delay of a timer during the computation.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import {
  compareBenchmark,
  findBenchmarkChanges,
  getBenchmarkHistory,
} from "@stashlight/services/benchmark-result";
import type { Platform } from "@stashlight/services/platform";
import type { Measurement } from "./measurement.ts";
import { fillArchive, slotMs } from "./results/archive.ts";
import { median, timed } from "./rounds.ts";
import { createViewer } from "./telemetry/viewer.ts";
import { withPlatform } from "./with-platform.ts";

const ROUNDS = 7;
type PrintLine = (line: string) => void;

export const benchResults = (say: PrintLine): Promise<Measurement[]> =>
  withPlatform((platform) => measure(platform, say));

async function measure(platform: Platform, say: PrintLine): Promise<Measurement[]> {
  const { planId, endpointIds, fromMs, toMs, runCount } = await fillArchive(platform, say);
  const ctx = createViewer(platform);
  const [endpointAId, endpointBId] = endpointIds as [string, string];
  const subject = { planId, operation: "PUT" as const, sizeBytes: 256_000, connectionCount: 1, fromMs, toMs };
  const times: Record<"history" | "changes" | "compare", number[]> = {
    history: [],
    changes: [],
    compare: [],
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let latestTimerMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    say(`results of ${runCount} runs, round ${round + 1} of ${ROUNDS}`);
    times.history.push(
      await timed(() => getBenchmarkHistory({ ctx, input: { ...subject, pointCountMax: 1000 } })),
    );
    times.changes.push(await timed(() => findBenchmarkChanges({ ctx, input: subject })));
    const question = {
      ...subject,
      fromMs: fromMs + round * slotMs,
      endpointAId,
      endpointBId,
      minimumEffect: { kind: "share" as const, share: 0.05 },
    };
    delay.reset();
    delay.enable();
    times.compare.push(await timed(() => compareBenchmark({ ctx, input: question })));
    delay.disable();
    latestTimerMs = Math.max(latestTimerMs, delay.max / 1e6);
  }
  const row = (name: string, value: number, budget: number, words: string): Measurement => ({
    name,
    value,
    unit: "ms",
    against: { name: words, value: budget },
  });
  return [
    row("history of 5 years, 4 endpoints", median(times.history), 200, "its budget of 200 ms"),
    row("comparison with bootstrap, 5 years", median(times.compare), 1000, "its budget of 1 s"),
    row("a timer's delay while it is computed, most", latestTimerMs, 100, "what a click may wait"),
    row("change points of 5 years, 4 endpoints", median(times.changes), 1000, "the second that a page waits"),
  ];
}

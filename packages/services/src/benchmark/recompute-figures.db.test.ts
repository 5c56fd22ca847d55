import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { expect, test } from "vitest";
import { createTestEndpoint, seedBenchmarkRun, useSharedInstallation } from "../testing/index.ts";
import { getBenchmarkRun } from "./get-run.ts";
import { packSamples, unpackSamples } from "./pack.ts";
import { recomputeFigures } from "./recompute-figures.ts";

const { installation, viewer } = useSharedInstallation("viewer");

/**
 * Runs as earlier releases stored them, with latency counted from the write: no starts, and only durations on the wire.
 */
async function seedEarlierRun(
  mode: string,
  change = (sample: BenchmarkSample): BenchmarkSample => ({ ...sample, intendedDelayMs: sample.index }),
): Promise<string> {
  const { platform } = installation;
  const endpoint = { name: mode, id: await createTestEndpoint(platform, { name: mode }) };
  const runId = await seedBenchmarkRun(platform, {
    planId: null,
    endpoint,
    slotAt: new Date("2026-11-01T06:00:00Z"),
    wireMs: Array.from({ length: 40 }, () => 50),
  });
  const { packed } = await platform.db.benchmarkGroupSamples.findFirstOrThrow({ where: { runId } });
  const late = unpackSamples(packed).map(change);
  const method = { name: "small-uploads", parameters: { mode } };
  await platform.db.benchmarkRun.update({ where: { id: runId }, data: { method } });
  await platform.metrics.query(
    "UPDATE benchmark_group SET starts = NULL, figures_edition = 1, median_low_ms = 49, median_high_ms = 49 WHERE run_id = $1",
    [runId],
  );
  await platform.metrics.query("UPDATE benchmark_group_samples SET packed = $2 WHERE run_id = $1", [
    runId,
    packSamples(late),
  ]);
  return runId;
}

const runGroups = async (runId: string) =>
  (await getBenchmarkRun({ ctx: viewer.ctx, input: { runId } })).groups;

test("runs of an earlier release, even imported ones, are recomputed once by today's rules", async () => {
  const { platform } = installation;
  const atRate = await seedEarlierRun("constant-rate");
  const imported = await seedEarlierRun("imported");
  await platform.db.benchmarkRun.update({
    where: { id: imported },
    data: { state: "imported", method: { name: "import", parameters: { format: "stashlight-csv" } } },
  });
  expect(await runGroups(atRate)).toMatchObject([{ medianMs: 50, medianLowMs: null, medianHighMs: null }]);
  expect(await recomputeFigures(platform)).toBe(2);
  expect(await recomputeFigures(platform)).toBe(0);
  for (const runId of [atRate, imported]) {
    const starts = { kind: "due", maxMs: 39, service: { medianMs: 50 } };
    expect(await runGroups(runId)).toMatchObject([{ n: 40, medianMs: 69, maxMs: 89, starts }]);
    const { latencyMs } = await platform.db.benchmarkGroupSamples.findFirstOrThrow({ where: { runId } });
    expect(latencyMs).toEqual(Array.from({ length: 40 }, (_, i) => 50 + i));
  }
});

test("a closed loop gets the interval of its median by today's rule, and keeps its other figures", async () => {
  const { platform } = installation;
  const closed = await seedEarlierRun("closed", (sample) => sample);
  expect(await recomputeFigures(platform)).toBe(1);
  expect(await runGroups(closed)).toMatchObject([
    { n: 40, medianMs: 50, maxMs: 50, medianLowMs: 50, medianHighMs: 50, starts: null },
  ]);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createTestEndpoint,
  openTestInstallation,
  type Person,
  seedBenchmarkRun,
  type TestInstallation,
} from "../testing/index.ts";
import { getBenchmarkRun } from "./get-run.ts";
import { packSamples, unpackSamples } from "./pack.ts";
import { recomputeLatencies } from "./recompute-latency.ts";

let installation: TestInstallation;
let viewer: Person;

beforeAll(async () => {
  installation = await openTestInstallation();
  viewer = await installation.person("viewer");
});
afterAll(() => installation.close());

/** As releases stored runs that counted from the write: no starts, and the durations of the wire alone. */
async function seedEarlierRun(mode: string): Promise<string> {
  const { platform } = installation;
  const endpoint = { name: mode, id: await createTestEndpoint(platform, { name: mode }) };
  const runId = await seedBenchmarkRun(platform, {
    planId: null,
    endpoint,
    slotAt: new Date("2026-11-01T06:00:00Z"),
    wireMs: Array.from({ length: 40 }, () => 50),
  });
  const { packed } = await platform.db.benchmarkGroupSamples.findFirstOrThrow({ where: { runId } });
  const late = unpackSamples(packed).map((sample) => ({ ...sample, intendedDelayMs: sample.index }));
  const method = { name: "small-uploads", parameters: { mode } };
  await platform.db.benchmarkRun.update({ where: { id: runId }, data: { method } });
  await platform.metrics.query("UPDATE benchmark_group SET starts = NULL WHERE run_id = $1", [runId]);
  await platform.metrics.query("UPDATE benchmark_group_samples SET packed = $2 WHERE run_id = $1", [
    runId,
    packSamples(late),
  ]);
  return runId;
}

test("a constant-rate run of an earlier release gets figures from the due moment once, a closed loop keeps its own", async () => {
  const { platform } = installation;
  const [atRate, closed] = [await seedEarlierRun("constant-rate"), await seedEarlierRun("closed")];
  expect(await recomputeLatencies(platform)).toBe(1);
  expect(await recomputeLatencies(platform)).toBe(0);
  const groupsOf = async (runId: string) =>
    (await getBenchmarkRun({ ctx: viewer.ctx, input: { runId } })).groups;
  expect(await groupsOf(atRate)).toMatchObject([
    { n: 40, medianMs: 69, maxMs: 89, starts: { kind: "due", maxMs: 39, service: { medianMs: 50 } } },
  ]);
  const { latencyMs } = await platform.db.benchmarkGroupSamples.findFirstOrThrow({
    where: { runId: atRate },
  });
  expect(latencyMs).toEqual(Array.from({ length: 40 }, (_, i) => 50 + i));
  expect(await groupsOf(closed)).toMatchObject([{ n: 40, medianMs: 50, maxMs: 50, starts: null }]);
});

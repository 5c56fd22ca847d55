/** Kills ingests and workers, real processes that share a database, under load. */
import { setTimeout as delay } from "node:timers/promises";
import { inTurns } from "@stashlight/fleet";
import { startEdge, type TestEdge, testKeys } from "@stashlight/s3/testing";
import { createBenchmarkPlan, listBenchmarkSlots, runBenchmarkPlanNow } from "@stashlight/services/benchmark";
import { runRollUp } from "@stashlight/services/metrics/roll-up";
import {
  createTestEndpoint,
  openTestInstallation,
  type TestInstallation,
} from "@stashlight/services/testing";
import { type EnrolledIdentity, postBatch } from "@stashlight/telemetry";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { freePort, kill, killAll, type Started, start } from "./testing/role-processes.ts";
import { enrolNodes, makeEncodedBatch, VALUES, WINDOW_MS } from "./testing/small-nodes.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const NODES = 8;
const WINDOWS = 24;
const PLANS = 2;

let installation: TestInstallation;
let edge: TestEdge;

beforeEach(async () => {
  installation = await openTestInstallation({ kind: "worker", now: () => new Date() });
  edge = await startEdge();
  await edge.store.addBucket("benchmarks");
});
afterEach(async () => {
  await killAll();
  await edge.close();
  await installation.close();
});

/** Posts all windows of a node, each until it is accepted, as an agent does. Calls back for each one. */
async function postAll(
  { nodeId, key }: EnrolledIdentity,
  index: number,
  origins: readonly string[],
  firstEndMs: number,
  onAccepted: () => void,
): Promise<void> {
  const settings = { key: () => key, timeoutMs: 10_000, nowMs: Date.now };
  const post = inTurns(origins, index, (origin, bytes) => postBatch({ ...settings, origin }, bytes));
  for (let sequence = 1; sequence <= WINDOWS; sequence += 1) {
    const bytes = makeEncodedBatch(nodeId, 7 + index, sequence, firstEndMs + sequence * WINDOW_MS);
    for (;;) {
      const result = await post(bytes);
      if (result.type === "accepted") break;
      if (result.type === "refused") throw new Error(result.reason);
      await delay(result.type === "again" ? result.afterMs : 20);
    }
    onAccepted();
    // A batch may be accepted twice if its first answer was lost.
    if (sequence % 7 === 0) await post(bytes);
  }
}

test("ingests killed under load lose no window and count none twice", async () => {
  const ports = [await freePort(), await freePort()];
  const ingests = await Promise.all(ports.map((port) => start(installation, "ingest", port)));
  const origins = ingests.map(({ origin }) => origin);
  const nodes = await enrolNodes(installation, origins[0] ?? "", NODES);
  const firstEndMs = Math.floor(Date.now() / 60_000) * 60_000 - (WINDOWS + 12) * WINDOW_MS;
  let acceptedCount = 0;
  const reached = (count: number) =>
    vi.waitFor(() => expect(acceptedCount).toBeGreaterThanOrEqual(count), { timeout: 60_000, interval: 5 });
  const posting = Promise.all(
    nodes.map((node, i) =>
      postAll(node, i, origins, firstEndMs, () => {
        acceptedCount += 1;
      }),
    ),
  );
  const all = NODES * WINDOWS;
  for (const [turn, share] of [0.1, 0.4, 0.7].entries()) {
    await reached(all * share);
    const victim = turn % 2;
    await kill((ingests[victim] as Started).child);
    ingests[victim] = await start(installation, "ingest", ports[victim] as number);
  }
  await posting;
  await runRollUp(installation.platform);
  const { rows } = await installation.platform.metrics.query(
    `SELECT (SELECT count(*)::int FROM metric.batch_seen) AS batches,
            (SELECT count(DISTINCT (node_id, boot_id, sequence))::int FROM metric.batch_seen) AS names,
            (SELECT sum(n)::int FROM metric.hist_raw) AS raw,
            (SELECT sum(n)::int FROM metric.hist_1m WHERE node_id NOT IN (SELECT node_id FROM metric.fleet)) AS minutes,
            (SELECT sum(h.n)::int FROM metric.hist_1m AS h JOIN metric.fleet AS f USING (node_id) WHERE f.vault <> '')
              AS fleets`,
  );
  const values = all * VALUES.length;
  expect(rows).toEqual([{ batches: all, names: all, raw: values, minutes: values, fleets: values }]);
});

/** Ends the lease of a killed worker at once, and skips the pause before its slot is retried. */
async function passLease({ db }: TestInstallation["platform"], holder: string): Promise<void> {
  await db.scheduleRun.updateMany({ where: { claimedBy: holder }, data: { leaseUntil: new Date(0) } });
  await vi.waitFor(
    async () => {
      const now = new Date();
      const { count } = await db.scheduleRun.updateMany({
        where: { state: "queued", attempts: 1, startAfter: { gt: now } },
        data: { startAfter: now },
      });
      expect(count).toBe(1);
    },
    { timeout: 60_000, interval: 50 },
  );
}

/**
 * Waits until a run of the slot has begun, and returns the slot's holder: a kill after the claim and before the run
 * would interrupt nothing.
 */
function waitForRunningSlot({ db }: TestInstallation["platform"]): Promise<string> {
  return vi.waitFor(
    async () => {
      const run = await db.benchmarkRun.findFirst({ where: { state: "running" }, include: { plan: true } });
      const slot = await db.scheduleRun.findFirst({
        where: {
          state: "running",
          claimedBy: { not: null },
          scheduleId: run?.plan?.scheduleId ?? "",
          plannedAt: run?.slotAt ?? new Date(0),
        },
      });
      expect(slot?.claimedBy).toBeTruthy();
      return slot?.claimedBy ?? "";
    },
    { timeout: 60_000, interval: 20 },
  );
}

test("when one of two workers is killed in the middle of a slot, the other one finishes it, and no run repeats", async () => {
  const { platform } = installation;
  const { ctx } = await installation.person("operator");
  const keys = { accessKeyId: testKeys.writer.id, secretAccessKey: testKeys.writer.secret };
  const endpointId = await createTestEndpoint(platform, {
    name: "edge",
    url: edge.url,
    bucket: "benchmarks",
    ...keys,
  });
  const createdAt = new Date();
  await platform.db.outboundNetwork.create({
    data: { cidr: "127.0.0.0/8", createdByName: "test", createdAt },
  });
  const planIds: string[] = [];
  for (let i = 0; i < PLANS; i += 1) {
    const method = { sizesBytes: [1000], repetitionCount: 60, pauseMs: 10, pingCount: 5, warmUpCount: 1 };
    const { planId } = await createBenchmarkPlan({
      ctx,
      input: {
        name: `plan ${i}`,
        description: "",
        endpointIds: [endpointId],
        method: { name: "small-uploads", parameters: method },
        cron: "0 0 1 1 *",
        timeZone: "UTC",
        jitterSeconds: 0,
        missedPolicy: "run-late",
        isPaused: false,
        vantageNodeId: null,
        budgetPerMonth: null,
        costPerSlotMax: null,
        writtenBytesPerMonth: null,
      },
    });
    await runBenchmarkPlanNow({ ctx, input: { planId } });
    planIds.push(planId);
  }
  const workers = await Promise.all(
    [freePort(), freePort()].map(async (port) => start(installation, "worker", await port)),
  );
  const held = await waitForRunningSlot(platform);
  const holder = workers.find(({ child }) => held.endsWith(` ${child.pid}`));
  expect(holder, held).toBeDefined();
  if (holder) await kill(holder.child);
  await passLease(platform, held);
  const slots = await vi.waitFor(
    async () => {
      const input = { fromMs: 0, toMs: 4e12, pageSize: 10 };
      const found = await Promise.all(
        planIds.map((planId) => listBenchmarkSlots({ ctx, input: { planId, ...input } })),
      );
      expect(found.flat().map(({ state }) => state)).toEqual(planIds.map(() => "succeeded"));
      return found.flat();
    },
    { timeout: 180_000, interval: 200 },
  );
  const runStates = slots.flatMap(({ runs }) => runs.map(({ state }) => state)).sort();
  expect(runStates).toEqual(["interrupted", ...planIds.map(() => "succeeded")]);
  const taken = await platform.db.scheduleRun.findMany({ where: { claimedBy: { not: null } } });
  expect(taken.map(({ attempts }) => attempts).sort()).toEqual([...planIds.slice(1).map(() => 1), 2]);
});

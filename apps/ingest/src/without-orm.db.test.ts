import { gzipSync } from "node:zlib";
import type { ProbeJob, ProbeReport, ProbeRunEnd } from "@stashlight/contracts/probe/job";
import {
  createBenchmarkPlan,
  getBenchmarkRun,
  listBenchmarkSlots,
  runBenchmarkPlanNow,
} from "@stashlight/services/benchmark";
import { listFsyncProbes, requestFsyncProbe } from "@stashlight/services/fsync-probe";
import {
  auditEvents,
  createTestEndpoint,
  testSample,
  useSharedInstallation,
} from "@stashlight/services/testing";
import { type EnrolledIdentity, PROBE_JOBS_CONTENT_TYPE } from "@stashlight/telemetry";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  enrolTestNode,
  type IngestProcess,
  makeBatch,
  post,
  send,
  startIngestProcess,
} from "./testing/harness.ts";

/** Starts a process, which takes seconds on a loaded machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const withoutOrm = new URL("testing/without-orm.ts", import.meta.url).href;
const drive = { node: "stash-1", device: "s0" };
const { installation, admin } = useSharedInstallation("admin");
let ingest: IngestProcess;
let probe: EnrolledIdentity;

beforeAll(async () => {
  ingest = await startIngestProcess(installation, { nodeArguments: ["--import", withoutOrm] });
  const terms = { vault: "main", role: "probe", isAutoApproved: true };
  probe = await enrolTestNode({ admin, origin: ingest.origin }, "probe-eu", terms);
});
afterAll(async () => {
  ingest.child.disconnect();
  await ingest.ended;
});

async function ask<Answer>(path: string, question: object): Promise<Answer> {
  const body = gzipSync(JSON.stringify(question));
  const headers = {
    authorization: `Bearer ${probe.key}`,
    "content-type": PROBE_JOBS_CONTENT_TYPE,
    "content-encoding": "gzip",
    "content-length": body.length,
  };
  const { status, text } = await send(ingest.origin, "POST", path, headers, body);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text);
}
const claim = () => ask<ProbeJob>("/v1/jobs", { drives: [drive] });
const report = (of: ProbeReport) => ask<{ isCancelled: boolean }>("/v1/jobs/report", of);

const end: ProbeRunEnd = {
  state: "succeeded",
  sentence: null,
  sampleCount: 3,
  failureCount: 0,
  isContaminated: false,
  flags: [],
  results: [],
  stages: [],
  openedConnectionCount: 1,
  cpu: null,
};

async function queueSlot(): Promise<string> {
  const { ctx } = admin;
  const { planId } = await createBenchmarkPlan({
    ctx,
    input: {
      name: "From the probe",
      description: "",
      endpointIds: [await createTestEndpoint(installation.platform, { name: "S3" })],
      method: { name: "small-uploads", parameters: {} },
      cron: "0 0 1 1 *",
      timeZone: "UTC",
      jitterSeconds: 0,
      missedPolicy: "run-late",
      vantageNodeId: probe.nodeId,
      budgetPerMonth: null,
      costPerSlotMax: null,
      writtenBytesPerMonth: null,
      isPaused: false,
    },
  });
  await runBenchmarkPlanNow({ ctx, input: { planId } });
  return planId;
}

test("an ingest that cannot load the ORM enrols machines and accepts batches", async () => {
  expect((await auditEvents(installation.platform)).map(({ action }) => action)).toContain("node.enrolled");
  const sent = await post(ingest.origin, probe.key, makeBatch(probe, 1, Date.now()));
  expect(sent).toMatchObject({ type: "accepted" });
});

test("an ingest that cannot load the ORM repeats a probe's lost slot, stores its measurements, and records the cleanup", async () => {
  const planId = await queueSlot();
  const lost = (await claim()).slot;
  if (lost === null) throw new Error("there is no slot");
  const requireSlot = (job: ProbeJob) => job.slot ?? expect.fail("there is no slot");
  // A probe that asks while it holds a slot has lost that slot; the next attempt is due a little later.
  expect((await claim()).slot).toBeNull();
  await installation.platform.db.scheduleRun.updateMany({ data: { startAfter: new Date(0) } });
  const { scheduleId, plannedAtMs, attempt, runs } = requireSlot(await claim());
  expect(attempt).toBe(lost.attempt + 1);
  const runId = runs[0]?.runId ?? "";
  const samples = [1, 2, 3].map((wireMs, index) => testSample({ index, wireMs }));
  const progress = { share: 0.5, text: "Uploads", leftMs: 1000 };
  const ofSlot = { type: "slot", scheduleId, plannedAtMs, attempt } as const;
  await report({
    ...ofSlot,
    isOver: false,
    run: { runId, part: 0, samples, progress, manifest: { host: "probe" }, cells: [], end: null },
  });
  await report({
    ...ofSlot,
    isOver: false,
    run: { runId, part: 1, samples: [], progress: null, manifest: null, cells: [], end },
  });
  await report({ ...ofSlot, isOver: true, run: null });
  const { ctx } = admin;
  const input = { planId, fromMs: 0, toMs: 4e12, pageSize: 1 };
  expect(await listBenchmarkSlots({ ctx, input })).toMatchObject([{ state: "succeeded" }]);
  expect(await getBenchmarkRun({ ctx, input: { runId } })).toMatchObject({
    state: "succeeded",
    manifest: { host: "probe" },
    groups: [{ operation: "PUT", n: 3, medianMs: 2 }],
  });
  const { leftovers } = await claim();
  expect(leftovers.map((each) => each.runId)).toEqual([runId]);
  await report({ type: "cleaned", runId, error: null });
  expect((await getBenchmarkRun({ ctx, input: { runId } })).cleanedAt).not.toBeNull();
});

test("an ingest that cannot load the ORM lets a probe measure a drive", async () => {
  const stash = { name: drive.node, vault: "main", role: "stash", status: "active" };
  await installation.platform.db.node.create({ data: { id: crypto.randomUUID(), ...stash } });
  await claim();
  const { probeId } = await requestFsyncProbe({ ctx: admin.ctx, input: drive });
  expect((await claim()).fsync).toMatchObject({ probeId, drive });
  await report({ type: "fsync", probeId, result: null, sentence: "The drive is full." });
  const { probes } = await listFsyncProbes({ ctx: admin.ctx, input: drive });
  expect(probes).toMatchObject([{ state: "failed", sentence: "The drive is full." }]);
});

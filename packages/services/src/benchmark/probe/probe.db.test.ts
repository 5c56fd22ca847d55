import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { ReportedDrive } from "@stashlight/contracts/probe";
import type { ProbeJob, ProbeReport, ProbeRunEnd, ProbeSlot } from "@stashlight/contracts/probe/job";
import { beforeEach, expect, test } from "vitest";
import { planDueRuns } from "../../schedule/plan-due.ts";
import { createTestEndpoint, type Person, testSample, useFreshInstallation } from "../../testing/index.ts";
import { cancelBenchmarkSlot } from "../cancel-slot.ts";
import { createBenchmarkPlan } from "../create-plan.ts";
import { getBenchmarkRun } from "../get-run.ts";
import { listBenchmarkSlots } from "../list-slots.ts";
import { runBenchmarkPlanNow } from "../run-plan-now.ts";
import { claimSlot } from "../slot/claim.ts";
import { recoverLostSlots } from "../slot/interrupt.ts";
import { claimProbeJob, probeLeaseMs } from "./claim-job.ts";
import { answerIdleProbe } from "./idle.ts";
import { recordProbeReport } from "./record-report.ts";

const nodeId = "00000000-0000-4000-8000-000000000001";
const probe: AuthenticatedNode = {
  nodeId,
  name: "probe-eu",
  vault: "main",
  role: "probe",
  status: "active",
  isSimulated: false,
};
const { installation } = useFreshInstallation();
let operator: Person;
let planId: string;

beforeEach(async () => {
  const { platform } = installation;
  operator = await installation.person("operator", "Olga");
  const createdAt = platform.now();
  await platform.db.node.create({
    data: { id: nodeId, name: probe.name, vault: "main", role: "probe", status: "active", createdAt },
  });
  const endpointIds = [];
  for (const name of ["B2", "S3"]) endpointIds.push(await createTestEndpoint(platform, { name }));
  ({ planId } = await createBenchmarkPlan({
    ctx: operator.ctx,
    input: {
      name: "From Europe",
      description: "",
      endpointIds,
      method: { name: "small-uploads", parameters: {} },
      cron: "0 0 1 1 *",
      timeZone: "UTC",
      jitterSeconds: 0,
      missedPolicy: "run-late",
      vantageNodeId: nodeId,
      budgetPerMonth: null,
      costPerSlotMax: null,
      writtenBytesPerMonth: null,
      isPaused: false,
    },
  }));
});

const claim = () => claimProbeJob(installation.platform, probe, { drives: [] });
const claimedSlot = async (): Promise<ProbeSlot> => {
  await runBenchmarkPlanNow({ ctx: operator.ctx, input: { planId } });
  const { slot } = await claim();
  if (slot === null) throw new Error("nothing to claim");
  return slot;
};
const report = (of: ProbeReport) => recordProbeReport(installation.platform, probe, of);
const succeeded: ProbeRunEnd = {
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
const samples = [1, 2, 3].map((wireMs, index) => testSample({ index, wireMs }));
const ofRun = (
  { scheduleId, plannedAtMs, attempt }: ProbeSlot,
  runId: string,
  changes: object = {},
): Extract<ProbeReport, { type: "slot" }> => ({
  type: "slot",
  scheduleId,
  plannedAtMs,
  attempt,
  isOver: false,
  run: { runId, part: 0, samples: [], progress: null, manifest: null, cells: [], end: null, ...changes },
});
const overOf = (slot: ProbeSlot): ProbeReport => ({ ...ofRun(slot, ""), run: null, isOver: true });
const lastSlot = async () => {
  const [slot] = await listBenchmarkSlots({
    ctx: operator.ctx,
    input: { planId, fromMs: 0, toMs: 4e12, pageSize: 1 },
  });
  if (slot === undefined) throw new Error("there is no slot");
  return slot;
};

test("a slot of a probe is claimed only by the probe, with the access that its endpoints need", async () => {
  await runBenchmarkPlanNow({ ctx: operator.ctx, input: { planId } });
  const worker = { vantageNodeId: null, claimant: "worker", random: Math.random };
  expect(await claimSlot(installation.platform, worker)).toBeNull();
  const job: ProbeJob = await claim();
  expect(job.slot?.method.name).toBe("small-uploads");
  const runs = job.slot?.runs.flatMap((run) => ("endpoint" in run ? run : [])) ?? [];
  expect(runs.map(({ endpoint }) => endpoint.name).sort()).toEqual(["B2", "S3"]);
  expect(runs[0]?.credentials.secretAccessKey).toBe("a secret access key of the tests");
});

test("reports of a slot become its runs, and a report that arrives twice counts once", async () => {
  const slot = await claimedSlot();
  for (const { runId } of slot.runs) {
    const first = ofRun(slot, runId, { samples: samples.slice(0, 2), manifest: { host: "probe" } });
    const last = ofRun(slot, runId, { part: 1, samples: samples.slice(2), end: succeeded });
    for (const each of [first, first, last, last]) expect(await report(each)).toEqual({ isCancelled: false });
  }
  await report(overOf(slot));
  await expect(report(overOf(slot))).rejects.toMatchObject({ code: "conflict" });
  const { state, outcome, runs } = await lastSlot();
  expect({ state, outcome }).toEqual({ state: "succeeded", outcome: "2 endpoints measured." });
  expect(runs).toMatchObject([
    { state: "succeeded", sampleCount: 3, vantage: "probe-eu" },
    { state: "succeeded", sampleCount: 3 },
  ]);
  const details = await getBenchmarkRun({ ctx: operator.ctx, input: { runId: runs[0]?.id ?? "" } });
  expect(details).toMatchObject({ manifest: { host: "probe" }, groups: [{ n: 3, medianMs: 2 }] });
  // Only the probe deletes the objects of its runs, because no other process may reach the endpoint.
  const { leftovers } = await claim();
  expect(leftovers.map(({ runId }) => runId).sort()).toEqual(runs.map(({ id }) => id).sort());
  for (const { runId } of leftovers) await report({ type: "cleaned", runId, error: null });
  installation.clock.advance(86_400_000);
  expect((await claim()).leftovers).toEqual([]);
});

const idle = (drives: ReportedDrive[] = []) => answerIdleProbe(installation.platform, probe, { drives });

test("the short answer to a probe equals the full one if there is nothing to do, and is given only then", async () => {
  const { db, now } = installation.platform;
  await db.outboundNetwork.create({ data: { cidr: "10.0.0.0/8", createdByName: "test", createdAt: now() } });
  expect((await idle())?.allowedNetworks).toContain("10.0.0.0/8");
  expect(await idle()).toEqual(await claim());
  const drive = { node: "stash-1", device: "s0", benchmark: null };
  expect(await idle([drive])).toBeNull();
  await claimProbeJob(installation.platform, probe, { drives: [drive] });
  expect(await idle([drive])).not.toBeNull();
  expect(await idle()).toBeNull();
});

test("a probe with a slot to claim, to give up or to clean up gets no short answer", async () => {
  await runBenchmarkPlanNow({ ctx: operator.ctx, input: { planId } });
  expect(await idle()).toBeNull();
  const { slot } = await claim();
  if (slot === null) throw new Error("nothing to claim");
  expect(await idle()).toBeNull();
  for (const { runId } of slot.runs) await report(ofRun(slot, runId, { samples, end: succeeded }));
  expect(await idle()).toBeNull();
  await report(overOf(slot));
  expect(await idle()).toBeNull();
  const { leftovers } = await claim();
  expect(leftovers).toHaveLength(2);
  // Until the next retry is due.
  expect(await idle()).not.toBeNull();
});

test("a probe that measures a drive, or is due to, gets no short answer, and other nodes get no answer at all", async () => {
  const { db, now } = installation.platform;
  const asked = { nodeName: "stash-1", device: "s0", vault: "main", requestedById: probe.nodeId };
  await db.fsyncProbe.create({
    data: {
      ...asked,
      id: probe.nodeId,
      state: "queued",
      probeNodeId: nodeId,
      probeName: probe.name,
      requestedByName: "Olga",
      requestedAt: now(),
    },
  });
  expect(await idle()).toBeNull();
  await db.fsyncProbe.updateMany({ data: { state: "running" } });
  expect(await idle()).toBeNull();
  await db.fsyncProbe.updateMany({ data: { state: "succeeded" } });
  expect(await idle()).not.toBeNull();
  const pod = { ...probe, role: "pod" } as const;
  await expect(answerIdleProbe(installation.platform, pod, { drives: [] })).rejects.toMatchObject({
    code: "forbidden",
  });
});

test("a probe that was offline can deliver its measurements within its lease, after which the slot has ended", async () => {
  const slot = await claimedSlot();
  const [run] = slot.runs;
  installation.clock.advance(probeLeaseMs - 1);
  expect(await recoverLostSlots(installation.platform)).toBe(0);
  await report(ofRun(slot, run?.runId ?? "", { samples }));
  installation.clock.advance(probeLeaseMs + 1);
  expect(await recoverLostSlots(installation.platform)).toBe(1);
  const late = ofRun(slot, run?.runId ?? "", { part: 1, samples });
  await expect(report(late)).rejects.toMatchObject({ code: "conflict" });
  expect((await lastSlot()).runs).toMatchObject([{ state: "interrupted", sampleCount: 3 }]);
});

test("if a probe asks for a job while it holds a slot, the slot is queued again, because the probe was restarted", async () => {
  const slot = await claimedSlot();
  await report(ofRun(slot, slot.runs[0]?.runId ?? "", { samples }));
  expect((await claim()).slot).toBeNull();
  const { state, outcome } = await lastSlot();
  expect(state).toBe("queued");
  expect(outcome).toContain("the probe probe-eu was started again");
});

test("a probe gets a cancellation in the answer to its next report", async () => {
  const slot = await claimedSlot();
  const [run] = slot.runs;
  await report(ofRun(slot, run?.runId ?? "", { samples }));
  await cancelBenchmarkSlot({ ctx: operator.ctx, input: { planId, plannedAtMs: slot.plannedAtMs } });
  const end = { ...succeeded, state: "cancelled" };
  expect(await report(ofRun(slot, run?.runId ?? "", { part: 1, end }))).toEqual({ isCancelled: true });
  await report(overOf(slot));
  expect(await lastSlot()).toMatchObject({
    state: "cancelled",
    outcome: "Cancelled by Olga.",
    runs: [{ state: "cancelled", sampleCount: 3 }, { state: "cancelled" }],
  });
});

test("a slot that the probe did not claim is skipped in favour of the next one, with the reason", async () => {
  const { clock, platform } = installation;
  const year = clock.now().getUTCFullYear();
  clock.set(new Date(Date.UTC(year + 1, 0, 1)));
  expect(await planDueRuns(platform)).toBe(1);
  clock.set(new Date(Date.UTC(year + 2, 0, 1)));
  expect(await planDueRuns(platform)).toBe(1);
  const input = { planId, fromMs: 0, toMs: 4e12, pageSize: 5 };
  expect(await listBenchmarkSlots({ ctx: operator.ctx, input })).toMatchObject([
    { state: "queued" },
    { state: "skipped", outcome: "Skipped: its vantage point did not ask for it in time." },
  ]);
});

test("other nodes get no jobs, and cannot report on a slot", async () => {
  const pod = { ...probe, role: "pod" as const };
  await expect(claimProbeJob(installation.platform, pod, { drives: [] })).rejects.toMatchObject({
    code: "forbidden",
  });
  const slot = await claimedSlot();
  const other = { ...probe, nodeId: "00000000-0000-4000-8000-000000000002" };
  const stolen = recordProbeReport(installation.platform, other, overOf(slot));
  await expect(stolen).rejects.toMatchObject({ code: "conflict" });
});

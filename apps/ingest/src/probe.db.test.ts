import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEnrolmentTokenInput } from "@stashlight/contracts/node";
import { startEdge, type TestEdge, testKeys } from "@stashlight/s3/testing";
import {
  cancelBenchmarkSlot,
  createBenchmarkPlan,
  getBenchmarkRun,
  listBenchmarkSlots,
  listVantages,
  runBenchmarkPlanNow,
} from "@stashlight/services/benchmark";
import { latestFsyncProbe, listFsyncProbes, requestFsyncProbe } from "@stashlight/services/fsync-probe";
import { createEnrolmentToken } from "@stashlight/services/node";
import { createTestEndpoint } from "@stashlight/services/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { enrolTestNode, openDatabaseLine, openTestIngest, send, type TestIngest } from "./testing/harness.ts";

/** Starts processes that measure, which takes seconds on a loaded machine. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const bucket = "benchmarks";
const entry = join(import.meta.dirname, "../../../agents/probe/src/main.ts");
let ingest: TestIngest;
let edge: TestEdge;
let folder: string;
let probes: ChildProcess[];

beforeEach(async () => {
  probes = [];
  folder = mkdtempSync(join(tmpdir(), "stashlight-probe-"));
  ingest = await openTestIngest();
  edge = await startEdge();
  await edge.store.addBucket(bucket);
  await ingest.installation.platform.db.outboundNetwork.create({
    data: { cidr: "127.0.0.0/8", createdByName: "test", createdAt: new Date() },
  });
});
afterEach(async () => {
  for (const probe of probes) await kill(probe);
  await edge.close();
  await ingest.close();
  rmSync(folder, { recursive: true, force: true });
});

async function kill(probe: ChildProcess): Promise<void> {
  if (probe.exitCode !== null || probe.signalCode !== null) return;
  probe.kill("SIGKILL");
  await once(probe, "exit");
}

/** Starts a probe, and resolves when it has enrolled. */
async function startProbe(origin = ingest.origin, more: readonly string[] = []): Promise<ChildProcess> {
  const input = createEnrolmentTokenInput.parse({ vault: "main", role: "probe", isAutoApproved: true });
  const { token } = await createEnrolmentToken({ ctx: ingest.admin.ctx, input });
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, token);
  const args = ["--ingest", origin, "--name", "probe-eu", "--state", join(folder, "state"), ...more];
  const probe = spawn(process.execPath, [entry, ...args, "--enrolment-token-file", tokenFile], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  probes.push(probe);
  await once(probe, "message");
  return probe;
}

async function runOnProbe(parameters: object): Promise<string> {
  const { ctx } = ingest.admin;
  const { platform } = ingest.installation;
  const { id: accessKeyId, secret: secretAccessKey } = testKeys.writer;
  const endpoint = { name: "S3", url: edge.url, bucket, accessKeyId, secretAccessKey };
  const vantage = (await listVantages({ ctx })).find(({ name }) => name === "probe-eu");
  const { planId } = await createBenchmarkPlan({
    ctx,
    input: {
      name: "From the probe",
      description: "",
      endpointIds: [await createTestEndpoint(platform, endpoint)],
      method: { name: "small-uploads", parameters: { pingCount: 5, warmUpCount: 1, ...parameters } },
      cron: "0 0 1 1 *",
      timeZone: "UTC",
      jitterSeconds: 0,
      missedPolicy: "run-late",
      vantageNodeId: vantage?.nodeId ?? null,
      budgetPerMonth: null,
      costPerSlotMax: null,
      writtenBytesPerMonth: null,
      isPaused: false,
    },
  });
  await runBenchmarkPlanNow({ ctx, input: { planId } });
  return planId;
}

const lastSlot = async (planId: string) => {
  const input = { planId, fromMs: 0, toMs: 4e12, pageSize: 1 };
  const [slot] = await listBenchmarkSlots({ ctx: ingest.admin.ctx, input });
  if (slot === undefined) throw new Error("there is no slot");
  return slot;
};
const until = (assertion: () => Promise<void> | void) =>
  vi.waitFor(assertion, { timeout: 60_000, interval: 100 });
const objectCount = async () => {
  const range = { bucket, prefix: "", after: "", keyCountMax: 1000 };
  return (await edge.store.listObjects({} as never, range)).objects.length;
};

test("a probe enrols, takes the slot of its plan, measures, delivers every sample and cleans up", async () => {
  await startProbe();
  const planId = await runOnProbe({ sizesBytes: [20_000], repetitionCount: 30, pauseMs: 1 });
  await until(async () => expect((await lastSlot(planId)).state).toBe("succeeded"));
  const [run] = (await lastSlot(planId)).runs;
  const input = { runId: run?.id ?? "" };
  const details = await getBenchmarkRun({ ctx: ingest.admin.ctx, input });
  expect(details).toMatchObject({
    vantage: "probe-eu",
    groups: [
      { operation: "PUT", n: 30, failureCount: 0 },
      { operation: "TCP_CONNECT", n: 5 },
    ],
    manifest: { endpoint: { address: "127.0.0.1" } },
  });
  await until(async () => {
    expect((await getBenchmarkRun({ ctx: ingest.admin.ctx, input })).cleanedAt).not.toBeNull();
  });
  expect(await objectCount()).toBe(0);
  expect(ingest.errors).toEqual([]);
});

test("a probe measures how fast a drive of its machine syncs, and leaves no file on it", async () => {
  const { ctx } = ingest.admin;
  await enrolTestNode(ingest, "stash-1");
  const drive = join(folder, "s0");
  const drives = join(folder, "drives.json");
  mkdirSync(drive);
  writeFileSync(drives, JSON.stringify([{ node: "stash-1", device: "s0", folder: drive }]));
  await startProbe(ingest.origin, ["--drives", drives]);
  const input = { node: "stash-1", device: "s0" };
  const told = () => listFsyncProbes({ ctx, input });
  await until(async () => expect((await told()).servedBy).toEqual(["probe-eu"]));
  const { probeId } = await requestFsyncProbe({ ctx, input });
  await expect(requestFsyncProbe({ ctx, input })).rejects.toMatchObject({ code: "conflict" });
  await until(async () => expect((await told()).probes[0]?.state).toBe("succeeded"));
  const [probe] = (await told()).probes;
  expect(probe).toMatchObject({ id: probeId, vault: "main", probe: "probe-eu", sentence: null });
  expect(probe?.result?.figures.map(({ recordBytes }) => recordBytes)).toEqual([4_096, 65_536]);
  for (const { syncsPerSecond, n, seconds } of probe?.result?.figures ?? []) {
    expect(n).toBeGreaterThan(0);
    expect(syncsPerSecond).toBeCloseTo(n / seconds, 0);
  }
  expect(await latestFsyncProbe({ ctx, input: { vault: "main" } })).toMatchObject([{ id: probeId }]);
  expect(readdirSync(drive)).toEqual([]);
  expect(ingest.errors).toEqual([]);
});

test("a user's cancellation reaches the probe during its run", async () => {
  await startProbe();
  const planId = await runOnProbe({ sizesBytes: [1000], repetitionCount: 10_000, pauseMs: 5 });
  await until(async () => expect((await lastSlot(planId)).runs[0]?.sampleCount).toBeGreaterThan(0));
  const { plannedAt } = await lastSlot(planId);
  const input = { planId, plannedAtMs: plannedAt.getTime() };
  await cancelBenchmarkSlot({ ctx: ingest.admin.ctx, input });
  await until(async () => expect((await lastSlot(planId)).state).toBe("cancelled"));
  expect((await lastSlot(planId)).runs).toMatchObject([{ state: "cancelled" }]);
});

test("measurements made while the ingest is unreachable are kept, and delivered once when it is back", async () => {
  const line = await openDatabaseLine(ingest.origin);
  await startProbe(new URL(line.url).origin);
  const planId = await runOnProbe({ sizesBytes: [1000], repetitionCount: 400, pauseMs: 10 });
  await until(async () => expect((await lastSlot(planId)).runs[0]?.sampleCount).toBeGreaterThan(0));
  await line.cut();
  const waiting = () => readdirSync(join(folder, "state/outbox")).length;
  await until(() => expect(waiting()).toBeGreaterThan(2));
  const { sampleCount } = (await lastSlot(planId)).runs[0] ?? { sampleCount: 0 };
  expect(sampleCount).toBeLessThan(400);
  const back = await openDatabaseLine(ingest.origin, Number(new URL(line.url).port));
  await until(async () => expect((await lastSlot(planId)).state).toBe("succeeded"));
  expect((await lastSlot(planId)).runs).toMatchObject([{ sampleCount: 405, failureCount: 0 }]);
  await until(() => expect(waiting()).toBe(0));
  await back.cut();
});

test("a probe that is killed during a run delivers its samples after its restart, and deletes its leftover objects", async () => {
  const probe = await startProbe();
  const planId = await runOnProbe({ sizesBytes: [1000], repetitionCount: 10_000, pauseMs: 5 });
  await until(async () => expect((await lastSlot(planId)).runs[0]?.sampleCount).toBeGreaterThan(20));
  await kill(probe);
  expect(await objectCount()).toBeGreaterThan(0);
  await startProbe();
  await until(async () => expect((await lastSlot(planId)).state).toBe("queued"));
  expect(await lastSlot(planId)).toMatchObject({
    outcome: expect.stringContaining("the probe probe-eu was started again"),
    runs: [{ state: "interrupted" }],
  });
  await until(async () => expect(await objectCount()).toBe(0));
  await until(() => expect(readdirSync(join(folder, "state/outbox"))).toEqual([]));
});

test("a job contains secret keys, so only probes receive it, and never over an unencrypted network", async () => {
  const pod = await enrolTestNode(ingest, "pod-1");
  const ask = (headers: Record<string, string>) =>
    send(
      ingest.origin,
      "POST",
      "/v1/jobs",
      {
        authorization: `Bearer ${pod.key}`,
        "content-type": "application/vnd.stashlight.job+json",
        "content-length": 2,
        ...headers,
      },
      Buffer.from("{}"),
    );
  expect((await ask({})).status).toBe(403);
  const forwarded = await ask({ "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" });
  expect(forwarded.status).toBe(403);
  expect(forwarded.text).toContain("over TLS only");
});

test.each([
  ["not JSON", "{", "The body is not JSON."],
  ["of an unknown type", '{"type":"other"}', "The report's type"],
  ["extended by an unknown field", '{"type":"cleaned","runId":"x","error":null,"more":1}', "The report's"],
])("a report that is %s is refused", async (_, body, message) => {
  const node = await enrolTestNode(ingest, "pod-1");
  const answer = await send(
    ingest.origin,
    "POST",
    "/v1/jobs/report",
    {
      authorization: `Bearer ${node.key}`,
      "content-type": "application/vnd.stashlight.job+json",
      "content-length": Buffer.byteLength(body),
    },
    Buffer.from(body),
  );
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(message);
});

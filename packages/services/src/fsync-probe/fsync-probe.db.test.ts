import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { FsyncReport, ProbeAsk } from "@stashlight/contracts/probe";
import { beforeEach, expect, test } from "vitest";
import { claimProbeJob } from "../benchmark/probe/claim-job.ts";
import { recordProbeReport } from "../benchmark/probe/record-report.ts";
import { type Person, useFreshInstallation } from "../testing/index.ts";
import { latestFsyncProbe } from "./latest.ts";
import { listFsyncProbes } from "./list.ts";
import { requestFsyncProbe } from "./request.ts";

const drive = { node: "stash-1", device: "s0", benchmark: null };
const ask: ProbeAsk = { drives: [drive] };
const { installation } = useFreshInstallation();
let operator: Person;
let probe: AuthenticatedNode;

const makeNode = (id: number, name: string, role: AuthenticatedNode["role"], vault = "main") => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  name,
  role,
  vault,
  status: "active",
});

beforeEach(async () => {
  operator = await installation.person("operator", "Olga");
  const node = makeNode(1, "probe-1", "probe");
  await installation.platform.db.node.createMany({
    data: [node, makeNode(2, "stash-1", "stash"), makeNode(3, "stash-9", "stash", "other")],
  });
  const { id: nodeId, ...rest } = node;
  probe = { ...rest, nodeId, status: "active", isSimulated: false };
});

const claim = (asking = ask) => claimProbeJob(installation.platform, probe, asking);
const request = ({ node, device }: { node: string; device: string } = drive) =>
  requestFsyncProbe({ ctx: operator.ctx, input: { node, device } });
const list = () => listFsyncProbes({ ctx: operator.ctx, input: drive });
const report = (of: Partial<FsyncReport> & { probeId: string }) =>
  recordProbeReport(installation.platform, probe, { type: "fsync", result: null, sentence: null, ...of });
const result = {
  tool: "stashlight" as const,
  toolVersion: "0.1.0",
  blockDevice: "nvme0n1",
  figures: [{ recordBytes: 4_096, syncsPerSecond: 2_000, p50Us: 480, p99Us: 900, n: 6_000, seconds: 3 }],
};

test("a drive is measured by the probe that writes to it, and its newest result is the vault's figure", async () => {
  await expect(request()).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining("start one on its machine that names the drive with --drives"),
  });
  expect((await claim()).fsync).toBeNull();
  expect((await list()).servedBy).toEqual(["probe-1"]);
  const { probeId } = await request();
  expect((await claim()).fsync).toMatchObject({
    probeId,
    drive: { node: "stash-1", device: "s0" },
    recordBytes: [4_096, 65_536],
  });
  await report({ probeId, result });
  await report({ probeId, result });
  expect((await list()).probes).toMatchObject([
    { id: probeId, state: "succeeded", result, requestedBy: "Olga" },
  ]);
  installation.clock.advance(60_000);
  const again = await request();
  await claim();
  await report({ probeId: again.probeId, result });
  const latest = await latestFsyncProbe({ ctx: operator.ctx, input: { vault: "main" } });
  expect(latest.map(({ id }) => id)).toEqual([again.probeId]);
  expect(await latestFsyncProbe({ ctx: operator.ctx, input: { vault: "other" } })).toEqual([]);
});

test("a request is recorded in the audit log", async () => {
  await claim();
  await request();
  expect(
    await installation.platform.db.auditEvent.findFirst({ orderBy: { sequence: "desc" } }),
  ).toMatchObject({
    action: "fsync_probe.requested",
    actorName: "Olga",
    targetName: "stash-1/s0",
  });
});

test("a drive is measured by one request at a time, and a restarted or silent probe does not block it", async () => {
  await claim();
  const { probeId } = await request();
  await expect(request()).rejects.toMatchObject({ code: "conflict" });
  await claim();
  await expect(request()).rejects.toMatchObject({ code: "conflict" });
  await claim();
  expect((await list()).probes[0]).toMatchObject({
    state: "failed",
    sentence: "The probe probe-1 was started again.",
  });
  await expect(report({ probeId, result })).rejects.toMatchObject({ code: "conflict" });
  await request();
  installation.clock.advance(600_001);
  await request();
  expect((await list()).probes.map(({ state }) => state)).toEqual(["queued", "failed", "failed"]);
});

test("a failed measurement is reported with its reason", async () => {
  await claim();
  const { probeId } = await request();
  await claim();
  await report({ probeId, sentence: "The drive has 3 MB free; measuring needs 269 MB." });
  expect((await list()).probes).toMatchObject([
    { state: "failed", sentence: expect.stringContaining("3 MB free") },
  ]);
});

test("a drive that the probe no longer names, and one of another vault, are not measured", async () => {
  await claim({ drives: [drive, { node: "stash-9", device: "s0", benchmark: null }] });
  await expect(request({ node: "stash-9", device: "s0" })).rejects.toMatchObject({
    code: "precondition_failed",
  });
  await claim({ drives: [] });
  await expect(request()).rejects.toMatchObject({ code: "precondition_failed" });
  await expect(request({ node: "nobody", device: "s0" })).rejects.toMatchObject({ code: "not_found" });
});

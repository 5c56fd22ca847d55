import type { DiskCellResult } from "@stashlight/contracts/disk";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { ReportedDrive } from "@stashlight/contracts/probe";
import type { ProbeReport, ProbeRunEnd, ProbeSlot } from "@stashlight/contracts/probe/job";
import { beforeEach, expect, test } from "vitest";
import { createBenchmarkPlan } from "../benchmark/create-plan.ts";
import { getBenchmarkPlan } from "../benchmark/list-plans.ts";
import { listBenchmarkSlots } from "../benchmark/list-slots.ts";
import { previewBenchmarkPlan } from "../benchmark/preview-plan.ts";
import { claimProbeJob } from "../benchmark/probe/claim-job.ts";
import { recordProbeReport } from "../benchmark/probe/record-report.ts";
import { runBenchmarkPlanNow } from "../benchmark/run-plan-now.ts";
import { listEndpoints } from "../endpoint/list.ts";
import { createTestEndpoint, type Person, useFreshInstallation } from "../testing/index.ts";
import { compareDrives } from "./compare.ts";
import { getDiskRun, getDrive } from "./get.ts";
import { listDrives } from "./list.ts";

const { installation } = useFreshInstallation();
let operator: Person;
let ctx: Person["ctx"];
const probes: AuthenticatedNode[] = [];

beforeEach(async () => {
  operator = await installation.person("operator", "Olga");
  ctx = operator.ctx;
  probes.length = 0;
  for (const index of [1, 2, 3]) {
    const node = {
      id: `00000000-0000-4000-8000-00000000000${index}`,
      name: `host-${index}`,
      vault: "main",
      role: "probe" as const,
      status: "active" as const,
    };
    await installation.platform.db.node.create({ data: { ...node, createdAt: installation.platform.now() } });
    const { id: nodeId, ...rest } = node;
    probes.push({ ...rest, nodeId, isSimulated: false });
  }
});

const labels = {
  provider: "north",
  region: "eu-1",
  instanceType: null,
  volumeType: "gp2",
  sizeBytes: 100 * 1_073_741_824,
  enduranceBytes: 1e15,
  pricePerMonth: 10,
};
const makeDrive = (
  node: string,
  changes: Partial<typeof labels> = {},
  isModelled = false,
): ReportedDrive => ({
  node,
  device: "data",
  benchmark: { labels: { ...labels, ...changes }, isModelled },
});
const probeOf = (index: number): AuthenticatedNode => probes[index] as AuthenticatedNode;
const ask = (index: number, drives: ReportedDrive[]) =>
  claimProbeJob(installation.platform, probeOf(index), { drives });
const driveNamed = async (name: string) => {
  const found = (await listDrives({ ctx })).find((drive) => drive.name === name);
  if (found === undefined) throw new Error(`There is no drive ${name}.`);
  return found;
};
const createPlan = (endpointIds: string[], vantageNodeId: string | null, changes: object = {}) =>
  createBenchmarkPlan({
    ctx,
    input: {
      name: `Plan ${Math.random()}`,
      description: "",
      endpointIds,
      method: { name: "disk-sweep", parameters: { blockSizesBytes: [4_096], queueDepths: [32] } },
      cron: "0 0 1 1 *",
      timeZone: "UTC",
      jitterSeconds: 0,
      missedPolicy: "run-late",
      vantageNodeId,
      budgetPerMonth: null,
      costPerSlotMax: null,
      writtenBytesPerMonth: null,
      isPaused: false,
      ...changes,
    },
  });

const latency = { n: 3_000, meanUs: 300, p50Us: 250, p99Us: 900, p999Us: null, maxUs: 2_000 };
const makeCell = (changes: Partial<DiskCellResult["cell"]>, perSecond: number[]): DiskCellResult => {
  const iops = perSecond.reduce((sum, rate) => sum + rate, 0) / perSecond.length;
  return {
    cell: {
      access: "random",
      readShare: 1,
      blockBytes: 4_096,
      queueDepth: 32,
      syncsWrites: false,
      secondsMax: perSecond.length,
      roundSeconds: null,
      ...changes,
    },
    seconds: perSecond.length,
    readsPerSecond: iops,
    writesPerSecond: 0,
    read: latency,
    write: { ...latency, n: 0 },
    steadyState: null,
    perSecond: { iops: perSecond, meanUs: perSecond.map(() => 300) },
    writtenBytes: 0,
  };
};

const ended: ProbeRunEnd = {
  state: "succeeded",
  sentence: null,
  sampleCount: 0,
  failureCount: 0,
  isContaminated: false,
  flags: [],
  results: [{ name: "writtenBytes", value: 5e9, unit: "B", label: "Written", isExtrapolated: false }],
  stages: [],
  openedConnectionCount: null,
  cpu: null,
};
const makeReport = ({ scheduleId, plannedAtMs, attempt }: ProbeSlot, runId: string, changes: object) =>
  ({
    type: "slot",
    scheduleId,
    plannedAtMs,
    attempt,
    isOver: false,
    run: { runId, part: 0, samples: [], progress: null, manifest: null, cells: [], end: null, ...changes },
  }) satisfies ProbeReport;

/** Runs the plan now on its probe, which measures these cells; returns the run's id. */
async function measure(index: number, drives: ReportedDrive[], planId: string, results: DiskCellResult[]) {
  await runBenchmarkPlanNow({ ctx, input: { planId } });
  const { slot } = await ask(index, drives);
  const run = slot?.runs[0];
  if (slot === null || run === undefined) throw new Error("nothing to claim");
  const send = (report: ProbeReport) => recordProbeReport(installation.platform, probeOf(index), report);
  for (const [place, result] of results.entries()) {
    const report = makeReport(slot, run.runId, { cells: [{ place, run: 0, result }] });
    // A report may arrive twice.
    await send(report);
    await send(report);
  }
  await send(makeReport(slot, run.runId, { end: ended }));
  await send({ ...makeReport(slot, run.runId, {}), run: null, isOver: true });
  return run.runId;
}

test("a drive that a probe offers is a target with its labels, but not an object store", async () => {
  await ask(0, [makeDrive("host-1"), { node: "stash-1", device: "s0", benchmark: null }]);
  expect(await listDrives({ ctx })).toMatchObject([
    {
      name: "host-1/data",
      probe: { name: "host-1" },
      labels,
      label: "measured",
      isOffered: true,
      plans: [],
      sweep: null,
    },
  ]);
  expect(await listEndpoints({ ctx })).toEqual([]);
  await ask(0, [makeDrive("host-1", { pricePerMonth: 12 }, true)]);
  expect(await driveNamed("host-1/data")).toMatchObject({ labels: { pricePerMonth: 12 }, label: "modelled" });
  await ask(0, []);
  expect(await driveNamed("host-1/data")).toMatchObject({ isOffered: false });
});

test("two probes may offer drives of the same name, and each gets a target of its own", async () => {
  await ask(0, [makeDrive("db-1")]);
  await ask(1, [makeDrive("db-1")]);
  const names = (await listDrives({ ctx })).map(({ name, probe }) => [name, probe?.name]);
  expect(names).toEqual([
    ["db-1/data", "host-1"],
    ["db-1/data (host-2)", "host-2"],
  ]);
});

test("a plan refuses drives beside stores, a vantage point on another machine, and limits of the other kind", async () => {
  await ask(0, [makeDrive("host-1")]);
  const { id } = await driveNamed("host-1/data");
  const store = await createTestEndpoint(installation.platform, { name: "B2" });
  const nodeId = probeOf(0).nodeId;
  const refused = (promise: Promise<unknown>, message: RegExp) =>
    expect(promise).rejects.toMatchObject({ code: "invalid_input", message: expect.stringMatching(message) });
  await refused(createPlan([id, store], nodeId), /"Disk sweep" measures drives, but "B2" is an object store/);
  const uploads = { method: { name: "small-uploads", parameters: {} } };
  await refused(createPlan([id], nodeId, uploads), /measures object stores, but "host-1\/data" is a drive/);
  await refused(createPlan([id], null), /is measured by the probe host-1 on the same machine/);
  await refused(createPlan([id], probeOf(1).nodeId), /is measured by the probe host-1/);
  await refused(createPlan([id], nodeId, { budgetPerMonth: 5 }), /Requests to a drive cost nothing/);
  await refused(
    createPlan([store], null, { ...uploads, writtenBytesPerMonth: 5 }),
    /A limit of written bytes is for drives/,
  );
  await expect(createPlan([id], nodeId)).resolves.toHaveProperty("planId");
});

test("a preview shows the bytes that a month writes, and their share of the drive's endurance", async () => {
  await ask(0, [makeDrive("host-1")]);
  const { id } = await driveNamed("host-1/data");
  const method = { name: "disk-sweep", parameters: { writtenBytesMax: 1e11 } };
  const input = { endpointIds: [id], method, cron: "0 0 * * *", timeZone: "UTC" };
  const preview = await previewBenchmarkPlan({ ctx, input });
  expect(preview).toMatchObject({ writtenBytesPerRun: 1e11, requestsPerRun: 0 });
  expect(preview.writtenBytesPerMonth / 1e11).toBeCloseTo(30, 0);
  expect(preview.wear[0]?.enduranceSharePerMonth).toBeCloseTo(3e12 / 1e15, 3);
});

test("cells fill in during a run, with the finding, the model and the bytes written", async () => {
  const drives = [makeDrive("host-1")];
  await ask(0, drives);
  const { id } = await driveNamed("host-1/data");
  const { planId } = await createPlan([id], probeOf(0).nodeId, {
    method: { name: "volume-check", parameters: { checkSeconds: 120 } },
  });
  const seconds = [...Array<number>(40).fill(3_000), ...Array<number>(80).fill(300)];
  const runId = await measure(0, drives, planId, [makeCell({ readShare: 0.8, queueDepth: 64 }, seconds)]);
  const run = await getDiskRun({ ctx, input: { runId } });
  expect(run).toMatchObject({ cellCount: 1, cells: [{ place: 0, repetition: 0 }] });
  expect(run.cells[0]?.limit?.sentence).toMatch(
    /^3,000 IOPS for 40\.0 s, then 300: a token bucket of 108,000 I\/Os/,
  );
  expect(run.cells[0]?.limit?.fitted).toEqual(seconds);
  expect(run.cells[0]?.model?.sentence).toMatch(/3,000 by the model of an EBS gp2 of 100 GiB/);
  const drive = await getDrive({ ctx, input: { driveId: id } });
  expect(drive.check?.sentence).toMatch(/^3,000 IOPS for/);
  expect(drive.runs).toMatchObject([
    { runId, method: "volume-check", state: "succeeded", writtenBytes: 5e9 },
  ]);
  expect(await getBenchmarkPlan({ ctx, input: { planId } })).toMatchObject({ writtenBytesThisMonth: 5e9 });
});

test("a plan may use a drive's rate after its burst, and the syncs of its largest record", async () => {
  const drives = [makeDrive("host-1")];
  await ask(0, drives);
  const { id } = await driveNamed("host-1/data");
  const plannable = async () => (await driveNamed("host-1/data")).plannable;
  const run = async (method: object, cells: DiskCellResult[]) => {
    const { planId } = await createPlan([id], probeOf(0).nodeId, { method });
    return measure(0, drives, planId, cells);
  };
  const writes = (blockBytes: number, access: "random" | "sequential", rate: number) => {
    const measured = makeCell({ blockBytes, access, readShare: 0 }, [rate, rate]);
    return { ...measured, readsPerSecond: 0, writesPerSecond: rate };
  };
  await run({ name: "disk-sweep", parameters: {} }, [
    writes(4_096, "random", 9_000),
    writes(1_048_576, "sequential", 500),
  ]);
  expect(await plannable()).toMatchObject({
    capacityBytes: labels.sizeBytes,
    writeIops: 9_000,
    writeBytesPerSecond: 500 * 1_048_576,
    fsyncPerSecond: null,
    burst: null,
  });
  const bucket = [...Array<number>(40).fill(3_000), ...Array<number>(80).fill(300)];
  await run({ name: "volume-check", parameters: {} }, [makeCell({ readShare: 0.8 }, bucket)]);
  const synced = (blockBytes: number, rate: number) => {
    const measured = makeCell({ blockBytes, queueDepth: 1, syncsWrites: true, readShare: 0 }, [rate]);
    return { ...measured, write: latency, readsPerSecond: 0, writesPerSecond: rate };
  };
  await run({ name: "stash-load", parameters: {} }, [synced(16_384, 2_000), synced(65_536, 1_500)]);
  expect(await plannable()).toMatchObject({
    writeIops: 300,
    writeBytesPerSecond: 300 * 1_048_576,
    fsyncPerSecond: 1_500,
    burst: { iops: 3_000, sustainedIops: 300 },
  });
  expect((await driveNamed("host-1/data")).syncs).toMatchObject({
    recordBytes: 65_536,
    quantilesUs: [
      [0, 250],
      [0.5, 250],
      [0.99, 900],
      [1, 2_000],
    ],
  });
});

test("a slot that could exceed the rest of the month's limit is skipped, with the reason", async () => {
  const drives = [makeDrive("host-1")];
  await ask(0, drives);
  const { id } = await driveNamed("host-1/data");
  const { planId } = await createPlan([id], probeOf(0).nodeId, {
    method: {
      name: "disk-sweep",
      parameters: { blockSizesBytes: [4_096], queueDepths: [32], writtenBytesMax: 100e9 },
    },
    writtenBytesPerMonth: 103e9,
  });
  await measure(0, drives, planId, [makeCell({}, [100, 100])]);
  await expect(runBenchmarkPlanNow({ ctx, input: { planId } })).rejects.toMatchObject({
    message: expect.stringMatching(
      /A slot could write 100\.0 GB, and 5\.0 GB of this month's limit of 103\.0 GB/,
    ),
  });
  const slots = await listBenchmarkSlots({ ctx, input: { planId, fromMs: 0, toMs: 4e12, pageSize: 5 } });
  expect(slots).toHaveLength(1);
});

test("latency over time shows each drive's newest check, in steps that all drives share", async () => {
  for (const [index, rates] of [
    [10, 10],
    [10, 10, 10],
  ].entries()) {
    const drives = [makeDrive(`host-${index + 1}`, { provider: index === 0 ? "north" : "south" })];
    await ask(index, drives);
    const { id } = await driveNamed(`host-${index + 1}/data`);
    const { planId } = await createPlan([id], probeOf(index).nodeId, {
      method: { name: "volume-check", parameters: { checkSeconds: 480 } },
    });
    const seconds = rates.flatMap((rate) => new Array<number>(160).fill(rate));
    await measure(index, drives, planId, [makeCell({ readShare: 0.8 }, seconds), makeCell({}, [5, 5])]);
  }
  const input = { driveIds: [], groupBy: "provider", method: "volume-check" } as const;
  const { overTime } = await compareDrives({ ctx, input: { ...input, driveIds: [] } });
  // The longest takes 480 s, so a step is 2 s; a cell of two seconds shows no change over time.
  expect(overTime).toEqual([
    {
      group: "north",
      driveName: "host-1/data",
      title: "random I/O with 80 % reads of 4 KiB, queue depth 32",
      stepSeconds: 2,
      meanUs: new Array(160).fill(300),
    },
    expect.objectContaining({ group: "south", driveName: "host-2/data", meanUs: new Array(240).fill(300) }),
  ]);
});

test("drive groups are compared by host, in every cell that at least one group has", async () => {
  const rates = [3_000, 2_900, 500];
  for (const [index, rate] of rates.entries()) {
    const drives = [makeDrive(`host-${index + 1}`, { provider: index < 2 ? "north" : "south" })];
    await ask(index, drives);
    const { id } = await driveNamed(`host-${index + 1}/data`);
    const { planId } = await createPlan([id], probeOf(index).nodeId);
    const cells = [makeCell({}, [rate, rate])];
    if (index === 2) cells.push(makeCell({ blockBytes: 1_048_576 }, [50, 50]));
    await measure(index, drives, planId, cells);
  }
  const input = { driveIds: [], groupBy: "provider", method: "disk-sweep" } as const;
  const compared = await compareDrives({ ctx, input: { ...input, driveIds: [] } });
  expect(compared.groups).toMatchObject([
    { name: "north", hostCount: 2, driveNames: ["host-1/data", "host-2/data"], pricePerMonth: 10 },
    { name: "south", hostCount: 1 },
  ]);
  const [small, large] = compared.cells;
  expect(small?.title).toBe("random reads of 4 KiB, queue depth 32");
  expect(small?.figures).toMatchObject([
    { iops: 2_950, hostCount: 2, runCount: 2, p50Us: 250 },
    { iops: 500, interval: null },
  ]);
  expect(small?.verdicts).toEqual([expect.stringMatching(/^Too few hosts to distinguish north/)]);
  expect(large?.figures).toMatchObject([null, { iops: 50 }]);
  const byDrive = await compareDrives({ ctx, input: { ...input, driveIds: [], groupBy: "drive" } });
  expect(byDrive.groups).toHaveLength(3);
});

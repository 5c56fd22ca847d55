import {
  benchmarkComparisonInput,
  benchmarkHistoryInput,
  createBenchmarkPlanInput,
  createBenchmarkReportInput,
} from "@stashlight/contracts/benchmark";
import { HOUR_MS } from "@stashlight/contracts/time";
import { createRandom } from "@stashlight/stats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBenchmarkPlan } from "../benchmark/create-plan.ts";
import { listReportLinks, revokeReportLink } from "../report-link/links.ts";
import {
  auditEvents,
  createTestEndpoint,
  openTestInstallation,
  type Person,
  seedBenchmarkRun,
  type TestInstallation,
} from "../testing/index.ts";
import { compareBenchmark } from "./compare.ts";
import { findBenchmarkChanges } from "./find-changes.ts";
import { getBenchmarkHistory } from "./get-history.ts";
import { getBenchmarkOmission } from "./get-omission.ts";
import { judgeBenchmarkWatches } from "./judge-watches.ts";
import { listLatestVerdicts } from "./latest-verdicts.ts";
import { listBenchmarkSubjects } from "./list-subjects.ts";
import { readProvenance } from "./provenance.ts";
import { createBenchmarkReport, readBenchmarkReport } from "./reports.ts";
import { setBenchmarkWatch } from "./watches.ts";

const startMs = Date.UTC(2026, 9, 1);
const slotCount = 60;
const changeAt = 40;
let installation: TestInstallation;
let operator: Person;
let planId: string;
let b2: { id: string; name: string };
let s3: { id: string; name: string };

beforeAll(async () => {
  installation = await openTestInstallation();
  const { platform } = installation;
  operator = await installation.person("operator");
  b2 = { name: "B2", id: await createTestEndpoint(platform, { name: "B2" }) };
  s3 = { name: "S3", id: await createTestEndpoint(platform, { name: "S3" }) };
  const input = createBenchmarkPlanInput.parse({
    name: "B2 beside S3",
    endpointIds: [b2.id, s3.id],
    method: { name: "small-uploads" },
    cron: "0 */6 * * *",
  });
  ({ planId } = await createBenchmarkPlan({ ctx: operator.ctx, input }));
  const random = createRandom(7);
  const around = (ms: number) =>
    Array.from({ length: 40 }, () => ms * (0.9 + (0.2 * random.uint32()) / 2 ** 32));
  for (let slot = 0; slot < slotCount; slot += 1) {
    const slotAt = new Date(startMs + slot * 6 * HOUR_MS);
    await seedBenchmarkRun(platform, { planId, endpoint: b2, slotAt, wireMs: around(118) });
    await seedBenchmarkRun(platform, {
      planId,
      endpoint: s3,
      slotAt,
      wireMs: around(slot < changeAt ? 157 : 200),
    });
  }
}, 120_000);
afterAll(() => installation.close());

const subject = () => ({
  planId,
  operation: "PUT" as const,
  sizeBytes: 256_000,
  connectionCount: 1,
  fromMs: startMs,
  toMs: startMs + slotCount * 6 * HOUR_MS,
});
const compare = (changes: object = {}) =>
  compareBenchmark({
    ctx: operator.ctx,
    input: benchmarkComparisonInput.parse({
      ...subject(),
      endpointAId: b2.id,
      endpointBId: s3.id,
      ...changes,
    }),
  });

test("a comparison states the time saved and the speed factor, with intervals, and is computed once for the same figures", async () => {
  const toMs = startMs + changeAt * 6 * HOUR_MS;
  const first = await compare({ toMs });
  expect(first).toMatchObject({
    planName: "B2 beside S3",
    pairCount: changeAt,
    unpairedCount: 0,
    verdict: { kind: "faster", which: "a" },
    faster: { which: "a", words: ["25 % less time", expect.stringMatching(/^1\.3[34]x as fast$/)] },
    success: { a: 1, b: 1, slotCount: changeAt, pValue: 1 },
    rule: "paid for looks",
  });
  expect(first.sentence).toMatch(
    /^B2 is faster than S3: 25 % less time, or 1\.3[34]x as fast \(118 against 15[678] ms/,
  );
  expect(first.ratio.low).toBeLessThan(118 / 157);
  expect(first.ratio.high).toBeGreaterThan(118 / 157);
  expect(first.pValue).toBeLessThan(1e-6);
  expect(await installation.platform.db.benchmarkComparisonAnswer.count()).toBe(1);
  installation.clock.advance(1000);
  expect(await compare({ toMs })).toEqual(first);
  expect(await installation.platform.db.benchmarkComparisonAnswer.count()).toBe(1);
});

test("swapping the sides does not change a comparison, which has no winner below the minimum effect", async () => {
  const turned = await compare({ endpointAId: s3.id, endpointBId: b2.id });
  expect(turned.verdict).toEqual({ kind: "faster", which: "b" });
  const strict = await compare({ minimumEffect: { kind: "duration", duration: 500 } });
  expect(strict.verdict).toEqual({ kind: "not distinguishable", because: "minimum" });
  expect(strict.sentence).toContain("too little to matter");
  expect(strict.sentence).toContain("500 ms");
});

test("a period of few slots has no verdict, and one without slots an explanation", async () => {
  const few = await compare({ toMs: startMs + 3 * 6 * HOUR_MS });
  expect(few).toMatchObject({
    verdict: { kind: "leads", which: "a", count: 3, countMin: 6 },
    sentence: "B2 leads, not tested: 3 of 6 slots.",
    pValue: null,
  });
  await expect(compare({ fromMs: 0, toMs: 1 })).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining('"B2" has no run with a success'),
  });
});

test("a history leaves out unsuccessful runs and earlier attempts", async () => {
  const slotAt = new Date(startMs + slotCount * 6 * HOUR_MS);
  const run = { planId, endpoint: b2, slotAt };
  const { platform } = installation;
  const ids = [
    await seedBenchmarkRun(platform, { ...run, wireMs: [900], state: "interrupted" }),
    await seedBenchmarkRun(platform, { ...run, wireMs: [118], attempt: 2 }),
    await seedBenchmarkRun(platform, { ...run, wireMs: [119, 5000], failedAt: [1], attempt: 3 }),
  ];
  const input = benchmarkHistoryInput.parse({ ...subject(), toMs: slotAt.getTime() + 1 });
  const { series } = await getBenchmarkHistory({ ctx: operator.ctx, input });
  expect(series.map(({ endpoint, runCount }) => [endpoint.name, runCount])).toEqual([
    ["B2", slotCount + 1],
    ["S3", slotCount],
  ]);
  expect(series[0]?.medianMs.at(-1)).toBe(119);
  expect(series[0]?.failureCount.at(-1)).toBe(1);
  await platform.db.benchmarkRun.deleteMany({ where: { id: { in: ids } } });
});

test("a history shows a run at its actual start, however early its slot was queued", async () => {
  const { platform } = installation;
  const slotAt = new Date(startMs - 10 * 24 * HOUR_MS);
  const startedMs = slotAt.getTime() + 5 * 60_000;
  const id = await seedBenchmarkRun(platform, { planId, endpoint: b2, slotAt, wireMs: [118] });
  await platform.db.benchmarkRun.update({ where: { id }, data: { startedAt: new Date(startedMs) } });
  const period = { fromMs: slotAt.getTime(), toMs: slotAt.getTime() + HOUR_MS };
  const input = benchmarkHistoryInput.parse({ ...subject(), ...period });
  const { series } = await getBenchmarkHistory({ ctx: operator.ctx, input });
  expect(series.map(({ atMs }) => atMs)).toEqual([[startedMs]]);
  await platform.db.benchmarkRun.delete({ where: { id } });
});

test("a history of more runs than points comes in buckets, and a short one run by run", async () => {
  const all = benchmarkHistoryInput.parse(subject());
  const runs = await getBenchmarkHistory({ ctx: operator.ctx, input: all });
  expect(runs).toMatchObject({ isBucketed: false, stepMs: 6 * HOUR_MS });
  expect(runs.series[0]?.lowMs[0]).toBeLessThan(runs.series[0]?.medianMs[0] ?? 0);
  const input = benchmarkHistoryInput.parse({ ...subject(), pointCountMax: 50 });
  const buckets = await getBenchmarkHistory({ ctx: operator.ctx, input });
  expect(buckets.isBucketed).toBe(true);
  expect(buckets.series[0]?.atMs.length).toBeLessThanOrEqual(50);
  expect(buckets.series[0]?.n.reduce((a, b) => a + b)).toBe(slotCount * 40);
});

test("a skipped slot and a change of the plan are events of its history", async () => {
  const { db } = installation.platform;
  const { scheduleId } = await db.benchmarkPlan.findUniqueOrThrow({ where: { id: planId } });
  const plannedAt = new Date(startMs + HOUR_MS);
  await db.scheduleRun.create({
    data: { scheduleId, plannedAt, trigger: "schedule", state: "skipped", outcome: "The budget is spent." },
  });
  const input = benchmarkHistoryInput.parse(subject());
  const { events } = await getBenchmarkHistory({ ctx: operator.ctx, input });
  expect(events).toEqual([
    { atMs: plannedAt.getTime(), label: "Slot skipped: The budget is spent.", status: "warning" },
  ]);
});

test("only the slot at which a level changed is reported", async () => {
  const changes = await findBenchmarkChanges({ ctx: operator.ctx, input: subject() });
  expect(changes).toEqual([
    expect.objectContaining({ endpointName: "S3", atMs: startMs + changeAt * 6 * HOUR_MS }),
  ]);
  expect(changes[0]?.changeShare).toBeCloseTo(200 / 157 - 1, 1);
});

test("an omission report has the pace of the runs, and only percentiles with enough samples", async () => {
  const [view] = await getBenchmarkOmission({ ctx: operator.ctx, input: subject() });
  expect(view).toMatchObject({ endpoint: { name: "B2" }, runCount: 50, sampleCount: 2000 });
  // The seeded samples are 100 ms apart.
  expect(view?.intervalMs).toBe(100);
  const p999 = view?.rows.find(({ percentile }) => percentile === "p99.9");
  expect(p999).toEqual({ percentile: "p99.9", rawMs: null, correctedMs: null });
});

test("an omission report includes runs with failures, each as its timeout, and corrects nothing at a constant rate", async () => {
  const { platform } = installation;
  const make = async (name: string, parameters: Record<string, unknown>) => {
    const input = createBenchmarkPlanInput.parse({
      name,
      endpointIds: [b2.id],
      cron: "0 */6 * * *",
      method: { name: "small-uploads", parameters },
    });
    const made = await createBenchmarkPlan({ ctx: operator.ctx, input });
    for (const hour of [0, 1]) {
      const slotAt = new Date(startMs + hour * 3_600_000);
      const wireMs = Array.from({ length: 40 }, () => 20);
      const run = { planId: made.planId, endpoint: b2, slotAt, wireMs };
      await seedBenchmarkRun(platform, {
        ...run,
        failedAt: hour === 0 ? [] : Array.from({ length: 10 }, (_, i) => i),
      });
    }
    return getBenchmarkOmission({ ctx: operator.ctx, input: { ...subject(), planId: made.planId } });
  };
  const [view] = await make("Failing", { timeoutMs: 5000 });
  expect(view).toMatchObject({ runCount: 2, sampleCount: 80, correctedCount: 80, intervalMs: 100 });
  expect(view?.rows.slice(0, 3)).toEqual([
    { percentile: "median", rawMs: 20, correctedMs: 20 },
    { percentile: "p90", rawMs: 5000, correctedMs: 5000 },
    { percentile: "p95", rawMs: 5000, correctedMs: 5000 },
  ]);
  expect(await make("At a rate", { mode: "constant-rate" })).toEqual([]);
});

test("subjects and the newest verdicts are listed", async () => {
  const ctx = operator.ctx;
  expect(await listBenchmarkSubjects({ ctx, input: { planId } })).toMatchObject([
    { operation: "PUT", sizeBytes: 256_000, connectionCount: 1, runCount: 2 * slotCount },
  ]);
  const [latest] = await listLatestVerdicts({ ctx });
  expect(latest).toMatchObject({ planName: "B2 beside S3", verdict: { kind: "faster", which: "a" } });
});

test("a verdict and a report are dated by the newest run, however long after its slot it came", async () => {
  const { db } = installation.platform;
  const [subjectChoice] = await listBenchmarkSubjects({ ctx: operator.ctx, input: { planId } });
  const slotAt = subjectChoice?.lastAt ?? new Date(0);
  const [startedAt, finishedAt] = [400_000, 460_000].map((ms) => new Date(slotAt.getTime() + ms));
  await db.benchmarkRun.updateMany({ where: { planId, slotAt }, data: { startedAt, finishedAt } });
  const [latest] = await listLatestVerdicts({ ctx: operator.ctx });
  expect(latest).toMatchObject({ lastAt: slotAt, lastRunAt: finishedAt });
  const period = { fromMs: 0, toMs: slotAt.getTime() + 1 };
  const provenance = await readProvenance(installation.platform, [planId], period);
  expect(provenance.map(({ startedMs }) => startedMs)).toEqual([startedAt?.getTime(), startedAt?.getTime()]);
  await db.benchmarkRun.updateMany({
    where: { planId, slotAt },
    data: { startedAt: slotAt, finishedAt: slotAt },
  });
});

test("a report can be read by everyone with its link, until it is revoked or expires", async () => {
  const share = () =>
    createBenchmarkReport({
      ctx: operator.ctx,
      input: createBenchmarkReportInput.parse({
        ...subject(),
        endpointAId: b2.id,
        endpointBId: s3.id,
        title: "October",
      }),
    });
  const { url, reportId } = await share();
  const [address, token = ""] = url.split("#");
  expect(address).toBe("http://console.test/report");
  const read = (of: string) => readBenchmarkReport({ ctx: installation.nobody, input: { token: of } });
  const report = await read(token);
  expect(report).toMatchObject({ title: "October", method: { title: "Small uploads" } });
  expect(report.comparison.sentence).toContain("B2 is faster than S3");
  expect(report.changes).toHaveLength(1);
  const stored = await installation.platform.db.reportLink.findMany();
  expect(JSON.stringify(stored)).not.toContain(token);
  await revokeReportLink({ ctx: operator.ctx, input: { kind: "benchmark", reportId } });
  await expect(read(token)).rejects.toMatchObject({ code: "link_expired" });
  await expect(read("x".repeat(43))).rejects.toMatchObject({ code: "link_expired" });
  const another = (await share()).url.split("#")[1] ?? "";
  installation.clock.advance(31 * 24 * HOUR_MS);
  await expect(read(another)).rejects.toMatchObject({ code: "link_expired" });
  const links = await listReportLinks({ ctx: operator.ctx, input: { kind: "benchmark" } });
  expect(links.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  const actions = (await auditEvents(installation.platform)).map(({ action }) => action);
  expect(actions.slice(-3)).toEqual([
    "benchmark.report_shared",
    "benchmark.report_revoked",
    "benchmark.report_shared",
  ]);
});

test("a slowdown is reported once when it begins, and once when it ends", async () => {
  const { platform } = installation;
  const watch = (regression: Parameters<typeof setBenchmarkWatch>[0]["input"]["regression"]) =>
    setBenchmarkWatch({ ctx: operator.ctx, input: { ...subject(), regression, severity: "warning" } });
  const told = async () =>
    (await platform.db.alertEvent.findMany({ orderBy: { occurredAt: "asc" } })).map(({ kind, summary }) => [
      kind,
      summary,
    ]);
  await watch({ kind: "change-point" });
  expect(await judgeBenchmarkWatches(platform)).toBe(1);
  expect(await judgeBenchmarkWatches(platform)).toBe(0);
  expect(await told()).toEqual([
    ["firing", expect.stringMatching(/^B2 beside S3, PUT of 256000 B to S3: the median went from 15\d/)],
  ]);
  installation.clock.advance(1000);
  await watch({ kind: "n-of-m", thresholdMs: 500, n: 2, m: 3 });
  expect(await judgeBenchmarkWatches(platform)).toBe(1);
  expect((await told()).at(-1)).toEqual(["resolved", expect.stringContaining("resolved, fewer than 2")]);
  const incidents = await platform.db.alertIncident.findMany({ include: { events: true } });
  expect(incidents.map(({ endedAt, events }) => [endedAt !== null, events.length])).toEqual([[true, 2]]);
  installation.clock.advance(1000);
  await watch({ kind: "n-of-m", thresholdMs: 190, n: 2, m: 3 });
  await judgeBenchmarkWatches(platform);
  expect((await told()).at(-1)).toEqual(["firing", expect.stringContaining("S3: at least 2 of the last 3")]);
});

test("ratio, means and difference in a sentence use the same pairs, whatever else one side measured", async () => {
  const fromMs = startMs - 90 * 24 * HOUR_MS;
  const { platform } = installation;
  for (let slot = 0; slot < 12; slot += 1) {
    const slotAt = new Date(fromMs + slot * 6 * HOUR_MS);
    const isPaired = slot < 8;
    const wireMs = [isPaired ? 100 + slot : 900, isPaired ? 104 + slot : 910];
    await seedBenchmarkRun(platform, { planId, endpoint: b2, slotAt, wireMs });
    const slower = [150 + slot, 154 + slot];
    if (isPaired) await seedBenchmarkRun(platform, { planId, endpoint: s3, slotAt, wireMs: slower });
  }
  const { a, b, ratio, differenceMs, ...told } = await compare({
    fromMs,
    toMs: fromMs + 12 * 6 * HOUR_MS,
  });
  expect(told).toMatchObject({ pairCount: 8, unpairedCount: 4, verdict: { kind: "faster", which: "a" } });
  expect(a.meanMs.value).toBeCloseTo(105.5, 6);
  expect(ratio.value).toBeCloseTo(a.meanMs.value / b.meanMs.value, 9);
  expect(differenceMs.value).toBeCloseTo(a.meanMs.value - b.meanMs.value, 6);
  expect(told.sentence).toContain("(106 against 156 ms over 8 slots)");
  expect([a.runCount, b.runCount]).toEqual([12, 8]);
});

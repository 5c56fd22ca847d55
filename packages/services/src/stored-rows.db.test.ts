/** Tests rows as earlier releases wrote them, so their JSON is spelled out and comes from no verb. */
import { beforeEach, expect, test } from "vitest";
import { getAlertRule, listAlertIncidents, listSilences } from "./alert/index.ts";
import { getBenchmarkPlan, getBenchmarkRun } from "./benchmark/index.ts";
import { listBenchmarkWatches, readBenchmarkReport } from "./benchmark-result/index.ts";
import { listChannels } from "./channel/index.ts";
import { getDashboard } from "./dashboard/index.ts";
import { listEndpoints } from "./endpoint/index.ts";
import { listFsyncProbes } from "./fsync-probe/index.ts";
import { hashToken, newId } from "./ids.ts";
import { getScenario, readPlanReport } from "./planner/index.ts";
import { getSimulation, listSimulations } from "./simulation/index.ts";
import { type Person, useFreshInstallation } from "./testing/index.ts";

const { installation } = useFreshInstallation();
let operator: Person;
const now = new Date("2026-11-21T22:00:00.000Z");
const nowText = now.toISOString();

beforeEach(async () => {
  installation.clock.set(now);
  operator = await installation.person("operator", "Olga");
});

const dates = { createdAt: now, updatedAt: now };
const author = { createdById: "somebody", createdByName: "Olga" };
const method = { name: "upload", parameters: { sizesBytes: [256_000] } };

/** A rule and the event that it fired; returns the rule's identifier. */
async function storeFiringRule(): Promise<string> {
  const { db } = installation.platform;
  const ruleId = newId();
  await db.alertRule.create({
    data: {
      id: ruleId,
      name: "Slow syncs",
      description: "",
      query: { metric: "stashlight_fsync_seconds", where: {}, groupBy: ["node"], across: "sum" },
      condition: {
        kind: "percentile",
        percentile: "p99",
        comparison: "above",
        threshold: 0.1,
        sampleCountMin: 1,
        // Earlier releases allowed windows of 15 s.
        windowSeconds: 15,
      },
      forSeconds: 60,
      keepFiringSeconds: 60,
      noData: "keep",
      severity: "warning",
      isEnabled: true,
      ...dates,
    },
  });
  const eventId = newId();
  const named = { ruleId, ruleName: "Slow syncs", severity: "warning" };
  const worst = { groups: ['["n1"]'], worstGroup: '["n1"]', worst: "200 ms", worstValue: 0.2 };
  await db.alertIncident.create({
    data: { id: eventId, ...named, ...worst, vault: "", openedAt: now, summary: "Slow syncs (n1)." },
  });
  await db.alertEvent.create({
    data: {
      id: eventId,
      firingEventId: eventId,
      incidentId: eventId,
      ...named,
      kind: "firing",
      group: '["n1"]',
      labels: { node: "n1" },
      value: 0.2,
      summary: "Slow syncs (n1).",
      occurredAt: now,
    },
  });
  return ruleId;
}

test("alert rules, events, silences and channels can be read as the previous release wrote them", async () => {
  const { ctx } = operator;
  const { db } = installation.platform;
  const ruleId = await storeFiringRule();
  await db.alertSilence.create({
    data: {
      id: newId(),
      ruleId,
      labels: { node: ["n1", "n2"] },
      reason: "Maintenance",
      createdAt: now,
      endsAt: new Date(now.getTime() + 60_000),
      ...author,
    },
  });
  const config = {
    kind: "email",
    host: "mail.example.org",
    port: 587,
    security: "starttls",
    user: "",
    from: "stash@example.org",
    to: ["ops@example.org"],
  };
  await db.alertChannel.create({
    data: { id: newId(), name: "Mail", kind: "email", config, isDefault: true, isEnabled: true, ...dates },
  });
  expect(await getAlertRule({ ctx, input: { ruleId } })).toMatchObject({
    condition: { kind: "percentile", threshold: 0.1, windowSeconds: 30 },
  });
  const range = { fromMs: now.getTime() - 1, toMs: now.getTime() + 1, pageSize: 10 };
  expect(await listAlertIncidents({ ctx, input: range })).toMatchObject([{ summary: "Slow syncs (n1)." }]);
  expect(await listSilences({ ctx })).toMatchObject([{ labels: { node: ["n1", "n2"] } }]);
  const admin = await installation.person("admin", "Ada");
  expect(await listChannels({ ctx: admin.ctx })).toMatchObject([{ kind: "email", config }]);
});

async function storeCheckedEndpoint(endpointId: string, priceList: object): Promise<void> {
  const { db } = installation.platform;
  await db.endpoint.create({
    data: {
      id: endpointId,
      name: "B2",
      kind: "b2",
      url: "https://s3.us-west-004.backblazeb2.com",
      region: "us-west-004",
      bucket: "measured",
      prefix: "",
      addressing: "path",
      caPem: "",
      priceList,
      accessKeyId: "key",
      secretAccessKey: "sealed",
      lastCheck: {
        checkedAt: nowText,
        isReachable: true,
        sentence: "It answers.",
        findings: [{ capability: "versioning", isSupported: null, evidence: "It was not asked." }],
      },
      ...dates,
    },
  });
}

async function storePlanWithRun({
  endpointId,
  planId,
  runId,
  report,
}: {
  endpointId: string;
  planId: string;
  runId: string;
  report: object;
}): Promise<void> {
  const { db } = installation.platform;
  await db.schedule.create({
    data: {
      id: planId,
      name: "Benchmark: Nightly",
      description: "",
      kind: "benchmark",
      cron: "0 2 * * *",
      plannedUntil: now,
    },
  });
  await db.benchmarkPlan.create({
    data: { id: planId, scheduleId: planId, name: "Nightly", description: "", method, ...dates },
  });
  await db.benchmarkRun.create({
    data: {
      id: runId,
      planId,
      planName: "Nightly",
      endpointId,
      endpointName: "B2",
      vantageName: "This worker",
      method,
      slotAt: now,
      attempt: 1,
      state: "succeeded",
      position: 0,
      manifest: { tool: "stashlight", node: { version: "24.0.0" } },
      report,
      label: "measured",
      createdAt: now,
    },
  });
}

/** A shared comparison of an endpoint with itself. */
function comparisonDocument(compared: {
  planId: string;
  operation: string;
  sizeBytes: number;
  connectionCount: number;
  endpointAId: string;
  endpointBId: string;
}) {
  const endpoint = { id: compared.endpointAId, name: "B2", label: "measured" };
  const estimate = { value: 12, low: 11, high: 13 };
  const side = { endpoint, runCount: 1, sampleCount: 9, failureCount: 0, taggedCount: 0, meanMs: estimate };
  return {
    title: "Report",
    createdAt: nowText,
    comparison: {
      question: {
        ...compared,
        fromMs: 0,
        toMs: 1,
        minimumEffect: { kind: "share", share: 0.05 },
      },
      planName: "Nightly",
      a: side,
      b: side,
      pairCount: 1,
      unpairedCount: 0,
      ratio: estimate,
      differenceMs: estimate,
      shiftMs: { value: 0, low: null, high: null },
      pValue: 1,
      faster: { which: "neither", words: ["no less time", "as fast"] },
      verdict: { kind: "too few runs", count: 1, countMin: 6 },
      sentence: "B2 and B2 cannot be judged yet.",
      seed: 1,
      drawCount: 1000,
      computedAt: nowText,
    },
    history: {
      series: [
        {
          endpoint,
          runCount: 1,
          slotMs: [0],
          medianMs: [null],
          lowMs: [null],
          highMs: [null],
          n: [9],
          failureCount: [9],
        },
      ],
      stepMs: 1000,
      isBucketed: false,
      events: [],
    },
    changes: [],
    method: { title: "Upload", parameters: {} },
  };
}

test("endpoints, runs, watches and reports of benchmarks can be read as the previous release wrote them", async () => {
  const { ctx } = operator;
  const { db } = installation.platform;
  const [endpointId, planId, runId] = [newId(), newId(), newId()];
  const priceList = {
    perThousandPuts: 0,
    perThousandGets: 0.0004,
    perGbEgress: 0.01,
    perGbMonth: 0.006,
    minimumStorageDays: 0,
    asOf: "2026-11-01",
  };
  const report = {
    isContaminated: false,
    flags: [{ name: "cold connections", sentence: "Ten were cold." }],
    results: [{ name: "whole backup", value: 12, unit: "s", label: "One client", isExtrapolated: true }],
    openedConnectionCount: 3,
    cpu: { userMs: 10, systemMs: 2 },
  };
  await storeCheckedEndpoint(endpointId, priceList);
  await storePlanWithRun({ endpointId, planId, runId, report });
  const subject = { planId, operation: "PUT", sizeBytes: 256_000, connectionCount: 1 };
  await db.benchmarkWatch.create({
    data: {
      id: newId(),
      ...subject,
      regression: { kind: "n-of-m", thresholdMs: 500, n: 3, m: 5 },
      severity: "warning",
      firing: { [endpointId]: newId() },
      ...dates,
    },
  });
  const token = "a token of the tests for a benchmark";
  await db.reportLink.create({
    data: {
      ...reportRow("benchmark", token),
      document: comparisonDocument({ ...subject, endpointAId: endpointId, endpointBId: endpointId }),
    },
  });
  expect(await listEndpoints({ ctx })).toMatchObject([{ priceList, lastCheck: { checkedAt: now } }]);
  expect(await getBenchmarkRun({ ctx, input: { runId } })).toMatchObject({
    methodChoice: method,
    manifest: { tool: "stashlight" },
    // Earlier reports had no stages.
    report: { ...report, stages: [] },
  });
  expect(await listBenchmarkWatches({ ctx, input: { planId } })).toMatchObject([
    { regression: { kind: "n-of-m", thresholdMs: 500 }, firingEndpointIds: [endpointId] },
  ]);
  expect(await readBenchmarkReport({ ctx: installation.nobody, input: { token } })).toMatchObject({
    // Earlier comparisons named neither contaminated runs nor slots that ran back to back.
    comparison: {
      computedAt: now,
      shiftMs: { value: 0, low: null },
      contamination: null,
      backToBackCount: 0,
    },
    history: { series: [{ medianMs: [null] }] },
    // Earlier reports had neither figures by size, nor restore times, nor where they were measured.
    sweep: null,
    restore: null,
    provenance: [],
  });
});

test("a benchmark plan measures as it did before its method could measure round trips", async () => {
  const { ctx } = operator;
  const { db } = installation.platform;
  const parameters = {
    sizesBytes: [1000],
    repetitionCount: 10,
    pauseMs: 10,
    connectionCount: 1,
    pingCount: 5,
  };
  const earlier = { name: "small-uploads", parameters };
  const [planId, runId] = [newId(), newId()];
  const schedule = { name: "Benchmark: Earlier", description: "", kind: "benchmark", cron: "0 2 * * *" };
  await db.schedule.create({ data: { id: planId, ...schedule, plannedUntil: now } });
  const plan = { id: planId, scheduleId: planId, name: "Earlier", description: "", method: earlier };
  await db.benchmarkPlan.create({ data: { ...plan, ...dates } });
  await db.benchmarkRun.create({
    data: {
      id: runId,
      planId,
      planName: "Earlier",
      endpointName: "B2",
      vantageName: "This worker",
      method: earlier,
      slotAt: now,
      attempt: 1,
      state: "succeeded",
      position: 0,
      label: "measured",
      createdAt: now,
    },
  });
  const counts = { n: 10, failureCount: 0, taggedCount: 0, coldCount: 0 };
  await db.benchmarkGroup.create({
    data: { runId, operation: "PUT", sizeBytes: 1000n, connectionCount: 1, slotAt: now, ...counts },
  });
  const measuresRtt = { parameters: { ...parameters, measuresRtt: false } };
  expect(await getBenchmarkPlan({ ctx, input: { planId } })).toMatchObject({
    method: measuresRtt,
    // Earlier plans had no limit per slot.
    costPerSlotMax: null,
  });
  expect(await getBenchmarkRun({ ctx, input: { runId } })).toMatchObject({
    methodChoice: measuresRtt,
    groups: [{ n: 10, rttCount: null, rttMedianMs: null, starts: null }],
  });
});

test("the charts of a dashboard can be read as the previous release wrote them", async () => {
  const { db } = installation.platform;
  const [id, dashboardId] = [newId(), newId()];
  await db.dashboard.create({
    data: { id: dashboardId, ownerId: operator.userId, name: "On call", createdAt: now },
  });
  const query = {
    metric: "stashlight_fsync_seconds",
    where: { tier: ["stash"] },
    splitBy: "device",
    statistic: "p99",
  };
  await db.dashboardPanel.create({
    data: { id, dashboardId, position: 1, title: "SSDs", query, createdAt: now },
  });
  const dashboard = await getDashboard({ ctx: operator.ctx, input: { dashboardId } });
  expect(dashboard.panels).toEqual([{ id, title: "SSDs", query }]);
});

test("plans and their reports can be read as the previous release wrote them", async () => {
  const { db } = installation.platform;
  const scenarioId = newId();
  const input = { uploadsPerSecond: 1000, horizonYears: 3 };
  await db.planScenario.create({
    data: {
      id: scenarioId,
      name: "2027",
      input,
      ranges: [],
      aroundShare: 0.2,
      note: "",
      updatedByName: "Olga",
      ...author,
      ...dates,
    },
  });
  const token = "a token of the tests for a plan";
  // Plans had no ranges when the first ones were shared.
  const document = { title: "Plan", name: "2027", note: "", createdAt: nowText, input };
  await db.reportLink.create({ data: { ...reportRow("plan", token), document } });
  expect(await getScenario({ ctx: operator.ctx, input: { scenarioId } })).toMatchObject({
    input,
    ranges: [],
  });
  expect(await readPlanReport({ ctx: installation.nobody, input: { token } })).toMatchObject({
    input,
    ranges: [],
    aroundShare: 0.2,
    loadMeasuredSeconds: null,
  });
});

const reportRow = (kind: string, token: string) => ({
  id: newId(),
  kind,
  tokenHash: hashToken(token),
  title: "Report",
  subjectName: "Nightly",
  createdAt: now,
  expiresAt: new Date(now.getTime() + 60_000),
  ...author,
});

/** Lacks shared syncs, stalls, measured messages and correlated delays, which were added one after another. */
const earlierScenario = {
  seed: 7,
  durationSeconds: 60,
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  stashServers: 7,
  drivesPerServer: 3,
  stashDrive: { type: "catalogue", driveId: "micron-7450-max-3.2tb" },
  stashBytesPerDrive: 1e12,
  fullShare: 0.75,
  shardsPerCommitMax: 10_000,
  podDrive: { type: "catalogue", driveId: "seagate-exos-x16-16tb" },
  networkUsMin: 50,
  networkUsMax: 150,
  processor: { type: "constant", usPerUpload: 200 },
  nodeUsPerShard: 10,
  recordHeaderBytes: 96,
  recordAlignBytes: 64,
  arrivals: { type: "steady", uploadsPerSecond: 20 },
  sizes: [{ bytes: 256_000, share: 1 }],
  isStashEnabled: true,
  faults: [],
  exactUploadCountMax: 50_000,
};

test("simulations and measured drives can be read as the previous release wrote them", async () => {
  const { ctx } = operator;
  const { db } = installation.platform;
  const simulationId = newId();
  await db.simulationRun.create({
    data: {
      id: simulationId,
      name: "Steady day",
      scenario: earlierScenario,
      measured: { fromMs: 0, toMs: 1000, sampleCount: 20, p50Ms: 4, p99Ms: null },
      state: "running",
      progress: { share: 0.5, secondsLeft: null, eventCount: 10 },
      requestedById: "somebody",
      requestedByName: "Olga",
      createdAt: now,
    },
  });
  const result = {
    tool: "fio",
    toolVersion: "3.36",
    blockDevice: null,
    figures: [{ recordBytes: 4096, syncsPerSecond: 900, p50Us: 1100, p99Us: null, n: 90, seconds: 0.1 }],
  };
  await db.fsyncProbe.create({
    data: {
      id: newId(),
      vault: "v",
      nodeName: "n1",
      device: "s0",
      state: "succeeded",
      probeNodeId: newId(),
      probeName: "p1",
      requestedById: "somebody",
      requestedByName: "Olga",
      requestedAt: now,
      result,
    },
  });
  expect(await listSimulations({ ctx })).toMatchObject([{ seed: 7, progress: { share: 0.5 } }]);
  expect(await getSimulation({ ctx, input: { simulationId } })).toMatchObject({
    scenario: {
      ...earlierScenario,
      stashSharedShare: 0,
      stashStalls: null,
      messageUs: null,
      stashMessageUs: null,
      alike: null,
    },
    measured: { p50Ms: 4, modelled: [], p50Interval: null, p99Interval: null },
    result: null,
  });
  const drive = { node: "n1", device: "s0" };
  expect(await listFsyncProbes({ ctx, input: drive })).toMatchObject({ probes: [{ result }] });
});

test("a row that cannot be read is reported with its table, column and field", async () => {
  const { ctx } = operator;
  const simulationId = newId();
  await installation.platform.db.simulationRun.create({
    data: {
      id: simulationId,
      name: "Broken",
      scenario: { seed: 1, durationSeconds: "a day" },
      requestedById: "somebody",
      requestedByName: "Olga",
      createdAt: now,
    },
  });
  expect(await listSimulations({ ctx })).toMatchObject([{ seed: 1 }]);
  await expect(getSimulation({ ctx, input: { simulationId } })).rejects.toThrow(
    `simulation_run.scenario of row ${simulationId} holds a value that cannot be read at durationSeconds: Enter a number.`,
  );
});

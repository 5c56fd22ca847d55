/** Compares the plans of methods with the requests that reach an endpoint. */
import { type BenchmarkSample, sizeText } from "@stashlight/contracts/sample";
import { afterEach, expect, test, vi } from "vitest";
import { cleanUp } from "../cleanup/clean-up.ts";
import { buildRunPrefix } from "../run/keys.ts";
import { startSampler } from "../sampler/start-sampler.ts";
import {
  createTestJob,
  startTruthServer,
  TEST_CREDENTIALS,
  type TruthServer,
  type TruthServerOptions,
  testTarget,
} from "../testing/index.ts";
import { costOfStage, requestCost } from "./cost.ts";
import { chooseMethod, methods } from "./registry.ts";

// Each test starts processes, which takes long while many others are starting.
vi.setConfig({ testTimeout: 90_000 });

let server: TruthServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function run(name: string, parameters: Record<string, unknown>, options: TruthServerOptions = {}) {
  server = await startTruthServer(options);
  const endpoint = testTarget(server.url);
  const samples: BenchmarkSample[] = [];
  const job = createTestJob(endpoint, {}, { method: { name, parameters } });
  const end = await startSampler(job, { onSample: (sample) => samples.push(sample) });
  expect([end.state, end.sentence]).toEqual(["succeeded", null]);
  const runPrefix = buildRunPrefix(endpoint.prefix, job.runId);
  await cleanUp({ endpoint, credentials: TEST_CREDENTIALS, runPrefix });
  const count = (method: string) => server?.records.filter((record) => record.method === method).length;
  const puts = server.records.filter(({ method }) => method === "PUT");
  const { estimate, legs } = chooseMethod({ name, parameters }).plan;
  return { end, samples, estimate, legs, count, puts, server };
}

test("every preset of every method is accepted, and its plan is finite", () => {
  const names = methods.flatMap(({ name, presets }) => presets.map((preset) => `${name}/${preset.name}`));
  expect(new Set(names).size).toBe(names.length);
  for (const method of methods) {
    expect(method.presets.length).toBeGreaterThan(0);
    for (const { parameters } of method.presets) {
      const { plan } = chooseMethod({ name: method.name, parameters });
      expect(plan.legs.length).toBeGreaterThan(0);
      expect(plan.estimate.seconds).toBeGreaterThan(0);
      expect(Number.isFinite(plan.estimate.uploadedBytes)).toBe(true);
    }
  }
});

test("small uploads default to the test of 2023: both sizes, 3 warm-ups, 100 uploads, one connection, 100 pings", () => {
  const { parameters, plan } = chooseMethod({ name: "small-uploads", parameters: {} });
  expect(parameters).toMatchObject({
    sizesBytes: [256_000, 1_000_000],
    warmUpCount: 3,
    repetitionCount: 100,
    pauseMs: 10,
    connectionCount: 1,
    pingCount: 100,
    attemptCountMax: 1,
  });
  expect(
    plan.legs.map(({ operation, sizeBytes, sampleCount }) => [operation, sizeBytes, sampleCount]),
  ).toEqual([
    ["PUT", 256_000, 100],
    ["PUT", 1_000_000, 100],
    ["TCP_CONNECT", 0, 100],
  ]);
  expect(plan.estimate.requests.put).toBe(206);
  expect(plan.estimate.uploadedBytes).toBe(206 * 628_000);
});

test("small uploads send no more requests than estimated", async () => {
  const { samples, estimate, count, puts, server } = await run("small-uploads", {
    sizesBytes: [1000, 2000],
    repetitionCount: 6,
    warmUpCount: 2,
    pauseMs: 0,
    pingCount: 5,
  });
  expect(samples).toHaveLength(17);
  expect(count("PUT")).toBe(estimate.requests.put);
  expect(count("HEAD")).toBe(estimate.requests.head);
  expect(count("DELETE")).toBe(estimate.requests.delete);
  expect(puts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(estimate.uploadedBytes);
  expect(server.store.keys).toEqual([]);
});

test("a leg of performance stats ends at its limit of bytes, over the requested number of connections", async () => {
  const { samples, end, legs, estimate, puts } = await run(
    "performance-stats",
    {
      sizesBytes: [10_000],
      connectionCounts: [1, 4],
      operations: ["PUT", "GET"],
      secondsPerLeg: 20,
      bytesPerLegMax: 200_000,
    },
    { delayMs: () => 3 },
  );
  expect(legs).toHaveLength(4);
  for (const [index, { operation, connectionCount }] of legs.entries()) {
    const mine = samples.filter(({ leg }) => leg === index);
    expect(mine).toHaveLength(20);
    expect(mine.every((sample) => sample.operation === operation && sample.outcome === "ok")).toBe(true);
    expect(new Set(mine.map(({ connection }) => connection)).size).toBeLessThanOrEqual(connectionCount);
  }
  expect(puts.length).toBeLessThanOrEqual(estimate.requests.put);
  expect(end.openedConnectionCount).toBe(4);
  expect(end.results.map(({ name, unit }) => [name, unit]).sort()).toEqual([
    ["throughput/GET/10000/1", "MB/s"],
    ["throughput/GET/10000/4", "MB/s"],
    ["throughput/PUT/10000/1", "MB/s"],
    ["throughput/PUT/10000/4", "MB/s"],
  ]);
  expect(
    samples.filter(({ operation }) => operation === "GET").every((each) => each.transferredBytes === 10_000),
  ).toBe(true);
});

test("a leg of performance stats ends when its time is up", async () => {
  const { samples } = await run(
    "performance-stats",
    { sizesBytes: [1000], connectionCounts: [1], secondsPerLeg: 0.3 },
    { delayMs: () => 20 },
  );
  expect(samples.length).toBeGreaterThan(0);
  expect(samples.length).toBeLessThanOrEqual(16);
});

test("a backup uploads each distinct block once, under its content's name, and marks its figures as extrapolated", async () => {
  const { samples, end, puts, server } = await run("backup", {
    dataBytes: 409_600,
    blockBytes: 4096,
    connectionCount: 4,
    duplicateShare: 0.5,
  });
  expect(samples).toHaveLength(50);
  const named = puts.filter(({ target, headers }) =>
    target.endsWith(`${headers.get("x-amz-content-sha256")}`),
  );
  expect(new Set(named.map(({ target }) => target)).size).toBe(50);
  expect(puts).toHaveLength(54);
  expect(server.connectionCount).toBeGreaterThanOrEqual(4);
  const results = new Map(end.results.map((result) => [result.name, result]));
  expect(results.get("total")).toMatchObject({ unit: "ms", isExtrapolated: false });
  expect(results.get("terabyte")).toMatchObject({
    isExtrapolated: true,
    label: expect.stringContaining("extrapolated from 0 MB, not measured"),
  });
  const [total, terabyte] = [results.get("total")?.value ?? 0, results.get("terabyte")?.value ?? 0];
  expect(terabyte).toBeCloseTo(((total / 1000) * 1e12) / 409_600, 3);
});

test("a backup with failed uploads is reported as incomplete", async () => {
  const parameters = { dataBytes: 81_920, blockBytes: 4096, connectionCount: 2 };
  const { end } = await run("backup", parameters, { fault: (number) => (number === 7 ? "slow-down" : null) });
  expect(end.failureCount).toBe(1);
  for (const { label } of end.results)
    expect(label).toMatch(/1 upload failed \([0-9a-f]{12} of machine 1\), so the backup is incomplete/);
});

test("the SDK uses one connection at 2 MiB too, with no Expect, no checksums and one attempt", async () => {
  const parameters = { sizesBytes: [2_097_152, 10_000], repetitionCount: 8, warmUpCount: 1, pauseMs: 0 };
  const { samples, end, puts } = await run("sdk-uploads", parameters, {
    fault: (number) => (number === 5 ? "slow-down" : null),
  });
  expect(samples).toHaveLength(16);
  expect(end.failureCount).toBe(1);
  expect(samples.find(({ outcome }) => outcome === "failed")).toMatchObject({
    errorCode: "SlowDown",
    attempts: 1,
  });
  expect(puts).toHaveLength(18);
  expect(new Set(puts.map(({ connection }) => connection)).size).toBe(1);
  for (const { headers } of puts) {
    const names = [...headers.keys()];
    expect(names).not.toContain("expect");
    expect(names.filter((name) => /checksum|trailer|transfer-encoding/.test(name))).toEqual([]);
  }
  for (const { sdkMs, wireMs, isCold } of samples) {
    expect(sdkMs).toBe(wireMs);
    expect(isCold).toBe(false);
  }
});

test("a run of pings writes nothing to the store", async () => {
  const { samples, server } = await run("pings", { pingCount: 12, pauseMs: 0 });
  expect(samples.map(({ operation, outcome }) => [operation, outcome])).toEqual(
    Array.from({ length: 12 }, () => ["TCP_CONNECT", "ok"]),
  );
  expect(server.records.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a run's cost consists of its requests, its egress and its storage for the minimum time", () => {
  const prices = {
    perThousandPuts: 5,
    perThousandGets: 0.4,
    perGbEgress: 90,
    perGbMonth: 3,
    minimumStorageDays: 10,
    asOf: "2026-11-01",
  };
  const estimate = {
    requests: { put: 900, get: 500, head: 500, delete: 900, list: 100 },
    uploadedBytes: 2e9,
    downloadedBytes: 1e9,
    storedBytes: 2e9,
    seconds: 1,
    isUpperBound: false,
  };
  expect(requestCost(estimate, prices)).toBeCloseTo(5 + 0.4 + 90 + 2 * 3 * (10 / 30), 9);
  expect(requestCost(estimate, { ...prices, minimumStorageDays: 0 })).toBeCloseTo(
    5 + 0.4 + 90 + (2 * 3) / 720,
    9,
  );
});

test("a stage's cost consists of its own requests, downloads and storage", () => {
  const prices = {
    perThousandPuts: 5,
    perThousandGets: 0.4,
    perGbEgress: 90,
    perGbMonth: 3,
    asOf: "2026-11-01",
  };
  const work = { durationMs: 1000, dataBytes: 2e9, uploadedBytes: 2e9, downloadedBytes: 1e9, failedCount: 0 };
  const stage = {
    ...work,
    name: "full",
    title: "Full backup",
    legs: [0],
    failure: null,
    machines: [],
    requests: { put: 1000, get: 500, delete: 900 },
    extrapolation: { protectedBytes: 1e12, seconds: 1, windowSeconds: 2 },
  };
  const cost = costOfStage(stage, { ...prices, minimumStorageDays: 10 });
  expect(cost).toBeCloseTo(5 + 0.2 + 90 + 2 * 3 * (10 / 30), 9);
});

test.each([
  [999, "999 B"],
  [256_000, "256 kB (250 KiB)"],
  [262_144, "262.1 kB (256 KiB)"],
  [1_000_000, "1 MB (976.6 KiB)"],
  [1_048_576, "1.049 MB (1 MiB)"],
])("%i bytes are formatted as %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));

test("a restore downloads every object over all connections, and reports their benefit", async () => {
  const parameters = { objectBytes: 20_000, objectCount: 40, connectionCount: 4, singleCount: 10 };
  const delayMs = () => 5;
  const { end, samples, estimate, count, server: truth } = await run("restore", parameters, { delayMs });
  const restored = truth.records.filter(({ method, target }) => method === "GET" && !target.includes("?"));
  expect([count("PUT"), restored.length]).toEqual([estimate.requests.put, estimate.requests.get]);
  expect(end).toMatchObject({ failureCount: 0, openedConnectionCount: 4, storedCheck: { failures: [] } });
  const byLeg = Object.groupBy(samples, ({ leg }) => String(leg));
  expect(Object.values(byLeg).map((ofLeg) => ofLeg?.length)).toEqual([40, 10, 40]);
  expect(new Set(restored.slice(-40).map(({ target }) => target)).size).toBe(40);
  const [whole, throughput, bound, speedUp] = end.results;
  expect(whole).toMatchObject({ name: "restore", unit: "s", isExtrapolated: false });
  expect(throughput?.value).toBeCloseTo((40 * 20_000) / 1e6 / (whole?.value ?? 0), 6);
  expect(bound).toMatchObject({ name: "restore/bound", unit: "s", isExtrapolated: true });
  expect(bound?.value).toBeGreaterThan(0);
  expect(speedUp).toMatchObject({ name: "restore/speed-up", unit: "1" });
  expect(speedUp?.value).toBeCloseTo((bound?.value ?? 0) / (whole?.value ?? 1), 6);
});

test("a restore over one connection reports the estimate's error in %", async () => {
  const parameters = { objectBytes: 1000, objectCount: 10, connectionCount: 1, singleCount: 6 };
  const { end } = await run("restore", parameters);
  const [whole, , foretold, deviation] = end.results;
  expect(foretold).toMatchObject({ name: "restore/estimate", isExtrapolated: false });
  expect(deviation).toMatchObject({ name: "restore/deviation", unit: "%" });
  expect(deviation?.value).toBeCloseTo(100 * ((whole?.value ?? 0) / (foretold?.value ?? 1) - 1), 6);
  expect(deviation?.label).toMatch(
    /^The measured restore took \d+ % (less|longer) than the estimate, (in|out)side its interval$/,
  );
});

test("a restore with failed downloads is reported as incomplete", async () => {
  const parameters = { objectBytes: 1000, objectCount: 10, connectionCount: 2, singleCount: 6 };
  // Two warm-ups and six single downloads come before the restore.
  const downloadFault = (number: number) => (number === 12 ? "other-bytes" : null);
  const { end } = await run("restore", parameters, { downloadFault });
  expect(end.failureCount).toBe(1);
  expect(end.results[0]?.label).toContain("; 1 of 10 downloads failed, so the restore is incomplete");
});

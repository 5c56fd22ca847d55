import {
  benchmarkRestoreInput,
  benchmarkSweepInput,
  createBenchmarkPlanInput,
  createBenchmarkReportInput,
} from "@stashlight/contracts/benchmark";
import { HOUR_MS } from "@stashlight/contracts/time";
import { createRandom } from "@stashlight/stats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBenchmarkPlan } from "../../benchmark/create-plan.ts";
import {
  createTestEndpoint,
  failedSample,
  openTestInstallation,
  type Person,
  seedRunOfSamples,
  type TestInstallation,
  testSample,
} from "../../testing/index.ts";
import { createBenchmarkReport, readBenchmarkReport } from "../reports.ts";
import { getRestoreTime } from "./get-restore-time.ts";
import { getSweep } from "./get-sweep.ts";

const startMs = Date.UTC(2026, 9, 1);
const slotMs = 6 * HOUR_MS;
const sampleCount = 40;
/** Milliseconds at 1 kB and 1 MB; B's downloads at 1 MB are as fast as A's. */
const levels = {
  A: { PUT: [10, 40], GET: [5, 20], DELETE: [3, 3] },
  B: { PUT: [14, 60], GET: [7, 20], DELETE: [3, 3] },
} as const;
const sizes = [1000, 1_000_000] as const;
const operations = ["PUT", "GET", "DELETE"] as const;

let installation: TestInstallation;
let operator: Person;
let endpoints: { id: string; name: keyof typeof levels }[];
const random = createRandom(11);
const around = (ms: number) =>
  Array.from({ length: sampleCount }, () => ms * (0.9 + (0.2 * random.uint32()) / 2 ** 32));

beforeAll(async () => {
  installation = await openTestInstallation();
  operator = await installation.person("operator");
  endpoints = [];
  for (const name of ["A", "B"] as const) {
    endpoints.push({ name, id: await createTestEndpoint(installation.platform, { name }) });
  }
}, 120_000);
afterAll(() => installation.close());

interface Seeding {
  readonly name: string;
  readonly slotCount: number;
  /** Slots in which B's run was disturbed. */
  readonly disturbed?: readonly number[];
  /** Indexes of A's downloads of 1 MB that fail. */
  readonly failedAt?: readonly number[];
}

/** A plan of A and B with a run of each in every slot. */
async function seedSweep({ name, slotCount, disturbed = [], failedAt = [] }: Seeding): Promise<string> {
  const input = createBenchmarkPlanInput.parse({
    name,
    endpointIds: endpoints.map(({ id }) => id),
    method: { name: "object-sweep", parameters: { sizesBytes: [...sizes], repetitionCount: sampleCount } },
    cron: "0 */6 * * *",
  });
  const { planId } = await createBenchmarkPlan({ ctx: operator.ctx, input });
  for (let slot = 0; slot < slotCount; slot += 1) {
    for (const endpoint of endpoints) {
      const isDisturbed = endpoint.name === "B" && disturbed.includes(slot);
      const samples = operations.flatMap((operation) =>
        sizes.flatMap((sizeBytes, at) =>
          around(levels[endpoint.name][operation][at] ?? 0).map((wireMs, place) => {
            const isFailed =
              endpoint.name === "A" && operation === "GET" && at === 1 && failedAt.includes(place);
            return testSample({
              operation,
              sizeBytes,
              wireMs: isDisturbed ? wireMs * 50 : wireMs,
              isTagged: isDisturbed && place < sampleCount / 2,
              ...(isFailed ? failedSample : {}),
            });
          }),
        ),
      );
      await seedRunOfSamples(installation.platform, {
        planId,
        endpoint,
        slotAt: new Date(startMs + slot * slotMs),
        samples,
      });
    }
  }
  return planId;
}

const period = { fromMs: startMs, toMs: startMs + 100 * slotMs };
const querySweep = (...planIds: string[]) =>
  getSweep({ ctx: operator.ctx, input: benchmarkSweepInput.parse({ planIds, ...period }) });

test("one slot has figures but no fastest endpoint, and reports the number of missing slots", async () => {
  const sweep = await querySweep(await seedSweep({ name: "One slot", slotCount: 1 }));
  const [place] = sweep.places;
  expect(sweep).toMatchObject({ comparisonCount: 0 });
  expect(place?.cells.map(({ leader }) => leader).filter((leader) => leader === null)).toEqual([]);
  expect(place?.cells.map(({ fastest, because, pValue }) => [fastest, because, pValue])).toEqual(
    Array.from({ length: 6 }, () => [null, "slots", null]),
  );
  expect(place?.sentences[0]).toBe("Upload: A leads, not tested (1 of 6 slots) from 1 kB to 1 MB.");
  const [entry] = place?.cells[0]?.entries ?? [];
  // Interval of the only run, by the order of its samples.
  expect(entry).toMatchObject({ series: 0, runCount: 1, sampleCount, failureCount: 0 });
  expect(entry?.medianMs.low).toBeGreaterThan(9);
  expect(entry?.medianMs.high).toBeLessThan(11);
});

test("pairs of slots decide, and slots with a contaminated run are left out", async () => {
  const sweep = await querySweep(
    await seedSweep({ name: "Fourteen slots", slotCount: 14, disturbed: [4, 9] }),
  );
  const [place] = sweep.places;
  expect(sweep).toMatchObject({ comparisonCount: 6 });
  expect(place?.cells[0]?.slots).toMatchObject({ measuredCount: 14, undisturbedCount: 12 });
  const ofB = place?.cells[0]?.entries[1];
  expect(ofB).toMatchObject({ runCount: 14, contaminatedCount: 2 });
  expect(ofB?.medianMs.value).toBeCloseTo(14, 0);
  expect(place?.sentences).toEqual([
    "Upload: A is fastest from 1 kB to 1 MB.",
    expect.stringMatching(/^Download: A is fastest at 1 kB; (not distinguishable|too little .*) at 1 MB\.$/),
    expect.stringMatching(/^Delete: (not distinguishable|too little)/),
  ]);
});

test("disturbed slots alone determine no fastest endpoint", async () => {
  const disturbed = Array.from({ length: 8 }, (_, slot) => slot);
  const [place] = (await querySweep(await seedSweep({ name: "Disturbed", slotCount: 8, disturbed }))).places;
  expect(place?.sentences[0]).toBe(
    "Upload: not judged yet (8 slots, none undisturbed, 6 needed) from 1 kB to 1 MB.",
  );
});

test("plans are judged separately, and corrected for the comparisons of all", async () => {
  const sweep = await querySweep(
    await seedSweep({ name: "Here", slotCount: 6 }),
    await seedSweep({ name: "There", slotCount: 1 }),
  );
  expect(sweep.comparisonCount).toBe(6);
  const [here, there] = sweep.places;
  // Six slots bound a sign test's p-value at 1 / 32, which six tests corrected together leave above 0.05.
  expect(here?.cells[0]).toMatchObject({ fastest: null, because: "correction" });
  expect(there?.cells[0]).toMatchObject({ fastest: null, because: "slots" });
});

test("a plan without a run has no figures, and one that does not exist is refused", async () => {
  const [place] = (await querySweep(await seedSweep({ name: "Empty", slotCount: 0 }))).places;
  expect(place).toMatchObject({ cells: [], sentences: [] });
  await expect(querySweep("9b2e9f0a-6c7e-4a5c-8f65-0d0a3f8f3a11")).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a restore time follows from the successful downloads of its size", async () => {
  const planId = await seedSweep({ name: "Restore", slotCount: 2, failedAt: [0, 1] });
  const ask = (changes: object) =>
    getRestoreTime({
      ctx: operator.ctx,
      input: benchmarkRestoreInput.parse({
        planId,
        ...period,
        objectBytes: 1_000_000,
        objectCount: 1000,
        connectionCount: 1,
        ...changes,
      }),
    });
  const [a, b] = await ask({});
  expect(a).toMatchObject({ endpoint: { name: "A" }, runCount: 2, sampleCount: 76, failureCount: 4 });
  expect(a).toMatchObject({ measuredConnectionCount: 1, isExtrapolated: true });
  // 1,000 downloads of 20 ms on average, one after the other.
  expect(a?.seconds?.value).toBeCloseTo(20, 0);
  expect(a?.seconds?.low).toBeLessThan(a?.seconds?.value ?? 0);
  expect(a?.sentence).toMatch(
    /^A: 1 GB \(.*\) as 1,000 objects of 1 MB \(.*\): (19|20)(\.\d)? s .* one after the other, .* beside 4 that failed; extrapolated\.$/,
  );
  expect(b?.failureCount).toBe(0);
  const [parallel] = await ask({ connectionCount: 10 });
  expect(parallel?.seconds).toEqual({ value: expect.closeTo(20, 0), low: null, high: null });
  expect(parallel?.sentence).toMatch(
    / s, over 10 connections, at the [\d.]+ MB\/s that were measured over one connection \(a bound without an interval, because 10 connections were not measured\);/,
  );
  expect(await ask({ objectBytes: 77 })).toEqual([]);
});

test("a report contains the figures by size, the restore times, and the settings to measure them again", async () => {
  const planId = await seedSweep({ name: "Shared", slotCount: 1 });
  const { db } = installation.platform;
  const manifest = {
    method: { version: 1 },
    seed: 77,
    library: { version: "0.1.0", node: "24.1.0", openssl: "3.5.0" },
    host: {
      name: "secret-host",
      platform: "linux",
      kernel: "6.1.0",
      architecture: "x64",
      cpu: "Some CPU",
      cpuCount: 4,
      memoryBytes: 16 * 2 ** 30,
      loadAverage: 0.1,
    },
    endpoint: {
      kind: "s3-compatible",
      url: "https://a.test",
      region: "us-east-1",
      addressing: "path",
      payloadSigning: "signed",
      tls: null,
      bucket: "secret-bucket",
      accessKeyId: "SECRETKEYID",
    },
  };
  await db.benchmarkRun.updateMany({ where: { planId, endpointName: "A" }, data: { manifest } });
  const { url } = await createBenchmarkReport({
    ctx: operator.ctx,
    input: createBenchmarkReportInput.parse({
      planId,
      operation: "PUT",
      sizeBytes: 1000,
      ...period,
      title: "Three stores",
      endpointAId: endpoints[0]?.id,
      endpointBId: endpoints[1]?.id,
      sweepPlanIds: [planId],
      restore: { objectBytes: 1_000_000, objectCount: 1000, connectionCount: 16 },
    }),
  });
  const report = await readBenchmarkReport({
    ctx: installation.nobody,
    input: { token: url.split("#")[1] ?? "" },
  });
  expect(report.sweep?.places[0]?.sentences).toContain(
    "Upload: A leads, not tested (1 of 6 slots) from 1 kB to 1 MB.",
  );
  expect(report.restore?.times.map(({ endpoint }) => endpoint.name)).toEqual(["A", "B"]);
  const [ofA, ofB] = report.provenance;
  expect(ofA?.items).toContainEqual({ term: "Machine", value: "4 x Some CPU, 16 GiB, linux 6.1.0, x64" });
  expect(ofA?.items).toContainEqual({ term: "Seed", value: "77" });
  expect(ofA?.items).toContainEqual({ term: "Round trip", value: "not measured" });
  expect(ofB?.items).toContainEqual({ term: "Manifest", value: "not stored with this run" });
  expect(JSON.stringify(report)).not.toMatch(/secret-host|secret-bucket|SECRETKEYID/);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { type Demand, type DemandStep, type ServedDemand, serveDemand, type VolumeRates } from "./index.ts";

const gp2: VolumeRates = {
  credit: "io",
  creditKiB: 256,
  baseCreditsPerSecond: 100,
  peakCreditsPerSecond: 3000,
  bucketCredits: 5_400_000,
  isBucketInferred: false,
  throughputMiBpsMax: 128,
};
const steady: VolumeRates = { ...gp2, baseCreditsPerSecond: 3000, bucketCredits: 0 };
const queue = { whenThrottled: "queue" } as const;
const drop = { whenThrottled: "drop" } as const;

const makeDemand = (...steps: [seconds: number, iops: number, kib?: number][]): Demand => ({
  steps: steps.map(([seconds, iops, kib = 4]) => ({ seconds, iops, kib, readShare: 0.5 })),
  pattern: "random",
});

test("credits last for credits / (demand - base), and then only the base remains", () => {
  const served = serveDemand(gp2, makeDemand([10_000, 1_000]), drop);
  expect(served.emptyAtSeconds).toBeCloseTo(6_000, 9);
  expect(served.throttledSeconds).toBeCloseTo(4_000, 9);
  expect(served.servedIos).toBeCloseTo(6_000 * 1_000 + 4_000 * 100, 3);
  expect(served.droppedIos).toBeCloseTo(4_000 * 900, 3);
  expect(served.creditsEnd).toBe(0);
});

test("an existing queue is served at the volume's rate before later arrivals", () => {
  const served = serveDemand(steady, makeDemand([10, 4_000], [10, 1_000]), queue);
  expect(served.queuedIosMax).toBeCloseTo(10_000);
  expect(served.throttledSeconds).toBeCloseTo(15);
  expect(served.queuedIosAtEnd).toBe(0);
  expect(served.servedIos).toBeCloseTo(50_000);
});

test("I/Os of another size wait behind earlier ones", () => {
  // 10 s x 1,000 remaining I/Os of 4 KiB take 3.33 s; the larger ones arrive meanwhile and are served at 512 per
  // second.
  const served = serveDemand(steady, makeDemand([10, 4_000], [20, 100, 256]), queue);
  const firstLarge = served.pieces.find(({ servedIops }) => servedIops === 512);
  expect(firstLarge?.fromSeconds).toBeCloseTo(10 + 10_000 / 3_000);
  expect(served.queuedIosAtEnd).toBe(0);
});

test("large I/Os are limited by throughput, and a random one over 256 KiB costs several credits", () => {
  expect(serveDemand(gp2, makeDemand([1, 3_000, 256]), drop).servedIos).toBeCloseTo(512);
  const small: VolumeRates = { ...gp2, throughputMiBpsMax: 1e6, bucketCredits: 0, peakCreditsPerSecond: 100 };
  expect(serveDemand(small, makeDemand([1, 3_000, 257]), drop).servedIos).toBeCloseTo(50);
});

test("sequential I/Os are merged, so small ones cost an HDD volume only their bytes, not a MiB each", () => {
  const st1: VolumeRates = {
    credit: "MiB",
    creditKiB: 1024,
    baseCreditsPerSecond: 40,
    peakCreditsPerSecond: 250,
    bucketCredits: 1_048_576,
    isBucketInferred: true,
    throughputMiBpsMax: 250,
  };
  const demand = makeDemand([1, 1_000, 64]);
  expect(serveDemand(st1, demand, drop).servedIos).toBeCloseTo(250);
  expect(serveDemand(st1, { ...demand, pattern: "sequential" }, drop).servedIos).toBeCloseTo(1_000);
});

test("an idle volume's bucket fills again and stays full", () => {
  const served = serveDemand(gp2, makeDemand([1_800, 3_000], [100_000, 0]), queue);
  expect(served.pieces.at(-1)?.creditsTo).toBe(5_400_000);
  expect(served.creditsEnd).toBe(5_400_000);
});

const step = fc.record<DemandStep>({
  seconds: fc.double({ min: 0.001, max: 1e5, noNaN: true }),
  iops: fc.double({ min: 0, max: 1e5, noNaN: true }),
  kib: fc.constantFrom(0.5, 4, 64, 256, 300, 1_024, 4_096),
  readShare: fc.double({ min: 0, max: 1, noNaN: true }),
});
const demands = fc.record<Demand>({
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  pattern: fc.constantFrom("random", "sequential"),
});
const volumes = fc
  .record({
    base: fc.double({ min: 1, max: 20_000, noNaN: true }),
    stretch: fc.double({ min: 1, max: 40, noNaN: true }),
    bucket: fc.constantFrom(0, 1_000, 5_400_000),
    throughput: fc.double({ min: 1, max: 4_000, noNaN: true }),
    creditKiB: fc.constantFrom(256, 1_024),
  })
  .map(
    ({ base, stretch, bucket, throughput, creditKiB }): VolumeRates => ({
      credit: creditKiB === 256 ? "io" : "MiB",
      creditKiB,
      baseCreditsPerSecond: base,
      peakCreditsPerSecond: bucket === 0 ? base : base * stretch,
      bucketCredits: bucket,
      isBucketInferred: false,
      throughputMiBpsMax: throughput,
    }),
  );
const ways = fc.constantFrom(queue, drop);
const near = (value: number, other: number, scale: number) =>
  expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-6 * Math.max(1, scale));

test("the bucket changes by credits earned minus credits spent, and is never below zero or above its size", () => {
  fc.assert(
    fc.property(volumes, demands, ways, (rates, demand, way) => {
      const served = serveDemand(rates, demand, way);
      const change = served.creditsEnd - served.creditsStart;
      near(served.creditsEarned - served.creditsSpent, change, served.creditsSpent);
      expect(served.creditsEarned).toBeGreaterThanOrEqual(-1e-6 * Math.max(1, served.creditsSpent));
      for (const { creditsFrom, creditsTo } of served.pieces) {
        for (const credits of [creditsFrom, creditsTo]) {
          expect(credits).toBeGreaterThanOrEqual(0);
          expect(credits).toBeLessThanOrEqual(rates.bucketCredits);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("all demand is either served, waiting or dropped", () => {
  fc.assert(
    fc.property(volumes, demands, ways, (rates, demand, way) => {
      const served = serveDemand(rates, demand, way);
      const { servedIos, queuedIosAtEnd, droppedIos, demandedIos } = served;
      near(servedIos + queuedIosAtEnd + droppedIos, demandedIos, demandedIos);
      if (way === queue) expect(droppedIos).toBe(0);
      else expect(queuedIosAtEnd).toBe(0);
      expect(served.throttledSeconds).toBeLessThanOrEqual(served.seconds * (1 + 1e-9));
    }),
    { numRuns: 500 },
  );
});

test("pieces follow each other without gaps, and none has a negative rate", () => {
  fc.assert(
    fc.property(volumes, demands, ways, (rates, demand, way) => {
      let endSeconds = 0;
      for (const piece of serveDemand(rates, demand, way).pieces) {
        expect(piece.fromSeconds).toBe(endSeconds);
        expect(piece.servedIops).toBeGreaterThanOrEqual(0);
        endSeconds = piece.toSeconds;
      }
      const total = demand.steps.reduce((sum, { seconds }) => sum + seconds, 0);
      near(endSeconds, total, total);
    }),
    { numRuns: 200 },
  );
});

test("a volume with higher limits never serves less", () => {
  fc.assert(
    fc.property(volumes, demands, fc.double({ min: 1, max: 5, noNaN: true }), (rates, demand, factor) => {
      const better: VolumeRates = {
        ...rates,
        baseCreditsPerSecond: rates.baseCreditsPerSecond * factor,
        peakCreditsPerSecond: rates.peakCreditsPerSecond * factor,
        bucketCredits: rates.bucketCredits * factor,
        throughputMiBpsMax: rates.throughputMiBpsMax * factor,
      };
      const [less, more]: [ServedDemand, ServedDemand] = [
        serveDemand(rates, demand, drop),
        serveDemand(better, demand, drop),
      ];
      expect(more.servedIos).toBeGreaterThanOrEqual(less.servedIos * (1 - 1e-9));
    }),
    { numRuns: 300 },
  );
});

test("splitting a step into parts changes nothing", () => {
  fc.assert(
    fc.property(volumes, demands, ways, fc.integer({ min: 2, max: 7 }), (rates, demand, way, parts) => {
      const cut = {
        ...demand,
        steps: demand.steps.flatMap((each) =>
          Array.from({ length: parts }, () => ({ ...each, seconds: each.seconds / parts })),
        ),
      };
      const whole = serveDemand(rates, demand, way);
      const inParts = serveDemand(rates, cut, way);
      near(inParts.servedIos, whole.servedIos, whole.demandedIos);
      near(inParts.creditsEnd, whole.creditsEnd, whole.creditsSpent);
    }),
    { numRuns: 200 },
  );
});

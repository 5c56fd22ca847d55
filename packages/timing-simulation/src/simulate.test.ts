import { expect, test, vi } from "vitest";
import { ScenarioCancelled } from "./segment.ts";
import { simulateScenario } from "./simulate.ts";
import { scenario } from "./testing.ts";

/** Each test takes hundreds of thousands of machine steps, which are slow on a loaded machine. */
vi.setConfig({ testTimeout: 600_000 });

const within = (value: number, of: number, percent: number) =>
  expect(Math.abs(value - of) / of).toBeLessThan(percent / 100);

test("the same options give the same result, and another seed a different one", () => {
  const options = scenario({ durationSeconds: 10 });
  const first = simulateScenario(options);
  expect(simulateScenario(options)).toEqual(first);
  expect(simulateScenario({ ...options, seed: 8 }).stash).not.toEqual(first.stash);
});

test("bytes on the stash equal arrival rate x bytes x residence (Little's law), within 10 %", () => {
  const { formula, basis } = simulateScenario(
    scenario({ durationSeconds: 100, arrivals: { type: "steady", uploadsPerSecond: 10 } }),
  );
  expect(basis).toBe("exact");
  expect(Math.abs(formula.differencePercent)).toBeLessThan(10);
  within(formula.residenceSecondsSimulated as number, formula.residenceSecondsByFormula, 10);
});

test("waits at a drive without group commit follow M/D/1, within 10 %", () => {
  const syncUs = 2000;
  const utilisation = 0.6;
  const uploadsPerSecond = (utilisation / (syncUs / 1e6)) * (21 / 20);
  const { stashDrive } = simulateScenario(
    scenario({
      durationSeconds: 10,
      stashDrive: { type: "measured", name: "constant", syncUs: [[1, syncUs]] },
      shardsPerCommitMax: 1,
      processor: { type: "constant", usPerUpload: 0 },
      arrivals: { type: "steady", uploadsPerSecond },
    }),
  );
  within(stashDrive.utilisation, utilisation, 10);
  within(stashDrive.waitUsMean, (stashDrive.utilisation * syncUs) / (2 * (1 - stashDrive.utilisation)), 10);
});

test("joined stretches agree with a full run of the scenario, within 10 %", () => {
  const options = scenario({
    durationSeconds: 120,
    arrivals: { type: "steady", uploadsPerSecond: 30 },
    faults: [{ type: "pod outage", atSecond: 30, durationSeconds: 40, podCount: 1 }],
  });
  const whole = simulateScenario(options);
  const joined = simulateScenario({ ...options, exactUploadCountMax: 1500 });
  expect([whole.basis, joined.basis]).toEqual(["exact", "joined"]);
  expect(joined.uploadCount.run).toBeLessThan(whole.uploadCount.run / 2);
  const mean = ({ points }: typeof whole, from: number, to: number) => {
    const within = points.filter(({ second }) => second >= from && second < to);
    return within.reduce((sum, { occupancyBytes }) => sum + occupancyBytes, 0) / within.length;
  };
  within(mean(joined, 0, 120), mean(whole, 0, 120), 10);
  within(mean(joined, 30, 70), mean(whole, 30, 70), 10);
  within(joined.formula.highestBytesSimulated, whole.formula.highestBytesSimulated, 10);
  within(joined.stash?.p50Ms as number, whole.stash?.p50Ms as number, 10);
  within(joined.stash?.p99Ms as number, whole.stash?.p99Ms as number, 10);
  expect(joined.points.filter(({ basis }) => basis === "exact").length).toBeGreaterThan(0);
});

test("shards of one absent pod wait on the stash, and with two absent nothing is acknowledged", () => {
  const outage = (podCount: number) =>
    simulateScenario(
      scenario({
        durationSeconds: 60,
        arrivals: { type: "steady", uploadsPerSecond: 5 },
        faults: [{ type: "pod outage", atSecond: 10, durationSeconds: 30, podCount }],
      }),
    );
  const one = outage(1);
  expect(one.failureCount).toBe(0);
  const two = outage(2);
  const during = two.points.filter(({ second }) => second >= 11 && second < 20);
  expect(during.every(({ stash, direct }) => stash === null && direct === null)).toBe(true);
  expect(two.failureCount).toBeGreaterThan(0);
  expect(two.points.at(-1)?.failuresPerSecond).toBe(0);
});

test("a dead server leaves too few of 21 drives for 20 shards, but enough of 24", () => {
  const withServers = (stashServers: number) =>
    simulateScenario(
      scenario({
        stashServers,
        durationSeconds: 30,
        faults: [{ type: "dead stash server", atSecond: 5 }],
      }),
    );
  const seven = withServers(7);
  expect(seven.fallbackCounts["too few stash drives"]).toBeGreaterThan(100);
  expect(seven.points.at(-2)?.fallbackReason).toBe("too few stash drives");
  const eight = withServers(8);
  expect(eight.fallbackCounts["too few stash drives"]).toBe(0);
  // The fallbacks are uploads in progress when the stall begins, and those that find the drives silent again every few
  // seconds.
  expect(eight.fallbackCounts["stash too slow"]).toBeGreaterThan(0);
});

test("a stash stall shorter than the budget delays uploads and sends none on the direct path", () => {
  const options = scenario({ durationSeconds: 60, arrivals: { type: "steady", uploadsPerSecond: 14 } });
  const calm = simulateScenario(options);
  const stalled = simulateScenario({ ...options, stashStalls: { perMinute: 6, ms: 300 } });
  expect(stalled.direct).toBeNull();
  expect(stalled.stash?.sampleCount).toBe(stalled.uploadCount.run);
  expect(calm.stash?.p99Ms).toBeLessThan(100);
  expect(stalled.stash?.p99Ms).toBeGreaterThan(200);
});

test("a longer stall sends uploads on the direct path until it ends, and few after that", () => {
  const [perMinute, ms, uploadsPerSecond, durationSeconds] = [2, 3000, 14, 120];
  const { fallbackCounts, uploadCount } = simulateScenario(
    scenario({
      durationSeconds,
      // Uses one server, so that stalls do not overlap.
      stashServers: 1,
      drivesPerServer: 21,
      arrivals: { type: "steady", uploadsPerSecond },
      stashStalls: { perMinute, ms },
    }),
  );
  const fallbackCount = fallbackCounts["stash too slow"] + fallbackCounts["too few stash drives"];
  expect(fallbackCount).toBeGreaterThan(0);
  const stalledShare = (perMinute * ms) / 60_000;
  expect(fallbackCount / uploadCount.run).toBeLessThan(2 * stalledShare);
});

test("a stash that fills up sends uploads on the direct path, and the result records the moment", () => {
  const full = simulateScenario(scenario({ stashBytesPerDrive: 1e6, durationSeconds: 20 }));
  expect(full.timeToFull?.second).toBeGreaterThan(0);
  expect(full.timeToFull?.second).toBeLessThan(10);
  expect(full.fallbackCounts["stash full"]).toBeGreaterThan(0);
  expect(full.direct?.p50Ms).toBeGreaterThan(full.stash?.p50Ms as number);
});

test("a slow pod drive keeps its shards on the stash for longer, and a slow stash drive delays no upload", () => {
  const slow = (of: "pod" | "stash") =>
    simulateScenario(
      scenario({
        durationSeconds: 30,
        faults: [{ type: "slow drive", of, factor: 400, atSecond: 0, durationSeconds: 30 }],
      }),
    );
  const plain = simulateScenario(scenario({ durationSeconds: 30 }));
  expect(slow("pod").purgeLag?.p99Seconds).toBeGreaterThan(plain.purgeLag?.p99Seconds as number);
  within(slow("stash").stash?.p50Ms as number, plain.stash?.p50Ms as number, 10);
});

test("arrivals follow the rates of a trace and of a daily cycle", () => {
  const trace = simulateScenario(
    scenario({
      durationSeconds: 40,
      arrivals: {
        type: "trace",
        points: [
          [0, 40],
          [20, 10],
        ],
      },
    }),
  );
  const count = (from: number, to: number) =>
    trace.points.slice(from, to).reduce((sum, { uploadsPerSecond }) => sum + uploadsPerSecond, 0);
  within(count(0, 20), 800, 15);
  within(count(20, 40), 200, 30);
  const day = simulateScenario(
    scenario({
      durationSeconds: 86_400,
      arrivals: { type: "diurnal", uploadsPerSecond: 20, swing: 0.8, periodSeconds: 86_400 },
      exactUploadCountMax: 2000,
    }),
  );
  const rates = day.points.map(({ uploadsPerSecond }) => uploadsPerSecond);
  within(Math.max(...rates), 36, 5);
  within(Math.min(...rates), 4, 25);
});

test("progress increases, and a signal cancels the run", () => {
  const shares: number[] = [];
  simulateScenario(scenario({ durationSeconds: 10 }), { onProgress: ({ share }) => shares.push(share) });
  expect(shares.length).toBeGreaterThan(2);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(() => simulateScenario(scenario(), { signal: { aborted: true } })).toThrow(ScenarioCancelled);
});

test("an upload with measured delays takes its edge time plus the wait for both quorums, which shrinks with correlation", () => {
  const delayUs = 4000;
  const half = [
    [0, delayUs / 4],
    [1, (3 * delayUs) / 4],
  ] as const;
  const run = (alike: number) =>
    simulateScenario(
      scenario({
        durationSeconds: 60,
        stashDrive: { type: "measured", name: "constant", syncUs: [[1, 1000]] },
        messageUs: half,
        stashMessageUs: half,
        alike: { pods: alike, stash: alike, sets: 1 },
        processor: { type: "measured", us: [[1, 3000]] },
        nodeUsPerShard: 0,
      }),
    ).stash;
  // Equally slow delays add twice the median message and the stash's sync. Independent ones add the 19th of 20 at 94.6
  // %.
  within(run(1)?.p50Ms as number, (3000 + delayUs + 1000) / 1000, 3);
  within(run(0)?.p50Ms as number, (3000 + 2 * (delayUs / 4 + 0.917 * (delayUs / 2)) + 1000) / 1000, 5);
});

import { stallsInput } from "@stashlight/contracts/metrics/query";
import { HOUR_MS } from "@stashlight/contracts/time";
import { beforeEach, expect, test } from "vitest";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import { runRollUp } from "../roll-up/roll-up.ts";
import { findStalls } from "./stalls.ts";

const fsync = "stashlight_fsync_seconds";
const usual = Array.from({ length: 30 }, () => 0.002);
const { installation, viewer } = useFreshInstallation("viewer");
let nowMs: number;
let one: TestNode;
let two: TestNode;

beforeEach(async () => {
  nowMs = Math.floor(installation.clock.now().getTime() / HOUR_MS) * HOUR_MS + HOUR_MS / 2;
  installation.clock.set(new Date(nowMs));
  one = await createTestNode(installation.platform, "stash-1");
  two = await createTestNode(installation.platform, "stash-2", true, "west");
});

const drive = (device: string, tier = "stash") => ({ tier, device });
const window = (node: TestNode, ageMs: number, device: string, values: readonly number[], labels = {}) =>
  node.batch({ endMs: nowMs - ageMs, histograms: [[fsync, { ...drive(device), ...labels }, [...values]]] });
const stalls = (input: object = {}) =>
  findStalls({
    ctx: viewer.ctx,
    input: stallsInput.parse({
      tier: "stash",
      overSeconds: 0.05,
      fromMs: nowMs - HOUR_MS,
      toMs: nowMs,
      ...input,
    }),
  });

test("the worst window over the threshold is first, with its drive, time, samples and median", async () => {
  await accept(
    installation.platform,
    window(one, 20_000, "s1", [...usual, 0.9]),
    window(one, 10_000, "s1", [...usual, 0.05]),
    window(two, 30_000, "s2", [0.4], { modelled: "micron" }),
    one.batch({ endMs: nowMs, histograms: [[fsync, drive("p1", "pod"), [9]]] }),
  );
  const answer = await stalls();
  expect(answer).toMatchObject({
    totalCount: 2,
    resolution: "raw",
    modelled: ["micron"],
    simulatedSeriesCount: 1,
  });
  expect(answer.stalls).toMatchObject([
    {
      node: "stash-1",
      vault: "v",
      device: "s1",
      modelled: null,
      isSimulated: false,
      startMs: nowMs - 30_000,
      endMs: nowMs - 20_000,
      maxSeconds: 0.9,
      n: 31,
    },
    { node: "stash-2", device: "s2", modelled: "micron", isSimulated: true, n: 1, p50Seconds: null },
  ]);
  expect(answer.stalls[0]?.p50Seconds).toBeCloseTo(0.002, 4);
});

test("of too many stalls only the worst or the newest are kept, but all are counted", async () => {
  const ages = Array.from({ length: 12 }, (_, i) => (i + 1) * 10_000);
  await accept(
    installation.platform,
    ...ages.map((ageMs) => window(one, ageMs, "s1", [ageMs / 100_000])).toReversed(),
  );
  const worst = await stalls({ countMax: 3 });
  expect(worst.totalCount).toBe(12);
  expect(worst.stalls.map(({ maxSeconds }) => maxSeconds)).toEqual([1.2, 1.1, 1]);
  const newest = await stalls({ countMax: 3, order: "newest" });
  expect(newest.stalls.map(({ endMs }) => nowMs - endMs)).toEqual([10_000, 20_000, 30_000]);
});

test("a longer range is read from rolled-up windows and those not yet rolled up, each stall once", async () => {
  await accept(
    installation.platform,
    window(one, 2 * HOUR_MS, "s1", [...usual, 0.7]),
    window(one, 10_000, "s1", [...usual, 0.3]),
  );
  await runRollUp(installation.platform);
  const answer = await stalls({ fromMs: nowMs - 6 * HOUR_MS });
  expect(answer.resolution).toBe("1m");
  expect(answer.stalls.map(({ maxSeconds }) => maxSeconds)).toEqual([0.7, 0.3]);
  expect(answer.stalls[0]).toMatchObject({
    startMs: nowMs - 2 * HOUR_MS - 60_000,
    endMs: nowMs - 2 * HOUR_MS,
  });
});

test("other nodes, and times before the range, are left out", async () => {
  await accept(
    installation.platform,
    window(one, 10_000, "s1", [1]),
    window(two, 10_000, "s2", [2]),
    window(two, 2 * HOUR_MS, "s2", [3]),
  );
  const answer = await stalls({ vaults: ["west"] });
  expect(answer.stalls.map(({ maxSeconds }) => maxSeconds)).toEqual([2]);
});

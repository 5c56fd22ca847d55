import { type DriveGroup, failuresPerYear, lossBeforeWhole } from "@stashlight/durability";
import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateModelRate, type ModelEvidence, rateInWords } from "../model-rate.ts";
import {
  describeAssumptions,
  describeLiveDurability,
  describeRemedy,
  judgeLiveDurability,
  type KnownDurability,
  type LivePod,
  type LiveVault,
  listLiveFigures,
} from "./index.ts";

const whole = (pod: number): LivePod => ({
  pod,
  state: "whole",
  missingBytes: 0,
  secondsLeft: null,
  model: "ST16000NM001G",
  isSuspect: false,
});

function vaultWith(
  change: (pod: number) => Partial<LivePod> = () => ({}),
  part: Partial<LiveVault> = {},
): LiveVault {
  const seen = { count: 20, ageSeconds: 5 };
  return {
    scheme: { dataShards: 16, parityShards: 4 },
    pods: Array.from({ length: 20 }, (_, pod) => ({ ...whole(pod), ...change(pod) })),
    podBytes: { ...seen, bytes: 16e12 },
    rebuild: { median: 32e6, low: 20e6, high: 40e6, count: 9, ageSeconds: 60 },
    rebuildLimit: 32e6,
    models: [],
    seen: { failures: 0, driveYears: 1.5 },
    scrub: { ...seen, oldestSeconds: 20 * 86_400 },
    stash: { ...seen, bytes: 1e9, oldestSeconds: 30 },
    objectBytes: 256_000,
    ...part,
  };
}

const rebuilding = (count: number) => (pod: number) =>
  pod < count ? ({ state: "rebuilding", missingBytes: 6e11, secondsLeft: 19_200 } as const) : {};
const away = (count: number) => (pod: number) => (pod < count ? ({ state: "away" } as const) : {});

function known(vault: LiveVault): KnownDurability {
  const judged = judgeLiveDurability(vault);
  if (judged.kind === "unknown") throw new Error(judged.reason);
  return judged;
}

test("two rebuilding pods show time and risk with intervals, the risk after a third failure, and the fatal failure", () => {
  const judged = known(vaultWith(rebuilding(2)));
  expect(describeLiveDurability(judged)).toMatch(
    /^2 of 20 missing: whole again in 5 h 20 min \(4 h 10 min to 8 h 20 min\); chance of loss until then 1 in [\d,]+ \(1 in [\d,]+ to 1 in [\d,]+\); a third failure would make it 1 in [\d,]+; a fifth loses data\.$/,
  );
  expect(describeRemedy(judged)).toMatch(/^Raise the rebuild to 64 MB\/s with vault rebuild --rate: 1 in /);
  expect(describeAssumptions(judged)[0]).toBe("5 % of failures take 2 drives at once.");
});

test.each([
  ["away", away(10), "10 of 20 pods are away, and", "pods are back"],
  ["being rebuilt", rebuilding(5), "5 of 20 pods lack shards, and", "shards are restored"],
  [
    "away or being rebuilt",
    (pod: number) => (pod < 1 ? away(1)(pod) : rebuilding(5)(pod)),
    "5 of 20 pods are away or lack shards, and",
    "pods are back",
  ],
])("more pods %s than the scheme tolerates make objects unreadable", (_, pods, start, end) => {
  expect(describeLiveDurability(known(vaultWith(pods)))).toBe(
    `${start} 16+4 tolerates 4: objects that lack 5 shards cannot be read until ${end}.`,
  );
});

test("the risk until two pods are back matches an independent walk over states", () => {
  const judged = known(vaultWith(rebuilding(2), { scrub: null, objectBytes: 0 }));
  const yearly = judged.failureRate.value;
  const rebuildDays = (4 * 3600 + 16e12 / 32e6) / 86_400;
  const group: DriveGroup = {
    dataShards: 16,
    parityShards: 4,
    rebuildDays,
    rebuildsAtOnce: Number.POSITIVE_INFINITY,
    annualFailureRate: -Math.expm1(-yearly),
    commonCause: { share: 0.05, drives: 2 },
  };
  expect(failuresPerYear(group.annualFailureRate)).toBeCloseTo(yearly, 12);
  // Competing exponential times: the first event is a failure of one or two drives, or the return of one of the two
  // pods.
  const back = 365 / (19_200 / 86_400);
  const one = (lost: (count: number) => number, missing: number, then: number): number => {
    const rate = (20 - missing) * yearly;
    const total = rate * 0.95 + (rate * 0.05) / 2 + missing * back;
    return (
      (rate * 0.95 * lost(missing + 1) + ((rate * 0.05) / 2) * lost(missing + 2) + missing * back * then) /
      total
    );
  };
  const lost = (count: number) => lossBeforeWhole(group, count);
  const expected = one(lost, 2, one(lost, 1, 0));
  expect((judged.missing?.chance.value ?? 0) / expected).toBeCloseTo(1, 9);
});

test("an absent pod counts as failed: its rebuild begins after the assumed time and restores all bytes", () => {
  const judged = known(vaultWith(away(2)));
  expect(judged.missing?.secondsLeft.value).toBe(4 * 3600 + 16e12 / 32e6);
  expect(describeRemedy(judged)).toMatch(/^Bring the pods back or replace their drives now/);
});

test("a drive that left and came back counts as missing only until its few missing bytes are restored", () => {
  const back = (pod: number) => (pod === 3 ? ({ state: "rebuilding", missingBytes: 64e6 } as const) : {});
  const judged = known(vaultWith(back));
  expect(judged.missing?.secondsLeft.value).toBe(2);
  expect(judged.nines.value).toBeCloseTo(known(vaultWith()).nines.value, 2);
});

test.each<[string, LiveVault, string]>([
  ["without a scheme", vaultWith(undefined, { scheme: null }), "no coordinator reported the scheme"],
  [
    "without pods",
    vaultWith(undefined, { pods: [] }),
    "no coordinator reported in the last minute which pods",
  ],
  [
    "with too few pods",
    vaultWith(undefined, { pods: [whole(0)] }),
    "coordinators report one pod, and 16+4 has 20",
  ],
  [
    "of one drive",
    vaultWith(undefined, { scheme: { dataShards: 1, parityShards: 0 }, pods: [whole(0)] }),
    "no parity",
  ],
  ["without contents", vaultWith(undefined, { podBytes: null }), "no pod reports how much it holds"],
  [
    "that is never rebuilt",
    vaultWith(undefined, { rebuild: { median: 1, low: 0, high: 1, count: 9, ageSeconds: 1 } }),
    "more than a century",
  ],
])("the durability of a vault %s is unknown, and the sentence explains why", (_, vault, reason) => {
  const sentence = describeLiveDurability(judgeLiveDurability(vault));
  expect(sentence).toMatch(/^Durability is unknown: .*\.$/);
  expect(sentence).toContain(reason);
});

test("a rate that was never measured is the vault's limit, and one that no agent reports is assumed", () => {
  expect(known(vaultWith(undefined, { rebuild: null })).rate).toEqual({
    source: "limit",
    value: 32e6,
    interval: null,
  });
  const judged = known(vaultWith(undefined, { rebuild: null, rebuildLimit: null }));
  expect(judged.rate.source).toBe("assumed");
  expect(describeAssumptions(judged).at(-1)).toContain("none has been measured yet");
});

test("the fleet's own failures and SMART warnings lower the nines", () => {
  const nines = (part: Partial<LiveVault>, change?: (pod: number) => Partial<LivePod>) =>
    known(vaultWith(change, part)).nines.value;
  const own = (failures: number) => ({
    models: [{ model: "ST16000NM001G", published: null, own: { failures, driveDays: 109_500 } }],
  });
  expect(nines(own(30))).toBeLessThan(nines(own(0)));
  const unknown = (failures: number) =>
    nines({ seen: { failures, driveYears: 300 } }, () => ({ model: null }));
  expect(unknown(30)).toBeLessThan(unknown(0));
  expect(nines({}, (pod) => ({ isSuspect: pod === 1 }))).toBeLessThan(nines({}));
});

test("a vault with two drive models has their mean rate, and each model has a source, drive days, failures and an interval", () => {
  const published = { source: "Report", from: "2024-01-01", to: "2024-12-31" };
  const models = [
    {
      model: "A",
      published: { ...published, driveDays: 3_650_000, failures: 50 },
      own: { driveDays: 7300, failures: 1 },
    },
    {
      model: "B",
      published: { ...published, driveDays: 3_650_000, failures: 500 },
      own: { driveDays: 0, failures: 0 },
    },
  ];
  const vault = vaultWith((pod) => ({ model: pod < 15 ? "A" : "B" }), { models });
  const judged = known(vault);
  const rate = (at: 0 | 1): number => estimateModelRate(models[at] as ModelEvidence).value;
  expect(judged.failureRate.value).toBeCloseTo(0.75 * rate(0) + 0.25 * rate(1), 12);
  expect(listLiveFigures(vault, judged)).toContainEqual({
    name: "Failures of A",
    value: rateInWords(estimateModelRate(models[0] as ModelEvidence)),
    source: "Report: 50 failures in 3,650,000 drive days; and 1 failure in 7,300 drive days of this fleet",
    count: 15,
    ageSeconds: null,
  });
});

const anyCounts = fc.record({
  driveDays: fc.integer({ min: 0, max: 1e9 }),
  failures: fc.integer({ min: 0, max: 1e6 }),
});
const anyEvidence: fc.Arbitrary<ModelEvidence> = fc.record({
  model: fc.constant("A"),
  published: fc.option(
    anyCounts.map((counts) => ({ ...counts, source: "Report", from: "2024-01-01", to: "2024-12-31" })),
  ),
  own: anyCounts,
});

const anyPod = fc.record({
  state: fc.constantFrom("whole", "rebuilding", "away"),
  missingBytes: fc.double({ min: 0, max: 1e14, noNaN: true }),
  secondsLeft: fc.option(fc.double({ min: 0, max: 1e8, noNaN: true }), { nil: null }),
  isSuspect: fc.boolean(),
  model: fc.constantFrom(null, "A"),
});
const provenance = {
  count: fc.integer({ min: 0, max: 1000 }),
  ageSeconds: fc.double({ min: -1e6, max: 1e8, noNaN: true }),
};
const positive = fc.double({ min: 0, max: 1e15, noNaN: true });
const anyVault: fc.Arbitrary<LiveVault> = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 8 }))
  .chain(([dataShards, parityShards]) =>
    fc.record({
      scheme: fc.option(fc.constant({ dataShards, parityShards }), { nil: null }),
      pods: fc
        .array(anyPod, { minLength: dataShards + parityShards, maxLength: dataShards + parityShards })
        .map((pods) => pods.map((pod, at) => ({ ...pod, pod: at }))),
      podBytes: fc.option(fc.record({ ...provenance, bytes: positive }), { nil: null }),
      rebuild: fc.option(
        fc
          .record({ ...provenance, median: positive, spread: fc.double({ min: 1, max: 10, noNaN: true }) })
          .map(({ spread, ...rate }) => ({ ...rate, low: rate.median / spread, high: rate.median * spread })),
        { nil: null },
      ),
      rebuildLimit: fc.option(positive, { nil: null }),
      models: fc.array(anyEvidence, { maxLength: 1 }),
      seen: fc.record({
        failures: fc.integer({ min: 0, max: 1000 }),
        driveYears: positive.map((value) => value / 1e9),
      }),
      scrub: fc.option(
        fc.record({ ...provenance, oldestSeconds: fc.double({ min: -1e6, max: 1e10, noNaN: true }) }),
        { nil: null },
      ),
      stash: fc.option(
        fc.record({
          ...provenance,
          bytes: positive,
          oldestSeconds: fc.double({ min: -1e6, max: 1e10, noNaN: true }),
        }),
        { nil: null },
      ),
      objectBytes: fc.option(positive, { nil: null }),
    }),
  );

test("no vault has NaN or infinity in a sentence, and its figures always agree", () => {
  fc.assert(
    fc.property(anyVault, (vault) => {
      const judged = judgeLiveDurability(vault);
      const sentence = describeLiveDurability(judged);
      expect(sentence).not.toMatch(/NaN|Infinity|undefined|null/);
      expect(sentence.endsWith(".")).toBe(true);
      if (judged.kind === "unknown") return;
      const texts = [
        ...listLiveFigures(vault, judged).map(({ value }) => value),
        describeRemedy(judged) ?? "",
      ];
      for (const text of texts) expect(text).not.toMatch(/NaN|Infinity|undefined/);
      const { nines, missing, spareShare, parityShards } = judged;
      expect(nines.interval?.low).toBeLessThanOrEqual(nines.value + 1e-9);
      expect(nines.interval?.high).toBeGreaterThanOrEqual(nines.value - 1e-9);
      const missingCount = vault.pods.filter(({ state }) => state !== "whole").length;
      expect(missing?.count ?? 0).toBe(missingCount);
      expect(/^\d+ of \d+ (missing|pods)/.test(sentence)).toBe(missingCount > 0);
      expect(/cannot be read/.test(sentence)).toBe(missingCount > parityShards);
      expect(spareShare === 0).toBe(missingCount >= parityShards);
      if (missing === null) return;
      expect(10 ** -nines.value).toBeGreaterThanOrEqual(missing.chance.value * (1 - 1e-9) - 1e-299);
      expect(missing.chanceAfterNext ?? 1).toBeGreaterThanOrEqual(missing.chance.value * (1 - 1e-9));
      expect(missing.remedy?.chance ?? 0).toBeLessThanOrEqual(missing.chance.value * (1 + 1e-9));
    }),
    { seed: 39, numRuns: 500 },
  );
});

import { expect, test } from "vitest";
import {
  checkStashPlanInput,
  defaultPlanInput,
  describeOutgrown,
  explainPlan,
  type StashAnswer,
} from "../index.ts";

function answerTo(changes: Readonly<Record<string, unknown>>): StashAnswer {
  const { input, problems } = checkStashPlanInput({ ...defaultPlanInput, ...changes });
  expect(problems).toEqual([]);
  if (input === null) throw new Error("the input was refused");
  return explainPlan(input);
}

const nothing = {};
const small = { installed: { servers: 5, drivesPerServer: 4 } };

test.each<[string, Record<string, unknown>, string]>([
  [
    "placement decides",
    nothing,
    "21 drives in 7 servers; placement decides: 16+4 must spread over 7 to survive one dead server; load alone needs 7 drives, endurance binding",
  ],
  [
    "placement for several dead servers decides",
    { serverFailuresTolerated: 2 },
    "20 drives in 20 servers; placement decides: 16+4 must spread over 20 to survive 2 dead servers; load alone needs 7 drives, endurance binding",
  ],
  [
    "drives for shards decide",
    { drivesPerServer: 1, uploadsPerSecond: 100 },
    "20 drives in 20 servers; placement decides: each of 20 shards needs a drive of its own; load alone needs one drive, endurance binding",
  ],
  [
    "load decides",
    { uploadsPerSecond: 80_000, podBitsPerSecond: 100e9 },
    "270 drives in 27 servers; load decides: endurance needs 256 drives, so 26 servers, and 1 more that may be dead; placement alone needs 7 servers",
  ],
])("the answer's sentence states that %s", (_name, changes, sentence) => {
  expect(answerTo(changes).sentence).toBe(sentence);
});

test("the cheapest pool is the answer, with the extra cost of filled servers", () => {
  const { advice, filled, input } = answerTo(nothing);
  // Costs 49 more drives of $360.
  expect(advice).toBe(
    "3 drives per server suffice; with 10 in each it would be 70 drives in 7 servers, for $17,640 more.",
  );
  expect(filled).toMatchObject({ drives: 70, servers: 7, priceUsd: 60_200, suffices: true });
  expect(input.drivesPerServer).toBe(3);
  expect(answerTo({ drivesPerServer: 3 })).toMatchObject({ advice: null, filled: null });
});

test("pools of fewer and more servers show what each supports, and the smallest sufficient one", () => {
  const { options } = answerTo(nothing);
  expect(options.map(({ servers }) => servers)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  expect(options.filter(({ suffices }) => suffices)[0]).toMatchObject({ servers: 7, priceUsd: 42_560 });
  // Five servers of the remaining six carry 15 / 6.386688, but placement needs 7.
  expect(options[4]).toMatchObject({ servers: 6, placementHolds: false, suffices: false });
  expect(options[4]?.times).toBeCloseTo(15 / 6.386688, 6);
});

test("the cost matches a hand calculation: 21 drives of $360, 7 servers of $5,000, 10 PB on SSDs or on HDDs", () => {
  const { cost } = answerTo(nothing).planned;
  expect(cost).toMatchObject({ drivesUsd: 7_560, serversUsd: 35_000, totalUsd: 42_560 });
  // 2,000 uploads per second of 256 kB for five years of 31,536,000 s.
  expect(cost.landedBytes).toBe(80_732.16e12);
  expect(cost.usdPerTbLanded).toBeCloseTo(42_560 / 80_732.16, 9);
  // 10 PB x 20/16 at $16.25 per TB, and as 3,906.25 drives of 3.2 TB.
  expect(cost).toMatchObject({
    hddVaultUsd: 203_125,
    hddVaultWithStashUsd: 245_685,
    allSsdVaultUsd: 1_406_250,
  });
  expect(cost.allSsdRatio).toBeCloseTo(1_406_250 / 245_685, 9);
});

test("growth matches a hand calculation: 6.39 drives at 40 % a year exceed 18 in month 37, and 16 in month 33", () => {
  // Servers of 4 drives, of which 7 suffice for placement: 24 of 28 remain with one dead.
  const seven = { installed: { servers: 7, drivesPerServer: 4 }, growthPerYear: 0.4 };
  const { growth, planned, installed } = answerTo(seven);
  expect(planned.outgrownAtMonth).toBe(37);
  expect(installed?.outgrownAtMonth).toBe(48);
  expect(6.386688 * 1.4 ** (36 / 12)).toBeLessThan(18);
  expect(6.386688 * 1.4 ** (37 / 12)).toBeGreaterThan(18);
  expect(6.386688 * 1.4 ** (48 / 12)).toBeGreaterThan(24);
  expect(growth).toHaveLength(121);
  expect(growth[12]).toMatchObject({ month: 12, times: 1.4 });
});

test.each<[Record<string, unknown>, number | null, string]>([
  [{ growthPerYear: 0 }, null, "never: the load does not grow"],
  [{ growthPerYear: 0.01 }, null, "not within 10 years"],
  [{ growthPerYear: 0.01, horizonYears: 20 }, null, "not within 20 years"],
  [{ growthPerYear: 0.4 }, 37, "month 37"],
])("the planned pool with growth of %o is outgrown in month %s", (changes, month, words) => {
  const { input, planned } = answerTo(changes);
  expect(planned.outgrownAtMonth).toBe(month);
  expect(describeOutgrown(input, planned.outgrownAtMonth)).toBe(words);
});

test("a pool that is too small when one server is down, or has too few servers, is already outgrown", () => {
  for (const servers of [1, 5]) {
    const { input, installed } = answerTo({ installed: { servers, drivesPerServer: 20 } });
    expect(installed).toMatchObject({ suffices: false, sufficesToday: false, outgrownAtMonth: 0 });
    expect(describeOutgrown(input, installed?.outgrownAtMonth ?? null)).toBe("today");
  }
});

test("a shrinking load is planned at its current size", () => {
  expect(answerTo({ growthPerYear: -0.5, horizonYears: 3 }).plan).toEqual(answerTo(nothing).plan);
});

test("the most influential inputs come first, with their effect at 20 % less and more", () => {
  const { sensitivities } = answerTo({ uploadsPerSecond: 80_000 });
  expect(sensitivities.map(({ variable }) => variable).slice(0, 4)).toEqual([
    "drive.capacityBytes",
    "drive.driveWritesPerDay",
    "drive.warrantyYears",
    "uploadsPerSecond",
  ]);
  const uploads = sensitivities.find(({ variable }) => variable === "uploadsPerSecond");
  expect(uploads?.low).toMatchObject({ value: 64_000, drivesForLoad: 205, drives: 220 });
  expect(uploads?.high).toMatchObject({ value: 96_000, drivesForLoad: 307, drives: 320 });
  expect(uploads?.drivesEffect).toBeCloseTo(50 / 270, 9);
  expect(sensitivities.map(({ variable }) => variable)).not.toContain("maxFill");
});

test("inputs are marked if a change by 20 % makes another constraint binding", () => {
  // Endurance needs 6.39 drives and capacity 3.27 per hour of outage, so 6.55 drives at 2 h.
  const { sensitivities } = answerTo({ outageSeconds: 7200 });
  const changing = sensitivities
    .filter(({ changesBinding }) => changesBinding)
    .map(({ variable }) => variable);
  expect(changing).toEqual(expect.arrayContaining(["outageSeconds", "peakFactor", "maxFill"]));
  expect(changing).not.toContain("uploadsPerSecond");
});

test("a variation never tries invalid values: a share of 90 % rises to 100 % and no further", () => {
  const { sensitivities } = answerTo({ outageSeconds: 36_000, maxFill: 0.9 });
  expect(sensitivities.find(({ variable }) => variable === "maxFill")?.high.value).toBe(1);
});

test("drives missing for the load are named apart from those missing for shards", () => {
  const { installed } = answerTo({ installed: { servers: 7, drivesPerServer: 1 }, uploadsPerSecond: 20_000 });
  expect(installed?.sentence).toMatch(
    / missing for the load\. 7 drives are too few: each of 20 shards .*, which 13 of them lack\.$/,
  );
});

test("headroom matches a hand calculation: 16 of 20 installed drives support 2.51 times the load, but 5 servers are too few", () => {
  const { installed } = answerTo(small);
  expect(installed?.times).toBeCloseTo(16 / 6.386688, 6);
  expect(installed).toMatchObject({
    firstConstraint: "endurance",
    placementHolds: false,
    suffices: false,
    outageSecondsMax: null,
    title: "The installed pool does not suffice",
    sentence:
      "20 drives of 3.2 TB in 5 servers carry 2.51 times today's load with one server dead; endurance is met first. 5 servers are too few: 16+4 must spread over 7.",
  });
  expect(answerTo(nothing).installed).toBeNull();
});

test("a sentence about one drive begins with a capital letter", () => {
  const { installed } = answerTo({ installed: { servers: 1, drivesPerServer: 1 } });
  expect(installed?.sentence).toBe(
    "One drive of 3.2 TB in one server carries 0 times today's load with one server dead; endurance is met first; 7 drives are missing for the load. One server is too few: 16+4 must spread over 7.",
  );
});

test("headroom counts the drives that growth will require", () => {
  const { installed } = answerTo({
    installed: { servers: 7, drivesPerServer: 3 },
    growthPerYear: 0.5,
    horizonYears: 3,
  });
  expect(installed).toMatchObject({
    placementHolds: true,
    missingDrivesAtHorizon: 4,
    sufficesToday: true,
    suffices: false,
    title: "The installed pool does not suffice at the horizon",
    sentence:
      "21 drives of 3.2 TB in 7 servers carry 2.82 times today's load with one server dead; endurance is met first; at the horizon 4 drives are missing.",
  });
});

test("installed drives of another size are judged by their own capacity, in every figure of the pool", () => {
  const half = { servers: 7, drivesPerServer: 4, driveCapacityBytes: 1.6e12, driveFsyncPerSecond: null };
  const { planned, installed } = answerTo({ installed: half });
  // Half the bytes allow half the writes at the same drive writes per day: 24 of 28 drives against 2 x 6.386688.
  expect(installed?.times).toBeCloseTo(24 / (2 * 6.386688), 6);
  expect(installed?.outageSecondsMax).toBeCloseTo((28 * 1.6e12 * 0.95 * 0.7) / 1.93536e9, 6);
  expect(installed?.cost).toMatchObject({ drivesUsd: 28 * 180, serversUsd: 35_000 });
  // 21 drives of 3.2 TB against 28 of 1.6 TB.
  expect((installed?.driveWritesPerDay ?? 0) / planned.driveWritesPerDay).toBeCloseTo(67.2 / 44.8, 9);
  expect(planned.outageSecondsMax).toBeCloseTo((21 * 3.2e12 * 0.95 * 0.7) / 1.93536e9, 6);
});

test("installed drives that sync slowly are judged by their own rate, and the drives to buy by theirs", () => {
  const slow = { servers: 7, drivesPerServer: 4, driveCapacityBytes: null, driveFsyncPerSecond: 100 };
  const { planned, installed } = answerTo({ installed: slow });
  expect(installed?.firstConstraint).toBe("fsync");
  expect(planned.timesByConstraint.fsync / (installed?.timesByConstraint.fsync ?? 0)).toBeCloseTo(
    (18 * 20_000) / (24 * 100),
    6,
  );
});

test("the failures that a pool does not survive match a hand calculation", () => {
  const { notSurvived } = answerTo(nothing).planned;
  expect(notSurvived.serversTogether).toBe(2);
  // Hazards of 1.55 % and 0.44 % a year, an hour at a time: 1.3124 times a year, 21 drives.
  expect(notSurvived.risk.onlyCopyTimesPerYear).toBeCloseTo(1.312428, 6);
  expect(notSurvived.risk.driveDiesPerYear).toBeCloseTo(1.312428 * 21 * 0.00440971 * (1 / 8760), 8);
  // 5,985 ways to choose 4 of 21, each (5.0339e-7)^4.
  expect(notSurvived.risk.objectLostPerYearMax / 5.044e-22).toBeCloseTo(1, 3);
  expect(notSurvived.sentences).toEqual([
    "Pods that flush nothing for more than 6.41 h at the plan's peak load: the planned pool is then 70 % full, and uploads wait for the HDDs of pods.",
    "2 dead stash servers together with a power cut: 6 of the 19 shards that an acknowledged upload is sure to have may be there, and it can spare 3.",
    "A stash drive that dies while it holds the only durable copy of shards: 1 in 72,100 a year. The stash holds such copies 1.31 times a year, for 1 h each time. Those shards are restored from the other 18 of their uploads.",
    "4 stash drives that die in one such time: uploads are lost. Upper bound: less than 1 in 1,000,000,000 a year, if drives fail independently of each other.",
  ]);
});

test("an installed pool with too few servers does not suffice for the load, nor survive a server's loss", () => {
  const { installed } = answerTo(small);
  expect(installed?.notSurvived.serversTogether).toBe(1);
  expect(installed?.notSurvived.sentences[0]).toBe(
    "The load of the plan: the installed pool does not suffice for it, even without an outage of pods.",
  );
});

test("sizing rules of other systems match a hand calculation: 10 s of the peak, twice its p99, a tenth of the vault", () => {
  const { crossChecks } = answerTo(nothing);
  expect(crossChecks.map(({ name, bytes, applies }) => [name, bytes, applies])).toEqual([
    ["ZFS SLOG", 1.93536e10, true],
    ["Ceph FileStore journal", 2 * 1.93536e9 * 120, true],
    ["Cache rule", 1e15, false],
  ]);
});

test("pods that flush 50 MB/s each keep up with the mean but not with the peak", () => {
  const { stability } = answerTo({ podFlushBytesPerSecond: 50e6 }).planned;
  expect(stability?.rhoMean).toBeCloseTo(0.64512, 9);
  expect(stability?.rhoPeak).toBeCloseTo(1.93536, 9);
  // 44.688 TB minus 19.35 GB at 935.36 MB/s; 6.967 TB at 354.88 MB/s.
  expect(stability?.secondsToFullAtPeak).toBeCloseTo((44.688e12 - 1.93536e10) / 935.36e6, 3);
  expect(stability?.drainSeconds).toBeCloseTo(6.967296e12 / 354.88e6, 3);
  expect(answerTo(nothing).planned.stability).toBeNull();
});

test("pods that flush slower than data arrives never drain the stash", () => {
  const { stability } = answerTo({ podFlushBytesPerSecond: 30e6 }).planned;
  expect(stability).toMatchObject({ drainSeconds: null });
  expect(stability?.sentence).toBe(
    "Pods are 1.08 times as busy as they can be: the stash fills up and never drains.",
  );
});

test("the quorum wait matches known quantiles: 19 of 20 need a node's p91.7 and p99.24, and two sets p94.6 and p99.47", () => {
  const { tail } = answerTo(nothing);
  expect(tail).toMatchObject({ quorum: 19, nodes: 20 });
  const [median, , p99] = tail.percentiles;
  expect(median?.nodeOfOneSet).toBeCloseTo(0.917, 3);
  expect(p99?.nodeOfOneSet).toBeCloseTo(0.9924, 4);
  expect(median?.nodeOfTwoSets).toBeCloseTo(0.946, 3);
  expect(p99?.nodeOfTwoSets).toBeCloseTo(0.9947, 4);
});

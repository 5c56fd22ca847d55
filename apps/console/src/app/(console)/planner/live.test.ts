import type { LiveInputs, LiveLoad } from "@stashlight/contracts/planner";
import { checkStashPlanInput, defaultPlanInput } from "@stashlight/planner";
import { expect, test } from "vitest";
import { toCandidate, toDraft } from "./draft.ts";
import { agedBy, fillFromFleet, fleetEndMs, formatOffer, formatSource, liveOffers } from "./live.ts";

const source = {
  source: "metrics",
  ageSeconds: 8,
  n: 13_200,
  nUnit: "uploads",
  range: { low: 10, high: 30, over: "minutes" },
  basis: "measured",
} as const;
const figure = (value: number): { figure: LiveLoad; missing: null } => ({
  figure: { ...source, value, measuredSeconds: 86_400 },
  missing: null,
});
const missing = { figure: null, missing: "Nothing was measured." } as const;

const live: LiveInputs = {
  answeredAtMs: 0,
  vault: "main",
  vaults: [],
  fromMs: 0,
  toMs: 1,
  uploadsPerSecond: figure(11.23456),
  peakFactor: figure(2.7),
  growthPerYear: missing,
  objects: {
    figure: {
      ...source,
      classes: [
        { sizeClass: "to-64KiB", bytes: 4096, share: 0.25, uploadCount: 1 },
        { sizeClass: "to-256KiB", bytes: 200_000, share: 0.75, uploadCount: 3 },
      ],
    },
    missing: null,
  },
  residenceSecondsMean: figure(31),
  residenceSecondsP99: missing,
  fsyncPerSecond: figure(666.6),
  shardsPerCommit: figure(8),
  logWriteAmplification: missing,
  addVault: missing,
  scheme: { figure: { ...source, dataShards: 16, parityShards: 4 }, missing: null },
  installed: {
    figure: { ...source, servers: 7, drivesPerServer: 3, driveCount: 21, driveCapacityBytes: 64e6 },
    missing: null,
  },
};

test("a measured value has three significant digits even if it happens to be whole", () => {
  const offers = liveOffers({ ...live, fsyncPerSecond: figure(4206) });
  expect(offers["drive.fsyncPerSecond"]).toMatchObject({ stored: 4210, text: "4210" });
});

test("one click fills in everything known from the fleet, and leaves the rest unchanged", () => {
  const { draft, paths } = fillFromFleet(toDraft(defaultPlanInput), live);
  const { input, problems } = checkStashPlanInput(toCandidate(draft));
  expect(problems).toEqual([]);
  expect(input).toMatchObject({
    uploadsPerSecond: 11.2,
    peakFactor: 2.7,
    growthPerYear: defaultPlanInput.growthPerYear,
    residenceSecondsMean: 31,
    residenceSecondsP99: defaultPlanInput.residenceSecondsP99,
    objects: [
      { bytes: 4100, share: 25 },
      { bytes: 200_000, share: 75 },
    ],
    installed: { servers: 7, drivesPerServer: 3, driveCapacityBytes: 64e6, driveFsyncPerSecond: 667 },
    drive: defaultPlanInput.drive,
  });
  expect(paths).toContain("objects");
  expect(paths).not.toContain("growthPerYear");
  expect(paths.filter((path) => path.startsWith("drive."))).toEqual([]);
});

test("the capacity of the installed drives is offered, and is shown in a unit of its size", () => {
  const offer = liveOffers(live)["drive.capacityBytes"];
  expect(offer).toMatchObject({ kind: "figure", text: "0.000064" });
  if (offer?.kind !== "figure") throw new Error("There is no figure.");
  expect([formatOffer(offer, "TB"), formatOffer(offer, "1/s")]).toEqual(["64 MB", "0.000064 1/s"]);
});

test("a field without a figure has an explanation", () => {
  expect(liveOffers(live).growthPerYear).toEqual({ kind: "missing", missing: "Nothing was measured." });
});

test("the source of a figure has its samples, age, range and basis", () => {
  expect(formatSource({ ...source, basis: "modelled" }, { factor: 1, unit: "1/s" })).toBe(
    "n 13,200 uploads · 8 s ago · 10 to 30 1/s over minutes · modelled",
  );
});

test("the fleet's time includes the current minute", () => {
  expect([60_000, 60_001, 119_999].map(fleetEndMs)).toEqual([60_000, 120_000, 120_000]);
});

test("ages keep growing after the answer, and figures without an age get none", () => {
  const later = agedBy(live, 780);
  expect(later.uploadsPerSecond.figure?.ageSeconds).toBe(788);
  expect(later.growthPerYear).toEqual(missing);
  expect(later.objects.figure?.classes).toEqual(live.objects.figure?.classes);
});

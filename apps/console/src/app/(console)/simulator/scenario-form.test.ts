import type { DriveRow } from "@stashlight/contracts/disk";
import { scenarioSchema } from "@stashlight/contracts/planner";
import { expect, test } from "vitest";
import { parseForm } from "./parse-scenario-form.ts";
import {
  driveOptions,
  presets,
  type ScenarioForm,
  scenarioFields,
  syncedDrives,
  withLiveVault,
} from "./scenario-form.ts";

test("the server accepts every preset", () => {
  for (const { changes } of presets) {
    const { asked, problem } = parseForm({ ...scenarioFields.initial, ...changes });
    expect(problem).toBeNull();
    expect(scenarioSchema.safeParse(asked?.scenario).error).toBeUndefined();
  }
});

test.each([
  ["minutes", "an hour", "Enter a number, such as 10 or 0.5."],
  ["uploadsPerSecond", "", "Enter a number, such as 10 or 0.5."],
  ["seed", "Infinity", "Enter a number, such as 10 or 0.5."],
] as const)("a field that is not a number shows an error beside it: %s", (field, typed, message) => {
  const form: ScenarioForm = { ...scenarioFields.initial, [field]: typed };
  expect(parseForm(form).problem).toEqual({ field, message });
});

test("the scenario has stash stalls only if the form has some", () => {
  const stalls = (changes: Partial<ScenarioForm>) =>
    parseForm({ ...scenarioFields.initial, ...changes }).asked?.scenario.stashStalls;
  expect(stalls({})).toBeNull();
  expect(stalls({ stallsPerMinute: "6", stallMs: "2500" })).toEqual({ perMinute: 6, ms: 2500 });
  expect(parseForm({ ...scenarioFields.initial, stallsPerMinute: "often" }).problem?.field).toBe(
    "stallsPerMinute",
  );
});

test("a trace is read line by line, and an invalid line is named", () => {
  const trace = (text: string) => parseForm({ ...scenarioFields.initial, arrivals: "trace", trace: text });
  expect(trace("0, 10\n\n60;20\n").asked?.scenario.arrivals).toEqual({
    type: "trace",
    points: [
      [0, 10],
      [60, 20],
    ],
  });
  expect(trace("0, 10\nten, 3").problem).toEqual({
    field: "trace",
    message: "Line 2 is “ten, 3”; enter a second and a rate, such as 600, 25.",
  });
});

test("values of the live vault replace the form's, and fields that it does not report stay", () => {
  const live = {
    fromMs: 0,
    toMs: 1,
    uploadsPerSecond: 1.9876,
    uploadBytesMean: 262_144,
    uploads: {
      fromMs: 0,
      toMs: 1,
      sampleCount: 7000,
      modelled: [] as string[],
      p50Ms: 12,
      p99Ms: 40,
      p50Interval: { lowMs: 11, highMs: 13 },
      p99Interval: null,
    },
    stashSync: { sampleCount: 10, quantiles: [[1, 900]] },
    podSync: null,
    alike: { pods: 0.5, stash: 0.9, sets: 0.7 },
    overlappingShare: 0,
    processor: { sampleCount: 10, quantiles: [[1, 5000]] },
    messages: { sampleCount: 10, quantiles: [[1, 900]] },
    stashMessages: { sampleCount: 10, quantiles: [[1, 800]] },
    purgeLagSeconds: null,
    stashServers: 7,
    stashDevices: 21,
    stashBytesPerDrive: null,
  } as const;
  const form = withLiveVault(scenarioFields.initial, live);
  expect(form).toMatchObject({
    uploadsPerSecond: "1.99",
    objectKb: "262",
    stashServers: "7",
    drivesPerServer: "3",
  });
  expect(form.stashGbPerDrive).toBe(scenarioFields.initial.stashGbPerDrive);
  const { asked } = parseForm(form);
  expect(asked?.measured).toEqual(live.uploads);
  expect(asked?.scenario).toMatchObject({
    stashSharedShare: 0,
    alike: live.alike,
    messageUs: [[1, 900]],
    stashMessageUs: [[1, 800]],
    processor: { type: "measured", us: [[1, 5000]] },
    stashDrive: { type: "measured", syncUs: [[1, 900]] },
    podDrive: { type: "catalogue" },
  });
});

test("a drive whose syncs a stash load measured is offered by name and date", () => {
  const labels = {
    provider: null,
    region: null,
    instanceType: null,
    volumeType: null,
    sizeBytes: null,
    enduranceBytes: null,
    pricePerMonth: null,
  };
  const quantilesUs: [number, number][] = [
    [0.5, 300],
    [1, 900],
  ];
  const syncs = {
    recordBytes: 65_536,
    n: 100,
    perSecond: 3_000,
    measuredAt: new Date("2026-11-24"),
    quantilesUs,
  };
  const drive: DriveRow = {
    id: "d1",
    name: "host-1/data",
    probe: null,
    node: "host-1",
    device: "data",
    labels,
    label: "measured",
    isOffered: true,
    plans: [],
    sweep: null,
    check: null,
    plannable: null,
    syncs,
  };
  const synced = syncedDrives([drive, { ...drive, id: "d2", syncs: null }]);
  expect(driveOptions("ssd", false, synced).at(-1)).toEqual({
    value: "d1",
    label: "host-1/data, measured 2026-11-24",
  });
  expect(
    parseForm({ ...scenarioFields.initial, stashDrive: "d1" }, synced).asked?.scenario.stashDrive,
  ).toEqual({
    type: "measured",
    name: "host-1/data, measured 2026-11-24",
    syncUs: quantilesUs,
  });
});

test("the path of a server error leads to its field, if the form has one", () => {
  const form: ScenarioForm = { ...scenarioFields.initial, fault: "pod outage" };
  expect(
    ["scenario.arrivals.uploadsPerSecond", "scenario.faults.0.podCount", "arrivals", "scenario.x", null].map(
      (path) => scenarioFields.fieldAt(path, form),
    ),
  ).toEqual(["uploadsPerSecond", "podCount", "uploadsPerSecond", null, null]);
});

import type { BenchmarkStage } from "@stashlight/contracts/sample";
import { expect, test } from "vitest";
import { stageRows, stagesWith, windowWords } from "./stage-rows.ts";

const work = { durationMs: 2500, dataBytes: 5e6, uploadedBytes: 5e6, downloadedBytes: 0, failedCount: 0 };
const full: BenchmarkStage = {
  ...work,
  name: "full",
  title: "Full backup",
  legs: [0],
  requests: { put: 1200, get: 30, delete: 4 },
  failure: null,
  machines: [
    { machine: 1, ...work, durationMs: 600, uploadedBytes: 3e6 },
    { machine: 2, ...work, durationMs: 2500, uploadedBytes: 2e6, failedCount: 1 },
  ],
  extrapolation: { protectedBytes: 1e12, seconds: 28_800, windowSeconds: 28_800 },
};
const merge: BenchmarkStage = {
  ...full,
  name: "merge",
  title: "Merge",
  legs: [1, 2],
  durationMs: 700_000,
  machines: [],
  failure: "1 deletion failed (ab of machine 2)",
  extrapolation: { ...full.extrapolation, seconds: 360_000_000 },
};

test("a stage reports its time, requests and cost, and fits a window of exactly its time", () => {
  const [first, second] = stageRows([full, merge], { asOf: "2026-11-01", byName: { full: 0.006 } }, false);
  expect(first).toMatchObject({
    cells: ["2.5 s", "2", "1,234", "5.00 MB", "0 B", "0", "$0.006"],
    extrapolation: { time: "8 h", fits: true },
    failure: null,
  });
  expect(second).toMatchObject({
    cells: ["11:40", "0.00714", "1,234", "5.00 MB", "0 B", "0", "–"],
    extrapolation: { time: "100,000 h", fits: false },
    failure: "1 deletion failed (ab of machine 2)",
  });
  expect(windowWords(full)).toBe("1.00 TB in 8 h");
});

test("each machine's time and MB/s are listed below its stage, with a dash for unknown values", () => {
  const rows = stageRows([full], null, true);
  expect(rows.map(({ title, isMachine }) => [title, isMachine])).toEqual([
    ["Full backup", false],
    ["Machine 1", true],
    ["Machine 2", true],
  ]);
  expect(rows.map(({ cells }) => cells.slice(0, 3))).toEqual([
    ["2.5 s", "2", "1,234"],
    ["600 ms", "5", "–"],
    ["2.5 s", "0.8", "–"],
  ]);
  expect(rows[2]?.cells[5]).toBe("1");
  expect(rows[1]?.extrapolation).toBeNull();
});

test("samples are separated by the stages of their legs", () => {
  expect(stagesWith([full, merge], [{ leg: 2 }]).map(({ name }) => name)).toEqual(["merge"]);
  expect(stagesWith([full, merge], [{ leg: 2 }, { leg: 0 }]).map(({ name }) => name)).toEqual([
    "full",
    "merge",
  ]);
  expect(stagesWith([full, merge], [{ leg: 7 }])).toEqual([]);
});

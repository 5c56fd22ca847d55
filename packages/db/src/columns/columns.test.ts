import { StashlightError } from "@stashlight/contracts/errors";
import { expect, test } from "vitest";
import { alertRuleColumns } from "./alert.ts";
import { benchmarkRunColumns } from "./benchmark.ts";
import { benchmarkComparisonColumns } from "./benchmark-result.ts";
import { endpointColumns } from "./endpoint.ts";
import { nodeColumns } from "./node.ts";
import { planReportColumns } from "./plan-scenario.ts";
import { simulationRunColumns } from "./simulation.ts";

const checkedAt = "2026-11-21T18:16:00.000Z";
const lastCheck = { checkedAt, isReachable: true, sentence: "It answers.", findings: [] };

test("a malformed value is refused with its table, column, row and field", () => {
  const read = () => endpointColumns.lastCheck.read({ ...lastCheck, isReachable: "yes" }, "row-1");
  expect(read).toThrow(StashlightError);
  expect(read).toThrow(
    /^endpoint\.last_check of row row-1 holds a value that cannot be read at isReachable: /,
  );
  expect(() => endpointColumns.lastCheck.read(null, "row-1")).toThrow(/^endpoint\.last_check of row row-1/);
  expect(endpointColumns.lastCheck.readOrNull(null, "row-1")).toBeNull();
});

test("a word outside its column's list is refused with the list", () => {
  expect(nodeColumns.role.read("pod", "row-1")).toBe("pod");
  expect(() => nodeColumns.role.read("gateway", "row-1")).toThrow(
    'node.role of row row-1 is "gateway", which is none of pod, stash, coordinator, probe, host.',
  );
});

test("dates are stored as text and read as dates, and undefined fields are left out", () => {
  const written = endpointColumns.lastCheck.write({ ...lastCheck, checkedAt: new Date(checkedAt) });
  expect(written).toEqual(lastCheck);
  expect(endpointColumns.lastCheck.read(written, "row-1").checkedAt).toEqual(new Date(checkedAt));
  expect(benchmarkRunColumns.manifest.write({ name: "a", tool: undefined })).toEqual({ name: "a" });
});

test("a field that a later release adds does not prevent this one from reading the row", () => {
  const later = { ...lastCheck, protocol: "h2" };
  expect(endpointColumns.lastCheck.read(later, "row-1")).toEqual({
    ...lastCheck,
    checkedAt: new Date(checkedAt),
  });
});

const query = { metric: "stashlight_stash_used_bytes", where: {}, groupBy: ["node"], across: "sum" };
const level = { kind: "threshold", statistic: "last", comparison: "above", threshold: 0.75 };

test.each([
  [15, 30],
  [29, 30],
  [30, 30],
  [600, 600],
])("a rule stored with a window of %i s is evaluated over %i s", (stored, read) => {
  const condition = alertRuleColumns.condition.read({ ...level, windowSeconds: stored }, "row-1");
  expect(condition).toEqual({ ...level, windowSeconds: read });
});

test("a rule of a metric that left the catalogue can be read", () => {
  const gone = { ...query, metric: "stashlight_gone_bytes" };
  expect(alertRuleColumns.query.read(gone, "row-1")).toEqual(gone);
  expect(alertRuleColumns.query.read(query, "row-1")).toEqual(query);
});

test("a plan shared before plans had ranges is read without ranges", () => {
  const shared = { title: "Plan", name: "2027", note: "", createdAt: checkedAt, input: { horizonYears: 3 } };
  expect(planReportColumns.document.read(shared, "row-1")).toEqual({
    ...shared,
    createdAt: new Date(checkedAt),
    ranges: [],
    aroundShare: 0.2,
    loadMeasuredSeconds: null,
  });
});

test("a measurement stored before intervals existed is read without one", () => {
  const measured = { fromMs: 0, toMs: 1000, sampleCount: 20, p50Ms: 4, p99Ms: null };
  expect(simulationRunColumns.measured.read(measured, "row-1")).toEqual({
    ...measured,
    modelled: [],
    p50Interval: null,
    p99Interval: null,
  });
});

test("a figure that was not a number when stored is read as null", () => {
  const estimate = { value: 1, low: null, high: null };
  const side = {
    endpoint: { id: "a", name: "A", label: "measured", place: 0 },
    runCount: 3,
    sampleCount: 300,
    failureCount: 0,
    taggedCount: 0,
    meanMs: estimate,
  } as const;
  const answer = {
    question: {
      planId: "p",
      operation: "PUT",
      sizeBytes: 1,
      connectionCount: 1,
      fromMs: 0,
      toMs: 1,
      endpointAId: "a",
      endpointBId: "b",
      minimumEffect: { kind: "share", share: 0.05 },
    },
    planName: "Plan",
    a: side,
    b: side,
    slots: { measuredCount: 3, undisturbedCount: 2, neededCount: 6 },
    pairCount: 3,
    unpairedCount: 0,
    ratio: { ...estimate, value: Number.NaN },
    differenceMs: estimate,
    shiftMs: estimate,
    pValue: null,
    success: { a: 0.9, b: 1, slotCount: 3, pValue: 0.25 },
    rule: "paid for looks",
    faster: { which: "neither", words: ["no less time", "as fast"] },
    verdict: { kind: "too few runs", count: 3, countMin: 6 },
    sentence: "Too few runs.",
    contamination: {
      runCount: 6,
      contaminatedCount: 1,
      worst: [{ endpointName: "B2", startedMs: 0, taggedShare: 0.5 }],
      slotCount: 1,
    },
    caveats: [{ kind: "reconnected", count: 1, runCount: 6 }],
    backToBackCount: 2,
    computedAt: new Date(checkedAt),
  } as const;
  const { write, read } = benchmarkComparisonColumns.answer;
  const written = write(answer);
  expect(written).toMatchObject({ ratio: { value: null } });
  expect(read(written, "key")).toEqual(answer);
  const worst = [{ endpointName: "B2", slotMs: 60_000, taggedShare: 0.5 }];
  const earlier = { ...(written as object), contamination: { ...answer.contamination, worst } };
  expect(read(earlier, "key").contamination?.worst).toEqual([
    { endpointName: "B2", startedMs: 60_000, taggedShare: 0.5 },
  ]);
});

import type { FiringAlert } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { causeTime, formatInhibited, isInhibited, orderedCauses, ruleState } from "./alerts.ts";
import { firingAlert } from "./testing/firing-alert.ts";

const well = {
  severity: "warning" as const,
  isEnabled: true,
  lastError: null,
  firingCount: 0,
  pendingCount: 0,
  evaluatedAt: new Date(0),
  groupCount: 3,
  noValueCount: 0,
};

test.each([
  [{}, "OK"],
  [{ groupCount: 0 }, "Not applicable"],
  [{ noValueCount: 2 }, "OK"],
  [{ noValueCount: 3 }, "No data"],
  [{ evaluatedAt: null }, "Not evaluated yet"],
  [{ pendingCount: 2 }, "2 pending"],
  [{ pendingCount: 2, firingCount: 1 }, "1 firing"],
  [{ firingCount: 1, lastError: "why" }, "Not evaluated"],
  [{ isEnabled: false, lastError: "why" }, "Off"],
])("the state of a rule with %o reads: %s", (changes, label) => {
  expect(ruleState({ ...well, ...changes }).label).toBe(label);
});

test("a firing rule has the status of its severity", () => {
  const statusOf = (severity: "critical" | "warning" | "info") =>
    ruleState({ ...well, severity, firingCount: 1 }).status;
  expect((["critical", "warning", "info"] as const).map(statusOf)).toEqual(["bad", "warning", "info"]);
});

test("rules are listed in the order firing, pending, without data, quiet, not applicable", () => {
  const rules = [
    well,
    { ...well, groupCount: 0 },
    { ...well, noValueCount: 3 },
    { ...well, pendingCount: 1 },
    { ...well, firingCount: 1 },
  ];
  const sorted = rules.map(ruleState).toSorted((a, b) => a.rank - b.rank);
  expect(sorted.map(({ label }) => label)).toEqual([
    "1 firing",
    "1 pending",
    "No data",
    "OK",
    "Not applicable",
  ]);
});

const alert = (changes: Partial<FiringAlert>): FiringAlert =>
  firingAlert({
    ruleName: "fsync slow",
    group: "g",
    labels: { node: "n1", device: "s1" },
    groupCount: 21,
    summary: "fsync slow (node n1, device s1): p99 70 ms, n 6,400, above 50 ms.",
    incidentSummary: "fsync slow (vault photos): 2 of 21 drives, p99 above 50 ms; worst p99 70 ms.",
    value: 0.07,
    sampleCount: 6_400,
    ...changes,
  });

test("alerts of one rule in one vault are one cause with one silence; others are separate", () => {
  const incident = alert({}).incidentSummary;
  const other = { node: "n1", device: "s2" };
  const causes = orderedCauses([
    alert({}),
    alert({ group: "h", labels: other }),
    alert({ group: "i", vault: "films" }),
    alert({ group: "j", status: "pending" }),
  ]);
  expect(causes[0]?.alerts.map(({ status }) => status)).toEqual(["firing", "firing", "pending"]);
  expect(causes.map(({ title, alerts, silenceLabels }) => [title, alerts.length, silenceLabels])).toEqual([
    [incident, 3, { vault: "photos" }],
    [incident, 1, { node: "n1", device: "s1" }],
  ]);
});

test("a cause lists what it inhibits in its vault", () => {
  const inhibitedBy = { ruleId: "r", ruleName: "fsync slow", reason: "all drives of vault photos stall" };
  const causes = orderedCauses([
    alert({}),
    alert({ ruleId: "c", ruleName: "Commits slow", inhibitedBy }),
    alert({ ruleId: "c", ruleName: "Commits slow", group: "h", inhibitedBy }),
    alert({ ruleId: "c", ruleName: "Commits slow", vault: "films" }),
  ]);
  expect(causes.map(({ inhibited }) => inhibited.length)).toEqual([2, 0, 0]);
  expect(causes.map(isInhibited)).toEqual([false, false, true]);
  expect(formatInhibited(causes[0]?.inhibited ?? [])).toBe(
    "Inhibits 2 alerts: Commits slow. Channels are notified of this one only.",
  );
});

const measuredAt = new Date(5_000);
const evaluatedAt = new Date(9_000);

test.each([
  ["its worst figure", { measuredAt, evaluatedAt }, { word: "measured", at: measuredAt }],
  [
    "its evaluation if a node is silent",
    { measuredAt, evaluatedAt, hasValue: false },
    { word: "evaluated", at: evaluatedAt },
  ],
  [
    "its evaluation if it is about absent values",
    { measuredAt: null, evaluatedAt, hasValue: false },
    { word: "evaluated", at: evaluatedAt },
  ],
] as const)("the sentence of a cause is dated by %s", (_, worst, expected) => {
  const other = alert({ isWorst: false, measuredAt: new Date(0), evaluatedAt: new Date(1) });
  expect(causeTime({ alerts: [other, alert({ ...worst, isWorst: true })] })).toEqual(expected);
});

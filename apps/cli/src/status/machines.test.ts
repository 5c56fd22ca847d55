import { certificateMarks, clockMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS } from "@stashlight/contracts/time";
import type { VaultFile, VaultNode } from "@stashlight/node-runtime/config";
import { expect, test } from "vitest";
import { smallVault } from "../testing.ts";
import { identityProblems, machineReports, silentMachines } from "./machines.ts";

type Answer = Parameters<typeof identityProblems>[1];

const nowMs = Date.parse("2026-11-29T12:00:00Z");
const until = (daysLeft: number): number => nowMs + daysLeft * DAY_MS;
const up = (skewMs = 0, validUntilMs: number | null = null): Answer => {
  return { type: "up", identity: { skewMs, validUntilMs } };
};
const silent = (reason = "ECONNREFUSED"): Answer => ({ type: "silent", reason });

/** One machine for the coordinator, one for the pods and one for the stash. */
const small = smallVault("small", { podNodeCount: 3, stashNodeCount: 2 });
const machineNames = { coordinator: "front", pod: "store", stash: "fast" };
const nodes = small.nodes.map(
  (node): VaultNode => ({ ...node, machine: machineNames[node.role], zone: "a" }),
);
const file: VaultFile = { ...small, nodes };
const [node] = nodes as [VaultNode];

const reportFor = (answers: Readonly<Record<string, Answer>>, other: Answer = up()) =>
  new Map(machineReports(file, ({ id }) => answers[id] ?? other).map((report) => [report.machine, report]));

test("a machine counts its answering nodes, and is silent only if none answers", () => {
  const reports = reportFor({ "pod-2": silent(), "stash-1": silent("ETIMEDOUT"), "stash-2": silent() });
  const counts = ({ nodeCount, answeringCount, silence }: NonNullable<ReturnType<typeof reports.get>>) => [
    answeringCount,
    nodeCount,
    silence,
  ];
  expect([...reports].map(([machine, report]) => [machine, ...counts(report)])).toEqual([
    ["fast", 0, 2, "ETIMEDOUT"],
    ["store", 2, 3, null],
    ["front", 1, 1, null],
  ]);
  expect([...silentMachines([...reports.values()])]).toEqual([
    ["fast", "The machine fast (127.0.0.1) does not answer: 2 nodes (ETIMEDOUT)."],
  ]);
});

test("accepts an agent that does not report its clock and certificate", () => {
  const reports = reportFor({ "pod-1": { type: "up", identity: null }, "pod-2": { type: "up" } }, silent());
  expect(reports.get("store")).toMatchObject({ answeringCount: 2, validUntilMs: null, skewMs: null });
});

test("a machine shows its earliest certificate expiry and its largest clock offset", () => {
  const reports = reportFor({
    "pod-1": up(300, until(80)),
    "pod-2": up(-700, until(20)),
    "pod-3": up(600),
  });
  expect(reports.get("store")).toMatchObject({ validUntilMs: until(20), skewMs: -700 });
});

test("a vault of one machine has no machines to report", () => {
  expect(machineReports(small, () => up())).toEqual([]);
});

const { renewDaysLeft } = certificateMarks;
const expires = (days: string): string[] => [
  `The certificate of ${node.id} expires in ${days}; run vault renew.`,
];
test.each<[string, number | null, string[]]>([
  ["no certificate", null, []],
  ["days to spare", until(renewDaysLeft + 1), []],
  ["exactly the days that remain for renewing", until(renewDaysLeft), []],
  ["a moment less", until(renewDaysLeft) - 1, expires(`${renewDaysLeft - 1} days`)],
  ["one day left", until(1), expires("1 day")],
  ["no time left", until(0), expires("0 days")],
  ["an expired certificate", until(-3), expires("0 days")],
])("advises timely renewal for a node with %s", (_, validUntilMs, problems) => {
  expect(identityProblems(node, up(0, validUntilMs), nowMs)).toEqual(problems);
});

const { skewMsMax } = clockMarks;
test.each<[number, string | null]>([
  [0, null],
  [skewMsMax, null],
  [-skewMsMax, null],
  [skewMsMax + 1, "5 s ahead of"],
  [-skewMsMax - 1, "5 s behind"],
  [3_600_000, "3600 s ahead of"],
])("a clock that is %i ms ahead is a problem beyond the allowed offset", (skewMs, problem) => {
  const sentence = `The clock of ${node.id} is ${problem} this machine's; ${skewMsMax / 1000} s are allowed.`;
  expect(identityProblems(node, up(skewMs), nowMs)).toEqual(problem === null ? [] : [sentence]);
});

test.each([
  ["CERT_HAS_EXPIRED", 1],
  ["certificate has expired", 1],
  ["ECONNREFUSED", 0],
])("a node that is silent for %s has %i certificate problem", (reason, count) => {
  expect(identityProblems(node, silent(reason), nowMs)).toHaveLength(count);
});

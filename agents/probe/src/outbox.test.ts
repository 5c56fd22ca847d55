import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProbeReport } from "@stashlight/contracts/probe/job";
import { useTestFolder } from "@stashlight/contracts/testing";
import type { ReportAnswer } from "@stashlight/telemetry";
import { beforeEach, expect, test } from "vitest";
import { Outbox } from "./outbox.ts";

const folder = useTestFolder();
let posted: string[];
let dropped: string[];
let answer: ReportAnswer;

beforeEach(() => {
  posted = [];
  dropped = [];
  answer = { type: "recorded", isCancelled: false };
});

const open = () =>
  Outbox.open({
    folder,
    post: async (report) => {
      posted.push(reportName(report));
      return answer;
    },
    onDropped: (report, reason) => dropped.push(`${reportName(report)}: ${reason}`),
  });
const reportName = (report: ProbeReport) => (report.type === "cleaned" ? report.runId : "slot");
const makeReport = (runId: string): ProbeReport => ({ type: "cleaned", runId, error: null });

test("waiting reports are posted in order, including those of an earlier process", async () => {
  answer = { type: "unreachable", reason: "nobody is there", afterMs: 5 };
  const first = await open();
  for (const name of ["a", "b", "c"]) await first.add(makeReport(name));
  expect(await first.deliver()).toEqual({ type: "waiting", reason: "nobody is there", afterMs: 5 });
  expect(posted).toEqual(["a"]);
  // A kill in the middle of a write leaves a file that counts as missing.
  writeFileSync(join(folder, "000000000009.report.partial"), "half");
  const second = await open();
  expect(second.count).toBe(3);
  await second.add(makeReport("d"));
  answer = { type: "recorded", isCancelled: true };
  posted = [];
  expect(await second.deliver()).toEqual({ type: "empty", isCancelled: true, isOver: false });
  expect(posted).toEqual(["a", "b", "c", "d"]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".report"))).toEqual([]);
});

test.each([
  ["over", { type: "over", reason: "The slot is over." }],
  ["refused", { type: "refused", reason: "The report is wrong." }],
] as const)("a report that is %s is dropped, and the next ones are still posted", async (type, given) => {
  answer = given;
  const outbox = await open();
  for (const name of ["a", "b"]) await outbox.add(makeReport(name));
  expect(await outbox.deliver()).toEqual({ type: "empty", isCancelled: false, isOver: type === "over" });
  expect(dropped).toEqual([`a: ${given.reason}`, `b: ${given.reason}`]);
  expect(outbox.count).toBe(0);
});

test("reports wait in memory on a full disk, are delivered in order, and leave no partial file", async () => {
  let isFull = true;
  const told: string[] = [];
  const outbox = await Outbox.open({
    folder,
    post: async (report) => {
      posted.push(reportName(report));
      return answer;
    },
    onDropped: (report, reason) => dropped.push(`${reportName(report)}: ${reason}`),
    onDiskFailure: (sentence) => told.push(sentence),
    write: async (path, bytes) => {
      writeFileSync(path, isFull ? bytes.subarray(0, 3) : bytes);
      if (isFull) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    },
  });
  await outbox.add(makeReport("a"));
  expect(readdirSync(folder)).toEqual([]);
  expect(told).toEqual([expect.stringMatching(/because the disk is full; .* free space there\.$/)]);
  isFull = false;
  await outbox.add(makeReport("b"));
  expect(await outbox.deliver()).toEqual({ type: "empty", isCancelled: false, isOver: false });
  expect(posted).toEqual(["a", "b"]);
  isFull = true;
  for (let number = 0; number < 121; number += 1) await outbox.add(makeReport(`c${number}`));
  expect(outbox.count).toBe(120);
  expect(dropped).toEqual([expect.stringMatching(/^c120: It could not be kept in .*: the disk is full\.$/)]);
});

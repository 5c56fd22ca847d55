import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTimer, describeTimeLeft } from "./time-left.ts";

let file = "";

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), "stashlight-time-left-")), "build.ms");
});
afterEach(() => rmSync(join(file, ".."), { recursive: true }));

test.each([
  { totalMs: 40_000, isRecorded: false, elapsedMs: 0, text: "roughly 40 s left" },
  { totalMs: 40_000, isRecorded: true, elapsedMs: 0, text: "about 40 s left" },
  { totalMs: 40_000, isRecorded: true, elapsedMs: 14_000, text: "about 30 s left" },
  { totalMs: 40_000, isRecorded: true, elapsedMs: 24_000, text: "about 15 s left" },
  { totalMs: 40_000, isRecorded: true, elapsedMs: 39_999, text: "about 5 s left" },
  { totalMs: 40_000, isRecorded: true, elapsedMs: 40_000, text: "40 s, longer than usual" },
  { totalMs: 40_000, isRecorded: false, elapsedMs: 78_000, text: "70 s, longer than usual" },
])("after $elapsedMs ms of $totalMs it reports: $text", ({ text, elapsedMs, ...expectation }) => {
  expect(describeTimeLeft(expectation, elapsedMs)).toBe(text);
});

test("the first time uses the rough figure, and the next the recorded one", () => {
  let nowMs = 500;
  const first = createTimer(file, 40_000, () => nowMs);
  expect(first.describeTimeLeft()).toBe("roughly 40 s left");
  nowMs += 60_000;
  first.record();
  expect(createTimer(file, 40_000, () => nowMs).describeTimeLeft()).toBe("about 60 s left");
});

test.each(["", "soon", "-3", "Infinity"])("the rough figure replaces an unreadable record %j", (text) => {
  writeFileSync(file, text);
  expect(createTimer(file, 40_000).describeTimeLeft()).toBe("roughly 40 s left");
});

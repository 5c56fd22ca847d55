import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { describeEvent } from "./part-events.ts";
import type { Part } from "./supervisor.ts";

const folder = useTestFolder();

const part = (more: Partial<Part> = {}): Part => ({
  label: "Probe",
  stopPatienceMs: 0,
  ...more,
  start: () => Promise.reject(new Error("it is not started here")),
});

test("an unexpected end is reported with its reason and delay, and then the restart", () => {
  const ended = { type: "ended", part: part(), reason: "killed by SIGKILL", restartInMs: 500 } as const;
  expect(describeEvent(ended)).toEqual([
    "Probe ended unexpectedly (killed by SIGKILL); restarting it in 0.5 s.",
  ]);
  expect(describeEvent({ type: "restarted", part: part() })).toEqual(["Probe is running again."]);
});

test("a part that keeps failing is reported with its reason, the effect, and the end of its log", () => {
  const logFile = join(folder, "probe.log");
  writeFileSync(logFile, `first\n${"x".repeat(1_000)}\n\n`);
  const consequence = "Drives cannot be measured.";
  const failing = { type: "failing", reason: "It has no wish to work.", failureCount: 3 } as const;
  expect(describeEvent({ ...failing, part: part({ logFile, consequence }), restartInMsMax: 60_000 })).toEqual(
    [
      "Probe keeps failing: 3 times in a row, the last time because: It has no wish to work.",
      "  It is restarted after at most 60 s each time; everything else keeps running.",
      "  Drives cannot be measured.",
      `  ${logFile} ends with: ${"x".repeat(300)}`,
    ],
  );
  const without = describeEvent({
    ...failing,
    part: part({ logFile: `${logFile}.gone` }),
    restartInMsMax: 10_000,
  });
  expect(without).toHaveLength(2);
});

test("only the message of a JSON log line is reported", () => {
  const logFile = join(folder, "nodes.log");
  const err = { type: "Error", message: "EIO: i/o error, fsync", stack: "Error: EIO\n    at fsync" };
  writeFileSync(logFile, `${JSON.stringify({ level: 60, msg: "The agent did not start", err })}\n`);
  const failing = { type: "failing", reason: "ended", failureCount: 3, restartInMsMax: 60_000 } as const;
  expect(describeEvent({ ...failing, part: part({ logFile }) }).at(-1)).toBe(
    `  ${logFile} ends with: The agent did not start: EIO: i/o error, fsync`,
  );
});

test("a recovered part is reported with how long it has run", () => {
  expect(describeEvent({ type: "steady", part: part(), failureCount: 7, ranMs: 300_000 })).toEqual([
    "Probe has recovered: it has run for 5 minutes after 7 failures.",
  ]);
});

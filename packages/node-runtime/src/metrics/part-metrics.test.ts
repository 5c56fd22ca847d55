import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PartState } from "@stashlight/contracts/health";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { createAgentRecorder } from "./node-metrics.ts";
import { followParts } from "./part-metrics.ts";

const folder = useTestFolder();
const path = join(folder, "parts.json");

const part = (name: string, failingSinceMs: number | null): PartState => ({
  name,
  failingSinceMs,
  pid: null,
  isReady: false,
  failureCount: 0,
  lastFailure: null,
  consequence: null,
  logFile: null,
});
const write = (...parts: PartState[]) => writeFileSync(path, JSON.stringify({ supervisorPid: 1, parts }));

test("a process is reported as steady or failing, and a removed one is not reported", () => {
  const recorder = createAgentRecorder("coordinator");
  followParts(recorder, path);
  const reported = () =>
    recorder
      .takeWindow()
      .gauges.flatMap(({ metric, labels, value }) =>
        metric === "stashlight_process_steady" ? [[labels.process, value]] : [],
      );
  expect(reported()).toEqual([]);
  write(part("Worker", null), part("Probe", 1_000));
  expect(reported()).toEqual([
    ["Worker", 1],
    ["Probe", 0],
  ]);
  write(part("Worker", 2_000));
  expect(reported()).toEqual([["Worker", 0]]);
  writeFileSync(path, '{"supervisorPid": 1, "parts": [');
  expect(reported()).toEqual([]);
  renameSync(path, `${path}.gone`);
  expect(reported()).toEqual([]);
});

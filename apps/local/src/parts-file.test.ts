import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type PartState, parseParts } from "@stashlight/contracts/health";
import { useTestFolder } from "@stashlight/contracts/testing";
import { beforeEach, expect, test } from "vitest";
import { createPartsFile, partsFilePath } from "./parts-file.ts";

const folder = useTestFolder();
let troubles: string[] = [];

beforeEach(() => {
  troubles = [];
});

const worker: PartState = {
  name: "Worker",
  pid: 4711,
  isReady: true,
  failureCount: 2,
  failingSinceMs: 1_000,
  lastFailure: { atMs: 2_000, reason: "killed by SIGKILL" },
  consequence: "No alert is sent.",
  logFile: "/data/logs/worker.log",
};

test("the written state can be read back, and is removed at the end", () => {
  const file = createPartsFile(folder, (reason) => troubles.push(reason));
  file.write([worker]);
  const read = parseParts(readFileSync(partsFilePath(folder), "utf8"));
  expect(read).toEqual({ supervisorPid: process.pid, parts: [worker] });
  file.remove();
  expect(readdirSync(folder)).toEqual([]);
  expect(troubles).toEqual([]);
});

test("an unwritable file causes no error, and is logged once until it can be written again", () => {
  const file = createPartsFile(folder, (reason) => troubles.push(reason));
  // A folder in the file's place simulates a full disk.
  mkdirSync(partsFilePath(folder));
  for (let time = 0; time < 3; time += 1) file.write([worker]);
  expect(troubles).toEqual([expect.stringContaining(partsFilePath(folder))]);
  rmSync(partsFilePath(folder), { recursive: true });
  file.write([worker]);
  expect(parseParts(readFileSync(partsFilePath(folder), "utf8"))?.parts).toEqual([worker]);
  expect(troubles).toHaveLength(1);
});

test.each([
  "",
  "{",
  "[]",
  '{"supervisorPid": 1, "parts": [{"name": "Worker"}]}',
  '{"supervisorPid": 0, "parts": []}',
])("the content %j is rejected as a state of parts", (text) => expect(parseParts(text)).toBeNull());

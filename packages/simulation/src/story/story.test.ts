import { expect, test } from "vitest";
import { narrate, trace } from "../cli/explain.ts";
import { drawOptions, type PlannedFault, type PlannedOperation, type RunOptions } from "../options.ts";
import { ranges } from "./describe-event.ts";

const put: PlannedOperation = {
  atMs: 3000,
  type: "put",
  key: "report",
  sizeBytes: 12,
  condition: "none",
  coordinator: 0,
};
const powerCut: PlannedFault = { name: "power cut", atMs: 3100, durationMs: 500, target: 0, detail: 0 };

function calm(operations: readonly PlannedOperation[], faults: readonly PlannedFault[]): RunOptions {
  return {
    ...drawOptions(1, []),
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    coordinatorCount: 1,
    stashServerCount: 3,
    devicesPerServer: 1,
    isStashEnabled: true,
    smallUploadBytesMax: 1000,
    medium: "records",
    podSyncUs: 5000,
    stashSyncUs: 200,
    operations,
    faults,
  };
}

const invented = { property: "S1", sentence: "An example." } as const;

test("a story reports requests and answers of clients, contents of media and faults, in order", () => {
  const read = { ...put, atMs: 9000, type: "get" } as const;
  const { story } = narrate(calm([put, read], [powerCut]), invented);
  const lines = story.split("\n");
  const told = [
    "a client asked coordinator 0 to store 12 bytes as report (request 1)",
    "pods 0-2 wrote upload A of report to the page cache   [www ...]",
    "of upload A of report the shards of pods 0-2 are durable on the stash   [www DDD]",
    'coordinator 0 answered request 1: "stored" by the stash path, upload A of report',
    "upload A of report was called committed",
    "POWER CUT: everything in the data centre goes dark",
    "stash devices 0-2 lost power",
    "stash devices 0-2 started",
    "received a purge of upload A of report",
    "a client asked coordinator 0 to read report (request 2)",
    "coordinator 0 answered request 2: here is upload A of report   [DDD ...]",
    "all faults are healed, and the vault comes to rest",
    "BROKEN S1: An example.",
  ];
  const places = told.map((words) => lines.findIndex((line) => line.includes(words)));
  expect(places, story).not.toContain(-1);
  expect(places, story).toEqual(places.toSorted((a, b) => a - b));
});

test("a run has the same trace and the same story each time", () => {
  const options = drawOptions(3);
  expect(trace(options)).toBe(trace(options));
  narrate(options, invented);
  expect(narrate(options, invented)).toEqual(narrate(options, invented));
});

test("each line of a trace names a time and a node", () => {
  const lines = trace(calm([put], [])).split("\n");
  expect(lines.length).toBeGreaterThan(100);
  for (const line of lines) expect(line).toMatch(/^ +\d+\.\d{6} s {2}(pod|stash device|coordinator) \d+/);
  expect(lines.some((line) => line.includes("received from coordinator 0: put shard 1 of "))).toBe(true);
});

test.each([
  [[], ""],
  [[4], "4"],
  [[2, 0, 1], "0-2"],
  [[7, 0, 1, 5], "0-1, 5, 7"],
])("the numbers %j are formatted as %j", (numbers, text) => {
  expect(ranges(numbers)).toBe(text);
});

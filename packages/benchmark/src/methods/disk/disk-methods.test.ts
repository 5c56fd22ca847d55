import { expect, test } from "vitest";
import { chooseMethod, chooseStoreMethod } from "../registry.ts";

const GIB = 1_073_741_824;
const choosePlan = (name: string, parameters: object = {}) =>
  chooseMethod({ name, parameters: { ...parameters } }).plan;

test("a sweep has a leg for each access, operation, queue depth and block, and a known duration", () => {
  const { legs, estimate } = choosePlan("disk-sweep");
  expect(legs).toHaveLength(2 * 2 * 2 * 3);
  expect(legs[0]).toEqual({
    operation: "READ",
    sizeBytes: 4_096,
    connectionCount: 1,
    sampleCount: null,
    secondsMax: 10,
  });
  expect(new Set(legs.map(({ operation }) => operation))).toEqual(
    new Set(["READ", "WRITE", "RANDOM_READ", "RANDOM_WRITE"]),
  );
  // 24 cells of 10 s with a second between them, and a file of 1 GiB at 100 MiB/s.
  expect(estimate.seconds).toBeCloseTo(24 * 10 + 23 + 10.24);
  expect(estimate).toMatchObject({ writtenBytes: 200 * GIB, uploadedBytes: 0, isUpperBound: true });
});

test("three runs take three times the cells, and a rest separates two checks", () => {
  const one = choosePlan("disk-sweep", { coolDownSeconds: 0, cellSeconds: 1 }).estimate.seconds;
  const three = choosePlan("disk-sweep", { coolDownSeconds: 0, cellSeconds: 1, runCount: 3 }).estimate
    .seconds;
  expect(three - one).toBeCloseTo(48);
  expect(choosePlan("volume-check", { checkSeconds: 100, restSeconds: 50 }).estimate.seconds).toBeCloseTo(
    260.24,
  );
});

test("a check that ends at a level rate has rounds of a fifth of the level time", () => {
  const { method, parameters } = chooseMethod({ name: "volume-check", parameters: { levelSeconds: 600 } });
  if (method.measures !== "drives") throw new Error("it measures drives");
  expect(method.work(parameters).cells).toMatchObject([
    { roundSeconds: 120, readShare: 0.8, queueDepth: 64 },
  ]);
});

test("a stash load appends and syncs with the built-in writer alone", () => {
  const { method, parameters } = chooseMethod({ name: "stash-load", parameters: {} });
  if (method.measures !== "drives") throw new Error("it measures drives");
  const { cells, tool } = method.work(parameters);
  expect(tool).toBe("stashlight");
  expect(cells).toHaveLength(9);
  expect(cells[0]).toMatchObject({
    syncsWrites: true,
    access: "sequential",
    blockBytes: 16_384,
    queueDepth: 1,
  });
  expect(choosePlan("stash-load", { readShare: 0 }).legs[0]?.operation).toBe("SYNC");
});

test("preconditioning writes the file and then makes the planned passes over it with the built-in writer", () => {
  const { estimate, legs } = choosePlan("precondition", { fileBytes: GIB, passCount: 3 });
  expect(estimate).toMatchObject({ writtenBytes: 4 * GIB, seconds: 40.96 });
  expect(legs).toMatchObject([{ operation: "WRITE", sizeBytes: 131_072 }]);
});

test.each([
  ["disk-sweep", { blockSizesBytes: [1_000] }, /A block must be a multiple of 512 B/],
  ["disk-sweep", { blockSizesBytes: [4_096, 4_096] }, /Each block size may be listed only once/],
  ["disk-sweep", { runCount: 10, queueDepths: [1, 2, 4, 8] }, /A run can have at most 400 cells/],
  [
    "disk-sweep",
    { fileBytes: GIB, writtenBytesMax: GIB / 2 },
    /The limit of written bytes must be at least the size of the test file/,
  ],
  ["disk-sweep", { fileBytes: 100_000_000 }, /multiple of 16 MiB/],
  [
    "volume-check",
    { queueDepths: [1, 64], restSeconds: 60 },
    /To show the refill .* check only one queue depth/,
  ],
  ["stash-load", { recordSizesBytes: [5_000] }, /multiple of 512 B|multiple of 4 KiB/],
  ["stash-load", { tool: "fio" }, /Unrecognized key: "tool"/],
])("%s refuses the parameters %j, and explains why", (name, parameters, message) => {
  expect(() => choosePlan(name, parameters)).toThrow(message);
});

test("a method for drives is refused on an object store", () => {
  expect(() => chooseStoreMethod({ name: "disk-sweep", parameters: {} })).toThrow(
    /"disk-sweep" measures drives, but this is an object store/,
  );
});

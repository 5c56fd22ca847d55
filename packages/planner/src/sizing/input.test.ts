import fc from "fast-check";
import { expect, test } from "vitest";
import { checkStashPlanInput, defaultPlanInput, type InputProblem, planFields } from "../index.ts";

/** Returns the default input with other values at some paths. */
function changed(changes: Readonly<Record<string, unknown>>): unknown {
  const input = structuredClone({ ...defaultPlanInput, installed: { servers: 7, drivesPerServer: 10 } });
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split(".");
    const last = keys.pop() as string;
    let part = input as unknown as Record<string, unknown>;
    for (const key of keys)
      part = (Array.isArray(part[key]) ? part[key][0] : part[key]) as Record<string, unknown>;
    part[last] = value;
  }
  return input;
}

const inputProblems = (changes: Readonly<Record<string, unknown>>): readonly InputProblem[] =>
  checkStashPlanInput(changed(changes)).problems;

test.each<[Record<string, unknown>, string, string]>([
  [
    { uploadsPerSecond: 0 },
    "uploadsPerSecond",
    "Uploads per second must be above 0 and at most 1,000,000,000.",
  ],
  [
    { uploadsPerSecond: -5 },
    "uploadsPerSecond",
    "Uploads per second must be above 0 and at most 1,000,000,000.",
  ],
  [
    { uploadsPerSecond: 1e30 },
    "uploadsPerSecond",
    "Uploads per second must be above 0 and at most 1,000,000,000.",
  ],
  [{ uploadsPerSecond: Number.NaN }, "uploadsPerSecond", "Enter a number."],
  [{ uploadsPerSecond: Number.POSITIVE_INFINITY }, "uploadsPerSecond", "Enter a number."],
  [{ uploadsPerSecond: "2000" }, "uploadsPerSecond", "Enter a number."],
  [{ uploadsPerSecond: undefined }, "uploadsPerSecond", "Enter a number."],
  [
    { dataShards: 250, parityShards: 10 },
    "parityShards",
    "A stripe can have at most 256 shards; 260 are requested.",
  ],
  [{ dataShards: 4, parityShards: 4 }, "dataShards", "A scheme needs more data shards than parity shards."],
  [{ dataShards: 16.5 }, "dataShards", "Enter a whole number."],
  [{ "objects.bytes": 0 }, "objects.0.bytes", "An object must have 1 byte to 1 GB."],
  [{ "objects.share": 0 }, "objects", "At least one size needs a share above 0."],
  [
    { "objects.bytes": 5_000_000 },
    "objects",
    "Every upload is above 1.05 MB, the largest that goes through the stash: all go straight to the pods, so there is no stash to plan.",
  ],
  [{ objects: [] }, "objects", "Enter at least one object size."],
  [{ objects: "256 kB" }, "objects", "Enter at least one object size."],
  [
    { "drive.driveWritesPerDay": null },
    "drive.driveWritesPerDay",
    "Enter the drive writes per day of its rating; a drive without endurance cannot be planned with.",
  ],
  [
    { "drive.driveWritesPerDay": 0 },
    "drive.driveWritesPerDay",
    "Endurance must be from 0.01 to 1,000 drive writes per day; a drive without a rating cannot be planned with.",
  ],
  [{ drive: null }, "drive", "Describe the drive by its figures."],
  [{ "drive.name": " " }, "drive.name", "Enter a name."],
  [
    { residenceSecondsP99: 10 },
    "residenceSecondsP99",
    "The 99th percentile of the residence must not be below its mean.",
  ],
  [
    { serverFailuresTolerated: 4 },
    "serverFailuresTolerated",
    "With 4 parity shards at most 3 stash servers may die together.",
  ],
  [
    { parityShards: 1 },
    "serverFailuresTolerated",
    "With one parity shard no stash server may die: an acknowledged upload has none to spare.",
  ],
  [
    { outageSeconds: 31_536_000, uploadsPerSecond: 50_000 },
    "outageSeconds",
    "No pool holds that much: the largest pool has 10,000 servers of 10 drives, which at this load lasts 50.9 days.",
  ],
  [
    { uploadsPerSecond: 1e8 },
    "uploadsPerSecond",
    "This load needs 319,335 drives, and the largest pool has 10,000 servers of 10 drives.",
  ],
  [
    { growthPerYear: 5, horizonYears: 10 },
    "growthPerYear",
    "With this growth, the load at the horizon exceeds every pool: the largest pool has 10,000 servers of 10 drives. Choose a nearer horizon.",
  ],
  [{ "installed.servers": 0 }, "installed.servers", "A pool must have 1 to 10,000 servers."],
])("the invalid input %o is explained at its field", (changes, field, message) => {
  expect(inputProblems(changes)).toContainEqual({ field, message });
});

test.each([null, "plan", 5, []])("the value %o is refused as a plan with an explanation", (given) => {
  expect(checkStashPlanInput(given)).toEqual({
    input: null,
    problems: [{ field: "", message: "A plan must be an object of inputs." }],
  });
});

test("an empty input is explained by one sentence with an example to start from", () => {
  expect(checkStashPlanInput({}).problems).toEqual([
    {
      field: "",
      message: expect.stringMatching(/^The plan has no inputs; .*plan --example.*"uploadsPerSecond": 2000/),
    },
  ]);
});

test("values just within a field's bounds are accepted, and values just beyond are refused", () => {
  for (const { path, bounds } of planFields) {
    if (bounds === null) continue;
    const field = path.replace("objects.", "objects.0.");
    const named = (value: number): boolean =>
      inputProblems({ [path]: value }).some((problem) => problem.field === field && !isAboutOthers(problem));
    expect(named(bounds.min), path).toBe(false);
    expect(named(bounds.max), path).toBe(false);
    expect(named(bounds.max * 2), path).toBe(true);
    expect(named(bounds.min - 1), path).toBe(true);
  }
});

/** Returns true for a refusal of a combination of fields. */
function isAboutOthers({ message }: InputProblem): boolean {
  return /No pool|needs|no pool|at most (3|256)|percentile|no stash server/.test(message);
}

test("any value is either an input or explained at a field", () => {
  fc.assert(
    fc.property(fc.constantFrom(...planFields), fc.anything(), ({ path }, value) => {
      const { input, problems } = checkStashPlanInput(changed({ [path]: value }));
      expect(input === null).toBe(problems.length > 0);
      for (const { message } of problems) expect(message).toMatch(/^[A-Z].*\.$/);
    }),
    { numRuns: 500 },
  );
});

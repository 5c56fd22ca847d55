import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { checkStashPlanInput, defaultPlanInput, explainPlan } from "@stashlight/planner";
import { expect, test } from "vitest";
import { showExample, showPlan } from "./plan.ts";

const folder = useSharedFolder();

/** Runs the command with a standard input, or on a file of the folder. */
async function runPlan(
  given: string,
  options: { isJson?: boolean; file?: string; requiredNines?: number; changes?: Record<string, number> } = {},
) {
  const { isJson = false, file = null, requiredNines = null, changes = {} } = options;
  const said: string[] = [];
  const complained: string[] = [];
  if (file !== null) writeFileSync(join(folder, file), given);
  const exitCode = await showPlan(
    {
      name: "plan",
      input: { path: file === null ? null : join(folder, file) },
      changes,
      requiredNines,
      isJson,
    },
    {
      say: (line) => said.push(line),
      complain: (line) => complained.push(line),
      stdin: Readable.from([given]),
    },
  );
  return { exitCode, said, complained };
}

const inputJson = (changes: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ ...defaultPlanInput, ...changes });

const tooSmall = {
  installed: { servers: 5, drivesPerServer: 4 },
  growthPerYear: 0.4,
  horizonYears: 3,
  podFlushBytesPerSecond: 100e6,
};

test.each<[string, Record<string, unknown>, number]>([
  ["placement-decides", {}, 0],
  ["too-small", tooSmall, 2],
  [
    "load-decides",
    { uploadsPerSecond: 80_000, outageSeconds: 7200, installed: { servers: 30, drivesPerServer: 10 } },
    0,
  ],
])("prints the answer %s as in its golden file, with its exit code", async (name, changes, expected) => {
  const { exitCode, said, complained } = await runPlan(inputJson(changes));
  expect({ exitCode, complained }).toEqual({ exitCode: expected, complained: [] });
  expect(said.filter((line) => line.length > 100)).toEqual([]);
  await expect(`${said.join("\n")}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
});

test("prints the same answer as JSON, with the verdict and a reusable input", async () => {
  const { exitCode, said } = await runPlan(inputJson(tooSmall), { isJson: true });
  const printed = JSON.parse(said.join("\n"));
  const { input } = checkStashPlanInput({ ...defaultPlanInput, ...tooSmall });
  expect(exitCode).toBe(2);
  expect(printed).toEqual({
    suffices: false,
    input,
    answer: input && JSON.parse(JSON.stringify(explainPlan(input))),
  });
  expect((await runPlan(said.join("\n"), { isJson: true })).said).toEqual(said);
});

test("the example is a valid input, and a file is read like standard input", async () => {
  const example: string[] = [];
  expect(showExample((line) => example.push(line))).toBe(0);
  const fromFile = await runPlan(example.join("\n"), { file: "plan.json" });
  expect(fromFile.exitCode).toBe(0);
  expect(fromFile).toEqual(await runPlan(example.join("\n")));
});

test.each<[string, string, string]>([
  [
    "a value out of bounds",
    inputJson({ uploadsPerSecond: 0 }),
    "uploadsPerSecond: Uploads per second must be above 0 and at most 1,000,000,000.",
  ],
  [
    "a nested value out of bounds",
    inputJson({ objects: [{ bytes: 0, share: 1 }] }),
    "objects.0.bytes: An object must have 1 byte to 1 GB.",
  ],
  [
    "a misspelt name",
    inputJson({ maxFil: 0.5 }),
    "maxFil: There is no input of this name; npm run stashlight -- plan --example shows all.",
  ],
  [
    "a misspelt nested name",
    inputJson({ objects: [{ bytes: 1, share: 1, name: "x" }] }),
    "objects.0.name: There is no input of this name; npm run stashlight -- plan --example shows all.",
  ],
  ["text that is not JSON", "{", "standard input is not JSON: "],
  ["JSON that is not an object", "[]", "A plan must be an object of inputs."],
])("exits with 1 and one sentence for %s", async (_name, given, sentence) => {
  const { exitCode, said, complained } = await runPlan(given);
  expect({ exitCode, said }).toEqual({ exitCode: 1, said: [] });
  expect(complained.join("\n")).toContain(sentence);
});

test("reports errors as JSON on request", async () => {
  const { exitCode, said } = await runPlan(inputJson({ maxFill: 2 }), { isJson: true });
  expect(exitCode).toBe(1);
  expect(JSON.parse(said.join("\n"))).toEqual({
    problems: [{ field: "maxFill", message: "The fill of a drive must be from 1 to 100 %." }],
  });
});

test("reports a missing file in one sentence", async () => {
  const complained: string[] = [];
  const exitCode = await showPlan(
    {
      name: "plan",
      input: { path: join(folder, "none.json") },
      changes: {},
      requiredNines: null,
      isJson: false,
    },
    { say: () => {}, complain: (line) => complained.push(line), stdin: Readable.from([]) },
  );
  expect(exitCode).toBe(1);
  expect(complained).toEqual([`${join(folder, "none.json")}: there is no such file.`]);
});

test("missed nines decide the exit code unless the pool is insufficient", async () => {
  const input = inputJson({ commonCauseShare: 0 });
  expect((await runPlan(input, { requiredNines: 11 })).exitCode).toBe(0);
  const missed = await runPlan(input, { requiredNines: 12 });
  expect(missed.exitCode).toBe(3);
  expect(missed.said.join(" ").replace(/\s+/g, " ")).toContain("misses the target of 12 by 0.7");
  expect((await runPlan(inputJson(tooSmall), { requiredNines: 12 })).exitCode).toBe(2);
  const neverFails = await runPlan(inputJson({ hddAnnualFailureRate: 0 }), { requiredNines: 1 });
  expect(neverFails.exitCode).toBe(3);
  expect(neverFails.said.join(" ")).toContain("Durability is unknown: drives that never fail lose nothing.");
});

test("replaces an input by its name, and reports an unknown name in one sentence", async () => {
  const large = await runPlan(inputJson({}), { changes: { hddBytes: 24e12 } });
  expect(large.said.join(" ").replace(/\s+/g, " ")).toContain("A rebuild of 24 TB takes 8.85 days");
  const unknown = await runPlan(inputJson({}), { changes: { hddByte: 1 } });
  expect(unknown).toMatchObject({ exitCode: 1 });
  expect(unknown.complained.join("")).toContain("hddByte: There is no input of this name");
});

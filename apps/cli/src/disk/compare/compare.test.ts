import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkCell } from "@stashlight/disk-benchmark";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseCommand } from "../../arguments.ts";
import { UsageError } from "../../usage-error.ts";
import { compareRuns } from "./compare.ts";

let folder: string;
beforeEach(() => {
  const scratch = join(import.meta.dirname, "../../../node_modules/.test");
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "compare-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cell = { ...checkCell(3, 32), readShare: 1 };
const latency = { n: 0, meanUs: null, p50Us: null, p99Us: null, p999Us: null, maxUs: null };
const makeRun = (iops: number, of: object = {}) => ({
  label: "measured",
  cells: [
    {
      cell,
      readsPerSecond: iops,
      writesPerSecond: 0,
      seconds: 3,
      read: latency,
      write: latency,
      steadyState: null,
      perSecond: { iops: [iops - 1, iops + 1, iops], meanUs: [1, 1, 1] },
      writtenBytes: 0,
      ...of,
    },
  ],
});

function parse(args: readonly string[]) {
  const command = parseCommand(["disk", "compare", ...args], {
    projectDirectory: "/project",
    currentDirectory: folder,
  });
  if (command.name !== "disk-compare") throw new Error(`It is ${command.name}.`);
  return command;
}

async function compare(runs: readonly [name: string, run: unknown][]): Promise<string> {
  const args = runs.flatMap(([name, run], i) => {
    writeFileSync(join(folder, `${i}.json`), typeof run === "string" ? run : JSON.stringify(run));
    return ["--run", `${name}=${i}.json`];
  });
  const lines: string[] = [];
  expect(await compareRuns(parse(args), (line) => lines.push(line))).toBe(0);
  return lines.join("\n");
}

const makeHosts = (group: string, rates: readonly number[]) =>
  rates.map((iops, i): [string, unknown] => [`${group}/host${i}`, makeRun(iops)]);

test("names the faster of distinct groups of hosts, with the ratio of the medians", async () => {
  const text = await compare([
    ...makeHosts("aws", [3_000, 3_010, 3_020, 3_030]),
    ...makeHosts("gcp", [1_500, 1_505, 1_510, 1_515]),
  ]);
  expect(text).toMatch(/aws +4 +4 +3,015 +3,005 to 3,025 \(87\.5 %\) +12\.3 /);
  expect(text).toContain(
    "random reads of 4 KiB, queue depth 32: aws is faster than gcp, with 2.00 times the IOPS (p 0.0286).",
  );
});

test("calls three hosts per group too few, even if the groups are far apart", async () => {
  const text = await compare([...makeHosts("aws", [9_000, 9_010, 9_020]), ...makeHosts("gcp", [1, 2, 3])]);
  expect(text).toContain(
    "Too few hosts to distinguish aws (9,010 IOPS) from gcp (2); they support at most 90.0 %.",
  );
  expect(text).not.toContain("faster");
});

test("separates the spread between hosts from that between runs of a host", async () => {
  const text = await compare([
    ["aws/a", makeRun(1_000)],
    ["aws/a", makeRun(1_000)],
    ["aws/b", makeRun(2_000)],
    ["aws/b", makeRun(2_000)],
    ["gcp/c", { ...makeRun(1_500), label: "modelled" }],
  ]);
  // The standard deviation between 1,000 and 2,000 is 707, of a mean of 1,500.
  expect(text).toMatch(/aws +2 +4 +1,500 .* 47\.1 % +0\.0 % +0\.1 %/);
  expect(text).toMatch(/gcp +1 +1 +1,500 +– +6\.1 +– +– +–/);
  expect(text).toMatch(/Modelled, with a limit of this program in front of the drive: .*4\.json\.$/m);
});

test("compares only cells that every file has, and refuses files without any", async () => {
  const large = { cell: { ...cell, blockBytes: 1_048_576 } };
  const both = { label: "measured", cells: [...makeRun(10).cells, ...makeRun(20, large).cells] };
  const text = await compare([
    ["a/1", both],
    ["b/2", makeRun(30, large)],
  ]);
  expect(text).toContain("1 MiB");
  expect(text).not.toContain("4 KiB");
  await expect(
    compare([
      ["a/1", makeRun(10)],
      ["b/2", makeRun(30, large)],
    ]),
  ).rejects.toThrow("The files have no cell in common; compare runs of the same preset.");
});

test.each([
  ["not JSON", /0\.json is not JSON\.$/],
  ["{}", /0\.json was not written by disk --output; label: /],
  ['{"label":"measured","cells":[]}', /cells: it has no measured cell\.$/],
])("refuses a file with %j by name", async (text, message) => {
  await expect(
    compare([
      ["a/1", text],
      ["b/2", makeRun(1)],
    ]),
  ).rejects.toThrow(message);
});

test.each([
  [[], /^Give at least two groups/],
  [["--run", "a/1=x.json", "--run", "a/2=y.json"], /^Give at least two groups/],
  [["--run", "x.json"], /^--run must be a group, a host and a file written by disk --output/],
])("refuses %j: %s", (args, message) => {
  expect(() => parse(args)).toThrow(UsageError);
  expect(() => parse(args)).toThrow(message);
});

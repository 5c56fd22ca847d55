import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkCell, type DiskCellResult } from "@stashlight/disk-benchmark";
import { expect, test } from "vitest";
import { parseCommand } from "../arguments.ts";
import { UsageError } from "../usage-error.ts";
import { capSentences, limitSentence, refillSentence } from "./describe.ts";
import { runDisk } from "./run.ts";

const surroundings = { projectDirectory: "/project", currentDirectory: "/here" };
const parse = (...args: string[]) => parseCommand(["disk", ...args], surroundings);

test("a check has defaults and takes its sizes in any unit", () => {
  expect(parse("check", "--folder", "ssd0", "--seed", "5")).toEqual({
    name: "disk-check",
    folder: "/here/ssd0",
    seconds: 60,
    queueDepth: 64,
    restSeconds: null,
    fileBytes: 1_073_741_824,
    writtenBytesMax: 214_748_364_800,
    isDirect: true,
    isBesideVault: false,
    tool: "auto",
    bucket: null,
    seed: 5,
    output: null,
    isEstimate: false,
  });
  const asked = [
    "--file-size",
    "2GB",
    "--model-bucket",
    "3000/300/54000",
    "--buffered",
    "--output",
    "f.json",
  ];
  expect(parse("check", "--folder", "/srv", ...asked)).toMatchObject({
    fileBytes: 1_996_488_704,
    bucket: { burst: 3_000, base: 300, tokens: 54_000 },
    isDirect: false,
    output: "/here/f.json",
  });
});

test.each([
  [["check"], /^--folder must be a folder/],
  [["check", "--folder", "a", "--seconds", "0"], /^--seconds must be a number from 1 to 86400/],
  [["check", "--folder", "a", "--rest", "0"], /^--rest must be a number from 1 to 86400/],
  [["sweep", "--folder", "a", "--rest", "60"], /Unknown option '--rest'/],
  [["check", "--folder", "a", "--file-size", "1MiB"], /^--file-size must be from 64MiB to 16384GiB/],
  [
    ["check", "--folder", "a", "--model-bucket", "300/3000/1"],
    /^--model-bucket must be IOPS in a burst, fewer IOPS/,
  ],
  [["check", "--folder", "a", "--tool", "dd"], /^--tool must be auto, fio, stashlight, and "dd" is not\.$/],
  [["sweep", "--folder", "a", "--preset", "huge"], /^--preset must be quick or full, and "huge" is not\.$/],
  [["sweep", "--folder", "a", "--depth", "1"], /Unknown option '--depth'/],
  [["erase"], /^A drive is measured by disk check or disk sweep/],
])("%j is refused in a sentence", (args, message) => {
  expect(() => parse(...args)).toThrow(UsageError);
  expect(() => parse(...args)).toThrow(message);
});

const nothing = { n: 0, meanUs: null, p50Us: null, p99Us: null, p999Us: null, maxUs: null };
const resultOf = (iops: number[], of: Partial<DiskCellResult["cell"]> = {}): DiskCellResult => ({
  cell: { ...checkCell(iops.length, 64), ...of },
  seconds: iops.length,
  readsPerSecond: iops.reduce((sum, each) => sum + each, 0) / iops.length,
  writesPerSecond: 0,
  read: nothing,
  write: nothing,
  steadyState: null,
  perSecond: { iops, meanUs: iops.map(() => 1) },
  writtenBytes: 0,
});
const levels = (...parts: [seconds: number, iops: number][]): DiskCellResult =>
  resultOf(parts.flatMap(([seconds, iops]) => Array<number>(seconds).fill(iops)));

test("a burst that ends is told with its bucket, its error, and the volume that behaves so", () => {
  expect(limitSentence(levels([2_000, 3_000], [400, 300]), "2026-11")).toBe(
    "3,000 IOPS for 33 min 20 s, then 300: a token bucket of 5,400,000 I/Os (5,397,354 to 5,402,646 at 95 %; more if it was not full at the start), refilled at 300 a second. This model is off by 0.0 % in the mean. An EBS gp2 volume of 100 GiB behaves so, within 0.0 %.",
  );
});

test("other findings are told as what they are, and too few seconds as nothing", () => {
  expect(limitSentence(levels([29, 100]), "2026-11")).toBeNull();
  expect(limitSentence(levels([60, 5_000]), "2026-11")).toMatch(
    /^Nothing limits it for a time only: level at 5,000 IOPS/,
  );
  expect(limitSentence(levels([60, 8_000], [60, 3_000], [60, 1_000]), "2026-11")).toMatch(
    /^It steps down and stays there, 8,000, then 3,000, then 1,000 IOPS/,
  );
  expect(limitSentence(levels([60, 8_000], [60, 3_000], [60, 8_000]), "2026-11")).toMatch(
    /^It varies between 3,000 and 8,000 IOPS in 3 levels, up and down/,
  );
});

test("a rest between two checks tells how fast the bucket refills", () => {
  const first = levels([20, 3_000], [100, 300]);
  // A rest of 60 s brings 18,000 tokens at 300 a second, which a burst of 3,000 spends in 18,000 / 2,700 s.
  const rested = levels([6, 3_000], [1, 2_100], [100, 300]);
  expect(refillSentence([first, rested], 60)).toMatch(
    /^After a rest of 1 min 0 s the burst had 18,0\d\d I\/Os: without load the bucket refills at 30\d a second \(2\d\d to 3\d\d at 95 %\)\.$/,
  );
  expect(refillSentence([first, first], 600)).toMatch(
    /the bucket was full again, so it refills at \d\d a second or more\. Rest for a shorter time/,
  );
});

test("a rest tells nothing where a check found no bucket, and no rest is not spoken of", () => {
  const bucket = levels([20, 3_000], [100, 300]);
  expect(refillSentence([bucket], null)).toBeNull();
  const nothing = /^No token bucket was found both before and after the rest/;
  expect(refillSentence([bucket], 60)).toMatch(nothing);
  expect(refillSentence([bucket, levels([120, 300])], 60)).toMatch(nothing);
  expect(refillSentence([levels([5, 300]), bucket], 60)).toMatch(nothing);
});

test("caps are told for each access, at the deepest queue alone", () => {
  const KIB = 1_024;
  const cells = [4, 64, 1_024].flatMap((kib) => [
    resultOf([Math.min(3_000, (125 * KIB) / kib)], { readShare: 1, blockBytes: kib * KIB, queueDepth: 32 }),
    resultOf([1], { readShare: 1, blockBytes: kib * KIB, queueDepth: 1 }),
  ]);
  expect(capSentences(cells)).toEqual([
    "Random reads at queue depth 32: 3,000 IOPS up to blocks of 42.7 KiB, and 131 MB/s from there on.",
  ]);
});

test("a check of a real drive prints its figures, writes them to a file, and removes what it made", async () => {
  const scratch = join(import.meta.dirname, "../../node_modules/.test");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "disk-"));
  const output = join(scratch, "disk-check.json");
  const lines: string[] = [];
  try {
    const command = parse(
      "check",
      "--folder",
      folder,
      "--seconds",
      "2",
      "--queue-depth",
      "2",
      "--file-size",
      "64MiB",
      "--tool",
      "stashlight",
      "--output",
      output,
    );
    if (command.name !== "disk-check") throw new Error(`It is ${command.name}.`);
    const code = await runDisk(command, {
      screen: { say: (line) => lines.push(line), draw: () => {} },
      complain: (line) => lines.push(line),
      interrupted: new AbortController().signal,
      now: () => new Date(),
    });
    expect(lines.join("\n")).toMatch(/random +80 % reads +4 KiB +2 +[\d,]+ +\d+\.\d .*whole time/);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(output, "utf8"))).toMatchObject({
      tool: "stashlight",
      label: "measured",
      cells: [{ cell: { queueDepth: 2 } }],
    });
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(output, { force: true });
  }
});

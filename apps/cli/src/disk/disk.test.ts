import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseCommand } from "../arguments.ts";
import { UsageError } from "../usage-error.ts";
import { runDisk } from "./run.ts";

const surroundings = { projectDirectory: "/project", currentDirectory: "/here" };
const parse = (...args: string[]) => parseCommand(["disk", ...args], surroundings);

test("accepts a device instead of a folder", () => {
  expect(parse("check", "--raw-device", "/dev/nvme1n1")).toMatchObject({
    place: { kind: "device", device: "/dev/nvme1n1" },
  });
});

test("a check has defaults and takes its sizes in any unit", () => {
  expect(parse("check", "--folder", "ssd0", "--seed", "5")).toEqual({
    name: "disk-check",
    place: { kind: "folder", folder: "/here/ssd0" },
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
  [["check", "--folder", "a", "--tool", "dd"], /^--tool must be auto, fio, stashlight; got "dd"\.$/],
  [["sweep", "--folder", "a", "--preset", "huge"], /^--preset must be quick or full; got "huge"\.$/],
  [["check", "--folder", "a", "--raw-device", "/dev/b"], /^--raw-device must be an empty device/],
  [["check", "--raw-device", "b"], /^--raw-device must be an empty device below \/dev/],
  [["sweep", "--folder", "a", "--depth", "1"], /Unknown option '--depth'/],
  [["erase"], /^Choose disk check, disk sweep or disk compare/],
])("refuses %j: %s", (args, message) => {
  expect(() => parse(...args)).toThrow(UsageError);
  expect(() => parse(...args)).toThrow(message);
});

test("a check of a real drive prints its values, writes them to a file, and removes its own files", async () => {
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

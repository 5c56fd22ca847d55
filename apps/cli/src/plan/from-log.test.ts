import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { useSharedFolder } from "@stashlight/contracts/testing";
import { defaultPlanInput } from "@stashlight/planner";
import { expect, test } from "vitest";
import { parseCommand } from "../arguments.ts";
import type { PlanFromLogCommand } from "./arguments.ts";
import { showPlanFromLog } from "./from-log.ts";

const folder = useSharedFolder();

const minutes = Array.from({ length: 30 }, (_, minute) => minute);
/** An upload every two seconds, and in minute 20 one per second. */
const accessLog = minutes
  .flatMap((minute) =>
    Array.from({ length: minute === 20 ? 60 : 30 }, (_, i) => {
      const second = minute === 20 ? i : 2 * i;
      const time = `24/Nov/2026:10:${String(minute).padStart(2, "0")}:${String(second).padStart(2, "0")}`;
      return `o b [${time} +0000] 192.0.2.3 r i REST.PUT.OBJECT k "PUT /k HTTP/1.1" 200 - - 16384 4 2 "-" "-" -`;
    }),
  )
  .join("\n");
const listing = minutes.map((minute) => `2026-11-24 10:${10 + minute}:00  20000 k${minute}`).join("\n");

async function run(args: readonly string[], stdin: Uint8Array | string = "") {
  const said: string[] = [];
  const complained: string[] = [];
  const command = parseCommand(["plan", ...args], { projectDirectory: folder, currentDirectory: folder });
  const exitCode = await showPlanFromLog(command as PlanFromLogCommand, {
    say: (line) => said.push(line),
    complain: (line) => complained.push(line),
    draw: () => {},
    stdin: Readable.from([stdin]),
  });
  return { exitCode, said, complained };
}

const file = (name: string, content: Uint8Array | string): string => {
  writeFileSync(join(folder, name), content);
  return name;
};

test("plans with a log's load, and takes the rest from the input", async () => {
  const plan = file("plan.json", JSON.stringify({ ...defaultPlanInput, dataShards: 10, parityShards: 5 }));
  const { exitCode, said, complained } = await run([
    ...["--from-log", file("access.log", accessLog), "--input", plan, "--json"],
  ]);
  expect({ exitCode, complained }).toEqual({ exitCode: 0, complained: [] });
  const { input, taken, load } = JSON.parse(said.join("\n"));
  expect(taken).toEqual(["objects", "uploadsPerSecond", "peakFactor"]);
  expect(load.lineCount).toBe(930);
  expect(input).toMatchObject({
    dataShards: 10,
    objects: [{ bytes: 16_384, share: 1 }],
    uploadsPerSecond: 0.518,
    peakFactor: 1.93,
  });
});

test("gives the same result for gz, several files, standard input and one file", async () => {
  const half = accessLog.indexOf("\n", accessLog.length / 2) + 1;
  const parts = [file("a.log.gz", gzipSync(accessLog.slice(0, half))), file("b.log", accessLog.slice(half))];
  const readInput = async (...run_: Parameters<typeof run>) =>
    JSON.parse((await run(...run_)).said.join("\n")).input;
  const whole = await readInput(["--from-log", file("access.log", accessLog), "--json"]);
  expect(await readInput([...parts.flatMap((part) => ["--from-log", part]), "--json"])).toEqual(whole);
  expect(await readInput(["--from-log", "-", "--json"], gzipSync(accessLog))).toEqual(whole);
});

test("uses a listing's rate only on request", async () => {
  const list = file("list.txt", listing);
  const taken = async (...more: string[]) =>
    JSON.parse((await run(["--from-log", list, "--json", ...more])).said.join("\n")).taken;
  expect(await taken()).toEqual(["objects"]);
  expect(await taken("--listing-rate")).toEqual(["objects", "uploadsPerSecond", "peakFactor"]);
  const { said } = await run(["--from-log", list]);
  expect(said.join("\n")).toContain("the true rate is higher");
  expect(said.filter((line) => line.length > 100)).toEqual([]);
});

test.each<[string, string[], string | Uint8Array, RegExp]>([
  ["a missing file", ["--from-log", "none.log"], "", /none\.log: there is no such file\.$/],
  ["a text that is not a log", ["--from-log", "-"], "hello\n", /^standard input: It begins with "hello", /],
  [
    "a truncated gz file",
    ["--from-log", "-"],
    gzipSync(accessLog).subarray(0, 500),
    /truncated\. Copy it again/,
  ],
  [
    "a log without uploads",
    ["--from-log", "-"],
    accessLog.replaceAll("PUT.OBJECT", "GET.OBJECT"),
    /there is no upload\.$/,
  ],
  [
    "a log with only large uploads",
    ["--from-log", "-", "--small", "1KiB"],
    accessLog,
    /930 uploads, all larger than --small\.$/,
  ],
])("exits with 1 and one sentence for %s", async (_, args, stdin, sentence) => {
  const { exitCode, said, complained } = await run(args, stdin);
  expect({ exitCode, said }).toEqual({ exitCode: 1, said: [] });
  expect(complained).toEqual([expect.stringMatching(sentence)]);
});

test.each([
  [["--from-log", "a", "--small", "9MiB"], /^--small must be/],
  [["--from-log", "-", "--from-log", "-"], /^Standard input can be read only once/],
  [["--from-log", "a", "--input", "-"], /^Standard input can be read only once/],
])("refuses %j: %s", async (args, sentence) => {
  await expect(run(args)).rejects.toThrow(sentence);
});

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createUniform } from "@stashlight/stats/random";
import { expect, onTestFinished, test } from "vitest";
import type { Verification } from "../verify/verification.ts";
import type { FullDrillCommand } from "./arguments.ts";
import { drawKilled, isRoundGood, runFullDrill } from "./full.ts";
import type { VaultShape } from "./temporary-vault.ts";

const MIB = 1_048_576;
const LONG_MS = 240_000;
const projectDirectory = resolve(import.meta.dirname, "../../../..");

const shape: VaultShape = {
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  podNodeCount: 3,
  stashNodeCount: 3,
  drivesPerStashNode: 1,
  podVolume: { segmentBytes: MIB, segmentCount: 12 },
  stashVolume: { segmentBytes: MIB, segmentCount: 8 },
  pieceBytes: MIB,
  drives: "plain",
};

const command: FullDrillCommand = {
  name: "drill-full",
  config: null,
  rounds: 1,
  clientCount: 8,
  sizeBytes: 30_000,
  podBytes: 0,
  seed: 17,
};

test(
  "a vault keeps its guarantees while eight clients fill, empty and refill it, with agents killed in between",
  async () => {
    const parentFolder = mkdtempSync(join(tmpdir(), "stashlight-cli-"));
    onTestFinished(() => rmSync(parentFolder, { recursive: true, force: true }));
    const lines: string[] = [];
    const exitCode = await runFullDrill(command, {
      projectDirectory,
      parentFolder,
      shape,
      random: Math.random,
      screen: { say: (line) => void lines.push(line), draw: () => undefined },
      interrupted: new AbortController().signal,
    });
    expect({ exitCode, lines }).toMatchObject({ exitCode: 0 });
    expect(lines[0]).toBe("Kills are drawn with --seed 17.");
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^Round 1 of 1: full after [1-9]\d+ objects .* and again after [1-9]\d+ objects/),
      expect.stringMatching(/^ {2}refusals {2}p50 .* p99 .*\(n = \d[\d,]*\d\)/),
      expect.stringMatching(/^ {2}kill -9 {3}\S.* after [1-9]\d* of \d+ deletes, back in /),
      expect.stringMatching(/^ {2}space {5}(freed for nine|not freed in time)/),
      expect.stringMatching(/^ {2}deletes {3}full p50 .* half full p50 /),
      expect.stringMatching(/^ {2}emptied {3}first upload accepted /),
      expect.stringMatching(/^ {2}memory {4}pods(-1)? .*stash [1-9]\d+ MB .*coordinator [1-9]\d+ MB$/),
      expect.stringMatching(/^ {2}verified {2}[1-9]\d+ right, 0 lost, 0 wrong, [1-9]\d+ deletions kept$/),
    ]);
    expect(readdirSync(parentFolder)).toEqual([]);
  },
  LONG_MS,
);

const good: Verification = {
  rightCount: 3,
  uncomparedCount: 0,
  absentCount: 2,
  lost: [],
  unreadable: [],
  lostBuckets: [],
  wrong: [],
  objectCountByDurableShards: new Map(),
  weakest: null,
  unmeasuredCount: 0,
  silentNodeIds: [],
};
const finding = { bucket: "drill", key: "k", why: "it was acknowledged and does not exist" };

test.each([
  ["nothing is missing", [good, good], [], true],
  ["an object is lost in one of the verifications", [{ ...good, lost: [finding] }, good], [], false],
  ["an object is altered, or a deleted one is back", [good, { ...good, wrong: [finding] }], [], false],
  ["a client got a wrong answer", [good, good], ["upload of k: the answer is 500 InternalError"], false],
])("judges a round in which %s", (_, verifications, wrongAnswers, isGood) => {
  expect(isRoundGood({ verifications, wrongAnswers })).toBe(isGood);
});

test("a seed always draws the same agents, at least one; many seeds draw all agents, and each alone", () => {
  const names = ["pods-1", "stash", "coordinator"];
  const drawn = Array.from({ length: 300 }, (_, seed) => drawKilled(names, createUniform(seed)).join());
  expect(drawn).toEqual(
    Array.from({ length: 300 }, (_, seed) => drawKilled(names, createUniform(seed)).join()),
  );
  expect(drawn).not.toContain("");
  for (const kill of [...names, names.join()]) expect(drawn).toContain(kill);
});

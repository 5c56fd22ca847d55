import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { newRound, readScrubState, type ScrubState, writeScrubState } from "./scrub-state.ts";

const folder = useTestFolder();

const state: ScrubState = {
  formatVersion: 1,
  driveId: "d1",
  firstOpenedMs: 1,
  round: { ...newRound(5), generation: 7, endGeneration: 9, records: 3, bytes: 400, corrupt: 1 },
  demand: { bytesPerSecond: 1000 },
  setAside: newRound(2),
  last: { ...newRound(1), endedMs: 4 },
  total: { bytes: 7000, corrupt: 2 },
};
const fresh = { driveId: "d1", firstOpenedMs: 100, round: newRound(100), demand: null, last: null };

test("a written state is read back, from a file that only its owner may read", async () => {
  const inner = join(folder, "p3");
  await writeScrubState(inner, state);
  expect(readScrubState(inner, "d1", 100)).toEqual(state);
  expect(statSync(join(inner, "scrub")).mode & 0o777).toBe(0o600);
});

test("a file of an agent that kept no totals is read, and they begin at 0", () => {
  const { total: _, ...earlier } = state;
  writeFileSync(join(folder, "scrub"), JSON.stringify(earlier));
  expect(readScrubState(folder, "d1", 100)).toEqual({ ...earlier, total: { bytes: 0, corrupt: 0 } });
});

test("the state of the previous drive in the same place is not used for this drive", async () => {
  await writeScrubState(folder, { ...state, driveId: "d0" });
  expect(readScrubState(folder, "d1", 100)).toMatchObject(fresh);
});

test.each([
  ["is empty", ""],
  ["is cut off", JSON.stringify(state).slice(0, 60)],
  ["is of a later version", JSON.stringify({ ...state, formatVersion: 2 })],
  ["has a negative count", JSON.stringify({ ...state, round: { ...state.round, records: -1 } })],
])("a file that %s begins a new round", (_, text) => {
  writeFileSync(join(folder, "scrub"), text);
  expect(readScrubState(folder, "d1", 100)).toMatchObject(fresh);
});

test("a drive without a file begins its first round", () => {
  expect(readScrubState(join(folder, "missing"), "d1", 100.7)).toMatchObject(fresh);
});

test("a partial file left by a crash is replaced", async () => {
  writeFileSync(join(folder, "scrub.partial"), "half", { mode: 0o644 });
  await writeScrubState(folder, state);
  expect(readScrubState(folder, "d1", 100)).toEqual(state);
  expect(statSync(join(folder, "scrub")).mode & 0o777).toBe(0o600);
});

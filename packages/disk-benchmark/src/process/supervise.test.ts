import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Silence } from "./supervise.ts";
import { isAlive, waitsForDrive, waitsForProcessor } from "./waiting.ts";

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

const progress = { type: "progress", doneSeconds: 1, writtenBytes: 0 } as const;

function watch(isBusy: () => boolean = () => false) {
  const said: string[] = [];
  const options = { hungAfterMs: 60_000, startsWithinMs: 90_000 };
  const silence = new Silence(options, isBusy, (sentence) => said.push(sentence));
  return { silence, said };
}

test("threads that start slowly, but each in time, are held against neither the drive nor the machine", () => {
  const { silence, said } = watch();
  silence.hear({ type: "ready" });
  for (let started = 0; started <= 32; started += 1) {
    silence.hear({ type: "starting", started, wanted: 32 });
    vi.advanceTimersByTime(70_000);
  }
  silence.hear({ type: "asked" });
  silence.hear(progress);
  expect(said).toEqual([]);
  silence.stop();
});

test.each<[string, Parameters<Silence["hear"]>[0][], string]>([
  ["its process", [], "its process did not start within 90 s"],
  [
    "a thread",
    [{ type: "ready" }, { type: "starting", started: 5, wanted: 32 }],
    "5 of 32 threads had started, and no other did within 90 s",
  ],
  [
    "a request",
    [{ type: "starting", started: 32, wanted: 32 }],
    "its 32 threads issued no request within 90 s",
  ],
])("the machine is blamed, not the drive, if threads do not reach %s", (_, messages, what) => {
  const { silence, said } = watch();
  for (const message of messages) silence.hear(message);
  vi.advanceTimersByTime(90_000);
  expect(said).toEqual([
    `The machine was too busy to measure: ${what}. The drive received no request; measure again when the processors have less to do.`,
  ]);
});

test("a drive is blamed if it exceeds its time to answer, which begins with the request", () => {
  const { silence, said } = watch();
  silence.hear({ type: "starting", started: 32, wanted: 32 });
  vi.advanceTimersByTime(80_000);
  silence.hear({ type: "asked" });
  vi.advanceTimersByTime(59_000);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(said).toEqual([expect.stringMatching(/^The drive answered no request for 60 s/)]);
});

test("a process that waits for a CPU gets more time, and then the machine is blamed", () => {
  const { silence, said } = watch(() => true);
  silence.hear({ type: "asked" });
  vi.advanceTimersByTime(299_000);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(said).toEqual([
    expect.stringMatching(
      /^The machine was too busy to measure: for 300 s no request ended, while the measuring process waited/,
    ),
  ]);
});

test.each([
  [["S", "R"], true],
  [["R", "D"], false],
  [["S", "S"], false],
  [["T", "T"], false],
  [[], false],
])("threads in the states %j wait for a CPU: %s", (states, expected) => {
  expect(waitsForProcessor(7, seedThreads(states))).toBe(expected);
});

test.each([
  [["S", "D"], true, true],
  [["S", "R"], false, true],
  [["Z"], false, false],
  [[], false, false],
])("threads in the states %j wait for a drive: %s, and are alive: %s", (states, waits, isThere) => {
  const folder = seedThreads(states);
  expect([waitsForDrive(7, folder), isAlive(7, folder)]).toEqual([waits, isThere]);
});

function seedThreads(states: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "stashlight-proc-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [task, state] of states.entries()) {
    mkdirSync(join(folder, "7/task", String(task)), { recursive: true });
    writeFileSync(join(folder, "7/task", String(task), "stat"), `${task} (a (name) b) ${state} 1 7 7 0 -1`);
  }
  return folder;
}

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startNode } from "./node-process.ts";
import { type Part, Supervisor, type SupervisorEvent } from "./supervisor.ts";

/** No test runs long enough for a part to become steady. */
const quickRestarts = { firstDelayMs: 1, delayMsMax: 4, steadyAfterMs: 1e9, failingFrom: 3 };
const waitOptions = { timeout: 50_000, interval: 20 };
/** A part that ends at once, with a long limit for slow machines. */
const STOP_PATIENCE_MS = 30_000;

let folder = "";
let events: SupervisorEvent[] = [];
let supervisor: Supervisor;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-supervisor-"));
  events = [];
  supervisor = new Supervisor((event) => events.push(event), quickRestarts);
});
afterEach(async () => {
  supervisor.kill();
  await supervisor.stop();
  rmSync(folder, { recursive: true });
});

const diaryFile = () => join(folder, "diary");
const entries = () => (existsSync(diaryFile()) ? readFileSync(diaryFile(), "utf8").trim().split("\n") : []);
const pidsOf = (event: string) =>
  entries().flatMap((line) => (line.startsWith(`${event} `) ? [Number(line.split(" ").at(-1))] : []));

function part(label: string, behaviour: string | (() => string), readyWithinMs?: number): Part {
  return {
    label,
    stopPatienceMs: STOP_PATIENCE_MS,
    start: (onSpawn) =>
      startNode(
        {
          label,
          entry: join(import.meta.dirname, "testing/stand-in.ts"),
          args: [typeof behaviour === "string" ? behaviour : behaviour(), diaryFile()],
          env: process.env,
          workingDirectory: folder,
          logFile: join(folder, `${label}.log`),
        },
        onSpawn,
        readyWithinMs,
      ),
  };
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("parts are started on request and stopped in the opposite order", async () => {
  await supervisor.start(part("first", "obey"));
  await supervisor.start(part("second", "obey"));
  const [first, second] = pidsOf("started");
  await supervisor.stop();
  expect(pidsOf("asked to end")).toEqual([second, first]);
  expect([first, second].some(isAlive)).toBe(false);
  expect(events).toEqual([]);
});

test("Ctrl-C in the terminal reaches no part", async () => {
  await supervisor.start(part("first", "obey"));
  const [pid] = pidsOf("started");
  // Simulates Ctrl-C: a terminal signals the whole foreground process group.
  expect(() => process.kill(-process.pid, 0)).toThrow();
  expect(process.kill(-(pid as number), 0)).toBe(true);
  await supervisor.stop();
  expect(pidsOf("interrupted")).toEqual([]);
});

test("a part that does not end when asked is killed", async () => {
  await supervisor.start({ ...part("mule", "stubborn"), stopPatienceMs: 2000 });
  const [pid] = pidsOf("started");
  await supervisor.stop();
  expect(pidsOf("asked to end")).toEqual([pid]);
  expect(isAlive(pid)).toBe(false);
});

test("a part that was killed is restarted", async () => {
  await supervisor.start(part("first", "obey"));
  process.kill(pidsOf("started")[0] as number, "SIGKILL");
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(["ended", "restarted"]), waitOptions);
  expect(events[0]).toMatchObject({ reason: "killed by SIGKILL", restartInMs: 1 });
  expect(isAlive(pidsOf("started")[1])).toBe(true);
});

/** A part that behaves on start number n, from 1, as `behaviour` returns. */
function changing(label: string, behaviour: (start: number) => string): Part {
  let startCount = 0;
  return part(label, () => {
    startCount += 1;
    return behaviour(startCount);
  });
}
const types = () => events.map(({ type }) => type);
const partState = (label: string) => supervisor.parts().find(({ name }) => name === label);

test("a repeatedly failing part is restarted forever, and reported once", async () => {
  await supervisor.start(changing("weak", (start) => (start === 1 ? "obey" : "crash")));
  process.kill(pidsOf("started")[0] as number, "SIGKILL");
  await vi.waitFor(() => expect(pidsOf("started").length).toBeGreaterThan(8), waitOptions);
  expect(types()).toEqual(["ended", "ended", "failing"]);
  expect(events.slice(0, 2)).toMatchObject([
    { reason: "killed by SIGKILL", restartInMs: 1 },
    { reason: expect.stringContaining("weak ended as it started (exit code 1)"), restartInMs: 2 },
  ]);
  expect(events[2]).toMatchObject({ failureCount: 3, restartInMsMax: 4 });
});

test("a repeatedly failing part does not affect the others", async () => {
  await supervisor.start(part("strong", "obey"));
  const [strong] = pidsOf("started");
  await supervisor.keep(part("weak", "crash"));
  await vi.waitFor(() => expect(partState("weak")?.failureCount).toBeGreaterThan(5), waitOptions);
  expect(partState("strong")).toMatchObject({
    pid: strong,
    isReady: true,
    failureCount: 0,
    failingSinceMs: null,
  });
  expect(isAlive(strong)).toBe(true);
});

test("a recovered part is announced once it has run for a while", async () => {
  supervisor = new Supervisor((event) => events.push(event), { ...quickRestarts, steadyAfterMs: 1 });
  await supervisor.keep(changing("weak", (start) => (start < 5 ? "crash" : "obey")));
  await vi.waitFor(() => expect(types()).toContain("steady"), waitOptions);
  expect(types()).toEqual(["ended", "failing", "steady"]);
  expect(events.at(-1)).toMatchObject({ failureCount: 4 });
  expect(partState("weak")).toMatchObject({ failureCount: 4, failingSinceMs: null });
});

test.each([
  ["fail", "The stand-in has no wish to work."],
  ["crash", expect.stringMatching(/^part ended as it started \(exit code 1\)/)],
])(
  "a kept part whose first start ends with %s reports the reason, and is retried until it runs",
  async (behaviour, reason) => {
    const kept = changing("part", (start) => (start === 1 ? behaviour : "obey"));
    await expect(supervisor.keep(kept)).resolves.toEqual(reason);
    await vi.waitFor(() => expect(types()).toEqual(["restarted"]), waitOptions);
    expect(isAlive(pidsOf("started")[1])).toBe(true);
  },
);

test("a kept part that is killed while it starts is restarted, and no other part ends", async () => {
  await supervisor.start(part("strong", "obey"));
  const [strong] = pidsOf("started");
  const kept = supervisor.keep(changing("probe", (start) => (start === 1 ? "mute" : "obey")));
  await vi.waitFor(() => expect(pidsOf("started")).toHaveLength(2), waitOptions);
  process.kill(pidsOf("started")[1] as number, "SIGKILL");
  await expect(kept).resolves.toMatch(/^probe ended as it started \(killed by SIGKILL\)/);
  await vi.waitFor(() => expect(types()).toEqual(["restarted"]), waitOptions);
  expect(isAlive(strong)).toBe(true);
});

test("keep resolves without a reason if the part runs at once, and a finished part is not restarted", async () => {
  const kept: Part = { ...part("part", "obey"), isDone: ({ signal }) => signal === "SIGKILL" };
  await expect(supervisor.keep(kept)).resolves.toBeUndefined();
  process.kill(pidsOf("started")[0] as number, "SIGKILL");
  await vi.waitFor(() => expect(types()).toEqual(["done"]), waitOptions);
  expect(supervisor.parts()).toEqual([]);
});

test("a stop does not start a part that waits for its restart", async () => {
  supervisor = new Supervisor((event) => events.push(event), {
    ...quickRestarts,
    firstDelayMs: 1e9,
    delayMsMax: 1e9,
  });
  await supervisor.keep(part("weak", "crash"));
  expect(partState("weak")).toMatchObject({ pid: null, isReady: false, failureCount: 1 });
  await supervisor.stop();
  expect(pidsOf("started")).toHaveLength(1);
  await expect(supervisor.keep(part("late", "obey"))).rejects.toThrow();
});

test("every change of a part is reported", async () => {
  const seen: (string | number | null | undefined)[][] = [];
  supervisor = new Supervisor(
    () => {},
    quickRestarts,
    () =>
      seen.push(
        supervisor
          .parts()
          .flatMap(({ pid, failureCount, lastFailure }) => [pid, failureCount, lastFailure?.reason]),
      ),
  );
  await supervisor.start(part("first", "obey"));
  const [first] = pidsOf("started");
  process.kill(first as number, "SIGKILL");
  await vi.waitFor(() => expect(pidsOf("started")).toHaveLength(2), waitOptions);
  const second = pidsOf("started")[1];
  await vi.waitFor(() => expect(seen.at(-1)).toEqual([second, 1, "killed by SIGKILL"]), waitOptions);
  expect(seen).toContainEqual([first, 0, undefined]);
  expect(seen).toContainEqual([null, 1, "killed by SIGKILL"]);
});

test.each<[string, RegExp]>([
  ["fail", /^The stand-in has no wish to work\.$/],
  ["crash", /^part ended as it started \(exit code 1\); see .*part\.log\.$/],
])("a part whose start ends with %s fails the start and is not restarted", async (behaviour, sentence) => {
  await expect(supervisor.start(part("part", behaviour))).rejects.toThrow(sentence);
  expect(pidsOf("started")).toHaveLength(1);
  expect(events).toEqual([]);
});

test("a crash during startup shows the last lines of the log", async () => {
  await expect(supervisor.start(part("part", "crash"))).rejects.toMatchObject({
    evidence: expect.arrayContaining([expect.stringContaining("The stand-in fell over.")]),
  });
});

test("a part that never reports ready is ended, and the error names it", async () => {
  await expect(supervisor.start(part("part", "mute", 300))).rejects.toThrow(
    /^part was not ready after 0\.3 s/,
  );
  await vi.waitFor(() => expect(isAlive(pidsOf("started")[0])).toBe(false), waitOptions);
});

test("a stop during startup ends the starting part", async () => {
  const start = supervisor.start(part("part", "mute"));
  const failure = expect(start).rejects.toThrow(/ended as it started/);
  await vi.waitFor(() => expect(pidsOf("started")).toHaveLength(1), waitOptions);
  await supervisor.stop();
  await failure;
  expect(isAlive(pidsOf("started")[0])).toBe(false);
  await expect(supervisor.start(part("late", "obey"))).rejects.toThrow();
});

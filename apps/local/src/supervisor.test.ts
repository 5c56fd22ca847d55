import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startNode } from "./node-process.ts";
import { type Part, Supervisor, type SupervisorEvent } from "./supervisor.ts";

const quickRestarts = { restartsMax: 3, windowMs: 60_000, firstDelayMs: 1 };
const waitOptions = { timeout: 15_000, interval: 20 };

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
    stopPatienceMs: 500,
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

test("parts are started when told and stopped in the opposite order", async () => {
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
  // What a terminal does: a signal to the whole process group of the foreground.
  expect(() => process.kill(-process.pid, 0)).toThrow();
  expect(process.kill(-(pid as number), 0)).toBe(true);
  await supervisor.stop();
  expect(pidsOf("interrupted")).toEqual([]);
});

test("a part that does not end when asked is killed", async () => {
  await supervisor.start(part("mule", "stubborn"));
  const [pid] = pidsOf("started");
  await supervisor.stop();
  expect(pidsOf("asked to end")).toEqual([pid]);
  expect(isAlive(pid)).toBe(false);
});

test("a part that was killed is started again", async () => {
  await supervisor.start(part("first", "obey"));
  process.kill(pidsOf("started")[0] as number, "SIGKILL");
  await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(["ended", "restarted"]), waitOptions);
  expect(events[0]).toMatchObject({ exit: "killed by SIGKILL", restartInMs: 1 });
  expect(isAlive(pidsOf("started")[1])).toBe(true);
});

test("a part that ends again and again is given up after the allowed restarts, each a little later", async () => {
  let startCount = 0;
  const weak = part("weak", () => {
    startCount += 1;
    return startCount === 1 ? "obey" : "crash";
  });
  await supervisor.start(weak);
  process.kill(pidsOf("started")[0] as number, "SIGKILL");
  await vi.waitFor(() => expect(events.at(-1)?.type).toBe("gaveUp"), waitOptions);
  const delays = events.flatMap((event) => (event.type === "ended" ? [event.restartInMs] : []));
  expect(delays).toEqual([1, 2, 4]);
  expect(startCount).toBe(4);
});

test.each<[string, RegExp]>([
  ["fail", /^The stand-in has no wish to work\.$/],
  ["crash", /^part ended as it started \(exit code 1\); see .*part\.log\.$/],
])("a part that starts with %s is a failure of the start, not restarted", async (behaviour, sentence) => {
  await expect(supervisor.start(part("part", behaviour))).rejects.toThrow(sentence);
  expect(pidsOf("started")).toHaveLength(1);
  expect(events).toEqual([]);
});

test("a crash at the start shows the last lines of the log", async () => {
  await expect(supervisor.start(part("part", "crash"))).rejects.toMatchObject({
    evidence: expect.arrayContaining([expect.stringContaining("The stand-in fell over.")]),
  });
});

test("a part that never reports is ended and named", async () => {
  await expect(supervisor.start(part("part", "mute", 300))).rejects.toThrow(
    /^part was not ready after 0\.3 s/,
  );
  await vi.waitFor(() => expect(isAlive(pidsOf("started")[0])).toBe(false), waitOptions);
});

test("a stop during a start ends the part that is starting", async () => {
  const start = supervisor.start(part("part", "mute"));
  const failure = expect(start).rejects.toThrow(/ended as it started/);
  await vi.waitFor(() => expect(pidsOf("started")).toHaveLength(1), waitOptions);
  await supervisor.stop();
  await failure;
  expect(isAlive(pidsOf("started")[0])).toBe(false);
  await expect(supervisor.start(part("late", "obey"))).rejects.toThrow();
});

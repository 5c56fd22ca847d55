/** Tests round trips beside samples, which are measured in pauses and never delay the next operation. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startSampler } from "../sampler/start-sampler.ts";
import {
  createTestJob,
  startTruthServer,
  TEST_CREDENTIALS,
  type TruthServer,
  testTarget,
} from "../testing/index.ts";
import { pingTcp } from "../wire/ping.ts";
import { type PingAddress, pingInPause, rttPause } from "./companion-ping.ts";
import { Session } from "./session.ts";

const target = { address: "127.0.0.1", port: 1 };
const never: PingAddress = () => new Promise(() => {});
const answering = (changes: object): PingAddress => {
  const ping = {
    startedAt: 100,
    endedAt: 100.25,
    outcome: "ok",
    errorCode: undefined,
    localPort: 1,
  } as const;
  return async () => ({ ...ping, ...changes });
};
const pinged = (ping: PingAddress, pauseMs = 200, signal = new AbortController().signal) =>
  pingInPause({ ping, target, pauseEndsAt: performance.now() + pauseMs, signal });

let server: TruthServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

test.each([
  ["a pause of 5 ms and one connection", {}, 5],
  ["a shorter pause", { pauseMs: 4.9 }, null],
  ["several connections", { connectionCount: 2 }, null],
  ["a constant rate", { mode: "constant-rate" as const }, null],
  ["a method that measures no round trips", { measuresRtt: false }, null],
])(
  "a ping needs a pause of at least 5 ms over one connection in a closed loop: %s",
  (_, changes, pauseMs) => {
    const parameters = { measuresRtt: true, pauseMs: 5, connectionCount: 1, mode: "closed" as const };
    expect(rttPause({ ...parameters, ...changes })).toBe(pauseMs);
  },
);

test("a ping is a round trip, or is marked as late or failed", async () => {
  expect(await pinged(answering({}))).toEqual({ rttMs: 0.25 });
  expect(await pinged(answering({ outcome: "timed-out" }))).toEqual({ rttMissing: "not-in-time" });
  expect(await pinged(answering({ outcome: "failed" }))).toEqual({ rttMissing: "failed" });
});

test("a ping that is never answered is abandoned before the pause ends", async () => {
  // Timers fire in the order of their due times, however late a busy machine is.
  const pauseEnds = sleep(300, "the pause ended");
  const givenUp = pinged(never, 300).then(({ rttMissing }) => rttMissing);
  expect(await Promise.race([givenUp, pauseEnds])).toBe("not-in-time");
});

test("the ping itself has to end within the pause, so that no connection outlasts it", async () => {
  let toldMs = Number.POSITIVE_INFINITY;
  await pinged((_, { timeoutMs }) => {
    toldMs = timeoutMs;
    return answering({})(target, { timeoutMs, signal: new AbortController().signal });
  });
  expect(toldMs).toBeLessThanOrEqual(198);
});

test("no ping is sent when the pause is used up, or the run was cancelled", async () => {
  const unwanted: PingAddress = () => Promise.reject(new Error("It was made."));
  expect(await pinged(unwanted, 2)).toEqual({});
  expect(await pinged(unwanted, 200, AbortSignal.abort())).toEqual({});
});

test("a run cancelled during a ping does not wait for it", async () => {
  const cancelling = new AbortController();
  const ping: PingAddress = (address, options) => {
    queueMicrotask(() => cancelling.abort());
    return pingTcp({ ...address, address: "127.0.0.1" }, options);
  };
  expect(await pinged(ping, 5000, cancelling.signal)).toEqual({});
});

test("the next operation begins on time although every ping hangs", async () => {
  server = await startTruthServer();
  const samples: { achievedPauseMs?: number; rttMs?: number; rttMissing?: string }[] = [];
  let pingCount = 0;
  const session = new Session({
    target: testTarget(server.url),
    credentials: TEST_CREDENTIALS,
    runPrefix: "tests/",
    slotMs: undefined,
    seed: 1,
    nowMs: Date.now,
    onSample: (sample) => samples.push(sample),
    ping: () => {
      pingCount += 1;
      return new Promise(() => {});
    },
  });
  const pauseMs = 50;
  const { signal } = new AbortController();
  session.configure({ timeoutMs: 30_000, attemptCountMax: 1, rttPauseMs: pauseMs });
  await session.prepareBodies([1000]);
  for (let done = 0; done < 20; done += 1) {
    await session.timed({ operation: "PUT", sizeBytes: 1000, leg: 0, connection: 0, pauseMs }, signal);
  }
  await session.end();
  // If a busy machine blocked the loop for a whole pause, no ping was made, and none was late.
  expect(samples.filter(({ rttMissing }) => rttMissing === "not-in-time")).toHaveLength(pingCount);
  expect(samples.every((sample) => !("rttMs" in sample))).toBe(true);
  expect(pingCount).toBeGreaterThan(10);
  const pausesMs = samples.flatMap(({ achievedPauseMs }) => achievedPauseMs ?? []).sort((a, b) => a - b);
  expect(pausesMs).toHaveLength(19);
  expect(pausesMs[0]).toBeGreaterThanOrEqual(pauseMs - 0.1);
  // A busy machine delays some of them, with or without a ping; a pause that waited for its ping would never end.
  expect(pausesMs[9]).toBeLessThan(2 * pauseMs);
});

async function run(name: string, parameters: Record<string, unknown>) {
  server = await startTruthServer();
  const samples: { operation: string; rttMs?: number; rttMissing?: string }[] = [];
  const job = createTestJob(testTarget(server.url), {}, { method: { name, parameters } });
  const { state, openedConnectionCount } = await startSampler(job, {
    onSample: (sample) => samples.push(sample),
  });
  expect([state, openedConnectionCount]).toEqual(["succeeded", 1]);
  return { samples, connectionCount: server.connectionCount };
}

test.each([
  ["small-uploads", { sizesBytes: [1000], repetitionCount: 12, warmUpCount: 1 }, 12],
  ["object-sweep", { sizesBytes: [1000], repetitionCount: 4, warmUpCount: 1 }, 12],
])(
  "samples of %s have their round trips, and their server sees a connection for each",
  async (name, parameters, count) => {
    const { samples, connectionCount } = await run(name, { ...parameters, pauseMs: 100, pingCount: 0 });
    expect(samples).toHaveLength(count);
    const rtts = samples.flatMap(({ rttMs }) => rttMs ?? []);
    const missed = samples.filter(({ rttMissing }) => rttMissing !== undefined);
    // A busy machine makes some late, or uses up a pause.
    expect(rtts.length).toBeGreaterThan(count / 2);
    for (const rttMs of rtts) {
      expect(rttMs).toBeGreaterThan(0);
      expect(rttMs).toBeLessThan(100);
    }
    expect(missed.every(({ rttMs }) => rttMs === undefined)).toBe(true);
    expect(connectionCount).toBe(1 + rtts.length + missed.length);
  },
  90_000,
);

test.each([{ pauseMs: 4 }, { pauseMs: 40, measuresRtt: false }])(
  "pings with %o are separate samples, and other samples have no round trips",
  async (changes) => {
    const parameters = { sizesBytes: [1000], repetitionCount: 5, warmUpCount: 1, pingCount: 3 };
    const { samples, connectionCount } = await run("small-uploads", { ...parameters, ...changes });
    expect(samples.filter(({ operation }) => operation === "TCP_CONNECT")).toHaveLength(3);
    expect(samples.every((sample) => !("rttMs" in sample) && !("rttMissing" in sample))).toBe(true);
    expect(connectionCount).toBe(1 + 3);
  },
  90_000,
);

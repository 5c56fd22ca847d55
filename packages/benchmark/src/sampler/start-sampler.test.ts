/** Tests runs as their callers see them: in another process, against a server that keeps its own record. */
import { readFileSync } from "node:fs";
import { type BenchmarkSample, benchmarkSampleSchema } from "@stashlight/contracts/sample";
import { spearman } from "@stashlight/stats";
import { createAuthority } from "@stashlight/transport/testing";
import { afterEach, expect, test, vi } from "vitest";
import {
  createTestJob,
  startTruthServer,
  TEST_CREDENTIALS,
  type TruthServer,
  type TruthServerOptions,
  testTarget,
} from "../testing/index.ts";
import { type RunEnd, type SamplerOptions, startSampler } from "./start-sampler.ts";

// Each test starts processes, which is slow while many others are starting.
vi.setConfig({ testTimeout: 90_000 });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(options: TruthServerOptions = {}): Promise<TruthServer> {
  const server = await startTruthServer(options);
  closing.push(() => server.close());
  return server;
}

const few = { sizesBytes: [256_000], repetitionCount: 20, warmUpCount: 2, pauseMs: 1, pingCount: 0 };

async function run(
  server: TruthServer,
  parameters: Readonly<Record<string, unknown>> = few,
  { more = {}, caPem = "", ...options }: SamplerOptions & { more?: object; caPem?: string } = {},
): Promise<RunEnd & { readonly samples: readonly BenchmarkSample[] }> {
  const samples: BenchmarkSample[] = [];
  const job = createTestJob(testTarget(server.url, { caPem }), parameters, more);
  const end = await startSampler(job, {
    ...options,
    onSample: (sample) => {
      samples.push(benchmarkSampleSchema.parse(sample));
      options.onSample?.(sample);
    },
  });
  return { ...end, samples };
}

const requestKey = (target: string): string => decodeURIComponent(target.slice("/bench/".length));

function truthsOf({ records }: TruthServer): Map<string, (typeof records)[number]> {
  return new Map(
    records.filter(({ method }) => method === "PUT").map((record) => [requestKey(record.target), record]),
  );
}

test.each([false, true])("samples agree with the server's own record (TLS: %s)", async (isTls) => {
  const { ca, key, cert } = createAuthority("tests").issue("localhost");
  const delays = [0.5, 5, 50];
  const server = await serve({
    delayMs: (number) => delays[number % 3] as number,
    ...(isTls ? { tls: { key, cert } } : {}),
  });
  const { state, sentence, samples, failureCount } = await run(
    server,
    { ...few, repetitionCount: 60, warmUpCount: 3 },
    { caPem: isTls ? ca : "" },
  );
  expect([state, sentence, failureCount, samples.length]).toEqual(["succeeded", null, 0, 60]);
  const truths = truthsOf(server);
  const tookMs = samples.map(({ objectKey = "" }) => {
    const truth = truths.get(objectKey);
    if (truth === undefined) throw new Error(`The server has no record of ${objectKey}.`);
    return truth.answeringAt - truth.firstByteAt;
  });
  const wiresMs = samples.map(({ wireMs }) => wireMs);
  for (const [place, wireMs] of wiresMs.entries())
    expect(wireMs).toBeGreaterThanOrEqual(tookMs[place] as number);
  // The benchmark measures how close they are; a busy machine adds to both, but they rise and fall together.
  expect(spearman(wiresMs, tookMs)).toBeGreaterThan(0.7);
});

test("a whole run, at all sizes to 100 MB, is one TCP connection with one TLS handshake", async () => {
  const { ca, key, cert } = createAuthority("tests").issue("localhost");
  const server = await serve({ tls: { key, cert } });
  const sizesBytes = [1000, 10_000, 100_000, 256_000, 1_000_000, 2_097_152, 10_000_000, 100_000_000];
  const end = await run(
    server,
    { sizesBytes, repetitionCount: 1, warmUpCount: 1, pauseMs: 0, pingCount: 0 },
    { caPem: ca },
  );
  expect([end.state, end.failureCount]).toEqual(["succeeded", 0]);
  expect(server.connectionCount).toBe(1);
  expect(end.openedConnectionCount).toBe(1);
  expect(new Set(end.samples.map(({ localPort }) => localPort)).size).toBe(1);
  expect(end.samples.every(({ isCold }) => !isCold)).toBe(true);
  expect(end.manifest?.endpoint.tls?.protocol).toBe("TLSv1.3");
});

test("sizes alternate in each repetition, warm-ups are not samples, and keys are unique below the run's prefix", async () => {
  const server = await serve();
  const runId = "1d05a69f-ab07-48d5-b0aa-049925dfd34c";
  const sizesBytes = [1000, 2000, 3000];
  const { samples } = await run(
    server,
    { ...few, sizesBytes, repetitionCount: 10, pingCount: 4 },
    { more: { runId, slotMs: 1_795_282_470_000 } },
  );
  const puts = samples.filter(({ operation }) => operation === "PUT");
  expect(puts).toHaveLength(30);
  const rounds = Array.from({ length: 10 }, (_, round) =>
    puts.slice(round * 3, round * 3 + 3).map(({ sizeBytes }) => sizeBytes),
  );
  for (const round of rounds) expect([...round].sort()).toEqual(sizesBytes);
  expect(new Set(rounds.map((round) => round.join())).size).toBeGreaterThan(1);
  expect(samples.filter(({ operation }) => operation === "TCP_CONNECT")).toHaveLength(4);
  expect(samples.map(({ index }) => index)).toEqual(Array.from({ length: 34 }, (_, index) => index));
  expect(samples.every(({ slotMs }) => slotMs === 1_795_282_470_000)).toBe(true);
  expect(server.store.keys).toHaveLength(36);
  for (const key of server.store.keys)
    expect(key).toMatch(new RegExp(`^tests/stashlight-${runId}/\\d/[0-9a-f]{8}-\\d+$`));
});

test("the same seed uploads the same bytes in the same order, and another seed does not", async () => {
  const etags = async (seed: number) => {
    const server = await serve();
    await run(
      server,
      { ...few, sizesBytes: [1000, 2000], repetitionCount: 4, warmUpCount: 0 },
      { more: { seed } },
    );
    return [...truthsOf(server).values()].map(({ headers }) => headers.get("x-amz-content-sha256"));
  };
  const first = await etags(5);
  expect(await etags(5)).toEqual(first);
  expect(await etags(6)).not.toEqual(first);
  expect(new Set(first).size).toBe(8);
});

test("failures are samples, counted and never retried automatically", async () => {
  const faults = new Map([
    [3, "slow-down"],
    [5, "reset"],
    [7, "stall"],
    [9, "wrong-etag"],
  ] as const);
  const server = await serve({ fault: (number) => faults.get(number as 3) ?? null });
  const { state, samples, failureCount, flags } = await run(server, {
    ...few,
    warmUpCount: 0,
    // A busy machine may take a second for an operation that is to succeed.
    timeoutMs: 5_000,
  });
  expect([state, samples.length, failureCount]).toEqual(["succeeded", 20, 4]);
  const failed = samples.filter(({ outcome }) => outcome !== "ok");
  expect(
    failed.map(({ index, outcome, errorCode, httpStatus }) => [index, outcome, errorCode, httpStatus]),
  ).toEqual([
    [3, "failed", "SlowDown", 503],
    [5, "failed", "ECONNRESET", undefined],
    [7, "timed-out", "Timeout", undefined],
    [9, "failed", "EtagMismatch", 200],
  ]);
  expect(samples.every(({ attempts }) => attempts === 1)).toBe(true);
  expect(failed[2]?.wireMs).toBeGreaterThanOrEqual(4_999);
  // The first operation after a broken connection has to open a new one, and is marked as cold.
  expect(samples.filter(({ isCold }) => isCold).map(({ index }) => index)).toEqual([6, 8]);
  expect(flags.map(({ name }) => name)).toEqual(expect.arrayContaining(["failures", "reconnected"]));
});

test("further attempts count towards the time that a user sees, but not towards the wire's", async () => {
  const server = await serve({ delayMs: () => 5, fault: (number) => (number === 0 ? "slow-down" : null) });
  const { samples } = await run(server, { ...few, repetitionCount: 3, warmUpCount: 0, attemptCountMax: 2 });
  expect(samples.map(({ attempts, outcome }) => [attempts, outcome])).toEqual([
    [2, "ok"],
    [1, "ok"],
    [1, "ok"],
  ]);
  const [retried, other] = samples as [BenchmarkSample, BenchmarkSample];
  expect(retried.perceivedMs).toBeGreaterThan(retried.wireMs + 4);
  expect(other.perceivedMs).toBe(other.wireMs);
});

test("the actual pause is recorded, and never shorter than requested", async () => {
  const server = await serve();
  const { samples } = await run(server, { ...few, pauseMs: 10 });
  for (const { achievedPauseMs } of samples) expect(achievedPauseMs).toBeGreaterThanOrEqual(9.9);
});

test("a stall at a constant rate delays later operations, whose latency counts from their due moments", async () => {
  const server = await serve({ delayMs: (number) => (number === 4 ? 400 : 0) });
  const { samples } = await run(server, { ...few, warmUpCount: 0, mode: "constant-rate", ratePerSecond: 50 });
  const late = samples.map(({ intendedDelayMs = -1 }) => intendedDelayMs);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  // With 20 ms between operations, the next one was due 380 ms before the stall ended.
  expect(late[5]).toBeGreaterThan(350);
  expect(late[6]).toBeGreaterThan(330);
  const dueMs = samples.map(({ startedAtMs, intendedDelayMs = 0 }) => startedAtMs - intendedDelayMs);
  for (const [place, due] of dueMs.entries()) expect(due - (dueMs[0] as number)).toBeCloseTo(place * 20, 0);
});

test("the manifest has everything needed for a repetition, but no secret, and can be stored", async () => {
  const server = await serve({ clockOffsetMs: 90_000 });
  const { manifest, flags, sampleCount, taggedShare, storedCheck } = await run(server);
  expect(manifest).toMatchObject({
    method: {
      name: "small-uploads",
      version: 1,
      parameters: { ...few, attemptCountMax: 1, timeoutMs: 30_000 },
    },
    seed: 1,
    library: { name: "@stashlight/benchmark", node: process.versions.node },
    host: { platform: process.platform, cpuCount: expect.any(Number), kernel: expect.any(String) },
    endpoint: { address: "127.0.0.1", port: server.port, region: "us-east-1", tls: null },
  });
  expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
  expect(JSON.stringify(manifest)).not.toContain(TEST_CREDENTIALS.secretAccessKey);
  expect(Math.abs((manifest?.clock.check?.offsetMs ?? 0) + 90_000)).toBeLessThan(5000);
  expect(flags.map(({ name }) => name)).toContain("clock-off");
  expect(sampleCount).toBe(20);
  expect(taggedShare).toEqual(expect.any(Number));
  expect(storedCheck).toEqual({ checkedCount: 5, failures: [] });
});

test("ETags without content hashes and missing uploads are flagged", async () => {
  const server = await serve({ fault: () => "etag-that-is-no-md5" });
  const end = await run(server, { ...few, repetitionCount: 3, checkedKeyCount: 3 });
  expect(end.state).toBe("succeeded");
  expect(end.flags.map(({ name }) => name)).toContain("etag-unchecked");
  const forgetful = await serve({ fault: () => "forget" });
  const lost = await run(forgetful, { ...few, repetitionCount: 3, checkedKeyCount: 3 });
  expect(lost.flags.map(({ name }) => name)).toContain("not-stored");
});

test("credentials are in neither the arguments nor the environment of the process", async () => {
  const server = await serve();
  const seen: string[] = [];
  let pid = 0;
  const onSpawn = (id: number) => {
    pid = id;
  };
  const onSample = () => {
    if (seen.length > 0 || process.platform !== "linux") return;
    seen.push(readFileSync(`/proc/${pid}/cmdline`, "latin1"), readFileSync(`/proc/${pid}/environ`, "latin1"));
  };
  const { state } = await run(server, { ...few, repetitionCount: 200, pauseMs: 5 }, { onSpawn, onSample });
  expect(state).toBe("succeeded");
  if (process.platform !== "linux") return;
  expect(seen[0]).toContain("child.ts");
  for (const text of seen) {
    expect(text).not.toContain(TEST_CREDENTIALS.secretAccessKey);
    expect(text).not.toContain(TEST_CREDENTIALS.accessKeyId);
  }
});

test("a run cancelled within a sample ends at once with its samples so far", async () => {
  const server = await serve({ fault: (number) => (number >= 10 ? "stall" : null) });
  const cancelling = new AbortController();
  let seen = 0;
  const onSample = () => {
    seen += 1;
    if (seen === 5) cancelling.abort();
  };
  const { state, sentence, sampleCount } = await run(
    server,
    { ...few, repetitionCount: 1000, warmUpCount: 0 },
    {
      signal: cancelling.signal,
      onSample,
    },
  );
  expect([state, sentence]).toEqual(["cancelled", "The run was cancelled."]);
  expect(sampleCount).toBeGreaterThanOrEqual(5);
  expect(sampleCount).toBeLessThanOrEqual(10);
});

test("a killed process ends the run as interrupted, and keeps the samples until then", async () => {
  const server = await serve();
  let pid = 0;
  const onSpawn = (id: number) => {
    pid = id;
  };
  const onSample = () => {
    if (pid !== 0) process.kill(pid, "SIGKILL");
    pid = 0;
  };
  const end = await run(server, { ...few, repetitionCount: 1000 }, { onSpawn, onSample });
  expect(end).toMatchObject({ state: "interrupted", sentence: expect.stringContaining("SIGKILL") });
  expect(end.sampleCount).toBeGreaterThan(0);
  expect(end.manifest?.runPrefix).toMatch(/^tests\/stashlight-/);
});

test("a refusing endpoint is explained before anything is measured", async () => {
  const server = await serve();
  await server.close();
  closing.length = 0;
  const end = await run(server);
  expect(end).toMatchObject({ state: "failed", sampleCount: 0, manifest: null, taggedShare: null });
  expect(end.sentence).toMatch(/refused the connection/);
});

test("an endpoint lost midway ends the run after ten failures, and the sentence explains why", async () => {
  const server = await serve({ fault: (number) => (number >= 5 ? "slow-down" : null) });
  const end = await run(server, { ...few, repetitionCount: 100, warmUpCount: 0 });
  expect(end).toMatchObject({ state: "failed", sampleCount: 15, failureCount: 10 });
  expect(end.sentence).toMatch(/too busy now \(503 SlowDown\)/);
});

test("invalid jobs are refused with the name of the wrong field", async () => {
  const target = testTarget("http://127.0.0.1:1");
  await expect(startSampler(createTestJob(target, { repetitionCount: 0 }))).rejects.toMatchObject({
    code: "invalid_input",
    field: "parameters.repetitionCount",
  });
  await expect(startSampler(createTestJob(target, {}, { runId: "x" }))).rejects.toThrow(/runId/);
  await expect(
    startSampler(createTestJob(target, {}, { method: { name: "none", parameters: {} } })),
  ).rejects.toThrow(
    /no method "none"; choose from: small-uploads, object-sweep, restore, performance-stats, backup, pings, sdk-uploads/,
  );
});

test("an error thrown by a listener ends the run and is rethrown", async () => {
  const server = await serve();
  const onProgress = () => {
    throw new Error("the disk is full");
  };
  await expect(run(server, { ...few, repetitionCount: 1000 }, { onProgress })).rejects.toThrow(
    "the disk is full",
  );
});

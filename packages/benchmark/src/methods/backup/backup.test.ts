/** Runs backups in the measuring process, against a server that keeps its own record. */
import { createHash } from "node:crypto";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { afterEach, expect, test, vi } from "vitest";
import { cleanUp } from "../../cleanup/clean-up.ts";
import { buildRunPrefix } from "../../run/keys.ts";
import { startSampler } from "../../sampler/start-sampler.ts";
import {
  createTestJob,
  startTruthServer,
  TEST_CREDENTIALS,
  type TruthRecord,
  type TruthServer,
  type TruthServerOptions,
  testTarget,
} from "../../testing/index.ts";
import { chooseMethod } from "../registry.ts";

// Each test starts processes, which is slow while many others are starting.
vi.setConfig({ testTimeout: 90_000 });

let server: TruthServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const blockBytes = 4096;
/** Three machines of 20 blocks, of which 5 change at each of two incrementals. */
const nightly = {
  dataBytes: 20 * blockBytes,
  blockBytes,
  connectionCount: 2,
  machineCount: 3,
  incrementalCount: 2,
  changedShare: 0.25,
  mergesAfter: true,
  restoresWhileWriting: true,
};

interface RunOptions extends TruthServerOptions {
  readonly runId?: string;
  readonly signal?: AbortSignal;
  readonly onSample?: (sample: BenchmarkSample) => void;
}

async function backUp(
  parameters: Record<string, unknown>,
  { runId, signal, onSample, ...options }: RunOptions = {},
) {
  const store = await startTruthServer(options);
  server = store;
  const endpoint = testTarget(store.url);
  const method = { name: "backup", parameters };
  const job = createTestJob(endpoint, {}, { method, ...(runId === undefined ? {} : { runId }) });
  const samples: BenchmarkSample[] = [];
  const end = await startSampler(job, {
    onSample: (sample) => {
      samples.push(sample);
      onSample?.(sample);
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const runPrefix = buildRunPrefix(endpoint.prefix, job.runId);
  /** Returns the key below the run's prefix. */
  const requestKey = ({ target }: Pick<TruthRecord, "target">) =>
    decodeURIComponent(target.split(runPrefix)[1] ?? "");
  const stage = (name: string) => {
    const found = end.stages.find((each) => each.name === name);
    if (found === undefined) throw new Error(`There was no stage ${name}.`);
    return found;
  };
  const body = (key: string) =>
    store.store.handle("GET", `/bench/${encodeURIComponent(`${runPrefix}${key}`)}`, Buffer.alloc(0)).body;
  const keys = () => store.store.keys.map((key) => key.slice(runPrefix.length));
  const clean = () => cleanUp({ endpoint, credentials: TEST_CREDENTIALS, runPrefix });
  const { estimate, legs } = chooseMethod(method).plan;
  return { end, samples, store, keyOf: requestKey, stage, body, keys, clean, estimate, legs };
}

const blockKey = /^(\d+)\/([0-9a-f]{64})$/;
const requestedBlocks = (
  records: readonly TruthRecord[],
  method: string,
  keyOf: (record: TruthRecord) => string,
) => records.filter((record) => record.method === method && blockKey.test(keyOf(record))).map(keyOf);

test("a backup with the parameters of earlier plans sends the same requests to the store as before", async () => {
  const { store, end, legs, estimate } = await backUp(
    { dataBytes: 409_600, blockBytes, connectionCount: 1, duplicateShare: 0.5 },
    { runId: "00000000-0000-4000-8000-000000000000" },
  );
  const asked = store.records.map(
    ({ method, target, headers, connection }) =>
      `${method} ${target} ${headers.get("x-amz-content-sha256")} ${connection}`,
  );
  // Digest computed when the method supported only a full backup.
  expect(createHash("sha256").update(asked.join("\n")).digest("hex")).toBe(
    "1027140e2092a2fd9492bea090b3830738699b0ad14a83a916f993a64cc0d24b",
  );
  expect(legs).toEqual([
    { operation: "PUT", sizeBytes: blockBytes, connectionCount: 1, sampleCount: 50, secondsMax: null },
  ]);
  expect(estimate).toMatchObject({
    requests: { put: 51, get: 0, head: 5, delete: 51, list: 3 },
    uploadedBytes: 51 * blockBytes,
    seconds: expect.closeTo(5.1, 9),
    isUpperBound: false,
  });
  expect(end.stages.map(({ name }) => name)).toEqual(["full"]);
  expect(end.manifest?.method.version).toBe(1);
});

test("three machines, a full backup, two incrementals, a merge and a restore send the planned requests", async () => {
  const { end, samples, store, legs, estimate, clean, keyOf, stage } = await backUp(nightly);
  expect([end.state, end.sentence, end.failureCount]).toEqual(["succeeded", null, 0]);
  expect(end.stages.map(({ name, requests }) => [name, requests.put, requests.get, requests.delete])).toEqual(
    expect.arrayContaining([
      ["full", 60, 0, 0],
      ["incremental-1", 15, 0, 0],
      ["incremental-2", 15, 0, 0],
      ["merge", 3, 0, 30],
      ["restore", 0, 20, 0],
      ["writes", 10, 0, 0],
    ]),
  );
  for (const [index, { operation, sizeBytes, sampleCount, connectionCount }] of legs.entries()) {
    const mine = samples.filter(({ leg }) => leg === index);
    expect(mine).toHaveLength(sampleCount ?? 0);
    expect(mine.every((each) => each.operation === operation && each.sizeBytes === sizeBytes)).toBe(true);
    expect(new Set(mine.map(({ connection }) => connection)).size).toBeLessThanOrEqual(connectionCount);
  }
  expect(end.stages.flatMap((each) => each.legs).sort()).toEqual([...legs.keys()]);
  // A machine's objects stay on its own connections.
  for (const { connection = 0, objectKey = "" } of samples)
    expect(objectKey.split("/").at(-2)).toBe(String(Math.floor(connection / 2)));
  expect(end.openedConnectionCount).toBe(6);
  await clean();
  const count = (method: string) => store.records.filter((record) => record.method === method).length;
  expect([count("PUT"), count("DELETE"), count("HEAD")]).toEqual([
    estimate.requests.put,
    estimate.requests.delete,
    estimate.requests.head,
  ]);
  const downloads = store.records.filter((record) => record.method === "GET" && blockKey.test(keyOf(record)));
  expect(downloads).toHaveLength(estimate.requests.get);
  const uploadedBytes = store.records.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  expect(uploadedBytes).toBe(estimate.uploadedBytes);
  expect(stage("restore").downloadedBytes).toBe(estimate.downloadedBytes);
  expect(store.store.keys).toEqual([]);
});

test("no block is uploaded twice, and each machine names its own blocks after their contents", async () => {
  const { store, keyOf, stage, estimate } = await backUp({ ...nightly, duplicateShare: 0.5 });
  expect(stage("restore").requests.get).toBeLessThanOrEqual(estimate.requests.get);
  expect(stage("restore").failedCount).toBe(0);
  const uploads = store.records.filter(({ method }) => method === "PUT");
  const blocks = uploads.filter((record) => blockKey.test(keyOf(record)));
  expect(blocks).toHaveLength(3 * (10 + 2 * 5) + 2 * 5);
  const contents = blocks.map((record) => blockKey.exec(keyOf(record))?.[2]);
  expect(contents).toEqual(blocks.map(({ headers }) => headers.get("x-amz-content-sha256")));
  expect(new Set(contents).size).toBe(blocks.length);
});

test("a merge deletes replaced blocks, keeps those still in use, and writes a manifest of them", async () => {
  const { store, keys, keyOf, body, stage } = await backUp({
    ...nightly,
    duplicateShare: 0.5,
    restoresWhileWriting: false,
  });
  const uploaded = requestedBlocks(store.records, "PUT", keyOf);
  const deleted = requestedBlocks(store.records, "DELETE", keyOf);
  expect(deleted.length).toBeGreaterThan(0);
  // Half of the blocks are at two places, so replacing one place does not free the block.
  expect(deleted.length).toBeLessThan(30);
  expect(stage("merge").requests).toEqual({ put: 3, get: 0, delete: deleted.length });
  const left = keys().filter((key) => blockKey.test(key));
  expect(left.toSorted()).toEqual(uploaded.filter((key) => !deleted.includes(key)).toSorted());
  for (const machine of [0, 1, 2]) {
    const lines = body(`${machine}/manifest`).toString().split("\n").slice(0, -1);
    expect(lines).toHaveLength(20);
    const named = [...new Set(lines)].map((line) => `${machine}/${line}`);
    expect(named.toSorted()).toEqual(left.filter((key) => key.startsWith(`${machine}/`)).toSorted());
  }
});

test("until its manifest is stored, a machine's merge deletes nothing", async () => {
  const isManifest = (target: string) => target.endsWith("/manifest");
  // Uploads before the merge: 6 open connections, 60 are the full backup, 30 the incrementals.
  const { store, stage, keyOf, end } = await backUp(
    { ...nightly, restoresWhileWriting: false },
    { fault: (put) => (put === 96 ? "slow-down" : null) },
  );
  const failed = store.records.filter(({ target }) => isManifest(target));
  expect(failed).toHaveLength(3);
  expect(stage("merge")).toMatchObject({ failedCount: 1, requests: { put: 3, delete: 20 } });
  const [lost] = stage("merge").machines.filter(({ failedCount }) => failedCount > 0);
  const machine = (lost?.machine ?? 0) - 1;
  expect(stage("merge").failure).toBe(`1 upload failed (manifest of machine ${machine + 1})`);
  const deleted = requestedBlocks(store.records, "DELETE", keyOf);
  expect(deleted.filter((key) => key.startsWith(`${machine}/`))).toEqual([]);
  expect(end.results.find(({ name }) => name === "failed/merge")?.label).toContain("manifest of machine");
});

test("a restore detects a changed block, and counts changed and missing blocks as failures", async () => {
  const { end, samples, stage } = await backUp(
    { ...nightly, machineCount: 1 },
    {
      // Two uploads open the connections.
      fault: (put) => (put === 4 ? "forget" : put === 6 ? "slow-down" : null),
      downloadFault: (get) => (get === 3 ? "other-bytes" : null),
    },
  );
  const downloads = samples.filter(({ operation }) => operation === "GET");
  const codes = downloads.flatMap(({ errorCode }) => errorCode ?? []);
  expect(codes).toContain("ContentMismatch");
  const missing = stage("restore").failure?.includes("was missing") === true ? 1 : 0;
  expect(stage("restore").failedCount).toBe(codes.length + missing);
  expect(downloads).toHaveLength(20 - missing);
  expect(stage("restore").downloadedBytes).toBe((20 - missing - codes.length) * blockBytes);
  const label = end.results.find(({ name }) => name === "failed/restore")?.label;
  expect(label).toMatch(/Restore of machine 1: .*failed or returned different bytes/);
});

test("a restore of a machine with a failed upload reports the block as missing, and requests the rest", async () => {
  const { stage, samples } = await backUp(
    { ...nightly, machineCount: 1, incrementalCount: 0, mergesAfter: false },
    { fault: (put) => (put === 6 ? "slow-down" : null) },
  );
  const name = samples
    .find(({ outcome }) => outcome === "failed")
    ?.objectKey?.split("/")
    .at(-1);
  const shown = `${name?.slice(0, 12)} of machine 1`;
  expect(stage("full").failure).toBe(`1 upload failed (${shown})`);
  expect(stage("restore").failure).toBe(`1 block was missing, because its upload had failed (${shown})`);
  expect(stage("restore").requests.get).toBe(19);
});

test("each machine has figures of its own, and a backup that does not fit into a night is extrapolated", async () => {
  const { end, stage } = await backUp({ ...nightly, protectedBytes: 1e15, windowHours: 1 });
  const full = stage("full");
  expect(full.machines.map(({ machine }) => machine)).toEqual([1, 2, 3]);
  expect(full.dataBytes).toBe(60 * blockBytes);
  expect(full.durationMs).toBeGreaterThanOrEqual(
    Math.max(...full.machines.map(({ durationMs }) => durationMs)),
  );
  expect(full.extrapolation).toEqual({
    protectedBytes: 1e15,
    seconds: expect.closeTo(((full.durationMs / 1000) * 1e15) / (60 * blockBytes), 0),
    windowSeconds: 3600,
  });
  const results = new Map(end.results.map((result) => [result.name, result]));
  for (const { machine, uploadedBytes, durationMs } of full.machines)
    expect(results.get(`machine/${machine}`)?.value).toBeCloseTo(uploadedBytes / 1000 / durationMs, 9);
  expect(results.get("window/full")).toMatchObject({
    isExtrapolated: true,
    label: expect.stringContaining(
      "1000 TB at this pace, which does not fit into a nightly window of 1 h: extr",
    ),
  });
  const slowest = Math.max(
    ...[stage("incremental-1"), stage("incremental-2")].map((each) => each.durationMs),
  );
  expect(results.get("window/nightly")?.value).toBeCloseTo(((slowest / 1000) * 1e15) / (60 * blockBytes), 0);
});

test("a small backup fits into a nightly window of 24 h", async () => {
  const { end } = await backUp({ dataBytes: 81_920, blockBytes, protectedBytes: 1, windowHours: 24 });
  const label = end.results.find(({ name }) => name === "window/full")?.label;
  expect(label).toContain("which fits into a nightly window of 24 h");
});

test.each([
  // Six uploads open the connections, 300 are the full backup, and 75 each incremental.
  ["the full backup", { leg: 0, method: "PUT", from: 100 }, []],
  ["an incremental", { leg: 1, method: "PUT", from: 350 }, ["full"]],
  ["the merge", { leg: 4, method: "DELETE", from: 50 }, ["full", "incremental-1", "incremental-2"]],
  ["the restore", { leg: 5, method: "GET", from: 50 }, ["full", "incremental-1", "incremental-2", "merge"]],
])(
  "a run cancelled in the middle of %s keeps its stages, and the clean-up leaves nothing",
  async (_, { leg, method, from }, ended) => {
    const cancelling = new AbortController();
    let count = 0;
    // The store stops answering midway, so that the stage cannot end before it is cancelled.
    const delayMs = (of: string) => {
      if (of === method) count += 1;
      return of === method && count > from && !cancelling.signal.aborted ? 10_000 : 0;
    };
    const { end, store, clean } = await backUp(
      { ...nightly, dataBytes: 100 * blockBytes },
      {
        signal: cancelling.signal,
        delayMs: () => delayMs("PUT"),
        otherDelayMs: delayMs,
        onSample: (sample) => sample.leg === leg && cancelling.abort(),
      },
    );
    expect(end.state).toBe("cancelled");
    // The other machines' writes during the restore may have ended.
    expect(end.stages.map(({ name }) => name).filter((name) => name !== "writes")).toEqual(ended);
    expect(store.store.keys.length).toBeGreaterThan(0);
    await clean();
    expect(store.store.keys).toEqual([]);
  },
);

test.each([
  [{ machineCount: 16, connectionCount: 21 }, "at most 320 connections"],
  [{ machineCount: 16, dataBytes: 10e9, blockBytes: 16_777_216 }, "at most 100 GB"],
  [
    { machineCount: 16, dataBytes: 4096 * 10_000, blockBytes: 4096, connectionCount: 1 },
    "at most 100,000 blocks",
  ],
  [{ dataBytes: 90e9, blockBytes: 16_777_216, incrementalCount: 30 }, "at most 100 GB"],
  [{ restoresWhileWriting: true, blockBytes: 16_777_216, dataBytes: 1e9 }, "at most 256 MiB"],
  [{ mergesAfter: true }, "nothing to merge without an incremental"],
])("the parameters %j are refused", (parameters, sentence) => {
  expect(() => chooseMethod({ name: "backup", parameters })).toThrow(sentence);
});

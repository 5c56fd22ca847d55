/** Runs the method in the process of the test, against a server that keeps its own record. */
import { afterEach, expect, test } from "vitest";
import { startSampler } from "../sampler/start-sampler.ts";
import {
  createTestJob,
  startTruthServer,
  type TruthServer,
  type TruthServerOptions,
  testTarget,
} from "../testing/index.ts";
import { chooseMethod } from "./registry.ts";

const servers: TruthServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const short = { sizesBytes: [1000, 200_000], repetitionCount: 5, pauseMs: 0, pingCount: 2 };

async function sweep(options: TruthServerOptions = {}, changes: object = {}) {
  const server = await startTruthServer(options);
  servers.push(server);
  const method = { name: "object-sweep", parameters: { ...short, ...changes } };
  const samples: { operation: string; sizeBytes: number; outcome: string; errorCode?: string | undefined }[] =
    [];
  const job = createTestJob(testTarget(server.url), {}, { method });
  const end = await startSampler(job, { onSample: (sample) => samples.push(sample) });
  return { server, end, samples, method };
}

const failed = (samples: Awaited<ReturnType<typeof sweep>>["samples"]) =>
  samples.filter(({ outcome }) => outcome !== "ok").map(({ operation, errorCode }) => [operation, errorCode]);

test("each object is uploaded, downloaded and deleted before the next, over one connection, and none is left", async () => {
  const { server, end, samples, method } = await sweep();
  expect(end).toMatchObject({
    state: "succeeded",
    sampleCount: 32,
    failureCount: 0,
    openedConnectionCount: 1,
    storedCheck: { checkedCount: 5, failures: [] },
    results: [],
  });
  expect(server.store.keys).toEqual([]);
  const asked = server.records.filter(({ target }) => !target.includes("?")).map(({ method }) => method);
  const life = ["PUT", "GET", "DELETE"];
  expect(asked.slice(0, 36)).toEqual(Array.from({ length: 12 }, () => life).flat());
  expect(asked.slice(36)).toEqual(Array.from({ length: 5 }, () => "HEAD"));
  const requests = chooseMethod(method).plan.estimate.requests;
  expect(asked.length).toBeLessThanOrEqual(requests.put + requests.get + requests.delete + requests.head);
  const counts = Object.groupBy(samples, ({ operation, sizeBytes }) => `${operation} ${sizeBytes}`);
  expect(Object.values(counts).map((group) => group?.length)).toEqual([5, 5, 5, 5, 5, 5, 2]);
});

test("a download that is too short, has different bytes, is truncated or refused is a failed sample, and the run continues", async () => {
  const faults = new Map([
    [3, "other-bytes"],
    [5, "short"],
    [7, "cut"],
    [9, "slow-down"],
  ] as const);
  const { end, samples } = await sweep({ downloadFault: (number) => faults.get(number as 3) ?? null });
  expect(failed(samples)).toEqual([
    ["GET", "ContentMismatch"],
    ["GET", "SizeMismatch"],
    ["GET", "ECONNRESET"],
    ["GET", "SlowDown"],
  ]);
  expect(end).toMatchObject({
    state: "succeeded",
    sampleCount: 32,
    failureCount: 4,
    openedConnectionCount: 2,
  });
});

test("objects that could not be uploaded are neither downloaded nor deleted, and the run counts them", async () => {
  const { end, samples } = await sweep({ fault: (number) => (number === 4 ? "slow-down" : null) });
  expect(failed(samples)).toEqual([["PUT", "SlowDown"]]);
  expect(end).toMatchObject({ state: "succeeded", sampleCount: 30 });
  expect(end.results).toMatchObject([{ name: "skipped", value: 2 }]);
});

test("an object that still exists after its deletion is reported", async () => {
  const { end, server } = await sweep({ keepsDeleted: () => true }, { checkedKeyCount: 100 });
  expect(end.storedCheck?.failures).toHaveLength(10);
  expect(end.storedCheck?.failures[0]).toMatch(/still there after its deletion/);
  expect(end.flags.map(({ name }) => name)).toContain("not-stored");
  expect(server.store.keys).toHaveLength(12);
});

test("the published study is a preset: six sizes, a hundred times, in three operations", () => {
  const { method, plan } = chooseMethod({ name: "object-sweep", parameters: {} });
  expect(method.presets[0]).toMatchObject({ name: "objectbench" });
  expect(plan.legs.filter(({ operation }) => operation !== "TCP_CONNECT")).toHaveLength(18);
  expect(plan.legs.every(({ sampleCount }) => sampleCount === 100)).toBe(true);
  expect(plan.estimate.uploadedBytes).toBe(101 * 111_111_000);
  expect(plan.estimate.downloadedBytes).toBe(101 * 111_111_000);
});

const large = { sizesBytes: [100_000_000], repetitionCount: 2, pauseMs: 0, pingCount: 0 };

test("100 MB cut at 60 % during upload or download are failed samples beside those that succeeded", async () => {
  const { end, samples, server } = await sweep(
    {
      fault: (number) => (number === 1 ? "cut-upload" : null),
      downloadFault: (number) => (number === 1 ? "cut" : null),
    },
    large,
  );
  expect(failed(samples)).toEqual([
    ["PUT", expect.stringMatching(/^(ECONNRESET|EPIPE)$/)],
    ["GET", "ECONNRESET"],
  ]);
  expect(samples.map(({ operation }) => operation)).toEqual(["PUT", "PUT", "GET", "DELETE"]);
  expect(end).toMatchObject({ state: "succeeded", sampleCount: 4, failureCount: 2 });
  expect(end.results).toMatchObject([{ name: "skipped", value: 2 }]);
  expect(server.store.keys).toEqual([]);
}, 60_000);

test("a store that throttles from halfway through ends the run and is explained, and the measurements are kept", async () => {
  const { end, samples } = await sweep(
    { fault: (number) => (number >= 6 ? "slow-down" : null) },
    { repetitionCount: 10 },
  );
  expect(samples).toHaveLength(22);
  expect(end).toMatchObject({ state: "failed", sampleCount: 22, failureCount: 10 });
  expect(end.sentence).toMatch(
    /is too busy now \(503 SlowDown\); measure later, or with fewer connections\.$/,
  );
  expect(end.flags.map(({ name }) => name)).toContain("failures");
});

test("a store whose ETags never match ends the run with an explanation", async () => {
  const { end } = await sweep({ fault: () => "wrong-etag" });
  expect(end.sentence).toMatch(/stores or returns bytes that differ from the upload \(EtagMismatch\)/);
});

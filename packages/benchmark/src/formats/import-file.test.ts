import { readFileSync } from "node:fs";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { benchmarkSampleSchema } from "@stashlight/contracts";
import { expect, test } from "vitest";
import { type ImportInput, importFile } from "./import-file.ts";
import type { ImportedRun } from "./imported-run.ts";

const golden = (name: string): Buffer => readFileSync(new URL(`golden/${name}`, import.meta.url));

function imported(bytes: Uint8Array, name = "file"): ImportedRun {
  const result = importFile({ name, bytes });
  if (!result.ok) throw new Error(result.refusal.message);
  for (const sample of result.run.samples) benchmarkSampleSchema.parse(sample);
  return result.run;
}

const refusalOf = (text: string | Uint8Array, limits: ImportInput["limits"] = {}) => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const result = importFile({ name: "file", bytes, limits });
  return result.ok ? null : result.refusal;
};

test("warp's benchmark data: every operation of a kind we have, failures included", () => {
  const run = imported(golden("warp-mixed.csv.zst"), "warp-mixed.csv.zst");
  expect(run).toMatchObject({ format: "warp-csv", name: "warp-mixed.csv.zst", tool: "warp" });
  expect(run.startedAtMs).toBeCloseTo(Date.UTC(2024, 8, 15, 10), 3);
  expect(run.samples).toHaveLength(6);
  expect(run.samples[0]).toMatchObject({
    index: 0,
    operation: "PUT",
    outcome: "ok",
    sizeBytes: 262_144,
    transferredBytes: 262_144,
    wireMs: 118.25,
    connection: 0,
    endpoint: "http://127.0.0.1:9000",
    objectKey: "a(bx9/1.rnd",
  });
  expect(run.samples[2]?.phases.headersMs).toBeCloseTo(12.5, 3);
  expect(run.samples.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok", "timed-out", "failed", "ok"]);
  expect(run.samples[4]?.errorCode).toBe("Please reduce your request rate.\nTry again");
  expect(run.samples[5]?.operation).toBe("HEAD");
  expect(run.notes).toContain('1 left out: operation "LIST".');
  expect(run.notes).toContain("1 left out: DELETE of several objects in one request.");
  expect(run.details.comment).toContain("--obj.size=256KiB");
});

test("a file means the same whether it is compressed, and by what", () => {
  const plain = golden("warp-mixed.csv");
  const run = imported(plain);
  for (const bytes of [zstdCompressSync(plain), gzipSync(plain)]) expect(imported(bytes)).toEqual(run);
});

test.each(["warp-put.json", "warp-put.json.zst"])("%s: sums are divided, and all is approximate", (name) => {
  const run = imported(golden(name));
  expect(run).toMatchObject({ format: "warp-json", tool: "warp 1.1.4", samples: [], notes: [] });
  expect(run.startedAtMs).toBe(Date.UTC(2024, 8, 15, 10, 0, 0, 500));
  expect(run.summaries).toEqual([
    {
      label: "PUT",
      operation: "PUT",
      sizeBytes: 262_144,
      operationCount: 400,
      failureCount: 3,
      meanMs: 116,
      minMs: 85,
      maxMs: 260,
      percentilesMs: [
        [500_000, 114],
        [900_000, 137.5],
        [990_000, 187.5],
      ],
      bytesPerSecond: expect.closeTo((400 * 262_144) / 60, 6),
      operationsPerSecond: expect.closeTo(400 / 60, 9),
      isApproximate: true,
    },
  ]);
});

test("a later warp has divided already", () => {
  const [summary] = imported(golden("warp-put-divided.json")).summaries;
  expect(summary).toMatchObject({ sizeBytes: 262_144, meanMs: 118, isApproximate: true });
  expect(summary?.percentilesMs?.[0]).toEqual([500_000, 116]);
});

test("fio with fdatasync: syncs are counted by their latencies, bins are midpoints", () => {
  const run = imported(golden("fio-fdatasync.txt"));
  expect(run).toMatchObject({ format: "fio-json", tool: "fio-3.37", startedAtMs: 1_726_394_400_123 });
  expect(run.details).toMatchObject({ fdatasync: "1" });
  const [write, sync] = run.summaries;
  expect(write).toMatchObject({
    label: "fsync-probe: write",
    operation: "WRITE",
    sizeBytes: 65_536,
    operationCount: 5000,
    meanMs: 0.0520005,
    bytesPerSecond: 32_000 * 1024 + 512,
    operationsPerSecond: 500,
  });
  expect(write?.percentilesMs?.[1]).toEqual([500_000, 0.048896]);
  expect(sync).toMatchObject({ operation: "SYNC", operationCount: 5000, sizeBytes: null, maxMs: 21 });
  expect(run.distributions[1]?.bins).toEqual([
    [1.875968, 4900],
    [4.489216, 90],
    [20.840448, 10],
  ]);
});

test("an older fio: bw is KiB per second, and reads and writes have sizes of their own", () => {
  const { summaries } = imported(golden("fio-randrw.json"));
  expect(summaries.map(({ sizeBytes }) => sizeBytes)).toEqual([4096, 16_384]);
  expect(summaries[0]?.bytesPerSecond).toBe(12_800 * 1024);
});

test("iozone's table in operations per second", () => {
  const run = imported(golden("iozone-ops.txt"));
  expect(run).toMatchObject({ format: "iozone", tool: "iozone 3.506", startedAtMs: null });
  expect(run.details.commandLine).toBe("iozone -a -i0 -i1 -i2 -O -s8G");
  expect(run.summaries).toHaveLength(18);
  expect(run.summaries[4]).toEqual({
    label: "random read",
    operation: "READ",
    sizeBytes: 4096,
    fileBytes: 2 ** 33,
    operationsPerSecond: 120,
    isApproximate: false,
  });
});

test("a figure of iozone belongs to the column above which it ends, not to the next one in turn", () => {
  const { summaries } = imported(golden("iozone-without-read.txt"));
  expect(summaries.map(({ label, bytesPerSecond }) => [label, bytesPerSecond])).toEqual([
    ["sequential write", 360_823 * 1024],
    ["sequential rewrite", 362_512 * 1024],
    ["random read", 378_122 * 1024],
    ["random write", 364_339 * 1024],
  ]);
});

test("k6's lines become requests: cold ones with what connecting cost", () => {
  const run = imported(golden("k6-put.ndjson"));
  expect(run).toMatchObject({ format: "k6-json", tool: "k6" });
  expect(run.notes).toEqual(['1 left out: requests with method "POST".']);
  const [cold, warm, refused, silent] = run.samples;
  expect(cold).toMatchObject({ isCold: true, wireMs: 135.25, sizeBytes: 262_144, httpStatus: 200 });
  expect(cold?.phases).toEqual({ connectMs: 5.5, tlsMs: 11.25, writtenMs: 18, headersMs: 135, bodyMs: 0.25 });
  expect(cold?.startedAtMs).toBeCloseTo(Date.UTC(2024, 8, 15, 10, 0, 0, 200) - 135.25, 3);
  expect(warm).toMatchObject({ isCold: false, wireMs: 121.25, endpoint: "https://s3.us-east-1.example.org" });
  expect(refused).toMatchObject({
    outcome: "failed",
    httpStatus: 503,
    errorCode: "1503",
    transferredBytes: 0,
  });
  expect(silent).toMatchObject({ outcome: "timed-out", wireMs: 60_000, errorCode: "request timeout" });
});

const warp = golden("warp-mixed.csv").toString();
const fio = golden("fio-fdatasync.txt").toString();
const k6 = golden("k6-put.ndjson").toString();
const own =
  "index,operation,outcome,sizeBytes,transferredBytes,startedAtMs,wireMs,perceivedMs,attempts,isCold,isTagged\n";

test.each<[name: string, text: string, refusal: object]>([
  ["nothing", " \n", { reason: "nothing-in-it" }],
  ["a text of another kind", "hello", { reason: "unknown-format" }],
  ["a page", "<html><body>reclen</body></html>", { reason: "unknown-format" }],
  ["a header alone", `${warp.split("\n")[0]}\n`, { reason: "nothing-in-it" }],
  ["a time", warp.replace("2024-09-15T10:00:00.001Z", "yesterday"), { line: 3, field: "start" }],
  ["a size", warp.replace("\t262144\t", "\t-1\t"), { line: 2, field: "bytes" }],
  ["a duration", warp.replace("118250000", "1e99"), { line: 2, field: "duration_ns" }],
  ["a duration of days", warp.replace("118250000", "118250000000000"), { line: 2, field: "duration_ns" }],
  ["a missing column", warp.replace("duration_ns", "took"), { line: 1, field: "duration_ns" }],
  ["a missing field", warp.replace("\t118250000", ""), { line: 2 }],
  [
    "the line after a field of two lines",
    warp.replace("\t1500000\t", "\tx\t"),
    { line: 8, field: "duration_ns" },
  ],
  ["an open quote", `${warp}9\t"`, { reason: "bad-value", line: 13 }],
  ["JSON cut off", fio.slice(0, -30), { reason: "not-readable" }],
  ["a count", fio.replace('"total_ios": 5000', '"total_ios": "many"'), { field: "jobs[0].write.total_ios" }],
  ["a bin", fio.replace('"48896": 4700', '"soon": 4700'), { field: "jobs[0].write.clat_ns.bins.soon" }],
  ["a depth", `{"v":${"[".repeat(100_000)}${"]".repeat(100_000)},"by_op_type":{}}`, { field: "v" }],
  [
    "warp's first version",
    '{"v":1,"by_op_type":{}}',
    { field: "v", message: expect.stringContaining("version 2") },
  ],
  ["a line of k6", k6.replace('"value":118.5', '"value":"slow"'), { line: 5, field: "data.value" }],
  [
    "a broken line of k6",
    k6.replace('{"metric":"http_req_sending"', "{{"),
    { reason: "not-readable", line: 9 },
  ],
  [
    "our column",
    `${own.replace("wireMs", "wireMs,speed")}`,
    { line: 1, message: expect.stringContaining("speed") },
  ],
  ["our number", `${own}0,PUT,ok,1,1,0,fast,1,1,false,false\n`, { line: 2, field: "wireMs" }],
  ["our operation", `${own}0,POST,ok,1,1,0,1,1,1,false,false\n`, { line: 2, field: "operation" }],
  ["our duration", `${own}0,PUT,ok,1,1,0,-1,1,1,false,false\n`, { line: 2, field: "wireMs" }],
  ["our missing value", `${own}0,PUT,ok,1,1,0,,1,1,false,false\n`, { line: 2, field: "wireMs" }],
  [
    "our index twice",
    `${own}0,PUT,ok,1,1,0,1,1,1,false,false\n0,PUT,ok,1,1,0,1,1,1,false,false\n`,
    { line: 3, field: "index" },
  ],
  [
    "our JSON",
    '{"format":"stashlight-benchmark","version":1,"name":"a","tool":"b","samples":[{"index":0}]}',
    { field: "samples[0].operation" },
  ],
])("%s that is wrong is refused, and the place is named", (_, text, expected) => {
  const refusal = refusalOf(text);
  expect(refusal).toMatchObject(expected);
  expect(refusal?.message).toMatch(/^[A-Z].*\.$/s);
});

test("a number of iozone below no column is refused", () => {
  const text = golden("iozone-without-read.txt").toString().replace("   1024   360823", "   1024 123 360823");
  expect(refusalOf(text)).toMatchObject({ line: 5, reason: "bad-value" });
});

test("files beyond the limits are refused before they are read", () => {
  const plain = golden("warp-mixed.csv");
  expect(refusalOf(plain, { fileBytesMax: 100 })).toMatchObject({ reason: "too-large" });
  expect(refusalOf(plain, { textBytesMax: 100 })).toMatchObject({ reason: "too-large" });
  const bomb = new Uint8Array(50 * 2 ** 20);
  for (const bytes of [zstdCompressSync(bomb), gzipSync(bomb)]) {
    expect(bytes.length).toBeLessThan(100_000);
    expect(refusalOf(bytes, { textBytesMax: 2 ** 20 })).toMatchObject({ reason: "too-large" });
  }
  expect(refusalOf(plain, { rowsMax: 3 })).toMatchObject({ reason: "too-many-rows", line: 5 });
  expect(refusalOf(golden("k6-put.ndjson"), { rowsMax: 2 })).toMatchObject({ reason: "too-many-rows" });
  const values = `{"v":2,"by_op_type":[${"0,".repeat(100_000)}0]}`;
  expect(refusalOf(values, { rowsMax: 10 })).toMatchObject({ reason: "too-many-rows" });
});

test("compression that is cut off, and what is no text, is not readable", () => {
  const whole = golden("warp-mixed.csv.zst");
  expect(refusalOf(whole.subarray(0, whole.length - 20))).toMatchObject({ reason: "not-readable" });
  expect(refusalOf(gzipSync("text").subarray(0, 10))).toMatchObject({ reason: "not-readable" });
  expect(refusalOf(Uint8Array.of(0xff, 0xfe, 0x00))).toMatchObject({ reason: "not-readable" });
});

import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { type ImportInput, importFile } from "./import-file.ts";
import { golden, imported } from "./testing.ts";

const importRefusal = async (text: string | Uint8Array, limits: ImportInput["limits"] = {}) => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const result = await importFile({ name: "file", bytes, limits }, { take: () => {} });
  return result.ok ? null : result.refusal;
};

test("warp's benchmark data is read with every operation of a known kind, failures included", async () => {
  const run = await imported(golden("warp-mixed.csv.zst"), "warp-mixed.csv.zst");
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

test("a file reads the same with zstd, with gzip and uncompressed", async () => {
  const plain = golden("warp-mixed.csv");
  const run = await imported(plain);
  for (const bytes of [zstdCompressSync(plain), gzipSync(plain)]) expect(await imported(bytes)).toEqual(run);
});

test.each(["warp-put.json", "warp-put.json.zst"])(
  "%s has its sums divided, and its figures are marked approximate",
  async (name) => {
    const run = await imported(golden(name));
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
    const [segments, ...rest] = run.distributions;
    expect(rest).toEqual([]);
    expect(segments).toMatchObject({ label: "PUT", of: "segments", operation: "PUT", sizeBytes: 262_144 });
    const means = segments?.bins.map(([meanMs]) => meanMs) ?? [];
    expect(means).toEqual([...means].sort((a, b) => a - b));
    expect(Math.min(...means)).toBeLessThanOrEqual(116);
    expect(Math.max(...means)).toBeGreaterThanOrEqual(116);
  },
);

test("sums that a later warp has already divided are not divided again", async () => {
  const [summary] = (await imported(golden("warp-put-divided.json"))).summaries;
  expect(summary).toMatchObject({ sizeBytes: 262_144, meanMs: 118, isApproximate: true });
  expect(summary?.percentilesMs?.[0]).toEqual([500_000, 116]);
});

test("a truncated table of iozone is refused, and one without its end is marked", async () => {
  await expect(imported(golden("iozone-cut.txt"))).rejects.toThrow(/ends inside a row.*whole output/);
  const whole = golden("iozone-ops.txt").toString();
  const { notes } = await imported(Buffer.from(whole.replace(/iozone test complete.*/, "")));
  expect(notes).toContainEqual(expect.stringMatching(/lacks the line "iozone test complete"/));
  expect((await imported(golden("iozone-ops.txt"))).notes).toEqual([]);
});

test("iozone's table can be in operations per second", async () => {
  const run = await imported(golden("iozone-ops.txt"));
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

test("a figure of iozone belongs to the column above its last digit, not to the next column in order", async () => {
  const { summaries } = await imported(golden("iozone-without-read.txt"));
  expect(summaries.map(({ label, bytesPerSecond }) => [label, bytesPerSecond])).toEqual([
    ["sequential write", 360_823 * 1024],
    ["sequential rewrite", 362_512 * 1024],
    ["random read", 378_122 * 1024],
    ["random write", 364_339 * 1024],
  ]);
});

test("a note counts the iterations that k6 dropped, because they have no sample", async () => {
  const dropped =
    '{"metric":"dropped_iterations","type":"Point","data":{"time":"2026-11-01T06:00:01Z","value":7,"tags":{}}}';
  const { notes } = await imported(Buffer.from(`${golden("k6-put.ndjson")}${dropped}\n`));
  expect(notes).toContainEqual(
    expect.stringMatching(/^k6 dropped 7 iterations for which no virtual user was free/),
  );
  expect(notes).toContainEqual(
    expect.stringMatching(/with an arrival rate, waits behind a stall are not included/),
  );
});

test("k6's values are combined into requests, and cold ones include the time of connecting", async () => {
  const run = await imported(golden("k6-put.ndjson"));
  expect(run).toMatchObject({ format: "k6-json", tool: "k6" });
  expect(run.notes).toContain('1 left out: requests with method "POST".');
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

test("PerfKitBenchmarker's figures become summaries with place and size, and unread ones are listed", async () => {
  const run = await imported(golden("perfkit-object-storage.ndjson"));
  expect(run).toMatchObject({
    format: "perfkit-json",
    tool: "PerfKitBenchmarker v1.15.0",
    startedAtMs: 1_699_999_999_250,
    samples: [],
    details: { cloud: "GCP", zone: "us-east1-b", object_storage_region: "us-east1" },
  });
  const place = "GCP GCP us-east1 us-east1-b";
  expect(run.summaries).toEqual([
    {
      label: `one byte upload latency, ${place}, run a1b2c3d4`,
      operation: "PUT",
      sizeBytes: 1,
      meanMs: 30,
      sdMs: 10,
      percentilesMs: [
        [1000, 20],
        [500_000, 25],
        [990_000, 90],
      ],
      isApproximate: false,
    },
    {
      label: `single stream download throughput, ${place}, run a1b2c3d4`,
      operation: "GET",
      sizeBytes: null,
      bytesPerSecond: 100_000_000,
      isApproximate: true,
    },
    {
      label: `multi-stream upload latency, ${place}, 1024 B, 10 streams, run a1b2c3d4`,
      operation: "PUT",
      sizeBytes: 1024,
      percentilesMs: [[950_000, 120]],
      isApproximate: false,
    },
    {
      label: `multi-stream upload throughput, ${place}, 1024 B, 10 streams, run a1b2c3d4`,
      operation: "PUT",
      sizeBytes: 1024,
      bytesPerSecond: 1_000_000,
      isApproximate: true,
    },
  ]);
  expect(run.notes).toEqual([
    "1 left out: percentiles that are given twice.",
    '1 left out: the spread of a rate, "single stream download throughput Mbps p99".',
    '1 left out: the metric "list-after-write consistency percentage".',
    '1 left out: figures of the test "iperf".',
  ]);
});

const perfkit = golden("perfkit-object-storage.ndjson").toString();
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
  ["PerfKitBenchmarker's value", perfkit.replace("0.025", '"fast"'), { line: 1, field: "value" }],
  [
    "PerfKitBenchmarker's other test",
    perfkit.replaceAll("object_storage_service", "netperf"),
    { reason: "nothing-in-it", message: expect.stringContaining("object_storage_service") },
  ],
  [
    "lines with a metric and nothing of PerfKitBenchmarker",
    '{"metric":"a","value":1}',
    { reason: "unknown-format" },
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
])("a faulty file is refused, with the position if there is one: %s", async (_, text, expected) => {
  const refusal = await importRefusal(text);
  expect(refusal).toMatchObject(expected);
  expect(refusal?.message).toMatch(/^[A-Z].*\.$/s);
});

const ourJson = golden("exported-json.txt").toString();

test.each<[name: string, text: string, refusal: object]>([
  [
    "an invalid value",
    ourJson.replace('"index":2,"operation":"PUT"', '"index":2,"operation":"POST"'),
    { reason: "bad-value", line: 4, field: "samples[2].operation" },
  ],
  ["a duplicate index", ourJson.replace('"index":2,', '"index":1,'), { line: 4, field: "samples[2].index" }],
  ["another version", ourJson.replace('"version":1', '"version":2'), { field: "version" }],
  ["a broken sample", ourJson.replace('{"index":2,', '{"index":2,,'), { reason: "not-readable", line: 4 }],
  ["a missing comma", ourJson.replace("},\n", "}\n"), { reason: "not-readable", line: 3 }],
  ["an extra comma", ourJson.replace("}\n]}", "},\n]}"), { reason: "not-readable", line: 102 }],
  ["a missing end", ourJson.replace("\n]}\n", "\n"), { reason: "not-readable", line: 101 }],
  ["text after the end", `${ourJson}{}\n`, { reason: "not-readable", line: 103 }],
])("our JSON, read line by line, is refused with %s at its position", async (_, text, expected) => {
  expect(await importRefusal(text)).toMatchObject(expected);
});

test("our JSON reads the same after an editor has reformatted it", async () => {
  const whole = await imported(Buffer.from(ourJson));
  expect(whole.samples).toHaveLength(100);
  expect(await imported(Buffer.from(JSON.stringify(JSON.parse(ourJson), null, 2)))).toEqual(whole);
  // Only reformatted text is held in memory completely, so only it has this limit.
  const limits = { wholeTextLengthMax: 1000 };
  expect(await importRefusal(ourJson, limits)).toBeNull();
  expect(await importRefusal(JSON.stringify(JSON.parse(ourJson), null, 2), limits)).toMatchObject({
    reason: "too-large",
  });
});

test("a number that iozone printed below no column is refused", async () => {
  const text = golden("iozone-without-read.txt").toString().replace("   1024   360823", "   1024 123 360823");
  expect(await importRefusal(text)).toMatchObject({ line: 5, reason: "bad-value" });
});

test("files beyond the limits are refused", async () => {
  const plain = golden("warp-mixed.csv");
  expect(await importRefusal(plain, { fileBytesMax: 100 })).toMatchObject({ reason: "too-large" });
  expect(await importRefusal(plain, { textBytesMax: 100 })).toMatchObject({ reason: "too-large" });
  const bomb = new Uint8Array(50 * 2 ** 20);
  for (const bytes of [zstdCompressSync(bomb), gzipSync(bomb)]) {
    expect(bytes.length).toBeLessThan(100_000);
    expect(await importRefusal(bytes, { textBytesMax: 2 ** 19 })).toMatchObject({ reason: "too-large" });
    expect(await importRefusal(bytes)).toMatchObject({ reason: "unknown-format" });
  }
  expect(await importRefusal(plain, { rowsMax: 3 })).toMatchObject({ reason: "too-many-rows", line: 5 });
  expect(await importRefusal(golden("k6-put.ndjson"), { rowsMax: 2 })).toMatchObject({
    reason: "too-many-rows",
  });
  const values = `{"v":2,"by_op_type":[${"0,".repeat(100_000)}0]}`;
  expect(await importRefusal(values, { rowsMax: 10 })).toMatchObject({ reason: "too-many-rows" });
});

test("truncated compression, and data that is not text, are not readable", async () => {
  const whole = golden("warp-mixed.csv.zst");
  expect(await importRefusal(whole.subarray(0, whole.length - 20))).toMatchObject({ reason: "not-readable" });
  expect(await importRefusal(gzipSync("text").subarray(0, 10))).toMatchObject({ reason: "not-readable" });
  expect(await importRefusal(Uint8Array.of(0xff, 0xfe, 0x00))).toMatchObject({ reason: "not-readable" });
});

const warpRow = (i: number): string =>
  `${i}\t0\tPUT\t\t1\t4096\thttp://127.0.0.1:9000\tkey ${i}\t\t2024-09-15T10:00:00.001Z\t\t\t\t${1_000_000 + i}\t0\n`;

test("a long file is read in pieces, with its first samples before the rest has been read", async () => {
  const rowCount = 60_000;
  const header = `${warp.split("\n")[0]}\n`;
  const bytes = gzipSync(header + Array.from({ length: rowCount }, (_, i) => warpRow(i)).join(""));
  const shares: number[] = [];
  const countAt: number[] = [];
  const seen: number[] = [];
  const result = await importFile(
    { name: "long", bytes },
    {
      take: ({ wireMs }) => seen.push(wireMs),
      onProgress: ({ readShare, sampleCount }) => {
        shares.push(readShare);
        countAt.push(sampleCount);
      },
    },
  );
  expect(result).toMatchObject({ ok: true, run: { sampleCount: rowCount } });
  expect(seen).toEqual(Array.from({ length: rowCount }, (_, i) => (1_000_000 + i) / 1e6));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  // Two reports are at most one piece of text apart, after the beginning that identifies the format.
  const steps = countAt.map((count, i) => count - (countAt[i - 1] ?? 0));
  const firstStep = steps.findIndex((step) => step > 0);
  for (const step of steps.slice(firstStep + 1)) expect(step).toBeLessThan(2_000);
  expect(countAt.filter((count) => count > 0 && count < rowCount).length).toBeGreaterThan(10);
});

test("an invalid line at the end of a long file refuses the whole file with the line number", async () => {
  const header = `${warp.split("\n")[0]}\n`;
  const rows = Array.from({ length: 20_000 }, (_, i) => warpRow(i)).join("");
  const bytes = gzipSync(`${header}${rows}${warpRow(1).replace("4096", "many")}`);
  expect(await importRefusal(bytes)).toMatchObject({ line: 20_002, field: "bytes" });
});

test("text over the decompression limit is refused when it is reached, not after it is in memory", async () => {
  const bytes = gzipSync(`${warp.split("\n")[0]}\n${warpRow(1).repeat(200_000)}`);
  let takenCount = 0;
  const limits = { textBytesMax: 4 * 2 ** 20 };
  const result = await importFile({ name: "file", bytes, limits }, { take: () => (takenCount += 1) });
  expect(result).toMatchObject({ ok: false, refusal: { reason: "too-large" } });
  expect(takenCount).toBeGreaterThan(10_000);
  expect(takenCount).toBeLessThan(60_000);
});

test("a line without an end, and a whole-text format that is too long, are refused before they fill the memory", async () => {
  const header = `${warp.split("\n")[0]}\n`;
  const line = gzipSync(`${header}${warpRow(1)}1\t"${"x".repeat(8 * 2 ** 20)}`);
  expect(await importRefusal(line)).toMatchObject({ reason: "bad-value", line: 3 });
  expect(await importRefusal(`${k6}{"metric":"${"x".repeat(2 ** 21)}`)).toMatchObject({
    reason: "bad-value",
  });
  const json = `{"v":2,"by_op_type":{}}${" ".repeat(3000)}`;
  expect(await importRefusal(json, { wholeTextLengthMax: 1000 })).toMatchObject({ reason: "too-large" });
});

test.each(["__proto__", "constructor", "toString"])(
  "an entry named %s is left out and reported, although every object has such a property",
  async (name) => {
    const header = `${warp.split("\n")[0]}\n`;
    const warpRun = await imported(Buffer.from(`${header}${warpRow(0)}${warpRow(1).replace("PUT", name)}`));
    expect(warpRun.samples).toHaveLength(1);
    expect(warpRun.notes).toContain(`1 left out: operation "${name}".`);
    const k6 = golden("k6-put.ndjson").toString().replaceAll('"POST"', `"${name}"`);
    expect((await imported(Buffer.from(k6))).notes).toContain(`1 left out: requests with method "${name}".`);
    const aggregated = golden("warp-put.json").toString().replace('"PUT": {', `"${name}": {}, "PUT": {`);
    expect((await imported(Buffer.from(aggregated))).notes).toEqual([
      `1 left out: figures of operation ${name}.`,
    ]);
  },
);

test("up to 50 kinds of omitted lines are named, and the rest are counted together", async () => {
  const header = `${warp.split("\n")[0]}\n`;
  const odd = Array.from({ length: 200 }, (_, i) => warpRow(i).replace("PUT", `OP${i}`)).join("");
  const { notes } = await imported(Buffer.from(`${header}${warpRow(0)}${odd}`));
  expect(notes).toHaveLength(53);
  expect(notes).toContain("150 left out: other kinds.");
});

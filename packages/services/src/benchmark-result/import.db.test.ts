import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { getBenchmarkRun } from "../benchmark/get-run.ts";
import { getBenchmarkSamples } from "../benchmark/get-samples.ts";
import {
  auditEvents,
  createTestEndpoint,
  seedBenchmarkRun,
  useSharedInstallation,
} from "../testing/index.ts";
import { listComparableRuns } from "./comparable-runs.ts";
import { exportBenchmarkRun } from "./export-run.ts";
import { filesAtOnceMax } from "./file-reader.ts";
import { importBenchmarkRun } from "./import-run.ts";
import { deleteImportedRun, listImportedRuns } from "./imported-runs.ts";
import { compareBenchmarkRuns } from "./unpaired.ts";

const { installation, operator } = useSharedInstallation("operator");
let runId: string;

beforeAll(async () => {
  const endpoint = { name: "B2", id: await createTestEndpoint(installation.platform, { name: "B2" }) };
  runId = await seedBenchmarkRun(installation.platform, {
    planId: null,
    endpoint,
    slotAt: new Date("2026-11-01T06:00:00Z"),
    wireMs: Array.from({ length: 40 }, (_, i) => 100 + i),
    failedAt: [3],
  });
});

const importBytes = (bytes: Uint8Array, fileName = "run.json") =>
  importBenchmarkRun({ ctx: operator.ctx, input: { fileName, endpointName: "", bytes } });
const exported = (format: Parameters<typeof exportBenchmarkRun>[0]["input"]["format"]) =>
  exportBenchmarkRun({ ctx: operator.ctx, input: { runId, format } });

test("an export contains the run's state, also after it was imported and exported again", async () => {
  const { db } = installation.platform;
  const stateIn = async (id: string) => {
    const { bytes } = await exportBenchmarkRun({ ctx: operator.ctx, input: { runId: id, format: "json" } });
    return JSON.parse(new TextDecoder().decode(bytes)).details.state;
  };
  expect(await stateIn(runId)).toBe("succeeded");
  await db.benchmarkRun.update({ where: { id: runId }, data: { state: "failed" } });
  expect(await stateIn(runId)).toBe("failed");
  const again = await importBytes((await exported("json")).bytes);
  expect(await stateIn(again.runId)).toBe("failed");
  await db.benchmarkRun.update({ where: { id: runId }, data: { state: "succeeded" } });
  await deleteImportedRun({ ctx: operator.ctx, input: { runId: again.runId } });
});

test("an exported run is imported unchanged: every sample, including failures", async () => {
  for (const format of ["json", "csv", "warp"] as const) {
    const file = await exported(format);
    const imported = await importBytes(file.bytes, file.fileName);
    expect(imported).toMatchObject({ sampleCount: 40, format: expect.stringContaining(format) });
    const run = await getBenchmarkRun({ ctx: operator.ctx, input: { runId: imported.runId } });
    expect(run).toMatchObject({ state: "imported", planId: null, sampleCount: 40, failureCount: 1 });
    const [group] = run.groups;
    expect(group).toMatchObject({ operation: "PUT", n: 40, failureCount: 1, minMs: 100, maxMs: 139 });
    const samples = await getBenchmarkSamples({
      ctx: operator.ctx,
      input: { runId: imported.runId, operation: "PUT", sizeBytes: 256_000, connectionCount: 1 },
    });
    expect(samples.map(({ wireMs }) => wireMs)).toEqual(Array.from({ length: 40 }, (_, i) => 100 + i));
  }
});

test("percentile curves and OpenMetrics have export formats of their own", async () => {
  const hgrm = await exported("hgrm");
  expect(hgrm.fileName).toMatch(/\.hgrm$/);
  expect(Buffer.from(hgrm.bytes).toString()).toContain("Percentile");
  const metrics = await exported("openmetrics");
  expect(Buffer.from(metrics.bytes).toString()).toMatch(/# EOF\n$/);
});

test("a file with a malformed line is refused with the line number, and nothing is stored", async () => {
  const before = await installation.platform.db.benchmarkRun.count();
  const text = Buffer.from((await exported("csv")).bytes).toString();
  const lines = text.split("\r\n");
  lines[20] = (lines[20] ?? "").replace("256000", "many");
  await expect(importBytes(Buffer.from(lines.join("\r\n")), "broken.csv")).rejects.toMatchObject({
    code: "invalid_input",
    field: "file",
    message: expect.stringMatching(/^Line 21, field "/),
  });
  await expect(importBytes(Buffer.from("hello"))).rejects.toMatchObject({ code: "invalid_input" });
  expect(await installation.platform.db.benchmarkRun.count()).toBe(before);
});

/** A warp table as large as that of an hour's load, with every hundredth request failed. */
function warpTable(rowCount: number): Uint8Array {
  const columns = "idx\tthread\top\tclient_id\tn_objects\tbytes\tendpoint\tfile\terror\tstart\tduration_ns";
  const rows = Array.from({ length: rowCount }, (_, i) => {
    const error = i % 100 === 99 ? "Slow down" : "";
    const op = i % 2 === 0 ? "PUT" : "GET";
    return `${i}\t0\t${op}\t\t1\t4096\thttp://127.0.0.1:9000\tk${i}\t${error}\t2026-11-01T06:00:00.5Z\t${1_000_000 + i}`;
  });
  return gzipSync(`${columns}\n${rows.join("\n")}\n`);
}

test("a long file is stored completely: figures, samples and their order, for each operation", async () => {
  const stages: string[] = [];
  const imported = await importBenchmarkRun(
    { ctx: operator.ctx, input: { fileName: "long.csv.gz", endpointName: "", bytes: warpTable(60_000) } },
    { onProgress: ({ stage }) => stages.push(stage) },
  );
  expect(imported).toMatchObject({ format: "warp-csv", sampleCount: 60_000 });
  expect(stages.filter((stage) => stage === "reading").length).toBeGreaterThan(1);
  expect(stages.at(-1)).toBe("storing");
  const run = await getBenchmarkRun({ ctx: operator.ctx, input: { runId: imported.runId } });
  expect(run).toMatchObject({ sampleCount: 60_000, failureCount: 600 });
  expect(run.groups.map(({ operation, n, failureCount }) => [operation, n, failureCount])).toEqual(
    expect.arrayContaining([
      ["GET", 30_000, 600],
      ["PUT", 30_000, 0],
    ]),
  );
  const group = { operation: "GET" as const, sizeBytes: 4096, connectionCount: 1 };
  const samples = await getBenchmarkSamples({
    ctx: operator.ctx,
    input: { runId: imported.runId, ...group },
  });
  const expected = Array.from({ length: 30_000 }, (_, i) => (1_000_001 + 2 * i) / 1e6);
  expect(samples.map(({ wireMs }) => wireMs)).toEqual(expected);
  const stored = await installation.platform.db.benchmarkGroupSamples.findFirstOrThrow({
    where: { runId: imported.runId, operation: "GET" },
  });
  expect(stored.latencyMs).toEqual(expected);
  expect(stored.failedAt).toEqual(Array.from({ length: 600 }, (_, i) => 49 + 50 * i));
});

test.each([
  ["while it is read", "reading"],
  ["while it is stored", "storing"],
])("a big import that is cancelled %s stores nothing, and the next one succeeds", async (_, when) => {
  const { db, calculator } = installation.platform;
  const counts = () =>
    Promise.all([db.benchmarkRun.count(), db.benchmarkGroup.count(), db.benchmarkGroupSamples.count()]);
  const before = await counts();
  const logged = (await auditEvents(installation.platform)).length;
  const cancel = new AbortController();
  const reason = new Error("The user has cancelled.");
  const importing = importBenchmarkRun(
    { ctx: operator.ctx, input: { fileName: "long.csv.gz", endpointName: "", bytes: warpTable(60_000) } },
    {
      signal: cancel.signal,
      onProgress: ({ stage, sampleCount }) => {
        if (stage === when && sampleCount > 0) cancel.abort(reason);
      },
    },
  );
  await expect(importing).rejects.toThrow(reason);
  expect(await counts()).toEqual(before);
  expect(await auditEvents(installation.platform)).toHaveLength(logged);
  expect(calculator.files.readingCount).toBe(0);
  expect(await importBytes(warpTable(100), "short.csv.gz")).toMatchObject({ sampleCount: 100 });
});

test("the number of concurrent imports is limited, and a further one is refused", async () => {
  const cancel = new AbortController();
  const input = { fileName: "long.csv.gz", endpointName: "" };
  const importOne = () =>
    importBenchmarkRun(
      { ctx: operator.ctx, input: { ...input, bytes: warpTable(60_000) } },
      { signal: cancel.signal },
    );
  const running = Array.from({ length: filesAtOnceMax }, () => importOne());
  await expect(importOne()).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 10 });
  const allRejected = Promise.all(running.map((each) => expect(each).rejects.toThrow("enough")));
  cancel.abort(new Error("enough"));
  await allRejected;
});

test("a tool without samples keeps its own figures", async () => {
  const golden = `${import.meta.dirname}/../../../benchmark-formats/src/golden`;
  const bytes = await readFile(`${golden}/iozone-ops.txt`);
  const imported = await importBytes(bytes, "iozone.txt");
  expect(imported).toMatchObject({ sampleCount: 0, format: "iozone" });
  expect(imported.summaryCount).toBeGreaterThan(0);
  const { manifest } = await getBenchmarkRun({ ctx: operator.ctx, input: { runId: imported.runId } });
  expect(manifest).toMatchObject({ imported: { fileName: "iozone.txt", format: "iozone" } });
});

test("two runs without common slots are compared by their samples", async () => {
  const { runId: other } = await importBytes((await exported("json")).bytes);
  const verb = { operation: "PUT" as const, sizeBytes: 256_000, connectionCount: 1 };
  const same = await compareBenchmarkRuns({
    ctx: operator.ctx,
    input: { runAId: runId, runBId: other, ...verb },
  });
  expect(same).toMatchObject({
    shiftMs: 0,
    cliffsDelta: 0,
    a: { sampleCount: 39, failureCount: 1 },
  });
  expect(same.b).toMatchObject({ by: "samples", meanMs: same.a.meanMs });
  expect(same.a.percentilesMs).toEqual([
    [500_000, expect.any(Number)],
    [900_000, expect.any(Number)],
    [990_000, null],
    [999_000, null],
  ]);
  const none = { runAId: runId, runBId: other, ...verb, sizeBytes: 1 };
  await expect(compareBenchmarkRuns({ ctx: operator.ctx, input: none })).rejects.toMatchObject({
    code: "precondition_failed",
  });
});

test("warp runs are compared by their segments, fio runs by their bins, and warp with fio not at all", async () => {
  const golden = `${import.meta.dirname}/../../../benchmark-formats/src/golden`;
  const importGolden = async (name: string) =>
    (await importBytes(await readFile(`${golden}/${name}`), name)).runId;
  const warp = await importGolden("warp-put.json");
  const laterWarp = await importGolden("warp-put-divided.json");
  const fio = await importGolden("fio-fdatasync.txt");
  const comparable = await listComparableRuns({ ctx: operator.ctx });
  const subjectsOf = (id: string) => comparable.find((each) => each.runId === id)?.subjects;
  const put = { operation: "PUT" as const, sizeBytes: 262_144, connectionCount: 1 };
  expect(subjectsOf(warp)).toMatchObject([{ ...put, by: "segments" }]);
  expect(subjectsOf(fio)).toContainEqual(expect.objectContaining({ operation: "SYNC", by: "bins" }));
  expect(subjectsOf(runId)).toMatchObject([{ operation: "PUT", by: "samples", sampleCount: 39 }]);

  const compare = (runAId: string, runBId: string, subject: object) =>
    compareBenchmarkRuns({ ctx: operator.ctx, input: { runAId, runBId, ...put, ...subject } });
  const told = await compare(warp, laterWarp, {});
  expect([told.a, told.b]).toMatchObject([
    { by: "segments", failureCount: null },
    { by: "segments", failureCount: null },
  ]);
  expect(told.a.meanMs).toBeGreaterThan(0);
  const again = await importGolden("fio-fdatasync.txt");
  expect(await compare(fio, again, { operation: "SYNC", sizeBytes: 0 })).toMatchObject({
    a: { by: "bins" },
    shiftMs: 0,
  });
  const csv = Buffer.from((await exported("csv")).bytes).toString();
  const samples = await importBytes(Buffer.from(csv.replaceAll("256000", "262144")), "samples.csv");
  await expect(compare(warp, samples.runId, {})).rejects.toThrow(/means of segments/);
});

test("loads with different numbers of connections are separate groups, by the file or by its samples", async () => {
  const lines = Buffer.from((await exported("json")).bytes)
    .toString()
    .split("\n");
  // The last 16 samples belong to another leg.
  const ofLegs = lines.map((line, at) =>
    at < 25 ? line : line.replace('"leg":0', `"leg":1,"connection":${at % 8}`),
  );
  const counts = async (text: string) => {
    const { runId: imported } = await importBytes(Buffer.from(text));
    const { groups } = await getBenchmarkRun({ ctx: operator.ctx, input: { runId: imported } });
    return groups.map(({ connectionCount, n }) => [connectionCount, n]);
  };
  const named = ofLegs.join("\n");
  const head = /"connectionCounts":\[[\d,]*\],/;
  expect(named).toMatch(head);
  expect(await counts(named.replace(head, ""))).toEqual([
    [1, 24],
    [8, 16],
  ]);
  expect(await counts(named.replace(head, '"connectionCounts":[1,16],'))).toEqual([
    [1, 24],
    [16, 16],
  ]);
});

test("an import can be deleted, but a measurement cannot", async () => {
  const viewer = await installation.person("viewer");
  const [first] = await listImportedRuns({ ctx: viewer.ctx });
  const remove = (id: string) => deleteImportedRun({ ctx: operator.ctx, input: { runId: id } });
  await remove(first?.id ?? "");
  expect((await listImportedRuns({ ctx: viewer.ctx })).map(({ id }) => id)).not.toContain(first?.id);
  await expect(remove(runId)).rejects.toMatchObject({ code: "conflict" });
  await expect(
    importBenchmarkRun({
      ctx: viewer.ctx,
      input: { fileName: "x", endpointName: "", bytes: new Uint8Array(1) },
    }),
  ).rejects.toMatchObject({ code: "forbidden" });
  expect((await auditEvents(installation.platform)).map(({ action }) => action)).toContain(
    "benchmark.imported",
  );
});

import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  compareBenchmarkRuns,
  deleteImportedRun,
  exportBenchmarkRun,
  getBenchmarkRun,
  getBenchmarkSamples,
  importBenchmarkRun,
  listImportedRuns,
} from "../index.ts";
import {
  auditEvents,
  createTestEndpoint,
  openTestInstallation,
  type Person,
  seedBenchmarkRun,
  type TestInstallation,
} from "../testing/index.ts";

let installation: TestInstallation;
let operator: Person;
let runId: string;

beforeAll(async () => {
  installation = await openTestInstallation();
  operator = await installation.person("operator");
  const endpoint = { name: "B2", id: await createTestEndpoint(installation.platform, { name: "B2" }) };
  runId = await seedBenchmarkRun(installation.platform, {
    planId: null,
    endpoint,
    slotAt: new Date("2026-11-01T06:00:00Z"),
    wireMs: Array.from({ length: 40 }, (_, i) => 100 + i),
    failedAt: [3],
  });
});
afterAll(() => installation.close());

const importBytes = (bytes: Uint8Array, fileName = "run.json") =>
  importBenchmarkRun({ ctx: operator.ctx, input: { fileName, endpointName: "", bytes } });
const exported = (format: Parameters<typeof exportBenchmarkRun>[0]["input"]["format"]) =>
  exportBenchmarkRun({ ctx: operator.ctx, input: { runId, format } });

test("what is exported is imported as it was: every sample, failures among them", async () => {
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

test("percentile curves and metrics are files of their own", async () => {
  const hgrm = await exported("hgrm");
  expect(hgrm.fileName).toMatch(/\.hgrm$/);
  expect(Buffer.from(hgrm.bytes).toString()).toContain("Percentile");
  const metrics = await exported("openmetrics");
  expect(Buffer.from(metrics.bytes).toString()).toMatch(/# EOF\n$/);
});

test("a file with a wrong line is refused by that line, and leaves nothing", async () => {
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

test("a tool without samples keeps its own figures", async () => {
  const golden = `${import.meta.dirname}/../../../benchmark/src/formats/golden`;
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
    shiftMs: { value: 0 },
    cliffsDelta: 0,
    a: { sampleCount: 39, failureCount: 1 },
  });
  const none = { runAId: runId, runBId: other, ...verb, sizeBytes: 1 };
  await expect(compareBenchmarkRuns({ ctx: operator.ctx, input: none })).rejects.toMatchObject({
    code: "precondition_failed",
  });
});

test("an import can be deleted, a measurement not", async () => {
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

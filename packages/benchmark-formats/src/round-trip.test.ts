import { readdirSync, readFileSync } from "node:fs";
import {
  type BenchmarkSample,
  benchmarkOperations,
  benchmarkOutcomes,
  benchmarkSampleSchema,
} from "@stashlight/contracts/sample";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRowCutter, type DelimitedRow } from "./delimited.ts";
import { exportRun } from "./export-run.ts";
import type { ExportedRun } from "./exported-run.ts";
import { importFile } from "./import-file.ts";
import { createLineCutter, splitLines } from "./lines.ts";
import { RefusedFile } from "./refusal.ts";

const ms = fc.double({ min: 0, max: 3_600_000, noNaN: true }).map((value) => value + 0);
const instant = fc.double({ min: 0, max: 253_402_300_799_999, noNaN: true }).map((value) => value + 0);
const word = fc
  .string({ minLength: 1, maxLength: 30, unit: "grapheme" })
  .filter((text) => !text.includes("\0"));
const cell = fc.oneof(
  word,
  fc.constantFrom("=1+1", "'", '"', ",", "\t", " a ", "\r", "\n", "-3", "@x", '"a","b"'),
);
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const phases = fc.record(
  { lookupMs: ms, connectMs: ms, tlsMs: ms, writtenMs: ms, headersMs: ms, bodyMs: ms },
  { requiredKeys: [] },
);
const sample = fc.record(
  {
    slotMs: instant,
    operation: fc.constantFrom(...benchmarkOperations),
    outcome: fc.constantFrom(...benchmarkOutcomes),
    sizeBytes: count,
    transferredBytes: count,
    startedAtMs: instant,
    intendedDelayMs: ms,
    wireMs: ms,
    sdkMs: ms,
    perceivedMs: ms,
    attempts: fc.integer({ min: 1, max: 1000 }),
    phases,
    isCold: fc.boolean(),
    connection: fc.nat(500),
    localPort: fc.integer({ min: 1, max: 65_535 }),
    remoteAddress: cell,
    endpoint: cell,
    objectKey: cell,
    httpStatus: fc.integer({ min: 100, max: 999 }),
    errorCode: cell,
    isTagged: fc.boolean(),
    gcMs: ms,
    loopDelayMs: ms,
    achievedPauseMs: ms,
    rttMs: ms,
    rttMissing: fc.constantFrom("not-in-time" as const, "failed" as const),
  },
  {
    requiredKeys: [
      "operation",
      "outcome",
      "sizeBytes",
      "transferredBytes",
      "startedAtMs",
      "wireMs",
      "perceivedMs",
      "attempts",
      "phases",
      "isCold",
      "isTagged",
    ],
  },
);
const samples = fc
  .array(sample, { minLength: 1, maxLength: 20 })
  .map((list): BenchmarkSample[] => list.map((each, index) => ({ ...each, index })));
const run = fc.record({
  connectionCounts: fc.array(fc.integer({ min: 1, max: 64 }), { maxLength: 4 }),
  name: word,
  tool: word,
  details: fc.constant({ method: "small uploads", pauseMs: "10" }),
  samples,
  drive: fc.constant(null),
});

const exportedBytes = (of: ExportedRun, format: "json" | "csv" | "warp"): Uint8Array =>
  exportRun(of, format)[0]?.bytes ?? new Uint8Array();

const readBack = (of: ExportedRun, format: "json" | "csv" | "warp") => readBytes(exportedBytes(of, format));

async function readBytes(bytes: Uint8Array) {
  const samples: BenchmarkSample[] = [];
  const input = { name: "file", bytes };
  const result = await importFile(input, { take: (each) => samples.push(each) });
  if (!result.ok) throw new Error(result.refusal.message);
  return { ...result.run, samples };
}

test("a run is read back unchanged from JSON", async () => {
  await fc.assert(
    fc.asyncProperty(run, async (given) => {
      const { name, tool, details, connectionCounts, samples } = await readBack(given, "json");
      const { drive: _, ...known } = given;
      expect({ name, tool, details, connectionCounts, samples }).toEqual({
        ...known,
        name: given.name.slice(0, 200),
      });
    }),
  );
});

test("samples with any texts are read back unchanged from CSV", async () => {
  await fc.assert(
    fc.asyncProperty(run, async (given) => {
      expect((await readBack(given, "csv")).samples).toEqual(given.samples);
    }),
  );
});

function parseRows(pieces: readonly string[]): DelimitedRow[] {
  const rows: DelimitedRow[] = [];
  const cutter = createRowCutter({ delimiter: ",", rowsMax: 1000, onRow: (row) => rows.push(row) });
  for (const piece of pieces) cutter.push(piece);
  cutter.end();
  return rows;
}

/** Reads a table from these pieces: returns its rows, or the refusal. */
function parseOutcome(pieces: readonly string[]): unknown {
  try {
    return parseRows(pieces);
  } catch (error) {
    if (error instanceof RefusedFile) return error.refusal;
    throw error;
  }
}

test("a table reads the same however its text is split into pieces", () => {
  const tables = fc.array(fc.constantFrom('"', '""', ",", "\n", "\r\n", "\r", "a", "b c", "\u00fc"), {
    maxLength: 30,
  });
  const length = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(tables, fc.infiniteStream(length), (parts, lengths) => {
      const text = parts.join("");
      const pieces: string[] = [];
      for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 0) {
        pieces.push(text.slice(at, at + (lengths.next().value as number)));
      }
      expect(parseOutcome(pieces)).toEqual(parseOutcome([text]));
    }),
    { numRuns: 2_000 },
  );
});

test("lines read the same however their text is split into pieces", () => {
  const linesOfPieces = (pieces: readonly string[]) => {
    const lines: [string, number][] = [];
    const cutter = createLineCutter((line, number) => lines.push([line, number]));
    for (const piece of pieces) cutter.push(piece);
    cutter.end();
    return lines;
  };
  const texts = fc.array(fc.constantFrom("\n", "\r\n", "\r", "a", "bc"), { maxLength: 20 });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join("");
      expect(linesOfPieces([...text])).toEqual(linesOfPieces([text]));
      expect(linesOfPieces([text]).map(([line]) => line)).toEqual([...splitLines(text)]);
    }),
  );
});

test("no cell of our CSV is executed by a spreadsheet", () => {
  fc.assert(
    fc.property(run, (given) => {
      const text = new TextDecoder().decode(
        exportedBytes({ ...given, samples: given.samples.slice(0, 1) }, "csv"),
      );
      const rows = parseRows([text]);
      expect(rows).toHaveLength(2);
      for (const cell of rows.flatMap(({ fields }) => fields)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});

test("requests written for warp are read back with the fields that warp has", async () => {
  const requests = samples.map((list) =>
    list.map((each) => {
      const headersMs = each.phases.headersMs === undefined ? {} : { headersMs: each.wireMs / 2 };
      return {
        ...each,
        operation: "PUT" as const,
        startedAtMs: 1_726_394_400_000 + each.wireMs,
        phases: headersMs,
      };
    }),
  );
  await fc.assert(
    fc.asyncProperty(requests, async (list) => {
      const read = await readBack(
        { name: "a\nb", tool: "Stashlight", details: {}, connectionCounts: [], samples: list, drive: null },
        "warp",
      );
      expect(read.samples).toHaveLength(list.length);
      for (const [i, each] of read.samples.entries()) {
        const given = list[i] as BenchmarkSample;
        expect(each.sizeBytes).toBe(given.sizeBytes);
        expect(each.wireMs).toBeCloseTo(given.wireMs, 5);
        expect(each.startedAtMs).toBeCloseTo(given.startedAtMs, 2);
        expect(each.outcome === "ok").toBe(given.outcome === "ok" || given.errorCode?.trim() === "");
        expect(each.objectKey).toBe(given.objectKey);
        expect(each.connection).toBe(given.connection ?? 0);
      }
    }),
  );
});

const fixed: ExportedRun = {
  name: "B2 US East, 2024-09-15 10:00",
  tool: "Stashlight",
  details: { endpoint: "b2" },
  connectionCounts: [],
  drive: null,
  samples: Array.from({ length: 100 }, (_, index) => ({
    index,
    operation: "PUT",
    outcome: index === 99 ? "timed-out" : "ok",
    sizeBytes: 256_000,
    transferredBytes: index === 99 ? 0 : 256_000,
    startedAtMs: 1_726_394_400_000 + index * 130,
    wireMs: index === 99 ? 30_000 : 100 + index / 4,
    perceivedMs: index === 99 ? 30_000 : 100 + index / 4,
    attempts: 1,
    phases: { writtenMs: 2, headersMs: 99, bodyMs: 1 },
    isCold: index === 0,
    connection: 0,
    endpoint: 'b2 "us"',
    ...(index === 99 && { errorCode: "no answer within 30 s" }),
    isTagged: false,
  })),
};

test.each(["csv", "json", "hgrm", "openmetrics"] as const)(
  "%s is written as in the golden file",
  async (format) => {
    const [file, ...more] = exportRun(fixed, format);
    expect(more).toEqual([]);
    await expect(new TextDecoder().decode(file?.bytes)).toMatchFileSnapshot(`golden/exported-${format}.txt`);
  },
);

test("files from before round trips were recorded beside samples can be read", async () => {
  const csv = new TextDecoder().decode(exportedBytes(fixed, "csv"));
  const earlierCsv = csv.replace(",rttMs,rttMissing\r\n", "\r\n").replaceAll(",,\r\n", "\r\n");
  expect(earlierCsv.split("\r\n", 1)[0]).toMatch(/achievedPauseMs$/);
  expect((await readBytes(new TextEncoder().encode(earlierCsv))).samples).toEqual(fixed.samples);
  const json = exportedBytes(fixed, "json");
  expect(new TextDecoder().decode(json)).not.toContain("rtt");
  expect((await readBytes(json)).samples).toEqual(fixed.samples);
});

test("loads over different numbers of connections are separate in .hgrm and OpenMetrics, by the run's numbers or its samples'", () => {
  const single = fixed.samples.slice(0, 20).map((sample) => ({ ...sample, leg: 1 }));
  const many = fixed.samples
    .slice(20, 60)
    .map((sample) => ({ ...sample, leg: 2, connection: sample.index % 8 }));
  for (const connectionCounts of [[1, 1, 8], []]) {
    const run = { ...fixed, connectionCounts, samples: [...single, ...many] };
    expect(exportRun(run, "hgrm").map(({ name }) => name.replace(/^.*-put/, "put"))).toEqual([
      "put-256000-1.hgrm",
      "put-256000-8.hgrm",
    ]);
    const text = new TextDecoder().decode(exportRun(run, "openmetrics")[0]?.bytes);
    expect(text).toMatch(/_count\{[^}]*connections="1"[^}]*\} 20 /);
    expect(text).toMatch(/_count\{[^}]*connections="8"[^}]*\} 40 /);
  }
});

test("latencies at a constant rate count from the due moment, with service times and delays of starts beside them", () => {
  const samples = fixed.samples.slice(0, 99).map((sample) => ({ ...sample, intendedDelayMs: 40 }));
  const [metrics] = exportRun({ ...fixed, samples }, "openmetrics");
  const text = new TextDecoder().decode(metrics?.bytes);
  const value = (name: string, quantile: string) =>
    Number(
      new RegExp(`^stashlight_benchmark_${name}_seconds\\{.*quantile="${quantile}"\\} ([\\d.]+) `, "m").exec(
        text,
      )?.[1],
    );
  expect(value("latency", "0.5")).toBeCloseTo(0.15225, 6);
  expect(value("service", "0.5")).toBeCloseTo(0.11225, 6);
  expect(value("service", "0.95")).toBeCloseTo(0.1235, 6);
  expect([value("start_delay", "0.5"), value("start_delay", "1")]).toEqual([0.04, 0.04]);
  expect(text).not.toContain(
    'start_delay_seconds{run="B2 US East, 2024-09-15 10:00",operation="PUT",size_bytes="256000",connections="1",endpoint="b2 \\"us\\"",quantile="0.99"}',
  );
  const [hgrm] = exportRun({ ...fixed, samples }, "hgrm");
  const curve = new TextDecoder().decode(hgrm?.bytes);
  expect(curve).toContain("#[From the moment at which each operation was due]");
  expect(curve).toMatch(/Max {5}= +164\.500,/);
});

test("files are named after the run, without characters that file names may not have", () => {
  const names = (["csv", "json", "warp", "hgrm", "openmetrics"] as const).map(
    (format) => exportRun({ ...fixed, name: "../B2 / 256 kB" }, format)[0]?.name,
  );
  expect(names).toEqual([
    "B2-256-kB.csv",
    "B2-256-kB.json",
    "B2-256-kB.csv.zst",
    "B2-256-kB-1-put-256000-1.hgrm",
    "B2-256-kB.openmetrics.txt",
  ]);
});

describe("a run in which nothing succeeded", () => {
  const failed = { ...fixed, samples: fixed.samples.slice(99).map((sample) => ({ ...sample, index: 0 })) };
  const exportedText = (format: "hgrm" | "openmetrics") =>
    new TextDecoder().decode(exportRun(failed, format)[0]?.bytes);

  test.each(["csv", "json"] as const)("is read back from %s unchanged", async (format) => {
    expect((await readBack(failed, format)).samples).toEqual(failed.samples);
  });

  test("is one failed request when written for warp", async () => {
    const { samples } = await readBack(failed, "warp");
    expect(samples).toMatchObject([{ operation: "PUT", outcome: "failed", wireMs: 30_000 }]);
  });

  test("has no percentiles as .hgrm, and counts its failure", () => {
    const text = exportedText("hgrm");
    expect(text).toMatch(/Total count {4}= +0\]/);
    expect(text).toMatch(/Failed {2}= +1,/);
    expect(text.split("\n").filter((line) => /^ *\d/.test(line))).toEqual([]);
  });

  test("has no quantiles in OpenMetrics, and counts its failure", () => {
    const text = exportedText("openmetrics");
    expect(text).not.toContain("quantile=");
    expect(text).toMatch(/_latency_seconds_count\{.*\} 0 /);
    expect(text).toMatch(/_operations_total\{.*outcome="timed-out"\} 1 /);
    expect(text.endsWith("# EOF\n")).toBe(true);
  });
});

const folder = new URL("golden/", import.meta.url);
const goldens = readdirSync(folder)
  .filter((name) => !name.endsWith(".md"))
  .map((name) => readFileSync(new URL(name, folder)));

/** Expects either that all samples are valid or a refusal sentence: no partial result, and no exception. */
async function expectWhole(bytes: Uint8Array): Promise<void> {
  const taken: BenchmarkSample[] = [];
  const input = { name: "file", bytes, limits: { textBytesMax: 2 ** 22 } };
  const result = await importFile(input, { take: (each) => taken.push(each) });
  if (result.ok) for (const each of taken) benchmarkSampleSchema.parse(each);
  else expect(result.refusal.message).toMatch(/^[A-Z].*\.$/s);
}

test("any bytes are read completely or refused with an explanation", async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), expectWhole), { numRuns: 200 });
});

test("damaged files of all formats are read completely or refused with an explanation", async () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(30),
    insert: fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom(
        '"',
        "\t",
        "\n",
        ",",
        "-1",
        "1e999",
        "null",
        "{}",
        "[]",
        "9".repeat(400),
        '"__proto__":1,',
      ),
    ),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...goldens),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      async (file, edits) => {
        let bytes: Buffer = file;
        for (const { at, remove, insert } of edits) {
          const from = Math.floor(at * bytes.length);
          bytes = Buffer.concat([
            bytes.subarray(0, from),
            Buffer.from(insert),
            bytes.subarray(from + remove),
          ]);
        }
        await expectWhole(bytes);
      },
    ),
    { numRuns: 1500 },
  );
});

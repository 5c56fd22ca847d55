import type { DiskCellResult } from "@stashlight/contracts/disk";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { expect, test } from "vitest";
import { exportRun } from "./export-run.ts";
import type { ExportedRun } from "./exported-run.ts";
import { importFile } from "./import-file.ts";

const none = { n: 0, meanUs: null, p50Us: null, p99Us: null, p999Us: null, maxUs: null };
const known = { n: 3_000, meanUs: 300, p50Us: 250, p99Us: 900, p999Us: null, maxUs: 2_000 };

function makeCell(of: Partial<DiskCellResult["cell"]>, iops: number): DiskCellResult {
  const cell = {
    access: "random" as const,
    readShare: 1,
    blockBytes: 4_096,
    queueDepth: 1,
    syncsWrites: false,
    secondsMax: 2,
    roundSeconds: null,
    ...of,
  };
  const isRead = cell.readShare > 0;
  return {
    cell,
    seconds: 2,
    readsPerSecond: isRead ? iops : 0,
    writesPerSecond: isRead ? 0 : iops,
    read: isRead ? known : none,
    write: isRead ? none : known,
    steadyState: null,
    perSecond: { iops: [iops, 0, iops], meanUs: [300, 0, 310] },
    writtenBytes: 0,
  };
}

const run: ExportedRun = {
  connectionCounts: [],
  name: "host-1/data",
  tool: "stashlight",
  details: {},
  samples: [],
  drive: {
    tool: "stashlight",
    startedAtMs: 1_726_394_400_123,
    fileBytes: 1_073_741_824,
    cells: [
      makeCell({}, 1_500),
      makeCell({}, 1_700),
      makeCell({}, 1_600),
      makeCell({ readShare: 0 }, 800),
      makeCell({ access: "sequential", blockBytes: 1_048_576 }, 200),
      makeCell({ queueDepth: 32 }, 9_000),
      makeCell({ readShare: 0, syncsWrites: true }, 100),
    ],
  },
};

async function read(name: string, bytes: Uint8Array) {
  const samples: BenchmarkSample[] = [];
  const result = await importFile({ name, bytes }, { take: (sample) => samples.push(sample) });
  if (!result.ok) throw new Error(result.refusal.message);
  return { ...result.run, samples };
}

test("iozone's export has a table for each queue depth, medians of runs, and blanks for tests that were not run", async () => {
  const [file] = exportRun(run, "iozone");
  const text = new TextDecoder().decode(file?.bytes);
  expect(file?.name).toBe("host-1-data.iozone.txt");
  expect(text).not.toContain("    400 ");
  const { summaries, format } = await read("f", file?.bytes ?? new Uint8Array());
  expect(format).toBe("iozone");
  const kib = (operationsPerSecond: number, blockBytes: number) => operationsPerSecond * blockBytes;
  expect(summaries).toEqual([
    expect.objectContaining({ label: "random read", sizeBytes: 4_096, bytesPerSecond: kib(1_600, 4_096) }),
    expect.objectContaining({ label: "random write", sizeBytes: 4_096, bytesPerSecond: kib(800, 4_096) }),
    expect.objectContaining({
      label: "sequential read",
      sizeBytes: 1_048_576,
      bytesPerSecond: kib(200, 1_048_576),
      fileBytes: 1_073_741_824,
    }),
    expect.objectContaining({ label: "random read", bytesPerSecond: kib(9_000, 4_096) }),
  ]);
});

test("fio's export has the measured figures, and leaves out unknown ones", async () => {
  const [json] = exportRun(run, "fio");
  expect(json?.name).toBe("host-1-data.fio.json");
  const { summaries, format, startedAtMs } = await read("f", json?.bytes ?? new Uint8Array());
  expect({ format, startedAtMs }).toEqual({ format: "fio-json", startedAtMs: 1_726_394_400_123 });
  expect(summaries).toHaveLength(7);
  expect(summaries[3]).toEqual({
    label: "004-randwrite-4096-qd1: write",
    operation: "WRITE",
    sizeBytes: 4_096,
    operationCount: 3_000,
    meanMs: 0.3,
    maxMs: 2,
    percentilesMs: [
      [500_000, 0.25],
      [990_000, 0.9],
    ],
    bytesPerSecond: 800 * 4_096,
    operationsPerSecond: 800,
    isApproximate: false,
  });
});

test("fio's logs have a line for each second in which a request ended", async () => {
  const files = exportRun(run, "fio").slice(1);
  expect(files).toHaveLength(2 * 7);
  const [iops, latency] = files.slice(6, 8);
  expect(iops?.name).toBe("004-randwrite-4096-qd1_iops.1.log");
  expect(new TextDecoder().decode(iops?.bytes)).toBe(
    "1000, 800, 1, 4096, 0\n2000, 0, 1, 4096, 0\n3000, 800, 1, 4096, 0\n",
  );
  const { samples, format } = await read(latency?.name ?? "", latency?.bytes ?? new Uint8Array());
  expect(format).toBe("fio-log");
  expect(samples.map(({ operation, startedAtMs, wireMs }) => [operation, startedAtMs, wireMs])).toEqual([
    ["WRITE", 1_000, 0.3],
    ["WRITE", 3_000, 0.31],
  ]);
});

test("a run on an object store has no export in the formats of fio and iozone", () => {
  for (const format of ["fio", "iozone"] as const)
    expect(exportRun({ ...run, drive: null }, format)).toEqual([]);
});

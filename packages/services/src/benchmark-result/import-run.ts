import {
  type BenchmarkImportProgress,
  benchmarkImportBytesMax,
  benchmarkImportTextBytesMax,
  type ImportedBenchmarkRun,
  type importBenchmarkRunInput,
} from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { bulkConnection, type Database, type Prisma, type Transaction } from "@stashlight/db";
import { benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { writeFigures, writeSamples } from "../benchmark/groups.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { toStatements } from "../statements.ts";
import type { WithCalculator } from "./calculator.ts";
import type { PreparedImport, PreparedRun } from "./read-import.ts";

const rowsMax = 500_000;
const transactionMs = 60_000;
const limits = { fileBytesMax: benchmarkImportBytesMax, textBytesMax: benchmarkImportTextBytesMax, rowsMax };

export type ImportBenchmarkRunInput = z.output<typeof importBenchmarkRunInput> & {
  /** Its memory is transferred to the import thread, so the caller cannot use it afterwards. */
  bytes: Uint8Array;
};

export interface ImportOptions {
  /** Once aborted, nothing of the file is stored, and the import rejects with the signal's reason. */
  signal?: AbortSignal;
  onProgress?: (progress: BenchmarkImportProgress) => void;
}

/** Imports a file of another tool, or of Stashlight, as runs: one per endpoint in it. Stores all of it or nothing. */
export async function importBenchmarkRun(
  { ctx, input }: Verb<ImportBenchmarkRunInput, WithCalculator>,
  { signal, onProgress }: ImportOptions = {},
): Promise<ImportedBenchmarkRun> {
  requireRole(ctx, "operator");
  const { fileName, endpointName, bytes } = input;
  const read = await ctx.platform.calculator.files.read(
    { name: fileName, bytes, limits },
    { signal, onProgress: (progress) => onProgress?.({ stage: "reading", ...progress }) },
  );
  if (!read.ok) throw new StashlightError("invalid_input", read.message, { field: "file" });
  const now = ctx.platform.now();
  const rows = read.runs.map((run) => ({
    run,
    row: importedRunRow({ read, run, fileName, endpointName, now }),
  }));
  const [first] = rows;
  if (first === undefined) throw new StashlightError("invalid_input", "The file contains no run.");
  const sampleCount = rows.reduce((sum, { run }) => sum + run.sampleCount, 0);
  onProgress?.({ stage: "storing", readShare: 1, sampleCount });
  await ctx.platform.db.$transaction(
    async (tx) => {
      for (const { run, row } of rows) await storeRun(ctx.platform.db, tx, row, run, signal);
      await writeAudit(tx, ctx, {
        action: "benchmark.imported",
        target: { kind: "benchmark run", id: first.row.id, name: read.file.name },
        after: { fileName, format: read.file.format, tool: read.file.tool, runs: rows.length },
      });
      signal?.throwIfAborted();
    },
    { timeout: transactionMs },
  );
  const { name, tool, format, summaries, distributions, notes } = read.file;
  return {
    runId: first.row.id,
    name,
    tool,
    format,
    sampleCount,
    summaryCount: summaries.length + distributions.length,
    notes: [
      ...notes,
      ...(rows.length > 1 ? [`The file contains ${rows.length} endpoints; each becomes a run.`] : []),
    ],
  };
}

async function storeRun(
  db: Database,
  tx: Transaction,
  row: ReturnType<typeof importedRunRow>,
  { groups }: PreparedRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  await tx.benchmarkRun.create({ data: row });
  const run = { id: row.id, planId: null, endpointId: null, slotAt: row.slotAt };
  const statements = toStatements(await bulkConnection(db, tx));
  await writeFigures(statements, run, groups);
  for (const group of groups) {
    signal?.throwIfAborted();
    await writeSamples(statements, row.id, group);
  }
}

interface RowInput {
  read: Extract<PreparedImport, { ok: true }>;
  run: PreparedRun;
  fileName: string;
  endpointName: string;
  now: Date;
}

function importedRunRow({ read: { file }, run, fileName, endpointName, now }: RowInput) {
  const startedAt = new Date(run.startedAtMs ?? file.startedAtMs ?? now.getTime());
  const { format, name, tool, details, notes, summaries, distributions } = file;
  const named = [endpointName, run.endpoint].filter((part) => part !== null && part !== "");
  return {
    id: newId(),
    endpointName: (named.join(" · ") || name).slice(0, 200),
    vantageName: "Imported file",
    method: benchmarkRunColumns.method.write({ name: "import", parameters: { format, tool, fileName } }),
    slotAt: run.slotMs === null ? startedAt : new Date(run.slotMs),
    attempt: 1,
    state: "imported",
    position: 0,
    startedAt,
    finishedAt: run.finishedAtMs === null ? null : new Date(run.finishedAtMs),
    progress: 1,
    outcome: null,
    sampleCount: run.sampleCount,
    failureCount: run.failureCount,
    taggedShare: run.sampleCount === 0 ? null : run.taggedCount / run.sampleCount,
    manifest: benchmarkRunColumns.manifest.write({
      imported: { format, name, tool, fileName, details, notes, summaries, distributions },
    }),
    label: "measured",
    createdAt: now,
  } satisfies Prisma.BenchmarkRunUncheckedCreateInput;
}

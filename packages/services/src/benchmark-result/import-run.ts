import {
  benchmarkImportBytesMax,
  type ImportedBenchmarkRun,
  type importBenchmarkRunInput,
  StashlightError,
} from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { writeGroups } from "../benchmark/groups.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import type { PreparedImport, PreparedRun } from "./read-import.ts";

const rowsMax = 500_000;
const transactionMs = 60_000;

export type ImportBenchmarkRunInput = z.output<typeof importBenchmarkRunInput> & { bytes: Uint8Array };

/** A file of another tool, or of ours, as runs: one an endpoint in it. All of it is stored, or nothing. */
export async function importBenchmarkRun({
  ctx,
  input,
}: Verb<ImportBenchmarkRunInput>): Promise<ImportedBenchmarkRun> {
  requireRole(ctx, "operator");
  const { fileName, endpointName, bytes } = input;
  const read = await ctx.platform.calculator.readFile({
    name: fileName,
    bytes,
    limits: { fileBytesMax: benchmarkImportBytesMax, rowsMax },
  });
  if (!read.ok) throw new StashlightError("invalid_input", read.message, { field: "file" });
  const now = ctx.platform.now();
  const rows = read.runs.map((run) => ({
    run,
    row: rowOf({ read, run, fileName, endpointName, now }),
  }));
  const [first] = rows;
  if (first === undefined) throw new StashlightError("invalid_input", "The file holds no run.");
  await ctx.platform.db.$transaction(
    async (tx) => {
      for (const { run, row } of rows) {
        await tx.benchmarkRun.create({ data: row });
        await writeGroups(
          tx,
          { id: row.id, planId: null, endpointId: null, slotAt: row.slotAt as Date },
          run.groups,
        );
      }
      await writeAudit(tx, ctx, {
        action: "benchmark.imported",
        target: { kind: "benchmark run", id: first.row.id, name: read.file.name },
        after: { fileName, format: read.file.format, tool: read.file.tool, runs: rows.length },
      });
    },
    { timeout: transactionMs },
  );
  const { name, tool, format, summaries, distributions, notes } = read.file;
  return {
    runId: first.row.id,
    name,
    tool,
    format,
    sampleCount: rows.reduce((sum, { run }) => sum + run.sampleCount, 0),
    summaryCount: summaries.length + distributions.length,
    notes: [...notes, ...(rows.length > 1 ? [`The file holds ${rows.length} endpoints, each a run.`] : [])],
  };
}

interface RowInput {
  read: Extract<PreparedImport, { ok: true }>;
  run: PreparedRun;
  fileName: string;
  endpointName: string;
  now: Date;
}

function rowOf({ read: { file }, run, fileName, endpointName, now }: RowInput) {
  const startedAt = new Date(run.startedAtMs ?? file.startedAtMs ?? now.getTime());
  const { format, name, tool, details, notes, summaries, distributions } = file;
  const named = [endpointName, run.endpoint].filter((part) => part !== null && part !== "");
  return {
    id: newId(),
    endpointName: (named.join(" · ") || name).slice(0, 200),
    vantageName: "Imported file",
    method: { name: "import", parameters: { format, tool, fileName } },
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
    manifest: JSON.parse(
      JSON.stringify({
        imported: { format, name, tool, fileName, details, notes, summaries, distributions },
      }),
    ) as Prisma.InputJsonObject,
    label: "measured",
    createdAt: now,
  } satisfies Prisma.BenchmarkRunUncheckedCreateInput;
}

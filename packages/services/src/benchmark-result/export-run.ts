import { type ExportedRun, exportRun } from "@stashlight/benchmark-formats";
import { driveExportFormats, type exportBenchmarkRunInput } from "@stashlight/contracts/benchmark";
import type { DiskCellResult } from "@stashlight/contracts/disk";
import { StashlightError } from "@stashlight/contracts/errors";
import { benchmarkDiskCellColumns } from "@stashlight/db/columns/benchmark";
import { z } from "zod";
import { methodLegs, methodTitle } from "../benchmark/method.ts";
import { unpackSamples } from "../benchmark/pack.ts";
import { runMethod } from "../benchmark/stored-plan.ts";
import { requireRole, type Verb } from "../context.ts";
import { buildTar } from "./tar.ts";

export interface ExportedBenchmarkRun {
  fileName: string;
  contentType: string;
  bytes: Uint8Array;
}

/** The form that a probe writes into the manifest of a drive's run (packages/benchmark). */
const manifestSchema = z.object({ drive: z.object({ fileBytes: z.int() }) });

const importedSchema = z.object({
  imported: z.object({ details: z.object({ state: z.string().optional() }) }),
});

/**
 * Outcome of the run, so that a failed one cannot pass for a success; for an imported run, the outcome stated in its
 * file.
 */
function exportedState({ state, manifest }: { state: string; manifest: unknown }): { state?: string } {
  if (state !== "imported") return { state };
  const { data } = importedSchema.safeParse(manifest);
  const inFile = data?.imported.details.state;
  return inFile === undefined ? {} : { state: inFile };
}

function exportedDrive(
  { manifest, startedAt, slotAt }: { manifest: unknown; startedAt: Date | null; slotAt: Date },
  cells: readonly DiskCellResult[],
): ExportedRun["drive"] {
  const { data } = manifestSchema.safeParse(manifest);
  if (data === undefined || cells.length === 0) return null;
  return {
    tool: "stashlight",
    startedAtMs: (startedAt ?? slotAt).getTime(),
    fileBytes: data.drive.fileBytes,
    cells,
  };
}

/** Exports all samples of a run as a file; formats with a file per group are packed into one archive. */
export async function exportBenchmarkRun({
  ctx,
  input,
}: Verb<typeof exportBenchmarkRunInput>): Promise<ExportedBenchmarkRun> {
  requireRole(ctx, "viewer");
  const { db } = ctx.platform;
  const run = await db.benchmarkRun.findUnique({
    where: { id: input.runId },
    include: { diskCells: { orderBy: { place: "asc" }, select: { result: true } } },
  });
  if (run === null) throw new StashlightError("not_found", "There is no such run.");
  const groups = await db.benchmarkGroupSamples.findMany({
    where: { runId: run.id },
    select: { packed: true },
  });
  const samples = groups
    .flatMap(({ packed }) => unpackSamples(packed))
    .map((sample) => ({ slotMs: run.slotAt.getTime(), endpoint: run.endpointName, ...sample }))
    .sort((a, b) => a.index - b.index);
  if (samples.length === 0) {
    throw new StashlightError(
      "precondition_failed",
      "The run has no samples, so there is nothing to export.",
    );
  }
  const method = runMethod(run);
  const cells = run.diskCells.map(({ result }) => benchmarkDiskCellColumns.result.read(result, run.id));
  const drive = exportedDrive(run, cells);
  if (drive === null && driveExportFormats.includes(input.format)) {
    throw new StashlightError(
      "invalid_input",
      "fio and iozone measure drives, but this run measured an object store; choose another format.",
      { field: "format" },
    );
  }
  const files = exportRun(
    {
      name: `${run.endpointName} ${run.slotAt.toISOString().slice(0, 16)}`,
      tool: "stashlight",
      details: {
        endpoint: run.endpointName,
        method: methodTitle(method),
        parameters: JSON.stringify(method.parameters),
        slot: run.slotAt.toISOString(),
        vantage: run.vantageName,
        label: run.label,
        ...exportedState(run),
      },
      connectionCounts: methodLegs(method).map(({ connectionCount }) => connectionCount),
      samples,
      drive,
    },
    input.format,
  );
  const [file] = files;
  if (file !== undefined && files.length === 1) {
    return { fileName: file.name, contentType: file.mediaType, bytes: file.bytes };
  }
  const modifiedAt = run.finishedAt ?? run.slotAt;
  return {
    fileName: `${run.id}-${input.format}.tar`,
    contentType: "application/x-tar",
    bytes: buildTar(files.map(({ name, bytes }) => ({ name, bytes, modifiedAt }))),
  };
}

import { exportRun } from "@stashlight/benchmark/formats";
import type { exportBenchmarkRunInput } from "@stashlight/contracts/benchmark/result";
import { StashlightError } from "@stashlight/contracts/errors";
import type { z } from "zod";
import { methodOfRun } from "../benchmark/find.ts";
import { titleOf } from "../benchmark/method.ts";
import { unpackSamples } from "../benchmark/pack.ts";
import { requireRole, type Verb } from "../context.ts";
import { tarOf } from "./tar.ts";

export interface ExportedBenchmarkRun {
  fileName: string;
  contentType: string;
  bytes: Uint8Array;
}

/** All samples of a run as a file; where a format has a file for each group, they come as one archive. */
export async function exportBenchmarkRun({
  ctx,
  input,
}: Verb<z.output<typeof exportBenchmarkRunInput>>): Promise<ExportedBenchmarkRun> {
  requireRole(ctx, "viewer");
  const { db } = ctx.platform;
  const run = await db.benchmarkRun.findUnique({ where: { id: input.runId } });
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
  const method = methodOfRun(run);
  const files = exportRun(
    {
      name: `${run.endpointName} ${run.slotAt.toISOString().slice(0, 16)}`,
      tool: "stashlight",
      details: {
        endpoint: run.endpointName,
        method: titleOf(method),
        parameters: JSON.stringify(method.parameters),
        slot: run.slotAt.toISOString(),
        vantage: run.vantageName,
        label: run.label,
      },
      samples,
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
    bytes: tarOf(files.map(({ name, bytes }) => ({ name, bytes, modifiedAt }))),
  };
}

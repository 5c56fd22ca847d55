import { chooseMethod } from "@stashlight/benchmark/methods";
import type { DiskCellRow, DiskRunDetails, DriveDetails, DriveRunRow } from "@stashlight/contracts/disk";
import { StashlightError } from "@stashlight/contracts/errors";
import { benchmarkDiskCellColumns, benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import {
  againstVolume,
  capSentences,
  describeDisturbance,
  describeTooShort,
  findLimit,
  type LabelledVolume,
  refillSentence,
} from "@stashlight/devices/findings";
import { z } from "zod";
import { runMethod } from "../benchmark/stored-plan.ts";
import { requireRole, type Verb } from "../context.ts";
import { readDrives } from "./list.ts";

const runsShown = 50;

/** Returns a drive with its newest runs, including failed ones. */
export async function getDrive({ ctx, input }: Verb<{ driveId: string }>): Promise<DriveDetails> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const [drive] = await readDrives(platform, input.driveId);
  if (drive === undefined) throw new StashlightError("not_found", "There is no such drive.");
  const runs = await platform.db.benchmarkRun.findMany({
    where: { endpointId: input.driveId },
    orderBy: { createdAt: "desc" },
    take: runsShown,
  });
  return {
    ...drive,
    runs: runs.map(
      (run): DriveRunRow => ({
        runId: run.id,
        planName: run.planName,
        method: runMethod(run).name,
        state: benchmarkRunColumns.state.read(run.state, run.id),
        startedAt: run.startedAt,
        outcome: run.outcome,
        writtenBytes: run.writtenBytes,
      }),
    ),
  };
}

/** Returns the finished cells of a run, and the limits of the drive that follow from them. */
export async function getDiskRun({ ctx, input }: Verb<{ runId: string }>): Promise<DiskRunDetails> {
  requireRole(ctx, "viewer");
  const { db, now } = ctx.platform;
  const run = await db.benchmarkRun.findUnique({
    where: { id: input.runId },
    include: {
      diskCells: { orderBy: { place: "asc" } },
      endpoint: { select: { id: true, drive: true } },
    },
  });
  if (run === null) throw new StashlightError("not_found", "There is no such run.");
  const drive = run.endpoint && endpointColumns.drive.readOrNull(run.endpoint.drive, run.endpoint.id);
  const labels: LabelledVolume = drive?.labels ?? { volumeType: null, sizeBytes: null };
  const month = (run.startedAt ?? now()).toISOString().slice(0, 7);
  const cells = run.diskCells.map(({ place, repetition, result }): DiskCellRow => {
    const read = benchmarkDiskCellColumns.result.read(result, run.id);
    return { place, repetition, result: read, ...cellFindings(read, labels, month) };
  });
  const choice = runMethod(run);
  const results = cells.map((cell) => cell.result);
  const rest = choice.parameters.restSeconds;
  const restSeconds = typeof rest === "number" && rest > 0 ? rest : null;
  const refill = results.length < 2 ? null : refillSentence(results, restSeconds);
  const { isOwnTool, ...facts } = measuredWith(run.manifest);
  return {
    runId: run.id,
    cells,
    cellCount: countCells(choice),
    ...facts,
    sentences: [
      ...(results.length === 0 ? [] : capSentences(results)),
      ...[refill, describeTooShort(results), describeDisturbance(results, isOwnTool)].filter(
        (sentence) => sentence !== null,
      ),
    ],
  };
}

/** The form that a probe writes into the manifest (packages/benchmark). */
const manifestSchema = z.object({
  measured: z.object({
    tool: z.enum(["fio", "stashlight"]),
    toolVersion: z.string(),
    device: z.object({
      name: z.string().nullable(),
      model: z.string().nullable(),
      isRotational: z.boolean().nullable(),
      scheduler: z.string().nullable(),
    }),
  }),
});

function measuredWith(
  manifest: unknown,
): Pick<DiskRunDetails, "measuredWith" | "device"> & { readonly isOwnTool: boolean } {
  const { data } = manifestSchema.safeParse(manifest);
  if (data === undefined) return { measuredWith: null, device: null, isOwnTool: false };
  const { tool, toolVersion, device } = data.measured;
  const kind = device.isRotational === null ? null : device.isRotational ? "rotating" : "not rotating";
  const scheduler = device.scheduler === null ? null : `scheduler ${device.scheduler}`;
  const told = [device.name, device.model, kind, scheduler].filter((text) => text !== null);
  return {
    measuredWith: tool === "fio" ? toolVersion : `own reader and writer ${toolVersion}`,
    device: told.length === 0 ? null : told.join(", "),
    isOwnTool: tool === "stashlight",
  };
}

function cellFindings(
  { cell, perSecond }: DiskCellRow["result"],
  labels: LabelledVolume,
  month: string,
): Pick<DiskCellRow, "limit" | "model"> {
  const found = findLimit(perSecond.iops, month);
  if (found === null) return { limit: null, model: null };
  const model = againstVolume(perSecond.iops, cell.blockBytes, labels, month);
  return {
    limit: { sentence: found.sentence, fitted: [...found.fitted] },
    model: model && { ...model, iops: [...model.iops] },
  };
}

/** Zero for a removed method, and for methods that measure stores. */
function countCells(choice: ReturnType<typeof runMethod>): number {
  try {
    const { method, parameters } = chooseMethod(choice);
    if (method.measures === "stores") return 0;
    const { cells, runCount } = method.work(parameters);
    return cells.length * runCount;
  } catch {
    return 0;
  }
}

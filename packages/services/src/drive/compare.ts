import type {
  compareDrivesInput,
  DiskCellResult,
  DriveComparison,
  DriveGrouping,
  LatencyOverTime,
} from "@stashlight/contracts/disk";
import { benchmarkDiskCellColumns } from "@stashlight/db/columns/benchmark";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import {
  cellTitle,
  chartStepSeconds,
  compareCells,
  latencySteps,
  OVER_TIME_SECONDS_MIN,
} from "@stashlight/devices/findings";
import type { z } from "zod";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { statementsIn } from "../statements-in.ts";

type Input = z.output<typeof compareDrivesInput>;

/** Compares only the newest runs of each drive, so that a comparison is current and its cost limited. */
const runsPerDriveMax = 10;

/** Compares groups of drives over all measurements of the method; the unit is the machine. */
export async function compareDrives({ ctx, input }: Verb<Input>): Promise<DriveComparison> {
  requireRole(ctx, "viewer");
  const drives = await readDrives(ctx.platform, input);
  const cells = await readCells(ctx.platform, drives, input.method);
  const measured = drives.filter(({ id }) => cells.has(id));
  const groups = [...Map.groupBy(measured, (drive) => groupName(drive, input.groupBy))].sort(([a], [b]) =>
    a.localeCompare(b),
  );
  const compared = compareCells(
    groups.map(([name, ofGroup]) => ({
      name,
      hosts: [...Map.groupBy(ofGroup, ({ host }) => host).values()].map((ofHost) =>
        ofHost.flatMap(({ id }) => cells.get(id)?.runs ?? []),
      ),
    })),
  );
  return {
    groups: groups.map(([name, ofGroup]) => ({
      name,
      driveNames: ofGroup.map((drive) => drive.name),
      hostCount: new Set(ofGroup.map(({ host }) => host)).size,
      isModelled: ofGroup.some(({ isModelled }) => isModelled),
      pricePerMonth: medianPrice(ofGroup.flatMap(({ labels }) => labels.pricePerMonth ?? [])),
    })),
    cells: [...compared.cells],
    confidence: compared.confidence,
    overTime: latencyOverTime(
      groups.flatMap(([group, ofGroup]) =>
        ofGroup.flatMap(({ id, name }) =>
          (cells.get(id)?.newest ?? []).map((result) => ({ group, driveName: name, result })),
        ),
      ),
    ),
  };
}

/** Uses the same step for all, so that their charts align. */
function latencyOverTime(
  measured: readonly { group: string; driveName: string; result: DiskCellResult }[],
): LatencyOverTime[] {
  const long = measured.filter(({ result }) => result.perSecond.iops.length >= OVER_TIME_SECONDS_MIN);
  const stepSeconds = chartStepSeconds(long.map(({ result }) => result.perSecond));
  return long.map(({ group, driveName, result }) => ({
    group,
    driveName,
    title: cellTitle(result.cell),
    stepSeconds,
    meanUs: latencySteps(result.perSecond, stepSeconds),
  }));
}

type ComparedDrive = Awaited<ReturnType<typeof readDrives>>[number];

async function readDrives({ db }: Core, { driveIds }: Input) {
  const endpoints = await db.endpoint.findMany({
    where: { kind: "drive", ...(driveIds.length === 0 ? {} : { id: { in: driveIds } }) },
    orderBy: { name: "asc" },
    select: { id: true, name: true, drive: true, probeNodeId: true },
  });
  return endpoints.map(({ id, name, drive, probeNodeId }) => ({
    id,
    name,
    /** The machine; a drive without a probe counts as its own machine. */
    host: probeNodeId ?? id,
    ...endpointColumns.drive.read(drive, id),
  }));
}

function groupName({ name, labels }: ComparedDrive, by: DriveGrouping): string {
  return by === "drive" ? name : (labels[by] ?? name);
}

function medianPrice(prices: readonly number[]): number | null {
  const sorted = prices.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

interface StoredCell {
  endpointId: string;
  runId: string;
  /** 1 for the newest run of the drive. */
  age: number;
  repetition: number;
  result: unknown;
}

interface CellsOfDrive {
  /** The cells of each run and repetition. */
  readonly runs: DiskCellResult[][];
  /** All cells of the newest run. */
  readonly newest: DiskCellResult[];
}

/** The measured cells of each drive. */
async function readCells(
  { db }: Core,
  drives: readonly ComparedDrive[],
  method: Input["method"],
): Promise<Map<string, CellsOfDrive>> {
  const rows = await statementsIn(db).query<StoredCell>(
    `SELECT run.endpoint_id AS "endpointId", run.id AS "runId", run.age::integer AS age, c.repetition, c.result
       FROM (SELECT id, endpoint_id, row_number() OVER (PARTITION BY endpoint_id ORDER BY finished_at DESC) AS age
               FROM benchmark_run
              WHERE endpoint_id = ANY ($1::uuid[]) AND method ->> 'name' = $2::text AND finished_at IS NOT NULL) AS run
       JOIN benchmark_disk_cell AS c ON c.run_id = run.id
      WHERE run.age <= $3::integer
      ORDER BY run.id, c.place`,
    [drives.map(({ id }) => id), method, runsPerDriveMax],
  );
  const read = rows.map((row) => ({
    ...row,
    result: benchmarkDiskCellColumns.result.read(row.result, row.runId),
  }));
  const byDrive = Map.groupBy(read, ({ endpointId }) => endpointId);
  return new Map(
    [...byDrive].map(([endpointId, ofDrive]) => {
      const byRun = Map.groupBy(ofDrive, ({ runId, repetition }) => `${runId} ${repetition}`);
      const newestAge = Math.min(...ofDrive.map(({ age }) => age));
      return [
        endpointId,
        {
          runs: [...byRun.values()].map((cells) => cells.map(({ result }) => result)),
          newest: ofDrive.flatMap(({ age, result }) => (age === newestAge ? [result] : [])),
        },
      ];
    }),
  );
}

/** Drives that probes offered to plans, with their latest figures. */
import type { BenchmarkRunLabel } from "@stashlight/contracts/benchmark";
import {
  byPlace,
  type DiskCell,
  type DriveFigure,
  type DriveRow,
  type DriveSyncs,
  diskCellKey,
  type PlannableDrive,
} from "@stashlight/contracts/disk";
import { benchmarkDiskCellColumns } from "@stashlight/db/columns/benchmark";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { cellTitle, findLimit } from "@stashlight/devices/findings";
import { median } from "@stashlight/stats";
import { type Context, requireRole } from "../context.ts";
import type { Core } from "../core.ts";
import { statementsIn } from "../statements-in.ts";

/** Lists all drives by name. */
export async function listDrives({ ctx }: { ctx: Context }): Promise<DriveRow[]> {
  requireRole(ctx, "viewer");
  return readDrives(ctx.platform, null);
}

/** Reads the drive with this id; all drives, by name, for null. */
export async function readDrives(platform: Core, driveId: string | null): Promise<DriveRow[]> {
  const { db } = platform;
  const endpoints = await db.endpoint.findMany({
    where: { kind: "drive", ...(driveId === null ? {} : { id: driveId }) },
    orderBy: { name: "asc" },
    include: {
      probeNode: { select: { id: true, name: true } },
      plans: { include: { plan: { select: { id: true, name: true } } } },
    },
  });
  const offered = await db.probeDrive.findMany();
  const isOffered = (probeNodeId: string | null, node: string, device: string): boolean =>
    offered.some(
      (each) =>
        each.probeNodeId === probeNodeId &&
        each.nodeName === node &&
        each.device === device &&
        each.benchmark !== null,
    );
  const newest = await newestRuns(
    platform,
    endpoints.map(({ id }) => id),
  );
  const month = platform.now().toISOString().slice(0, 7);
  return Promise.all(
    endpoints.map(async (endpoint): Promise<DriveRow> => {
      const { id, name, probeNode, probeNodeId, driveNode, driveDevice } = endpoint;
      const [node, device] = [driveNode ?? "", driveDevice ?? ""];
      const { labels } = endpointColumns.drive.read(endpoint.drive, id);
      const sweep = await readSweep(platform, newest.get(`${id} disk-sweep`));
      const { check, burst } = await readCheck(platform, newest.get(`${id} volume-check`), month);
      const syncs = await readSyncs(platform, newest.get(`${id} stash-load`));
      const label: BenchmarkRunLabel = endpointColumns.label.read(endpoint.label, id);
      return {
        id,
        name,
        probe: probeNode === null ? null : { nodeId: probeNode.id, name: probeNode.name },
        node,
        device,
        labels,
        label,
        isOffered: isOffered(probeNodeId, node, device),
        plans: endpoint.plans.map(({ plan }) => plan),
        sweep,
        check,
        plannable: toPlannable(labels.sizeBytes, sweep, burst, syncs?.perSecond ?? null),
        syncs,
      };
    }),
  );
}

interface NewestRun {
  endpointId: string;
  method: string;
  id: string;
  finishedAt: Date;
  runCount: number;
}

/** Returns the newest run of each drive and method that measured a cell, and the number of such runs. */
async function newestRuns({ db }: Core, ids: readonly string[]): Promise<Map<string, NewestRun>> {
  const rows = await statementsIn(db).query<NewestRun>(
    `SELECT DISTINCT ON (endpoint_id, method) endpoint_id AS "endpointId", method, id, finished_at AS "finishedAt",
            count(*) OVER (PARTITION BY endpoint_id, method)::integer AS "runCount"
       FROM (SELECT r.endpoint_id, r.method ->> 'name' AS method, r.id, r.finished_at
               FROM benchmark_run AS r
              WHERE r.endpoint_id = ANY ($1::uuid[]) AND r.finished_at IS NOT NULL
                AND EXISTS (SELECT FROM benchmark_disk_cell AS c WHERE c.run_id = r.id)) AS measured
      ORDER BY endpoint_id, method, finished_at DESC`,
    [ids],
  );
  return new Map(rows.map((row) => [`${row.endpointId} ${row.method}`, row]));
}

async function readSweep({ db }: Core, run: NewestRun | undefined): Promise<DriveRow["sweep"]> {
  if (run === undefined) return null;
  const cells = await db.benchmarkDiskCell.findMany({ where: { runId: run.id }, omit: { result: true } });
  const measured = cells.map((each) => ({
    ...each,
    access: benchmarkDiskCellColumns.access.read(each.access, run.id),
    secondsMax: 0,
    roundSeconds: null,
  }));
  const figures = headlineCells(measured).map((cell): DriveFigure => {
    const ofCell = measured.filter((each) => diskCellKey(each) === diskCellKey(cell));
    const { access, readShare, blockBytes, queueDepth, syncsWrites } = cell;
    const named = { access, readShare, blockBytes, queueDepth, syncsWrites };
    const middle = (values: readonly (number | null)[]): number | null => {
      const known = values.filter((value) => value !== null);
      return known.length === 0 ? null : median(known);
    };
    return {
      title: cellTitle(named),
      cell: named,
      iops: median(ofCell.map(({ iops }) => iops)),
      p50Us: middle(ofCell.map(({ p50Us }) => p50Us)),
      p99Us: middle(ofCell.map(({ p99Us }) => p99Us)),
    };
  });
  return { runId: run.id, finishedAt: run.finishedAt, figures, runCount: run.runCount };
}

/**
 * Key figures of a drive: random I/O of the smallest block and sequential I/O of the largest one, at the deepest queue.
 */
function headlineCells<Cell extends DiskCell>(cells: readonly Cell[]): Cell[] {
  const pure = cells.filter(({ readShare }) => readShare === 0 || readShare === 1).toSorted(byPlace);
  return (["random", "sequential"] as const).flatMap((access) =>
    [1, 0].flatMap((readShare) => {
      const same = pure.filter((each) => each.access === access && each.readShare === readShare);
      const deepest = same.filter(({ queueDepth }) => queueDepth === same.at(-1)?.queueDepth);
      return (access === "random" ? deepest[0] : deepest.at(-1)) ?? [];
    }),
  );
}

async function readCheck(
  { db }: Core,
  run: NewestRun | undefined,
  month: string,
): Promise<{ check: DriveRow["check"]; burst: PlannableDrive["burst"] }> {
  if (run === undefined) return { check: null, burst: null };
  const first = await db.benchmarkDiskCell.findFirstOrThrow({
    where: { runId: run.id },
    orderBy: { place: "asc" },
    select: { result: true },
  });
  const { perSecond } = benchmarkDiskCellColumns.result.read(first.result, run.id);
  const found = findLimit(perSecond.iops, month);
  const { id: runId, finishedAt } = run;
  const check = { runId, finishedAt, finding: found?.short ?? null, sentence: found?.sentence ?? null };
  const shaping = found?.shaping;
  return {
    check,
    burst:
      shaping?.kind === "token-bucket"
        ? { iops: shaping.burstRate, sustainedIops: shaping.baseRate, bucketIos: shaping.bucketTokens }
        : null,
  };
}

async function readSyncs({ db }: Core, run: NewestRun | undefined): Promise<DriveSyncs | null> {
  if (run === undefined) return null;
  const largest = await db.benchmarkDiskCell.findFirst({
    where: { runId: run.id, queueDepth: 1, syncsWrites: true },
    orderBy: [{ blockBytes: "desc" }, { place: "asc" }],
    select: { result: true },
  });
  if (largest === null) return null;
  const { cell, write, writesPerSecond } = benchmarkDiskCellColumns.result.read(largest.result, run.id);
  const { n, p50Us, p99Us, p999Us, maxUs } = write;
  if (writesPerSecond <= 0 || p50Us === null || maxUs === null) return null;
  const told: readonly [number, number | null][] = [
    [0, p50Us],
    [0.5, p50Us],
    [0.99, p99Us],
    [0.999, p999Us],
    [1, maxUs],
  ];
  const quantilesUs = told.flatMap(([share, us]): [number, number][] =>
    us === null ? [] : [[share, Math.min(us, maxUs)]],
  );
  return {
    recordBytes: cell.blockBytes,
    n,
    perSecond: writesPerSecond,
    measuredAt: run.finishedAt,
    quantilesUs,
  };
}

/**
 * Caps measured rates at the sustained rate of a drive with a burst bucket, because a plan's drives have to keep up for
 * years.
 */
function toPlannable(
  capacityBytes: number | null,
  sweep: DriveRow["sweep"],
  burst: PlannableDrive["burst"],
  fsyncPerSecond: number | null,
): PlannableDrive | null {
  const writes = sweep?.figures.filter(({ cell }) => cell.readShare === 0);
  const random = writes?.find(({ cell }) => cell.access === "random");
  const sequential = writes?.find(({ cell }) => cell.access === "sequential");
  if (sweep === null || random === undefined || sequential === undefined) return null;
  const kept = (iops: number): number => Math.min(iops, burst?.sustainedIops ?? iops);
  const writeIops = kept(random.iops);
  const writeBytesPerSecond = kept(sequential.iops) * sequential.cell.blockBytes;
  if (writeIops <= 0 || writeBytesPerSecond <= 0) return null;
  return {
    capacityBytes,
    writeBytesPerSecond,
    writeIops,
    fsyncPerSecond,
    measuredAt: sweep.finishedAt,
    burst,
  };
}

/** Pictures of measured cells: each second, and by block size. */

import {
  type ComparedCell,
  cellIops,
  type DiskCellRow,
  type DriveComparison,
  diskCellKey,
} from "@stashlight/contracts/disk";
import { formatSize } from "@stashlight/contracts/sample";
import type { ChartTone } from "@stashlight/ui/chart";
import {
  type BySizeInput,
  type BySizeOptions,
  type CurveInput,
  type ElapsedLine,
  type PreparedFigure,
  prepareBySize,
  prepareCurves,
  prepareElapsed,
  prepareShades,
} from "@stashlight/ui/figure";
import { formatRate } from "./format-figures.ts";

/** IOPS of each second, beside the finding and the volume's model. */
export function secondsFigure({ result, limit, model }: DiskCellRow): PreparedFigure {
  const { iops } = result.perSecond;
  const points = (rates: readonly number[]) => rates.map((rate, second) => [second, rate] as const);
  const lines: ElapsedLine[] = [
    { id: "measured", label: "measured", tone: "accent-ink", points: points(iops) },
    ...(limit === null
      ? []
      : [
          {
            id: "found",
            label: "finding",
            tone: "warning" as const,
            isDashed: true,
            points: points(limit.fitted),
          },
        ]),
    ...(model === null
      ? []
      : [
          {
            id: "model",
            label: model.name,
            tone: "coordinator" as const,
            isDashed: true,
            points: points(model.iops),
          },
        ]),
  ];
  return prepareElapsed({
    seconds: Math.max(1, iops.length - 1),
    quantity: "count",
    lines,
    columns: ["Second", "IOPS", "Mean latency, µs", "Finding, IOPS", "Model, IOPS"],
    rows: iops.map((rate, second) => [
      second,
      rate,
      Number((result.perSecond.meanUs[second] ?? 0).toPrecision(4)),
      limit === null ? null : Number((limit.fitted[second] ?? 0).toPrecision(6)),
      model === null ? null : Number((model.iops[second] ?? 0).toPrecision(6)),
    ]),
  });
}

/** Mean latency per second, in which a limit appears as queued requests. */
export function latencyFigure({ result }: DiskCellRow): PreparedFigure {
  const { iops, meanUs } = result.perSecond;
  return prepareElapsed({
    seconds: Math.max(1, iops.length - 1),
    quantity: "seconds",
    lines: [
      {
        id: "latency",
        label: "mean latency",
        tone: "accent-ink",
        points: meanUs.flatMap((us, second) => (iops[second] === 0 ? [] : [[second, us / 1e6] as const])),
      },
    ],
    columns: ["Second", "Mean latency, µs"],
    rows: meanUs.map((us, second) => [second, iops[second] === 0 ? null : Number(us.toPrecision(4))]),
  });
}

const tones: readonly ChartTone[] = ["stash", "pod", "coordinator", "good", "direct", "warning"];
const groupTone = (place: number): ChartTone => tones[place % tones.length] ?? "stash";

export interface CellPicture {
  readonly key: string;
  readonly title: string;
  readonly figure: PreparedFigure;
}

type Load = Pick<DiskCellRow["result"]["cell"], "access" | "readShare" | "queueDepth" | "syncsWrites">;

function loadTitle({ access, readShare, queueDepth, syncsWrites }: Load): string {
  if (syncsWrites) return `Synced appends, ${queueDepth} ${queueDepth === 1 ? "writer" : "writers"}`;
  const what = readShare === 1 ? "reads" : readShare === 0 ? "writes" : "reads and writes";
  return `${access === "random" ? "Random" : "Sequential"} ${what}, queue depth ${queueDepth}`;
}

/** Equal for cells that differ only in block size. */
const loadKey = (cell: Parameters<typeof diskCellKey>[0]): string => diskCellKey({ ...cell, blockBytes: 0 });

const megabytesBySize: BySizeOptions = {
  quantity: "bytes-per-second",
  seriesName: "Group",
  valueName: "MB/s",
  intervalNames: ["Interval from, MB/s", "Interval to, MB/s"],
  isJoined: true,
  inTable: (bytesPerSecond) => bytesPerSecond / 1e6,
};
const iopsBySize: BySizeOptions = {
  quantity: "count",
  seriesName: "Group",
  valueName: "IOPS",
  intervalNames: ["Interval from, IOPS", "Interval to, IOPS"],
  isJoined: true,
  inTable: (iops) => iops,
};

export type RateUnit = "iops" | "bytes";

/** One chart per load (access, operation, queue depth) of a comparison, with a series per group over block sizes. */
export function comparisonPictures({ cells, groups }: DriveComparison, unit: RateUnit): CellPicture[] {
  const options = unit === "iops" ? iopsBySize : megabytesBySize;
  const loads = [...Map.groupBy(cells, ({ cell }) => loadKey(cell))];
  const loadSeries = (ofLoad: readonly ComparedCell[]): BySizeInput[] =>
    groups.flatMap(({ name }, place): BySizeInput[] => {
      const points = ofLoad.flatMap(({ cell, figures }) => {
        const figure = figures[place];
        if (figure == null) return [];
        const scale = unit === "iops" ? 1 : cell.blockBytes;
        const { iops, interval } = figure;
        return [
          {
            sizeBytes: cell.blockBytes,
            sizeLabel: formatSize(cell.blockBytes),
            value: iops * scale,
            low: interval === null ? null : interval.low * scale,
            high: interval === null ? null : interval.high * scale,
          },
        ];
      });
      return points.length === 0 ? [] : [{ label: name, tone: groupTone(place), points }];
    });
  const all = loads.flatMap(([, ofLoad]) => loadSeries(ofLoad));
  return loads.map(([key, ofLoad]) => ({
    key,
    title: loadTitle((ofLoad[0] as ComparedCell).cell),
    figure: prepareBySize(loadSeries(ofLoad), all, options),
  }));
}

/**
 * Median latency against IOPS by queue depth, at the smallest block size. Where a curve turns up, additional concurrent
 * requests only wait. Empty if only one depth was measured.
 */
export function latencyPictures({ cells, groups }: DriveComparison): CellPicture[] {
  const smallest = Math.min(...cells.map(({ cell }) => cell.blockBytes));
  const ofBlock = cells.filter(({ cell }) => cell.blockBytes === smallest && !cell.syncsWrites);
  const byLoad = Map.groupBy(ofBlock, ({ cell }) => diskCellKey({ ...cell, queueDepth: 0 }));
  return [...byLoad].flatMap(([key, ofLoad]): CellPicture[] => {
    const curves = groups.flatMap(({ name }, place): CurveInput[] => {
      const points = ofLoad
        .toSorted((a, b) => a.cell.queueDepth - b.cell.queueDepth)
        .flatMap(({ figures }) => {
          const figure = figures[place];
          return figure == null || figure.p50Us === null ? [] : [[figure.iops, figure.p50Us / 1e6] as const];
        });
      return points.length < 2
        ? []
        : [{ label: name, tone: groupTone(place), isDashed: place % 2 === 1, points }];
    });
    if (curves.length === 0) return [];
    const xMax = Math.max(...curves.flatMap(({ points }) => points.map(([iops]) => iops)));
    const { cell } = ofLoad[0] as ComparedCell;
    const verb = cell.readShare === 1 ? "reads" : cell.readShare === 0 ? "writes" : "I/O";
    return [
      {
        key: `latency ${key}`,
        title: `${cell.access === "random" ? "Random" : "Sequential"} ${verb} of ${formatSize(cell.blockBytes)}`,
        figure: prepareCurves(curves, {
          quantity: "seconds",
          yLabel: "p50, s",
          xLabel: "IOPS",
          xTicks: [0, 0.25, 0.5, 0.75, 1].map((share) => ({
            x: share * xMax,
            label: formatRate(Number((share * xMax).toPrecision(2))),
          })),
          xMax,
        }),
      },
    ];
  });
}

/** One chart per load: latency over time, with a row for every drive that was measured for long enough. */
export function overTimePictures({ overTime }: DriveComparison): CellPicture[] {
  const byLoad = Map.groupBy(overTime, ({ title }) => title);
  return [...byLoad].map(([title, rows]) => ({
    key: `over-time ${title}`,
    title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    figure: prepareShades({
      stepSeconds: rows[0]?.stepSeconds ?? 1,
      quantity: "seconds",
      rows: rows.map(({ group, driveName, meanUs }) => ({
        label: group === driveName ? driveName : `${group}: ${driveName}`,
        values: meanUs.map((us) => (us === null ? null : us / 1e6)),
      })),
      columns: ["Drive", "Second", "Mean latency, ms"],
      inTable: (seconds) => seconds * 1_000,
    }),
  }));
}

/** Rates of a drive's cells by block size: one chart per access, with a series for each operation and queue depth. */
export function sweepPictures(cells: readonly DiskCellRow[], unit: RateUnit): CellPicture[] {
  const byAccess = [...Map.groupBy(cells, ({ result }) => result.cell.access)];
  const options = { ...(unit === "iops" ? iopsBySize : megabytesBySize), seriesName: "Load" };
  const accessSeries = (ofAccess: readonly DiskCellRow[]): BySizeInput[] =>
    [...Map.groupBy(ofAccess, ({ result }) => loadKey(result.cell))]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([, ofLoad], place) => ({
        label: loadTitle((ofLoad[0] as DiskCellRow).result.cell).replace(/^\w+ /, ""),
        tone: groupTone(place),
        points: [...Map.groupBy(ofLoad, ({ result }) => result.cell.blockBytes)].map(([sizeBytes, same]) => ({
          sizeBytes,
          sizeLabel: formatSize(sizeBytes),
          ...rateRange(same.map(({ result }) => cellIops(result) * (unit === "iops" ? 1 : sizeBytes))),
        })),
      }));
  const all = byAccess.flatMap(([, ofAccess]) => accessSeries(ofAccess));
  return byAccess.map(([access, ofAccess]) => ({
    key: access,
    title: access === "random" ? "Random access" : "Sequential access",
    figure: prepareBySize(accessSeries(ofAccess), all, options),
  }));
}

/** Rate of the median run, with the range from the slowest to the fastest; a single run has no range. */
function rateRange(rates: readonly number[]): { value: number; low: number | null; high: number | null } {
  const sorted = rates.toSorted((a, b) => a - b);
  const value = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  if (sorted.length === 1) return { value, low: null, high: null };
  return { value, low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 };
}

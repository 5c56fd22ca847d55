/** Reads gauges and counters of a query's groups: merged fleet buckets, and the rest that these lack. */
import {
  BUCKET_MS,
  findLayouts,
  RESOLUTIONS,
  type ReadRange,
  type Resolution,
  readSamples,
  type SampleSource,
} from "@stashlight/db/metrics";
import { present } from "../../present.ts";
import { type Covered, missingRanges, ROLLED_UP, sharedWatermarks } from "./fleets.ts";
import { reportedUntilMs } from "./live-edge.ts";
import type { CellRange, SampleGroup, SampleJob } from "./merge-samples.ts";
import type { BaseWithMerger } from "./merger.ts";
import type { Plan } from "./plan.ts";
import type { MergedSeries } from "./points.ts";
import type { SelectedSeries } from "./select.ts";
import { sharing } from "./sharing.ts";

type Watermarks = SelectedSeries["node"]["watermarks"];

/** Ranges to read of one series. */
interface Reading {
  readonly nodeId: string;
  readonly seriesId: number;
  readonly watermarks: Watermarks;
  readonly range: ReadRange;
}

export interface SampleQuestion extends Pick<SampleJob, "kind" | "across"> {
  readonly plan: Plan;
  /** True if sums wait for nodes that have not reported yet. */
  readonly waits: boolean;
}

const layoutsOf = sharing(findLayouts);

/** The points of each group. */
export async function mergeSampleGroups(
  { metrics, merger }: BaseWithMerger,
  { kind, across, plan, waits }: SampleQuestion,
  groups: readonly Covered[],
): Promise<readonly MergedSeries[]> {
  const parts = groups.map((group) => readParts(group, plan));
  const readings = parts.flatMap((part) => part.readings);
  const layouts = await layoutsOf(metrics, [...new Set(readings.map(({ nodeId }) => nodeId))]);
  const places = findJobPlaces(kind, layouts, new Set(readings.map(({ seriesId }) => seriesId)));
  const ranges = Map.groupBy(readings, ({ range }) => `${range.resolution} ${range.fromMs} ${range.toMs}`);
  const sources = await Promise.all(
    [...ranges.values()].map(async (alike) => {
      const found = groupSources(alike, places);
      const packed = await readSamples(metrics, kind, present(alike[0]).range, found);
      return found.map(({ nodeId, series }, i) => ({ nodeId, series, packed: present(packed[i]) }));
    }),
  );
  const merged = await merger.merge({
    ...plan,
    kind,
    across,
    isHeld: plan.resolution === "raw",
    sources: sources.flat().sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)),
    groups: groups.map(({ fleets, others }, i): SampleGroup => {
      const series = [...others, ...fleets.flatMap(({ members }) => members)];
      return {
        series: series.map(({ seriesId }) => seriesId),
        fleetSeries: fleets.map(({ source }) => source.seriesId),
        cells: present(parts[i]).cells,
        // A window belongs to the cell that contains its middle.
        completeMs: waits ? reportedUntilMs(series, -0.5, true) : Number.POSITIVE_INFINITY,
      };
    }),
  });
  return merged.series;
}

interface Parts {
  readonly readings: readonly Reading[];
  readonly cells: readonly CellRange[];
}

/** Reads all parts of a group in the same resolution at the same time, so that they fall into the same cells. */
function readParts(
  { fleets, others }: Covered,
  { resolution, startMs, endMs, readToMs, stepMs }: Plan,
): Parts {
  const whole = { resolution, fromMs: startMs, toMs: readToMs };
  const ofSeries = (
    { nodeId, seriesId, node }: SelectedSeries,
    watermarks: Watermarks,
    range: ReadRange,
  ) => ({
    nodeId,
    seriesId,
    range,
    watermarks: lower(node.watermarks, watermarks),
  });
  if (fleets.length === 0) {
    // A single series is averaged over all its values.
    const isWhole = resolution === "raw" || others.length === 1;
    const lengthMs = isWhole ? stepMs : BUCKET_MS[resolution];
    return {
      readings: others.map((series) => ofSeries(series, series.node.watermarks, whole)),
      cells: [{ untilMs: endMs, lengthMs }],
    };
  }
  const watermarks = sharedWatermarks(fleets);
  return {
    readings: [
      ...others.map((series) => ofSeries(series, watermarks, whole)),
      ...fleets.flatMap(({ source: { nodeId, seriesId }, members }) => [
        { nodeId, seriesId, watermarks, range: whole },
        ...members.flatMap((member) =>
          missingRanges(member, { watermarks }, whole).map((range) => ofSeries(member, watermarks, range)),
        ),
      ]),
    ],
    cells: cellRanges(resolution, watermarks, endMs),
  };
}

const lower = (some: Watermarks, others: Watermarks): Watermarks => ({
  "1m": Math.min(some["1m"], others["1m"]),
  "10m": Math.min(some["10m"], others["10m"]),
  "1h": Math.min(some["1h"], others["1h"]),
});

function cellRanges(resolution: Resolution, watermarks: Watermarks, endMs: number): CellRange[] {
  const resolutions: readonly Resolution[] = ROLLED_UP;
  const finer = ROLLED_UP.slice(resolutions.indexOf(resolution));
  return [
    ...finer.map((of) => ({ untilMs: watermarks[of], lengthMs: BUCKET_MS[of] })),
    { untilMs: endMs, lengthMs: BUCKET_MS["1m"] },
  ];
}

interface Places extends Pick<SampleSource, "layoutId" | "rawOffset" | "narrowAfter"> {
  readonly placeOf: ReadonlyMap<number, number>;
}

/** Returns by node its layouts, with the columns of the wanted series in each. */
function findJobPlaces(
  kind: SampleJob["kind"],
  layouts: Awaited<ReturnType<typeof findLayouts>>,
  wanted: ReadonlySet<number>,
): ReadonlyMap<string, readonly Places[]> {
  const byNode = new Map<string, Places[]>();
  for (const { nodeId, layoutId, seriesIds, gaugeCount, narrowAfter } of layouts) {
    const rawOffset = kind === "gauge" ? 0 : gaugeCount;
    const placeOf = new Map<number, number>();
    for (const [i, id] of seriesIds.slice(rawOffset).entries()) if (wanted.has(id)) placeOf.set(id, i + 1);
    if (placeOf.size === 0) continue;
    const ofNode = byNode.get(nodeId) ?? [];
    byNode.set(nodeId, ofNode);
    ofNode.push({ layoutId, rawOffset, narrowAfter, placeOf });
  }
  return byNode;
}

/** Returns one source per layout of a node, with all series that are read in the same way. */
function groupSources(
  readings: readonly Reading[],
  places: ReadonlyMap<string, readonly Places[]>,
): (SampleSource & { readonly series: readonly number[] })[] {
  const watermarkKey = ({ nodeId, watermarks }: Reading): string =>
    `${nodeId} ${RESOLUTIONS.map((of) => (of === "raw" ? "" : watermarks[of])).join(" ")}`;
  return [...Map.groupBy(readings, watermarkKey).values()].flatMap((alike) => {
    const { nodeId, watermarks } = present(alike[0]);
    return (places.get(nodeId) ?? []).flatMap(({ placeOf, ...layout }) => {
      const series = alike.flatMap(({ seriesId }) => (placeOf.has(seriesId) ? [seriesId] : []));
      const found = series.map((id) => present(placeOf.get(id)));
      return found.length === 0 ? [] : [{ nodeId, ...layout, watermarks, series, places: found }];
    });
  });
}

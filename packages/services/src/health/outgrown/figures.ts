/** Figures behind a forecast, each beside its limit. */

import type { OutgrownFigure } from "@stashlight/contracts/health";
import { onePostgresMarks } from "@stashlight/contracts/thresholds";
import { countAt, measureGrowth } from "./forecast.ts";
import type { Sources } from "./sources.ts";

const UNREAD = "could not be read";
const { nodesMax, rowsPerSecondMax, sizeBytesMax, rollUpLateSeconds } = onePostgresMarks;

export function outgrownFigures(sources: Sources, nowMs: number): OutgrownFigure[] {
  // A store spread over machines has other limits than one Postgres.
  const limited = (limit: number) => (sources.profile === "citus" ? null : limit);
  const { nodes } = sources;
  const nodeCount = nodes === null ? null : countAt(nodes.lifetimes, nowMs);
  const growth = nodes === null ? null : measureGrowth({ lifetimes: nodes.lifetimes, nowMs });
  return [
    {
      name: "Nodes",
      value: nodeCount,
      unit: "nodes",
      error: null,
      limit: limited(nodesMax),
      sampleCount: nodeCount ?? 0,
      source: "inventory",
      missing: UNREAD,
    },
    {
      name: "Growth",
      value: growth?.nodesPerMonth ?? null,
      unit: "nodes a month",
      error: growth?.errorPerMonth ?? null,
      limit: null,
      sampleCount: growth?.changeCount ?? 0,
      source: "inventory",
      missing: nodes === null ? UNREAD : "not enough history yet",
    },
    rowsFigure(sources, limited(rowsPerSecondMax)),
    sizeFigure(sources, nodeCount ?? 0, limited(sizeBytesMax)),
    lagFigure(sources),
    diskFigure(sources),
  ];
}

const rowsFigure = ({ rate }: Sources, limit: number | null): OutgrownFigure => ({
  name: "Rows, at most",
  value: rate?.nodeCount ? rate.rowsPerSecond : null,
  unit: "rows/s",
  error: null,
  limit,
  sampleCount: rate?.nodeCount ?? 0,
  source: "metric store",
  missing: rate === null ? UNREAD : "no node reports",
});

const sizeFigure = ({ sizes, nodes }: Sources, nodeCount: number, limit: number | null): OutgrownFigure => ({
  name: "Measurements",
  value: sizes && Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0),
  unit: "bytes",
  error: null,
  limit,
  sampleCount: nodeCount + (nodes?.simulatedCount ?? 0),
  source: nodes?.simulatedCount ? "metric store, with simulated nodes" : "metric store",
  missing: UNREAD,
});

const lagFigure = ({ lagsSeconds }: Sources): OutgrownFigure => ({
  name: "Roll-up lag",
  value: lagsSeconds && lowerMedian(lagsSeconds),
  unit: "seconds",
  error: null,
  limit: rollUpLateSeconds,
  sampleCount: lagsSeconds?.length ?? 0,
  source: "metric store",
  missing: lagsSeconds === null ? UNREAD : "nothing is rolled up",
});

const diskFigure = ({ disk }: Sources): OutgrownFigure => ({
  name: "Free on its disk",
  value: disk?.freeBytes ?? null,
  unit: "bytes",
  error: null,
  limit: null,
  sampleCount: disk ? 1 : 0,
  source: "this console's machine",
  missing: disk === null ? UNREAD : "another machine's disk",
});

export const lowerMedian = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

import { type BenchmarkSweepPlace, formatOperation, formatOver } from "@stashlight/contracts/benchmark";
import { type BenchmarkOperation, formatSize } from "@stashlight/contracts/sample";
import { type BySizeInput, type PreparedFigure, prepareBySize } from "@stashlight/ui/figure";
import { endpointLine } from "../tones.ts";

export interface SmallMultiple {
  readonly key: string;
  readonly title: string;
  readonly metric: string;
  readonly figure: PreparedFigure;
}

export interface OperationRow {
  readonly key: string;
  readonly operation: BenchmarkOperation;
  readonly connectionCount: number;
}

/** Combinations of operation and connection count that occur at any place, in cell order. */
function operationRows(places: readonly BenchmarkSweepPlace[]): OperationRow[] {
  const rows = new Map<string, OperationRow>();
  for (const { operation, connectionCount } of places.flatMap(({ cells }) => cells)) {
    const key = `${operation} ${connectionCount}`;
    rows.set(key, { key, operation, connectionCount });
  }
  return [...rows.values()];
}

function operationSeries(place: BenchmarkSweepPlace, row: OperationRow): BySizeInput[] {
  return place.series.flatMap((each, at): BySizeInput[] => {
    const points = place.cells
      .filter(
        ({ operation, connectionCount }) =>
          operation === row.operation && connectionCount === row.connectionCount,
      )
      .flatMap(({ sizeBytes, entries }) =>
        entries
          .filter(({ series }) => series === at)
          .map(({ medianMs: { value, low, high } }) => ({
            sizeBytes,
            sizeLabel: formatSize(sizeBytes),
            value: value / 1000,
            low: low === null ? null : low / 1000,
            high: high === null ? null : high / 1000,
          })),
      );
    if (points.length === 0) return [];
    return [{ label: each.endpoint.name, tone: endpointLine(each.endpoint, at).tone, points }];
  });
}

/** One chart per operation and place; charts of the same operation share an axis. */
export function smallMultiples(places: readonly BenchmarkSweepPlace[]): SmallMultiple[] {
  return operationRows(places).flatMap((row) => {
    const ofPlaces = places.map((place) => ({ place, series: operationSeries(place, row) }));
    const all = ofPlaces.flatMap(({ series }) => series);
    const over = formatOver(row.operation, row.connectionCount);
    return ofPlaces
      .filter(({ series }) => series.length > 0)
      .map(({ place, series }) => ({
        key: `${row.key} ${place.planId}`,
        title: `${formatOperation(row.operation)}${over}`,
        metric:
          places.length === 1 ? `from ${place.vantageName}` : `${place.planName}, from ${place.vantageName}`,
        figure: prepareBySize(series, all),
      }));
  });
}

/**
 * Runs that failed entirely. If such a run had begun, the endpoint refused or answered no request, so it counts as a
 * run without successes; otherwise an endpoint that is down in half of the slots would be compared by the other half
 * alone. A run that ended before its first request is no evidence about its endpoint.
 */
import type { BenchmarkSubject } from "@stashlight/contracts/benchmark";
import type { Core } from "../core.ts";
import { present } from "../present.ts";
import { columnNames, type EndpointFigures, emptyColumns, type RunColumns } from "./run-columns.ts";

export interface FailedRuns {
  readonly endpointId: string;
  /** Slots in which a run had begun. */
  readonly begunMs: readonly number[];
  readonly otherCount: number;
}

interface Row {
  id: string;
  slot_at: Date;
  has_begun: boolean;
}

/** Slots of an endpoint in which no attempt succeeded. A run has a key prefix as soon as it may write objects. */
const query = `
  SELECT endpoint_id AS id, slot_at, bool_or(state = 'failed' AND key_prefix IS NOT NULL) AS has_begun
    FROM benchmark_run
   WHERE plan_id = $1 AND slot_at >= $2 AND slot_at < $3 AND endpoint_id IS NOT NULL
   GROUP BY endpoint_id, slot_at HAVING bool_or(state = 'failed') AND NOT bool_or(state = 'succeeded')`;

export async function readFailedRuns(
  { metrics }: Pick<Core, "metrics">,
  { planId, fromMs, toMs }: Pick<BenchmarkSubject, "planId" | "fromMs" | "toMs">,
): Promise<FailedRuns[]> {
  const { rows } = await metrics.query<Row>(query, [planId, new Date(fromMs), new Date(toMs)]);
  return [...Map.groupBy(rows, ({ id }) => id)].map(([endpointId, failed]) => {
    const begun = failed.filter(({ has_begun }) => has_begun);
    const begunMs = begun.map(({ slot_at }) => slot_at.getTime());
    return { endpointId, begunMs, otherCount: failed.length - begun.length };
  });
}

/** Returns an endpoint's runs together with those that failed entirely, which have neither samples nor figures. */
export function withFailedRuns<Figures extends EndpointFigures>(
  figures: Figures,
  failed: readonly FailedRuns[],
): Figures {
  const { endpoint, runs } = figures;
  const begunMs = failed.find(({ endpointId }) => endpointId === endpoint.id)?.begunMs ?? [];
  if (begunMs.length === 0) return figures;
  const sources = [runs, columnsOfFailed(begunMs)].flatMap((columns) =>
    Array.from(columns.slotMs, (slotMs, at) => ({ slotMs, columns, at })),
  );
  sources.sort((one, other) => one.slotMs - other.slotMs);
  const merged = emptyColumns(sources.length);
  for (const [place, { columns, at }] of sources.entries()) {
    for (const name of columnNames) merged[name][place] = present(columns[name][at]);
  }
  return { ...figures, runs: merged };
}

const figureNames = ["meanMs", "sdMs", "medianMs", "medianLowMs", "medianHighMs"] as const;

function columnsOfFailed(slotsMs: readonly number[]): RunColumns {
  const columns = emptyColumns(slotsMs.length);
  columns.slotMs.set(slotsMs);
  columns.startedMs.set(slotsMs);
  columns.hasFailed.fill(1);
  for (const name of figureNames) columns[name].fill(Number.NaN);
  return columns;
}

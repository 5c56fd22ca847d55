/** What the rows of a window need to know of its series: their ids, and the layout of its samples. */
import { metricCatalogue } from "@stashlight/contracts/metrics";
import { type MetricClient, orderSamples, type SampleOrder } from "@stashlight/db/metrics";
import type { DecodedWindow } from "@stashlight/telemetry";
import { knownIds, type SeriesName } from "./ids.ts";

export interface KnownWindow {
  readonly histogramIds: readonly number[];
  readonly layoutId: number;
  readonly order: SampleOrder;
}

export interface NodeWindow {
  readonly nodeId: string;
  readonly window: DecodedWindow;
}

/** By the list of ids, of which a node has the same one as long as its windows are alike. */
const windowByIds = new WeakMap<readonly number[], KnownWindow>();

/** Of each window, in the same order. */
export async function knownWindows(
  client: MetricClient,
  windows: readonly NodeWindow[],
): Promise<KnownWindow[]> {
  const ids = await knownIds(client).series(
    client,
    windows.map(({ nodeId, window }) => ({
      nodeId,
      names: [...window.histograms, ...window.gauges, ...window.counters],
    })),
  );
  const missing = windows.flatMap((each, i) => {
    const own = ids[i] as readonly number[];
    return windowByIds.has(own) ? [] : [{ ...each, ids: own, order: orderOf(each.window) }];
  });
  const layoutIds = await knownIds(client).layouts(
    client,
    missing.map(({ nodeId, window: { histograms, gauges }, ids, order }) => ({
      nodeId,
      seriesIds: order.all.map((index) => ids[histograms.length + index] as number),
      gaugeCount: gauges.length,
      narrowAfter: order.narrowAfter,
    })),
  );
  for (const [i, { window, ids, order }] of missing.entries()) {
    windowByIds.set(ids, {
      histogramIds: ids.slice(0, window.histograms.length),
      layoutId: layoutIds[i] as number,
      order,
    });
  }
  return ids.map((own) => windowByIds.get(own) as KnownWindow);
}

const unitsOf = (series: readonly SeriesName[]) => series.map(({ metric }) => metricCatalogue[metric].unit);

const orderOf = ({ gauges, counters }: DecodedWindow): SampleOrder =>
  orderSamples(unitsOf(gauges), unitsOf(counters));

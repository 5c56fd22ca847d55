/** Ids of a window's series, and layouts of its samples, for its rows. */
import { metricCatalogue } from "@stashlight/contracts/metrics";
import { type MetricClient, type NewLayout, orderSamples, type SampleOrder } from "@stashlight/db/metrics";
import type { DecodedWindow } from "@stashlight/telemetry";
import { present } from "../../present.ts";
import { fitWindow, type Remark } from "./fit.ts";
import { type FoundSeries, knownIds } from "./known-ids.ts";
import type { SeriesName } from "./node-series.ts";

export interface KnownWindow {
  /** The parts within the limits. */
  readonly window: DecodedWindow;
  readonly histogramIds: readonly number[];
  /** One entry per row; together they contain all samples. */
  readonly sampleRows: readonly { readonly layoutId: number; readonly order: SampleOrder }[];
  /** Samples that were rejected or stored under another label. */
  readonly remarks: readonly Remark[];
}

export interface NodeWindow {
  readonly nodeId: string;
  readonly window: DecodedWindow;
}

type KnownRows = Pick<KnownWindow, "histogramIds" | "sampleRows">;

interface FittedWindow extends Pick<KnownWindow, "window" | "remarks"> {
  readonly nodeId: string;
  readonly ids: readonly number[];
}

/** Rows by the list of series ids, whose object is reused while a node's windows have the same series. */
const rowsByIds = new WeakMap<readonly number[], KnownRows>();

/** Looks up each window, and answers in the same order. */
export async function knownWindows(
  client: MetricClient,
  windows: readonly NodeWindow[],
  nowMs: number,
): Promise<KnownWindow[]> {
  const found = await knownIds(client).ofNodes.series(
    client,
    windows.map(({ nodeId, window }) => ({
      nodeId,
      names: [...window.histograms, ...window.gauges, ...window.counters],
    })),
    nowMs,
  );
  const fitted = windows.map((each, i) => fittedWindow(each, present(found[i])));
  await arrange(
    client,
    fitted.filter(({ ids }) => !rowsByIds.has(ids)),
    nowMs,
  );
  return fitted.map(({ window, remarks, ids }) => ({
    window,
    remarks,
    ...present(rowsByIds.get(ids)),
  }));
}

function fittedWindow({ nodeId, window }: NodeWindow, { fit, ids }: FoundSeries): FittedWindow {
  if (fit.remarks.length === 0) return { nodeId, ids, window, remarks: [] };
  const fitted = fitWindow(window, fit);
  return { nodeId, ids, window: fitted.window, remarks: [...fit.remarks, ...fitted.remarks] };
}

/** Finds the rows for these windows' samples, and caches them in rowsByIds. */
async function arrange(client: MetricClient, windows: readonly FittedWindow[], nowMs: number): Promise<void> {
  const known = knownIds(client).ofNodes;
  const orders = windows.map(({ window }) => sampleOrder(window));
  const wholes = await known.layouts(
    client,
    windows.map((each, i) => sampleLayout(each, present(orders[i]))),
    nowMs,
  );
  for (const [i, each] of windows.entries()) {
    const layoutId = wholes[i] ?? null;
    const order = present(orders[i]);
    rowsByIds.set(each.ids, {
      histogramIds: each.ids.slice(0, each.window.histograms.length),
      sampleRows: layoutId === null ? await rowsOfOne(client, each, nowMs) : [{ layoutId, order }],
    });
  }
}

/** One row per sample, for a node at its limit of layouts: each series has a layout of its own. */
async function rowsOfOne(
  client: MetricClient,
  each: FittedWindow,
  nowMs: number,
): Promise<KnownRows["sampleRows"]> {
  const { gauges, counters } = each.window;
  const orders = Array.from(
    { length: gauges.length + counters.length },
    (_, index): SampleOrder => ({ all: [index], wide: [index], narrow: [], narrowAfter: 0 }),
  );
  const ids = await knownIds(client).ofNodes.layouts(
    client,
    orders.map((order) => sampleLayout(each, order)),
    nowMs,
  );
  return orders.map((order, i) => ({ order, layoutId: present(ids[i]) }));
}

function sampleLayout({ nodeId, window, ids }: FittedWindow, order: SampleOrder): NewLayout {
  const { histograms, gauges } = window;
  return {
    nodeId,
    seriesIds: order.all.map((index) => present(ids[histograms.length + index])),
    gaugeCount: order.all.filter((index) => index < gauges.length).length,
    narrowAfter: order.narrowAfter,
  };
}

const metricUnits = (series: readonly SeriesName[]) =>
  series.map(({ metric }) => metricCatalogue[metric].unit);

const sampleOrder = ({ gauges, counters }: DecodedWindow): SampleOrder =>
  orderSamples(metricUnits(gauges), metricUnits(counters));

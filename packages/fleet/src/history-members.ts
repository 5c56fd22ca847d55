/** The nodes whose history is filled in, with their series in the metric store. */
import {
  type MetricClient,
  orderSamples,
  type SampleOrder,
  useLayouts,
  useSeries,
} from "@stashlight/db/metrics";
import { type MetricDefinition, type MetricName, metricCatalogue } from "@stashlight/telemetry";
import type { Measures } from "./measure.ts";
import { makeMeasures } from "./measures.ts";
import type { FleetNode } from "./plan.ts";

export interface MemberOfFleet {
  readonly node: FleetNode;
  /** Id of the node's row. */
  readonly nodeId: string;
}

export interface Member extends MemberOfFleet {
  readonly measures: Measures;
  readonly histogramIds: readonly number[];
  readonly layoutId: number;
  readonly order: SampleOrder;
}

/** Registers the series of all nodes for a day. */
export async function nameSeries(
  client: MetricClient,
  missing: readonly MemberOfFleet[],
  day: number,
): Promise<Member[]> {
  const members: Member[] = [];
  // Processes some nodes at a time, to bound the number of parameters per statement.
  for (let i = 0; i < missing.length; i += 50) {
    members.push(...(await nameSeriesOfSome(client, missing.slice(i, i + 50), day)));
  }
  return members;
}

async function nameSeriesOfSome(
  client: MetricClient,
  some: readonly MemberOfFleet[],
  day: number,
): Promise<Member[]> {
  const named = some.map((member) => {
    const measures = makeMeasures(member.node);
    const { histograms, gauges, counters } = measures;
    const metricUnits = (some: readonly { readonly metric: MetricName }[]) =>
      some.map(({ metric }) => metricCatalogue[metric].unit);
    const order = orderSamples(metricUnits(gauges), metricUnits(counters));
    return { member, measures, order, series: [...histograms, ...gauges, ...counters] };
  });
  const ids = await useSeries(
    client,
    named.flatMap(({ member: { nodeId }, series }) =>
      series.map(({ metric, labels }) => {
        const { kind, unit }: MetricDefinition = metricCatalogue[metric];
        return { nodeId, metric, kind, unit, labels };
      }),
    ),
    day,
  );
  let taken = 0;
  const own = named.map(({ series }) => {
    taken += series.length;
    return ids.slice(taken - series.length, taken);
  });
  const layouts = await useLayouts(
    client,
    named.map(({ member: { nodeId }, measures: { histograms, gauges }, order }, i) => ({
      nodeId,
      seriesIds: order.all.map((index) => own[i]?.[histograms.length + index] as number),
      gaugeCount: gauges.length,
      narrowAfter: order.narrowAfter,
    })),
    day,
  );
  return named.map(({ member, measures, order }, i) => ({
    ...member,
    measures,
    order,
    histogramIds: (own[i] as number[]).slice(0, measures.histograms.length),
    layoutId: layouts[i] as number,
  }));
}

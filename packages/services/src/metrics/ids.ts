/**
 * The ids of series and layouts that a process has met, so that a batch of known series asks the database for none.
 * They are kept node by node and the nodes that were not heard of for longest are forgotten first.
 */
import { type MetricDefinition, type MetricName, metricCatalogue } from "@stashlight/contracts/metrics";
import { layoutIds, type MetricClient, type NewLayout, seriesIds } from "@stashlight/db/metrics";

export interface SeriesName {
  readonly metric: MetricName;
  readonly labels: Readonly<Record<string, string>>;
}

interface KnownNode {
  readonly series: Map<string, number>;
  readonly layouts: Map<string, number>;
}

const ID_COUNT_MAX = 1_000_000;

const cataloguedLabels: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<MetricDefinition>(metricCatalogue).map(([metric, { labels }]) => [
    metric,
    [...labels, "modelled"],
  ]),
);

const keyOf = ({ metric, labels }: SeriesName): string => {
  let key: string = metric;
  for (const label of cataloguedLabels.get(metric) ?? []) key += `\0${labels[label] ?? ""}`;
  return key;
};

export class KnownIds {
  readonly #nodes = new Map<string, KnownNode>();

  /** The ids of these series, node by node, in the order in which they are given. */
  async series(
    client: MetricClient,
    wanted: readonly { readonly nodeId: string; readonly names: readonly SeriesName[] }[],
  ): Promise<number[][]> {
    const asked = wanted.map(({ nodeId, names }) => {
      const known = this.#node(nodeId).series;
      return names.map((name) => ({ nodeId, name, key: keyOf(name), known }));
    });
    const missing = asked.flat().filter(({ known, key }) => !known.has(key));
    const ids = await seriesIds(
      client,
      missing.map(({ nodeId, name: { metric, labels } }) => {
        const { kind, unit }: MetricDefinition = metricCatalogue[metric];
        return { nodeId, metric, kind, unit, labels };
      }),
    );
    for (const [i, { known, key }] of missing.entries()) known.set(key, ids[i] as number);
    return asked.map((names) => names.map(({ known, key }) => known.get(key) as number));
  }

  async layouts(client: MetricClient, wanted: readonly NewLayout[]): Promise<number[]> {
    const asked = wanted.map((each) => ({
      ...each,
      key: each.seriesIds.join(),
      known: this.#node(each.nodeId).layouts,
    }));
    const missing = asked.filter(({ known, key }) => !known.has(key));
    const ids = await layoutIds(client, missing);
    for (const [i, { known, key }] of missing.entries()) known.set(key, ids[i] as number);
    return asked.map(({ known, key }) => known.get(key) as number);
  }

  /** Drops what was not used for longest; between calls, so that none loses what it has just asked for. */
  forgetSome(): void {
    let count = 0;
    for (const { series, layouts } of this.#nodes.values()) count += series.size + layouts.size;
    for (const [nodeId, { series, layouts }] of this.#nodes) {
      if (count <= ID_COUNT_MAX) return;
      this.#nodes.delete(nodeId);
      count -= series.size + layouts.size;
    }
  }

  #node(nodeId: string): KnownNode {
    const known = this.#nodes.get(nodeId) ?? { series: new Map(), layouts: new Map() };
    this.#nodes.delete(nodeId);
    this.#nodes.set(nodeId, known);
    return known;
  }
}

const knownByClient = new WeakMap<MetricClient, KnownIds>();

export function knownIds(client: MetricClient): KnownIds {
  const known = knownByClient.get(client) ?? new KnownIds();
  knownByClient.set(client, known);
  return known;
}

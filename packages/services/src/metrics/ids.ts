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

/** A tree by metric and label values: walking it makes no key of each series of each batch. */
interface Branch {
  readonly next: Map<string, Branch>;
  id: number | undefined;
}

interface KnownNode {
  readonly series: Branch;
  seriesCount: number;
  /** The series of its newest window, in the order in which they came: most of the time the next ones are the same. */
  newestSeries: readonly KnownSeries[];
  newestIds: readonly number[];
  readonly layouts: Map<string, number>;
}

interface KnownSeries {
  readonly metric: MetricName;
  /** As they came last, since they are often the very same object again. */
  labels: SeriesName["labels"];
}

const ID_COUNT_MAX = 1_000_000;

const newBranch = (): Branch => ({ next: new Map(), id: undefined });

const cataloguedLabels: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<MetricDefinition>(metricCatalogue).map(([metric, { labels }]) => [
    metric,
    // The last is only of a fleet's gauges.
    [...labels, "modelled", "across"],
  ]),
);

function child({ next }: Branch, name: string): Branch {
  const known = next.get(name);
  if (known !== undefined) return known;
  const made = newBranch();
  next.set(name, made);
  return made;
}

function branchOf(root: Branch, { metric, labels }: SeriesName): Branch {
  let branch = child(root, metric);
  for (const label of cataloguedLabels.get(metric) ?? []) branch = child(branch, labels[label] ?? "");
  return branch;
}

function isSame(known: KnownSeries, { metric, labels }: SeriesName): boolean {
  if (known.metric !== metric) return false;
  if (known.labels === labels) return true;
  for (const label of cataloguedLabels.get(metric) ?? []) {
    if (known.labels[label] !== labels[label]) return false;
  }
  known.labels = labels;
  return true;
}

const knownSeries = (names: readonly SeriesName[]): KnownSeries[] =>
  names.map(({ metric, labels }) => ({ metric, labels }));

/** Whether a window's series are those of the window before, in the same order. */
function areAsBefore(newest: readonly KnownSeries[], names: readonly SeriesName[]): boolean {
  if (newest.length !== names.length) return false;
  for (let i = 0; i < names.length; i += 1) {
    if (!isSame(newest[i] as KnownSeries, names[i] as SeriesName)) return false;
  }
  return true;
}

export class KnownIds {
  readonly #nodes = new Map<string, KnownNode>();

  /**
   * The ids of these series, node by node, in the order in which they are given. A node's series that come again in the
   * same order have the same list, so that what follows from them can be found by it.
   */
  async series(
    client: MetricClient,
    wanted: readonly { readonly nodeId: string; readonly names: readonly SeriesName[] }[],
  ): Promise<(readonly number[])[]> {
    const missing: {
      nodeId: string;
      name: SeriesName;
      node: KnownNode;
      branch: Branch;
      put: (id: number) => void;
    }[] = [];
    const changed: { node: KnownNode; names: readonly SeriesName[]; ids: number[] }[] = [];
    const found = wanted.map(({ nodeId, names }) => {
      const node = this.#node(nodeId);
      if (areAsBefore(node.newestSeries, names)) return node.newestIds;
      const ids = new Array<number>(names.length);
      changed.push({ node, names, ids });
      for (let i = 0; i < names.length; i += 1) {
        const name = names[i] as SeriesName;
        const branch = branchOf(node.series, name);
        if (branch.id !== undefined) ids[i] = branch.id;
        else {
          const put = (id: number): void => {
            ids[i] = id;
          };
          missing.push({ nodeId, name, node, branch, put });
        }
      }
      return ids;
    });
    const ids = await seriesIds(
      client,
      missing.map(({ nodeId, name: { metric, labels } }) => {
        const { kind, unit }: MetricDefinition = metricCatalogue[metric];
        return { nodeId, metric, kind, unit, labels };
      }),
    );
    for (const [i, { node, branch, put }] of missing.entries()) {
      if (branch.id === undefined) node.seriesCount += 1;
      branch.id = ids[i] as number;
      put(branch.id);
    }
    for (const { node, names, ids } of changed) {
      node.newestSeries = knownSeries(names);
      node.newestIds = ids;
    }
    return found;
  }

  async layouts(client: MetricClient, wanted: readonly NewLayout[]): Promise<number[]> {
    const asked = wanted.map((layout) => {
      const node = this.#node(layout.nodeId);
      const key = layout.seriesIds.join();
      return { layout, node, key, id: node.layouts.get(key) };
    });
    const missing = asked.filter(({ id }) => id === undefined);
    const ids = await layoutIds(
      client,
      missing.map(({ layout }) => layout),
    );
    for (const [i, each] of missing.entries()) {
      each.id = ids[i] as number;
      each.node.layouts.set(each.key, each.id);
    }
    return asked.map(({ id }) => id as number);
  }

  /** Drops what was not used for longest; between calls, so that none loses what it has just asked for. */
  forgetSome(): void {
    const sizeOf = ({ seriesCount, layouts }: KnownNode): number => seriesCount + layouts.size;
    let count = 0;
    for (const node of this.#nodes.values()) count += sizeOf(node);
    for (const [nodeId, node] of this.#nodes) {
      if (count <= ID_COUNT_MAX) return;
      this.#nodes.delete(nodeId);
      count -= sizeOf(node);
    }
  }

  #node(nodeId: string): KnownNode {
    const known = this.#nodes.get(nodeId) ?? {
      series: newBranch(),
      seriesCount: 0,
      newestSeries: [],
      newestIds: [],
      layouts: new Map<string, number>(),
    };
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

/**
 * The ids of series and layouts that a process has seen, so that a batch of known series needs no database query.
 *
 * The entry of a node is a copy of all its series in the store. It is valid for at most `KNOWN_MS`: for that time, the
 * store has its series marked as used, so that they are not deleted as unused. If a window names series that are not in
 * the copy, or not marked as used, the copy is read again under a lock that only one process holds. A window whose new
 * series are all beyond the bounds needs no new copy, since a full node stays full.
 *
 * The nodes that have not reported for longest are dropped first.
 */

import { createHash } from "node:crypto";
import { type MetricDefinition, metricCatalogue } from "@stashlight/contracts/metrics";
import { DAY_MS } from "@stashlight/contracts/time";
import {
  countLayouts,
  countSeries,
  dayNumber,
  findLayoutIds,
  inTransaction,
  lockSeries,
  type MetricClient,
  type MetricConnection,
  type NewLayout,
  readSeries,
  useLayouts,
  useSeries,
} from "@stashlight/db/metrics";
import { present } from "../../present.ts";
import { type Fit, fitSeries, type SeriesAllowance } from "./fit.ts";
import { NamesOfWindow } from "./names-of-window.ts";
import {
  type Branch,
  fleetBounds,
  NodeSeries,
  nodeBounds,
  type SeriesBounds,
  type SeriesName,
} from "./node-series.ts";

/** Age after which a copy is read again, minus up to half of it, so that not all nodes are read at the same time. */
const KNOWN_MS = DAY_MS;

/**
 * Series and layouts of all nodes together, about 600 bytes each with the names of the newest window. Behind a balancer
 * each ingest serves all nodes in turn: with one node too many, every node is read again for every window. 5,000
 * simulated nodes have 260,000, and 10,000 nodes, beyond which one Postgres does not suffice, about a million.
 */
const KNOWN_COUNT_MAX = 1_000_000;

/** Time for which a count of all series is valid; series that this process creates meanwhile are added. */
const COUNTED_MS = 60_000;

const INT4_MAX = 2_147_483_647;

/** The stored series of one window. */
export interface FoundSeries {
  readonly fit: Fit;
  /** Series ids of `fit`; the list object is reused while a node's windows have the same series. */
  readonly ids: readonly number[];
}

export interface NamedWindow {
  readonly nodeId: string;
  /** Histograms, gauges and counters, in this order. */
  readonly names: readonly SeriesName[];
}

interface KnownNode {
  readonly series: NodeSeries;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Series of its newest window, in order of arrival, because the next window usually has the same. */
  newest: { readonly names: NamesOfWindow; readonly found: FoundSeries } | undefined;
  /** Layouts marked as used in the store, by digest. */
  readonly layouts: Map<string, number>;
}

export class KnownIds {
  readonly #nodes = new Map<string, KnownNode>();
  readonly #bounds: SeriesBounds;
  #counted: { count: number; readonly atMs: number } | undefined;

  constructor(bounds: SeriesBounds) {
    this.#bounds = bounds;
  }

  /** Returns the series of these windows, in the given order. */
  async series(client: MetricClient, wanted: readonly NamedWindow[], nowMs: number): Promise<FoundSeries[]> {
    const found = wanted.map((window) => this.#findAtOnce(window, nowMs));
    const missing = wanted.filter((_, i) => found[i] === null);
    if (missing.length === 0) return found.filter((each) => each !== null);
    const made = await this.#find(client, missing, nowMs);
    return found.map((each) => each ?? present(made.shift()));
  }

  /** Returns the id of each layout, or null beyond the limits. Must be called after `series` for the same nodes. */
  async layouts(
    client: MetricClient,
    wanted: readonly NewLayout[],
    nowMs: number,
  ): Promise<(number | null)[]> {
    const asked = wanted.map((layout) => {
      const key = layoutDigest(layout);
      // A node dropped by a concurrent call is read again.
      const known = this.#nodes.get(layout.nodeId)?.layouts;
      return { layout, key, known, id: known?.get(key) };
    });
    const missing = asked.filter(({ id }) => id === undefined);
    if (missing.length > 0) {
      const ids = await this.#makeLayouts(client, missing, nowMs);
      for (const [i, each] of missing.entries()) {
        each.id = ids[i] ?? undefined;
        if (each.id !== undefined) each.known?.set(each.key, each.id);
      }
    }
    return asked.map(({ id }) => id ?? null);
  }

  /** Drops the least recently used nodes; called between calls, so that none loses data it has just read. */
  forgetSome(): void {
    const nodeEntryCount = ({ series, layouts }: KnownNode): number => series.count + layouts.size;
    let count = 0;
    for (const node of this.#nodes.values()) count += nodeEntryCount(node);
    for (const [nodeId, node] of this.#nodes) {
      if (count <= KNOWN_COUNT_MAX) return;
      this.#nodes.delete(nodeId);
      count -= nodeEntryCount(node);
    }
  }

  /** Null if the store has to be queried. */
  #findAtOnce({ nodeId, names }: NamedWindow, nowMs: number): FoundSeries | null {
    const node = this.#nodes.get(nodeId);
    if (node === undefined) return null;
    this.#nodes.delete(nodeId);
    if (nowMs < node.sinceMs || nowMs >= node.untilMs) return null;
    if (node.newest === undefined || !node.newest.names.areThose(names)) {
      const room = this.#roomAt(nowMs) ?? { left: Number.POSITIVE_INFINITY };
      const fit = fitSeries(node.series, names, room);
      // The copy now has branches for series that were not created, so it is dropped.
      if (fit.branches.some(({ id, isUsed }) => id === undefined || !isUsed)) return null;
      this.#nodes.set(nodeId, node);
      return remember(node, names, fit);
    }
    this.#nodes.set(nodeId, node);
    return node.newest.found;
  }

  #roomAt(nowMs: number): SeriesAllowance | null {
    const counted = this.#counted;
    if (counted === undefined || Math.abs(nowMs - counted.atMs) >= COUNTED_MS) return null;
    return { left: this.#bounds.seriesCountMax - counted.count };
  }

  async #find(client: MetricClient, wanted: readonly NamedWindow[], nowMs: number): Promise<FoundSeries[]> {
    const nodeIds = [...new Set(wanted.map(({ nodeId }) => nodeId))];
    const { nodes, fits, madeCount } = await inTransaction(client, async (connection) => {
      await lockSeries(connection, nodeIds);
      const nodes = await this.#read(connection, nodeIds, nowMs);
      const room = this.#roomAt(nowMs) ?? (await this.#count(connection, nowMs));
      const leftBefore = room.left;
      const fits = wanted.map(({ nodeId, names }) =>
        fitSeries(present(nodes.get(nodeId)).series, names, room),
      );
      await use(connection, wanted, fits, nowMs);
      return { nodes, fits, madeCount: leftBefore - room.left };
    });
    if (this.#counted !== undefined) this.#counted.count += madeCount;
    for (const [nodeId, node] of nodes) this.#nodes.set(nodeId, node);
    return fits.map((fit, i) => {
      const { nodeId, names } = present(wanted[i]);
      return remember(present(nodes.get(nodeId)), names, fit);
    });
  }

  async #count(connection: MetricConnection, nowMs: number): Promise<SeriesAllowance> {
    const count = await countSeries(connection);
    this.#counted = { count, atMs: nowMs };
    return { left: this.#bounds.seriesCountMax - count };
  }

  async #read(
    connection: MetricConnection,
    nodeIds: readonly string[],
    nowMs: number,
  ): Promise<Map<string, KnownNode>> {
    const nodes = new Map<string, KnownNode>();
    for (const nodeId of nodeIds) {
      const untilMs = nowMs + KNOWN_MS * (1 - hashShare(nodeId) / 2);
      const series = new NodeSeries(this.#bounds);
      nodes.set(nodeId, { series, sinceMs: nowMs, untilMs, newest: undefined, layouts: new Map() });
    }
    const perNodeMax = Math.min(INT4_MAX, this.#bounds.seriesPerNodeMax);
    const today = dayNumber(nowMs);
    for (const { nodeId, id, metric, labels, usedOn } of await readSeries(connection, nodeIds, perNodeMax)) {
      nodes.get(nodeId)?.series.add({ metric, labels }, id, usedOn >= today);
    }
    return nodes;
  }

  async #makeLayouts(
    client: MetricClient,
    wanted: readonly { readonly layout: NewLayout; readonly key: string }[],
    nowMs: number,
  ): Promise<(number | null)[]> {
    const byKey = new Map(wanted.map(({ layout, key }) => [`${layout.nodeId} ${key}`, layout]));
    const layouts = [...byKey.values()];
    const ids = await inTransaction(client, async (connection) => {
      const nodeIds = [...new Set(layouts.map(({ nodeId }) => nodeId))];
      await lockSeries(connection, nodeIds);
      const found = await findLayoutIds(connection, layouts);
      const counts = new Map(await countLayouts(connection, nodeIds));
      const hasRoom = layouts.map(({ nodeId, seriesIds }, i) => {
        if (found[i] !== undefined || seriesIds.length <= 1) return true;
        const count = (counts.get(nodeId) ?? 0) + 1;
        counts.set(nodeId, count);
        return count <= this.#bounds.layoutsPerNodeMax;
      });
      const kept = layouts.flatMap((layout, i) => (hasRoom[i] ? [{ ...layout, id: found[i] }] : []));
      const used = await useLayouts(connection, kept, dayNumber(nowMs));
      return hasRoom.map((has) => (has ? present(used.shift()) : null));
    });
    const idOf = new Map([...byKey.keys()].map((key, i) => [key, ids[i] ?? null]));
    return wanted.map(({ layout, key }) => idOf.get(`${layout.nodeId} ${key}`) ?? null);
  }
}

/** Creates the missing series of these fits in the store, and marks the existing ones as used. */
async function use(
  connection: MetricConnection,
  wanted: readonly NamedWindow[],
  fits: readonly Fit[],
  nowMs: number,
): Promise<void> {
  const unused = new Map<Branch, { readonly nodeId: string; readonly name: SeriesName }>();
  for (const [i, { names, branches }] of fits.entries()) {
    const { nodeId } = present(wanted[i]);
    for (const [place, branch] of branches.entries()) {
      const isNoted = branch.id !== undefined && branch.isUsed;
      if (!isNoted) unused.set(branch, { nodeId, name: present(names[place]) });
    }
  }
  const series = [...unused].map(([branch, { nodeId, name }]) => {
    const { kind, unit }: MetricDefinition = metricCatalogue[name.metric];
    const known = branch.id === undefined ? {} : { id: branch.id };
    return { nodeId, ...name, kind, unit, ...known };
  });
  const ids = await useSeries(connection, series, dayNumber(nowMs));
  for (const [i, branch] of [...unused.keys()].entries()) {
    branch.id = present(ids[i]);
    branch.isUsed = true;
  }
}

function remember(node: KnownNode, names: readonly SeriesName[], fit: Fit): FoundSeries {
  const ids = fit.branches.map(({ id }) => present(id));
  const found = { fit, ids };
  // Names of rejected series are not kept, because they could far outnumber the node's series, and a full store may
  // have space again later.
  const isFull = fit.remarks.some(({ reason }) => reason === "store_full");
  const isUsual = names.length <= 2 * ids.length && !isFull;
  node.newest = isUsual ? { names: new NamesOfWindow(names), found } : undefined;
  return found;
}

const layoutDigest = ({ seriesIds }: NewLayout): string =>
  createHash("sha256").update(seriesIds.join()).digest("base64");

/** From 0 to below 1, different for each node. */
const hashShare = (nodeId: string): number =>
  createHash("sha256").update(nodeId).digest().readUInt16BE() / 65_536;

const knownByClient = new WeakMap<
  MetricClient,
  { readonly ofNodes: KnownIds; readonly ofFleets: KnownIds }
>();

export function knownIds(client: MetricClient): { readonly ofNodes: KnownIds; readonly ofFleets: KnownIds } {
  const known = knownByClient.get(client) ?? {
    ofNodes: new KnownIds(nodeBounds),
    ofFleets: new KnownIds(fleetBounds),
  };
  knownByClient.set(client, known);
  return known;
}

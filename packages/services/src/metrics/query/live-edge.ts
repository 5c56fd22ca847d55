/**
 * Up to where all nodes have told of their windows. The newest window is left out until they have, and a sum for longer:
 * it would fall although nothing fell.
 *
 *     now        |a window      nodes that reported it are waited for by nobody, the others by all points
 *     1 min      |LIVE_MS       later ones are late: a sum of many waits for them, and is hatched
 *     15 min     |LATE_MS       later ones are gone: a sum goes on without them, and is hatched
 */
import type { LateNodes } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time/duration";
import { nodesOf, type SelectedSeries } from "./select.ts";

const LIVE_MS = MINUTE_MS;
const LATE_MS = 15 * MINUTE_MS;
/** A smaller share of the nodes changes no sum so that anybody would see it, and holds nobody up. */
const LATE_SHARE_MIN = 0.02;
const NAMES_MAX = 3;

type Node = SelectedSeries["node"];

const newestOf = ({ newestMs }: Node): number => newestMs ?? 0;
const newestOfAll = (nodes: readonly Node[]): number =>
  nodes.reduce((most, node) => Math.max(most, newestOf(node)), 0);
const isMany = (late: readonly Node[], nodes: readonly Node[]): boolean =>
  late.length > 0 && late.length >= LATE_SHARE_MIN * nodes.length;

/** The end of the newest window of the node that is farthest behind of those that are waited for, and so many windows. */
export function reportedUntilMs(series: readonly SelectedSeries[], windows: number, isSum = false): number {
  const nodes = nodesOf(series);
  const newestMs = newestOfAll(nodes);
  const behind = nodes.filter((node) => newestOf(node) < newestMs - LIVE_MS);
  const late = behind.filter((node) => newestOf(node) >= newestMs - LATE_MS);
  const unwaited = new Set(
    isSum && isMany(late, nodes) ? behind.filter((node) => !late.includes(node)) : behind,
  );
  return nodes
    .filter((node) => !unwaited.has(node))
    .reduce(
      (least, node) => Math.min(least, newestOf(node) + windows * node.windowMs),
      Number.POSITIVE_INFINITY,
    );
}

/** Finds nodes that reported in the range and then no more, while others went on; null where they are too few. */
export function lateNodesOf(
  series: readonly SelectedSeries[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): LateNodes | null {
  const nodes = nodesOf(series);
  const newestMs = Math.min(newestOfAll(nodes), toMs);
  const late = nodes
    .filter((node) => newestOf(node) > fromMs && newestOf(node) < newestMs - LIVE_MS)
    .sort((a, b) => newestOf(a) - newestOf(b));
  const [first] = late;
  if (first === undefined || !isMany(late, nodes)) return null;
  return {
    sinceMs: newestOf(first),
    lateCount: late.length,
    nodeCount: nodes.length,
    names: late.slice(0, NAMES_MAX).map(({ name }) => name),
  };
}

/**
 * Finds the time up to which all nodes have reported their windows. Answers leave out the newest window until then, and
 * sums for longer, because a sum would fall although no level has fallen.
 *
 *     now        |a window      no point waits for nodes that reported it; all points wait for the others
 *     1 min      |LIVE_MS       older ones are late: a sum of many waits for them, and is hatched
 *     15 min     |LATE_MS       older ones are gone: a sum continues without them, and is hatched
 */
import type { LateNodes } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { distinctNodes, type SelectedSeries } from "./select.ts";

const LIVE_MS = MINUTE_MS;
const LATE_MS = 15 * MINUTE_MS;
/** A smaller share of late nodes does not change sums visibly, so answers do not wait for them. */
const LATE_SHARE_MIN = 0.02;
const NAMES_MAX = 3;

type Node = SelectedSeries["node"];

const nodeNewestMs = ({ newestMs }: Node): number => newestMs ?? 0;
const newestOfAll = (nodes: readonly Node[]): number =>
  nodes.reduce((most, node) => Math.max(most, nodeNewestMs(node)), 0);
const isMany = (late: readonly Node[], nodes: readonly Node[]): boolean =>
  late.length > 0 && late.length >= LATE_SHARE_MIN * nodes.length;

/** Returns the end of the newest window of the slowest node that answers wait for, plus this number of windows. */
export function reportedUntilMs(series: readonly SelectedSeries[], windows: number, isSum = false): number {
  const nodes = distinctNodes(series);
  const newestMs = newestOfAll(nodes);
  const behind = nodes.filter((node) => nodeNewestMs(node) < newestMs - LIVE_MS);
  const late = behind.filter((node) => nodeNewestMs(node) >= newestMs - LATE_MS);
  const unwaited = new Set(
    isSum && isMany(late, nodes) ? behind.filter((node) => !late.includes(node)) : behind,
  );
  return nodes
    .filter((node) => !unwaited.has(node))
    .reduce(
      (least, node) => Math.min(least, nodeNewestMs(node) + windows * node.windowMs),
      Number.POSITIVE_INFINITY,
    );
}

/** Finds nodes that stopped reporting within the range while others continued; null if they are too few. */
export function findLateNodes(
  series: readonly SelectedSeries[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): LateNodes | null {
  const nodes = distinctNodes(series);
  const newestMs = Math.min(newestOfAll(nodes), toMs);
  const late = nodes
    .filter((node) => nodeNewestMs(node) > fromMs && nodeNewestMs(node) < newestMs - LIVE_MS)
    .sort((a, b) => nodeNewestMs(a) - nodeNewestMs(b));
  const [first] = late;
  if (first === undefined || !isMany(late, nodes)) return null;
  return {
    sinceMs: nodeNewestMs(first),
    lateCount: late.length,
    nodeCount: nodes.length,
    names: late.slice(0, NAMES_MAX).map(({ name }) => name),
  };
}

/**
 * Judges the absence of a node by the arrival of its reports, as pages do. A wrong clock dates a node's measurements at
 * another time, or has them refused, so their own times prove nothing about whether the node reports.
 */
import type { AlertCondition, AlertQuery } from "@stashlight/contracts/alert";
import type { Core } from "../core.ts";
import type { Sample } from "./evaluate.ts";

/** Reported by every agent in every window. */
const PRESENCE_METRIC = "stashlight_agent_resident_bytes";
/** Age up to which a report counts as current. */
const ARRIVED_WITHIN_MS = 60_000;

/** True for a rule about whole nodes: without filters, grouped by node. */
export const isPresenceRule = ({ metric, where, groupBy }: AlertQuery, { kind }: AlertCondition): boolean =>
  kind === "absence" &&
  metric === PRESENCE_METRIC &&
  groupBy.join() === "node" &&
  Object.keys(where).length === 0;

/** Returns a sample for each node that has ever reported, without a value once its last report is a minute old. */
export async function readPresenceSamples({ db }: Pick<Core, "db">, nowMs: number): Promise<Sample[]> {
  const nodes = await db.node.findMany({
    // Simulated nodes must not page a person, and a probe is turned off at will.
    where: { status: "active", isSimulated: false, role: { not: "probe" }, lastSeenAt: { not: null } },
    select: { name: true, lastSeenAt: true },
  });
  return nodes.map(({ name, lastSeenAt }) => {
    const seenMs = lastSeenAt?.getTime() ?? 0;
    return {
      group: JSON.stringify([name]),
      labels: { node: name },
      nodes: [name],
      value: nowMs - seenMs <= ARRIVED_WITHIN_MS ? 1 : null,
      atMs: seenMs,
    };
  });
}

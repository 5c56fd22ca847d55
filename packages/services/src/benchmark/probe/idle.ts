/**
 * Answers an idle probe. Probes ask every few seconds and rarely have work, so this uses few statements in one round
 * trip and takes no locks.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { ProbeAsk } from "@stashlight/contracts/probe";
import type { ProbeJob } from "@stashlight/contracts/probe/job";
import { allNamed } from "../../all-named.ts";
import type { Base } from "../../base.ts";
import { areSameDrives, drivesSql, type KnownDrive } from "../../fsync-probe/claim.ts";
import { isAnyDue, leaseMoment } from "../../lease/lease.ts";
import { toStatements } from "../../statements.ts";
import { leasedSlots, slotDueAt, slotHeldBy } from "../slot/leased.ts";

export const nodeClaimant = ({ nodeId }: Pick<AuthenticatedNode, "nodeId">): string => `node ${nodeId}`;

export function assertProbe({ role, name }: Pick<AuthenticatedNode, "role" | "name">): void {
  if (role === "probe") return;
  throw new StashlightError("forbidden", `The node ${name} is not a probe, so there are no jobs for it.`);
}

/** Matches runs whose objects are due for deletion by the vantage point $1 at the time $2. */
export const leftoverIsDue = `vantage_node_id = $1::uuid AND endpoint_id IS NOT NULL AND key_prefix IS NOT NULL
  AND cleaned_at IS NULL AND clean_after <= $2::timestamptz AND state NOT IN ('queued', 'running')`;

const restSql = `
  SELECT EXISTS (SELECT FROM benchmark_run WHERE ${leftoverIsDue}) AS "hasLeftovers",
         EXISTS (SELECT FROM fsync_probe WHERE probe_node_id = $1::uuid AND state IN ('queued', 'running'))
           AS "hasFsyncProbe",
         ARRAY(SELECT cidr FROM outbound_network) AS "allowedNetworks"`;

interface Rest {
  hasLeftovers: boolean;
  hasFsyncProbe: boolean;
  allowedNetworks: string[];
}

/** Returns null if there is something to start, end or record, which `claimProbeJob` does. */
export async function answerIdleProbe(
  base: Base,
  node: AuthenticatedNode,
  { drives }: ProbeAsk,
): Promise<ProbeJob | null> {
  assertProbe(node);
  const { metrics } = base;
  const now = base.now();
  const slots = toStatements(metrics);
  const { holdsSlot, hasSlot, rest, known } = await allNamed({
    holdsSlot: isAnyDue(slots, leasedSlots, slotHeldBy(nodeClaimant(node)), leaseMoment(base)),
    hasSlot: isAnyDue(slots, leasedSlots, slotDueAt(node.nodeId, now), leaseMoment(base)),
    rest: metrics.query<Rest>(restSql, [node.nodeId, now]),
    known: metrics.query<KnownDrive>(drivesSql, [node.nodeId]),
  });
  const [found] = rest.rows;
  const isIdle = !(holdsSlot || hasSlot || found === undefined || found.hasLeftovers || found.hasFsyncProbe);
  if (!isIdle || !areSameDrives(known.rows, drives)) return null;
  return { slot: null, fsync: null, leftovers: [], allowedNetworks: found.allowedNetworks };
}

/** Steps that every route for measurements shares: authorisation, the commit, and refused values. */
import type { AuthenticatedNode } from "@stashlight/contracts/node";
import type { Remark } from "@stashlight/services/metrics/ingest";
import type { DecodedBatch, ItemRefusal } from "@stashlight/telemetry";
import { withBodyMemory } from "../body-memory.ts";
import { refusal } from "../http/answer.ts";
import type { Ingest } from "../ingest.ts";
import { summariseRefusals } from "../remarks.ts";

/** Retry interval of a node that an admin still has to approve. */
const PENDING_SECONDS = 5;

/** Refuses a node or its rate without reading the body. */
export function admit(ingest: Ingest, node: AuthenticatedNode): void {
  if (node.status === "pending") ingest.metrics.batch("pending");
  admitWithin(ingest.batchesOfNode, node, "The node sends batches faster than it may.");
}

/** Refuses nodes that no admin has approved, and requests beyond the rate of one node. */
export function admitWithin(
  rate: Ingest["batchesOfNode"],
  node: AuthenticatedNode,
  crowdedText: string,
): void {
  if (node.status === "pending") {
    throw refusal(503, `The node ${node.name} waits for an admin's approval.`, {
      retryAfterSeconds: PENDING_SECONDS,
    });
  }
  const crowded = rate.take(node.nodeId);
  if (crowded !== null) throw refusal(429, crowdedText, { retryAfterSeconds: crowded.waitSeconds });
}

/** Resolves when the batch is committed, with the values not stored as sent, which it has counted. */
export async function commit(
  ingest: Ingest,
  node: AuthenticatedNode,
  batch: DecodedBatch,
  refusals: readonly ItemRefusal[],
  bytes: number,
): Promise<readonly Remark[]> {
  const { nodeId, isSimulated } = node;
  try {
    const found = await withBodyMemory(ingest, bytes, () =>
      ingest.gather.add({ nodeId, isSimulated, batch, refusals }),
    );
    const remarks = [...summariseRefusals(refusals), ...found];
    ingest.metrics.batch("committed");
    ingest.metrics.refused(remarks);
    return remarks;
  } catch (error) {
    ingest.metrics.batch("failed");
    throw error;
  }
}

import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";

/** Reads the node and locks it until the transaction ends, so that concurrent changes are serialised. */
export async function findNode(tx: Transaction, nodeId: string) {
  await tx.$queryRaw`SELECT id FROM node WHERE id = ${nodeId}::uuid FOR UPDATE`;
  const node = await tx.node.findUnique({ where: { id: nodeId } });
  if (node === null) throw new StashlightError("not_found", "There is no such node.");
  return node;
}

import { StashlightError } from "@stashlight/contracts/errors";
import type { NodeDetails } from "@stashlight/contracts/node";
import { requireRole, type Verb } from "../context.ts";
import { toKeyRow, toNodeRow } from "./node-rows.ts";
import { readListeningSpan } from "./silence.ts";

/** Returns one node and its keys, reduced to their last characters. */
export async function getNode({ ctx, input }: Verb<{ nodeId: string }>): Promise<NodeDetails> {
  requireRole(ctx, "viewer");
  const node = await ctx.platform.db.node.findUnique({
    where: { id: input.nodeId },
    include: { keys: { orderBy: { createdAt: "desc" } } },
  });
  if (node === null) throw new StashlightError("not_found", "There is no such node.");
  const listening = await readListeningSpan(ctx.platform);
  return { ...toNodeRow(node, listening), keys: node.keys.map(toKeyRow) };
}

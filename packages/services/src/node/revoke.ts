import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { findNode } from "./stored-node.ts";

/** Ends all keys of a node permanently; its data stays. */
export async function revokeNode({ ctx, input }: Verb<{ nodeId: string; name: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const node = await findNode(tx, input.nodeId);
    if (input.name.trim() !== node.name) {
      throw new StashlightError("invalid_input", `This is not the node's name; type ${node.name} exactly.`, {
        field: "name",
      });
    }
    if (node.status === "revoked") return;
    const now = ctx.platform.now();
    await tx.node.update({ where: { id: node.id }, data: { status: "revoked" } });
    const ended = await tx.nodeKey.updateMany({
      where: { nodeId: node.id, revokedAt: null },
      data: { revokedAt: now },
    });
    await writeAudit(tx, ctx, {
      action: "node.revoked",
      target: { kind: "node", id: node.id, name: node.name },
      before: { status: node.status },
      after: { status: "revoked", endedCount: ended.count },
    });
  });
}

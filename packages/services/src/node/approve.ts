import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { findNode } from "./stored-node.ts";

/** Approves a node: from now on its batches are stored, including those waiting on its disk. */
export async function approveNode({ ctx, input }: Verb<{ nodeId: string }>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const node = await findNode(tx, input.nodeId);
    if (node.status === "active") return;
    if (node.status === "revoked") {
      throw new StashlightError(
        "conflict",
        `${node.name} is revoked; let it enrol again, with a token that may replace it.`,
      );
    }
    await tx.node.update({ where: { id: node.id }, data: { status: "active" } });
    await writeAudit(tx, ctx, {
      action: "node.approved",
      target: { kind: "node", id: node.id, name: node.name },
      before: { status: node.status },
      after: { status: "active" },
    });
  });
}

import { StashlightError } from "@stashlight/contracts/errors";
import type { IssuedNodeKey } from "@stashlight/contracts/node";
import { DAY_MS } from "@stashlight/contracts/time";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { statementsIn } from "../statements-in.ts";
import { giveKey } from "./give-key.ts";
import { findNode } from "./stored-node.ts";

/** Enough to copy the new key to the machine on a working day. */
export const keyOverlapMs = DAY_MS;

/** Gives a node another key, shown once; the previous one works for one more day, and older ones end. */
export async function rotateNodeKey({ ctx, input }: Verb<{ nodeId: string }>): Promise<IssuedNodeKey> {
  requireRole(ctx, "admin");
  return ctx.platform.db.$transaction(async (tx) => {
    const node = await findNode(tx, input.nodeId);
    if (node.status === "revoked") {
      throw new StashlightError("conflict", `${node.name} is revoked and has no key to rotate.`);
    }
    const now = ctx.platform.now();
    const previousWorksUntil = new Date(now.getTime() + keyOverlapMs);
    await tx.nodeKey.updateMany({
      where: { nodeId: node.id, revokedAt: null, expiresAt: { not: null } },
      data: { revokedAt: now },
    });
    await tx.nodeKey.updateMany({
      where: { nodeId: node.id, revokedAt: null, expiresAt: null },
      data: { expiresAt: previousWorksUntil },
    });
    const { key, lastCharacters } = await giveKey(statementsIn(tx), node.id, now);
    await writeAudit(tx, ctx, {
      action: "node.key_rotated",
      target: { kind: "node", id: node.id, name: node.name },
      after: { keyEndsIn: lastCharacters, previousWorksUntil: previousWorksUntil.toISOString() },
    });
    return { key, previousWorksUntil };
  });
}

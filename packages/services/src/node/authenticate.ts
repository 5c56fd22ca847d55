/**
 * Which node a key belongs to. Answers are kept for a few seconds, because every node asks for each batch; so long a
 * revoked key may still pass, and an approved node still wait.
 */
import { timingSafeEqual } from "node:crypto";
import { type AuthenticatedNode, isNodeKey, type NodeRole, StashlightError } from "@stashlight/contracts";
import { hashToken } from "../ids.ts";
import type { Platform } from "../platform.ts";

export const authenticationKeptMs = 3_000;
const keptCountMax = 20_000;

export interface NodeAuthenticator {
  /** Rejects with `unauthenticated` for a key that nobody has, and `forbidden` for one of a revoked node. */
  authenticate(key: string): Promise<AuthenticatedNode>;
}

export function createNodeAuthenticator(platform: Platform): NodeAuthenticator {
  const kept = new Map<string, { node: Promise<AuthenticatedNode>; untilMs: number }>();
  return {
    authenticate: async (key) => {
      if (!isNodeKey(key)) throw unknownKey();
      const hash = hashToken(key);
      const nowMs = platform.now().getTime();
      const known = kept.get(hash);
      if (known !== undefined && known.untilMs > nowMs) return known.node;
      const node = findByKey(platform, hash);
      kept.delete(hash);
      kept.set(hash, { node, untilMs: nowMs + authenticationKeptMs });
      // Only what was found is kept: keys that nobody has would push out those of nodes.
      node.catch(() => kept.delete(hash));
      if (kept.size > keptCountMax) kept.delete(kept.keys().next().value ?? "");
      return node;
    },
  };
}

/** Once, without keeping the answer. */
export async function authenticateNode(platform: Platform, key: string): Promise<AuthenticatedNode> {
  if (!isNodeKey(key)) throw unknownKey();
  return findByKey(platform, hashToken(key));
}

async function findByKey(platform: Platform, hash: string): Promise<AuthenticatedNode> {
  const key = await platform.db.nodeKey.findUnique({ where: { keyHash: hash }, include: { node: true } });
  if (key === null || !timingSafeEqual(Buffer.from(key.keyHash, "hex"), Buffer.from(hash, "hex"))) {
    throw unknownKey();
  }
  const { node } = key;
  if (node.status === "revoked") {
    throw new StashlightError("forbidden", `The node ${node.name} is revoked; let it enrol again.`);
  }
  const isOver = key.expiresAt !== null && key.expiresAt <= platform.now();
  if (key.revokedAt !== null || isOver) {
    throw new StashlightError(
      "unauthenticated",
      `This key of the node ${node.name} was replaced by another; give it the latest.`,
    );
  }
  return {
    nodeId: node.id,
    name: node.name,
    vault: node.vault,
    role: node.role as NodeRole,
    status: node.status === "active" ? "active" : "pending",
    isSimulated: node.isSimulated,
  };
}

const unknownKey = (): StashlightError =>
  new StashlightError("unauthenticated", "No node has this key; enrol again with a token from an admin.");

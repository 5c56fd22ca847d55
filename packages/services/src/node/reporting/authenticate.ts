/**
 * Finds the node of a key. Answers are cached for a few seconds, because every node sends its key with each batch; for
 * that time a revoked key may still pass, and an approved node may still wait.
 */
import { timingSafeEqual } from "node:crypto";
import { StashlightError } from "@stashlight/contracts/errors";
import { type AuthenticatedNode, isNodeKey } from "@stashlight/contracts/node";
import { nodeColumns } from "@stashlight/db/columns/node";
import type { Base } from "../../base.ts";
import { hashToken } from "../../ids.ts";
import { type FoundKey, findKeys, KeyLookup } from "./find-keys.ts";

export const authenticationKeptMs = 3_000;
const keptCountMax = 20_000;

export interface NodeAuthenticator {
  /**
   * Rejects with `unauthenticated` for an unknown, replaced or expired key, and `forbidden` for one of a revoked node.
   */
  authenticate(key: string): Promise<AuthenticatedNode>;
}

export function createNodeAuthenticator(platform: Base): NodeAuthenticator {
  const kept = new Map<string, { node: Promise<AuthenticatedNode>; untilMs: number }>();
  const lookup = new KeyLookup(platform.metrics);
  return {
    authenticate: async (key) => {
      if (!isNodeKey(key)) throw unknownKey();
      const hash = hashToken(key);
      const nowMs = platform.now().getTime();
      const known = kept.get(hash);
      if (known !== undefined && known.untilMs > nowMs) return known.node;
      const node = lookup.find(hash).then((key) => verifyNode(platform, hash, key));
      kept.delete(hash);
      kept.set(hash, { node, untilMs: nowMs + authenticationKeptMs });
      // Caches only existing keys, because unknown ones could displace them.
      node.catch(() => kept.delete(hash));
      if (kept.size > keptCountMax) kept.delete(kept.keys().next().value ?? "");
      return node;
    },
  };
}

/** Looks up the key without caching the answer. */
export async function authenticateNode(platform: Base, key: string): Promise<AuthenticatedNode> {
  if (!isNodeKey(key)) throw unknownKey();
  const hash = hashToken(key);
  return verifyNode(platform, hash, (await findKeys(platform.metrics, [hash])).get(hash));
}

function verifyNode(platform: Base, hash: string, key: FoundKey | undefined): AuthenticatedNode {
  if (key === undefined || !timingSafeEqual(Buffer.from(key.keyHash, "hex"), Buffer.from(hash, "hex"))) {
    throw unknownKey();
  }
  if (key.status === "revoked") {
    throw new StashlightError("forbidden", `The node ${key.name} is revoked; let it enrol again.`);
  }
  const isOver = key.expiresAt !== null && key.expiresAt <= platform.now();
  if (key.revokedAt !== null || isOver) {
    throw new StashlightError(
      "unauthenticated",
      `This key of the node ${key.name} was replaced by another; give it the latest.`,
    );
  }
  return {
    nodeId: key.nodeId,
    name: key.name,
    vault: key.vault,
    role: nodeColumns.role.read(key.role, key.nodeId),
    status: key.status === "active" ? "active" : "pending",
    isSimulated: key.isSimulated,
  };
}

const unknownKey = (): StashlightError =>
  new StashlightError("unauthenticated", "No node has this key; enrol again with a token from an admin.");

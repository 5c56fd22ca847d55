/** Private keys of a benchmark's nodes, as PEM by name, so that they can be passed to another process. */
import { createPublicKey } from "node:crypto";
import { createNodeKey, type NodeKeys, readNodeKey } from "@stashlight/transport";

export type KeyRing = Readonly<Record<string, string>>;

export function createKeyRing(...nodeIds: readonly string[]): KeyRing {
  return Object.fromEntries(nodeIds.map((nodeId) => [nodeId, createNodeKey()]));
}

export function keysOf(ring: KeyRing, nodeId: string): NodeKeys {
  const pemOf = (id: string): string => ring[id] ?? "";
  return { own: readNodeKey(pemOf(nodeId)), publicKeyOf: (other) => createPublicKey(pemOf(other)) };
}

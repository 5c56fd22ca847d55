/** Private keys of a benchmark's nodes, as PEM by name, so that they can be passed to another process. */
import { createPublicKey } from "node:crypto";
import { createNodeKey, type NodeKeys, readNodeKey } from "@stashlight/transport";

export type KeyRing = Readonly<Record<string, string>>;

export function createKeyRing(...nodeIds: readonly string[]): KeyRing {
  return Object.fromEntries(nodeIds.map((nodeId) => [nodeId, createNodeKey()]));
}

export function nodeKeys(ring: KeyRing, nodeId: string): NodeKeys {
  const ringPem = (id: string): string => ring[id] ?? "";
  return { own: readNodeKey(ringPem(nodeId)), publicKeyOf: (other) => createPublicKey(ringPem(other)) };
}

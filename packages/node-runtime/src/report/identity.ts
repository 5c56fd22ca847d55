import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { VaultFile, VaultNode } from "../config/index.ts";

/** Returns a node's name for the console, which knows several vaults. */
export function reportedNodeName({ name }: Pick<VaultFile, "name">, { id }: Pick<VaultNode, "id">): string {
  return `${name}.${id}`;
}

/** Path of the node's key for the ingest, once it has one. */
export function telemetryKeyPath({ stateFolder }: Pick<VaultNode, "stateFolder">): string {
  return join(stateFolder, "telemetry", "node.json");
}

/** Reads the key for each request, because a rotated key is installed by writing it there. */
export function keyIn(path: string): string {
  return (JSON.parse(readFileSync(path, "utf8")) as { key: string }).key;
}

/** Returns the node's current key, or null while the node has not enrolled or its file cannot be read. */
export function nodeKeyReader(node: Pick<VaultNode, "stateFolder">): () => string | null {
  const path = telemetryKeyPath(node);
  return () => {
    try {
      return keyIn(path);
    } catch {
      return null;
    }
  };
}

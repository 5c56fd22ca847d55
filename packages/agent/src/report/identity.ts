import { join } from "node:path";
import type { VaultFile, VaultNode } from "../config/index.ts";

/** A node's name to the console, which knows several vaults. */
export function nameOf({ name }: Pick<VaultFile, "name">, { id }: Pick<VaultNode, "id">): string {
  return `${name}.${id}`;
}

/** Holds the node's key for the ingest, once it has one. */
export function keyFileOf({ stateFolder }: Pick<VaultNode, "stateFolder">): string {
  return join(stateFolder, "telemetry", "node.json");
}

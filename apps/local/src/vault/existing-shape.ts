/** Reads the shape of the existing vault without the agents' schema, so that the supervisor stays small. */
import { readFileSync } from "node:fs";
import type { VaultShape } from "./vault-size.ts";

/** Undefined if the file cannot be read; the process that prepares the vault then reports the error. */
export function readPresentShape(vaultFile: string): VaultShape | undefined {
  try {
    return shapeOfFile(JSON.parse(readFileSync(vaultFile, "utf8")));
  } catch {
    return undefined;
  }
}

interface ShapedFile extends Pick<VaultShape, "scheme" | "podVolume" | "stashVolume"> {
  readonly nodes: readonly { readonly role: string; readonly drives?: readonly unknown[] }[];
}

export function shapeOfFile({ scheme, podVolume, stashVolume, nodes }: ShapedFile): VaultShape {
  const stashDeviceCount = nodes
    .filter(({ role }) => role === "stash")
    .reduce((count, { drives }) => count + (drives?.length ?? 0), 0);
  return { scheme, podVolume, stashVolume, stashDeviceCount };
}

/** Where the client of a bench finds a vault, whichever version of the product wrote the vault's file. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VaultFile } from "@stashlight/node-runtime/config";

export interface Target {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: VaultFile["accessKeys"][number];
}

/** Writes the way into the vault beside its file, and returns the path. */
export function writeTarget(folder: string, file: VaultFile): string {
  const coordinator = file.nodes.find((node) => node.role === "coordinator");
  const [accessKey] = file.accessKeys;
  if (coordinator?.role !== "coordinator" || !accessKey) throw new Error("The vault has no way in.");
  const { host, port, region } = coordinator.s3;
  const target: Target = { endpoint: `http://${host}:${port}`, region, accessKey };
  const path = join(folder, "target.json");
  writeFileSync(path, JSON.stringify(target));
  return path;
}

export function readTarget(path: string): Target {
  return JSON.parse(readFileSync(path, "utf8")) as Target;
}

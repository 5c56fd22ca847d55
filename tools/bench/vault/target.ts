/**
 * Address of a vault for a benchmark's client, independent of the product version that wrote the vault's file. It is
 * copied into checkouts of older commits, so it imports no file of the benchmark.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VaultFile } from "@stashlight/node-runtime/config";

/** Name in the certificate of the S3 endpoint. */
export const tlsHost = "localhost";
export const authorityFile = "ca.pem";

export interface Target {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: VaultFile["accessKeys"][number];
  /** PEM of the authority behind the endpoint's certificate. */
  readonly ca?: string;
}

/** Writes the vault's address and credentials beside its file, and returns the path. */
export function writeTarget(folder: string, file: VaultFile): string {
  const coordinator = file.nodes.find((node) => node.role === "coordinator");
  const [accessKey] = file.accessKeys;
  if (coordinator?.role !== "coordinator" || !accessKey)
    throw new Error("The vault has no coordinator or no access key.");
  const { host, port, region, tls } = coordinator.s3;
  const way =
    tls === undefined
      ? { endpoint: `http://${host}:${port}` }
      : { endpoint: `https://${tlsHost}:${port}`, ca: readFileSync(join(folder, authorityFile), "utf8") };
  const target: Target = { ...way, region, accessKey };
  const path = join(folder, "target.json");
  writeFileSync(path, JSON.stringify(target));
  return path;
}

export function readTarget(path: string): Target {
  return JSON.parse(readFileSync(path, "utf8")) as Target;
}

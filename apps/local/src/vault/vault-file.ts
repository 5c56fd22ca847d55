/** The file of this machine's vault: made at the first start, afterwards only told the port for S3. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  createLocalVault,
  findFreePorts,
  loadVaultFile,
  portCountOf,
  type VaultFile,
} from "@stashlight/agent/config";
import { localVault } from "./geometry.ts";

/** Throws a VaultFileError when the file that is there is not right. */
export async function prepareVaultFile(path: string, s3Port: number): Promise<VaultFile> {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // The last one is for S3.
    const ports = await findFreePorts(portCountOf(localVault) - 1, Math.random);
    write(path, createLocalVault({ ...localVault, name: "local", ports: [...ports, s3Port] }));
  }
  const file = loadVaultFile(path);
  if (coordinatorOf(file).s3.port === s3Port) return file;
  write(path, withS3Port(JSON.parse(readFileSync(path, "utf8")), s3Port));
  return loadVaultFile(path);
}

export function coordinatorOf({ nodes }: VaultFile) {
  const coordinator = nodes.find((node) => node.role === "coordinator");
  if (coordinator === undefined) throw new TypeError("A vault without a coordinator is no vault.");
  return coordinator;
}

/** Of the file as it stands there, so that its paths stay relative. */
function withS3Port(file: VaultFile, port: number): VaultFile {
  const first = coordinatorOf(file);
  const nodes = file.nodes.map((node) => (node === first ? { ...first, s3: { ...first.s3, port } } : node));
  return { ...file, nodes };
}

/** It holds a secret, and is whole or not there. */
function write(path: string, file: VaultFile): void {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(partial, path);
}

/** The folder of a vault on one of its machines: its copy of the vault file, and the keys of its own nodes. */
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import {
  loadVaultFile,
  type VaultFile,
  VaultFileError,
  type VaultNode,
  writeSecretFile,
} from "@stashlight/node-runtime/config";
import { z } from "zod";
import { BUNDLE_VAULT, type BundleContent } from "../bundle/bundle.ts";
import { nodesOfMachine } from "../layout/vault-file.ts";
import { SetupError } from "../setup-error.ts";

const MACHINE_FILE = "machine.json";

const machineSchema = z.strictObject({
  vault: z.string(),
  clusterId: z.string(),
  machine: z.string(),
  /** Creation time of the bundle from which the present files come. */
  issuedAt: z.iso.datetime(),
  /** Formatted drives, by id. From then on an empty one is considered lost. */
  formatted: z.array(z.string()),
});

export type MachineState = z.output<typeof machineSchema>;

export interface JoinedMachine {
  readonly folder: string;
  readonly state: MachineState;
  readonly file: VaultFile;
  readonly nodes: readonly VaultNode[];
}

export const vaultFileOfMachine = (folder: string): string => join(folder, "vault.json");

/** Null if no machine has joined. Throws a SetupError for a file that cannot be read. */
export function readMachineState(folder: string): MachineState | null {
  const path = join(folder, MACHINE_FILE);
  if (!existsSync(path)) return null;
  try {
    return machineSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new SetupError(`${path} is not a file that vault join wrote; remove it and join again.`);
  }
}

export function writeMachineState(folder: string, state: MachineState): void {
  writeSecretFile(join(folder, MACHINE_FILE), `${JSON.stringify(state, null, 2)}\n`);
}

/**
 * Writes every file completely or not at all, and the state last; until then the next join starts over. A new
 * certificate waits beside the old one until its key is written, so that agents always find a matching pair.
 */
export function writeMachineFiles(folder: string, { files }: BundleContent): void {
  const isPairCertificate = (path: string): boolean => files[path.replace(/\.pem$/, ".key")] !== undefined;
  const certificates = Object.keys(files).filter((path) => path.endsWith(".pem") && isPairCertificate(path));
  for (const path of certificates) writeSecretFile(join(folder, `${path}.next`), files[path] ?? "");
  for (const [path, text] of Object.entries(files)) {
    const isOlder = path === BUNDLE_VAULT && epochIn(folder) > (JSON.parse(text) as VaultFile).epoch;
    if (!certificates.includes(path) && !isOlder) writeSecretFile(join(folder, path), text);
  }
  for (const path of certificates) renameSync(join(folder, `${path}.next`), join(folder, path));
}

/** The epoch that this machine's agents have learnt since it joined, which may be newer than the bundle's. */
function epochIn(folder: string): number {
  const path = vaultFileOfMachine(folder);
  return existsSync(path) ? loadVault(path).epoch : 0;
}

/** File with the token by which nodes of a role enrol, kept for agents while the console is unreachable. */
export const tokenFilePath = (folder: string, role: VaultNode["role"]): string =>
  join(folder, `enrolment-${role}.token`);

/** Throws a SetupError for a folder without a joined machine. */
export function openMachine(folder: string): JoinedMachine {
  const state = readMachineState(folder);
  if (state === null) {
    throw new SetupError(`No machine has joined a vault in ${folder}; run vault join BUNDLE.`);
  }
  const file = loadVault(vaultFileOfMachine(folder));
  return { folder, state, file, nodes: nodesOfMachine(file, state.machine) };
}

function loadVault(path: string): VaultFile {
  try {
    return loadVaultFile(path);
  } catch (error) {
    throw error instanceof VaultFileError ? new SetupError(error.message) : error;
  }
}

/** Creates a vault from a layout: its file, its authority, an access key, and a bundle for each machine. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  hashAdminToken,
  loadVaultFile,
  type VaultFile,
  type VaultNode,
  writeSecretFile,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { createNodeKey } from "@stashlight/transport";
import {
  type Authority,
  createAuthority,
  createEdgeKey,
  issueCertificate,
  isWholeAuthority,
  publicKeyIn,
} from "./authority/authority.ts";
import { BUNDLE_CA, BUNDLE_VAULT, writeBundle } from "./bundle/bundle.ts";
import type { Layout } from "./layout/schema.ts";
import {
  buildVaultFile,
  CA_FILE,
  fileForMachine,
  filesOfNode,
  machineNames,
  nodesOfMachine,
  TOKEN_FILE,
} from "./layout/vault-file.ts";
import { SetupError } from "./setup-error.ts";

const VAULT_FILE = "vault.json";
const AUTHORITY_KEY_FILE = "authority.key";
/** Settings for certificates and bundles that are not in the vault file. */
const OPTIONS_FILE = "setup.json";
const BUNDLES_FOLDER = "bundles";

export interface SetupOptions {
  /** Additional names in the certificates of S3 endpoints. */
  readonly s3Names: readonly string[];
  readonly tokens: Readonly<Partial<Record<"pod" | "stash" | "coordinator", string>>>;
}

/** The operator's folder, which is kept off the vault's machines. */
export interface SetupFolder {
  readonly folder: string;
  readonly file: VaultFile;
  readonly authority: Authority;
  readonly options: SetupOptions;
}

export const vaultFileIn = (folder: string): string => join(folder, VAULT_FILE);
export const bundlePath = (folder: string, machine: string): string =>
  join(folder, BUNDLES_FOLDER, `${machine}.bundle`);

/**
 * Creates all or nothing: the folder appears when everything in it is written; an existing folder must be empty. Throws
 * a SetupError.
 */
export async function createVault(layout: Layout, folder: string, nowMs: number): Promise<SetupFolder> {
  refuseTaken(folder);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  // The folder may be inside a checkout, and none of it belongs in a repository.
  writeSecretFile(join(partial, ".gitignore"), "*\n");
  const token = `sla_${randomBytes(32).toString("base64url")}`;
  writeSecretFile(join(partial, TOKEN_FILE), `${token}\n`);
  const authority = await createAuthority(layout.vault, nowMs);
  writeSecretFile(join(partial, CA_FILE), authority.certificate);
  writeSecretFile(join(partial, AUTHORITY_KEY_FILE), authority.key);
  const { names = [], domains = [] } = layout.s3;
  const s3Names = [...names, ...domains.flatMap((domain) => [domain, `*.${domain}`])];
  const options = { s3Names, tokens: layout.console?.tokens ?? {} };
  writeSecretFile(join(partial, OPTIONS_FILE), `${JSON.stringify(options, null, 2)}\n`);
  const file = buildVaultFile(layout, hashAdminToken(token).toString("hex"));
  writeVaultFile(vaultFileIn(partial), file);
  // Parses the file as agents will, so that no file is handed out that they would refuse.
  loadVaultFile(vaultFileIn(partial));
  const made = { folder: partial, file, authority, options };
  for (const machine of machineNames(file)) await bundleMachine(made, machine, nowMs);
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  renameSync(partial, folder);
  return { ...made, folder };
}

function refuseTaken(folder: string): void {
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    return;
  }
  if (existsSync(vaultFileIn(folder))) {
    throw new SetupError(`${folder} already holds a vault; give another folder with --folder.`);
  }
  if (readdirSync(folder).length > 0) {
    throw new SetupError(`${folder} is not empty; give another folder with --folder.`);
  }
}

/** True if `vault create` wrote the folder, so that bundles can be created from it. */
export const isSetupFolder = (folder: string): boolean => existsSync(join(folder, AUTHORITY_KEY_FILE));

/** Throws a SetupError for a folder that `vault create` did not write. */
export function openSetupFolder(folder: string): SetupFolder {
  const read = (name: string): string => {
    try {
      return readFileSync(join(folder, name), "utf8");
    } catch (error) {
      throw new SetupError(
        `${folder} was not written by vault create: ${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      );
    }
  };
  // Read without resolving paths, so that they stay relative.
  const file = JSON.parse(read(VAULT_FILE)) as VaultFile;
  loadVaultFile(vaultFileIn(folder));
  const authority = { certificate: read(CA_FILE), key: read(AUTHORITY_KEY_FILE) };
  if (!isWholeAuthority(authority)) {
    throw new SetupError(
      `${join(folder, AUTHORITY_KEY_FILE)} is not the key of the authority in ${CA_FILE}.`,
    );
  }
  return { folder, file, authority, options: JSON.parse(read(OPTIONS_FILE)) as SetupOptions };
}

/** Names under which clients reach the S3 endpoint of a coordinator. */
export function edgeHosts({ options }: Pick<SetupFolder, "options">, node: VaultNode): string[] {
  return node.role === "coordinator" ? [node.s3.host, ...options.s3Names] : [];
}

/**
 * Writes a bundle with new keys for the nodes of a machine. The authority certifies them, so no other machine changes,
 * and a machine that lost its disk can rejoin with such a bundle.
 */
export async function bundleMachine(
  { folder, file, authority, options }: SetupFolder,
  machine: string,
  nowMs: number,
): Promise<string> {
  const nodes = nodesOfMachine(file, machine);
  if (nodes.length === 0) {
    throw new SetupError(`The vault has no machine ${machine}; it has ${machineNames(file).join(", ")}.`);
  }
  const files: Record<string, string> = {
    [BUNDLE_VAULT]: `${JSON.stringify(fileForMachine(file, machine), null, 2)}\n`,
    [BUNDLE_CA]: authority.certificate,
  };
  for (const node of nodes) {
    const paths = filesOfNode(node.id);
    const key = createNodeKey();
    const hosts = [node.host];
    files[paths.key] = key;
    files[paths.certificate] = await issueCertificate(authority, {
      name: node.id,
      publicKey: publicKeyIn(key),
      hosts,
      nowMs,
    });
    if (node.role !== "coordinator") continue;
    files[TOKEN_FILE] = readFileSync(join(folder, TOKEN_FILE), "utf8");
    const { keyFile } = file.encryption ?? {};
    if (keyFile !== undefined) files[keyFile] = readFileSync(join(folder, keyFile), "utf8");
    if (node.s3.tls === undefined) continue;
    const edgeKey = await createEdgeKey();
    files[paths.s3Key] = edgeKey;
    files[paths.s3Certificate] = await issueCertificate(authority, {
      name: node.id,
      publicKey: publicKeyIn(edgeKey),
      hosts: edgeHosts({ options }, node),
      nowMs,
    });
  }
  const roles = new Set(nodes.map(({ role }) => role));
  const tokens = Object.fromEntries(
    Object.entries(options.tokens).filter(([role]) => roles.has(role as never)),
  );
  const path = bundlePath(folder, machine);
  const issuedAt = new Date(nowMs).toISOString();
  const { name: vault, clusterId } = file;
  writeBundle(path, { vault, clusterId, machine, issuedAt, files, tokens }, authority);
  return path;
}

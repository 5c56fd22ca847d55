/**
 * The keys of nodes. Each node has a private key in its state folder. The vault's file contains the public keys of all
 * nodes, or, in a vault with an authority, a node's certificate vouches for its key, and the file contains none. A
 * machine with that file and the private keys of its own nodes can verify every node and impersonate none. The token of
 * the admin pages is in a file beside the vault's file, which contains only its hash.
 */
import { type KeyObject, randomBytes, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  createNodeKey,
  type NodeKeys,
  publicKeyText,
  readNodeKey,
  readPublicKey,
} from "@stashlight/transport";
import { hashAdminToken } from "./admin-token.ts";
import { inEpoch, readRawVaultFile, type VaultEpoch } from "./epoch.ts";
import { loadVaultFile, parseVaultFile, VaultFileError } from "./load-vault-file.ts";
import type { VaultFile, VaultNode } from "./vault-file-schema.ts";
import { writeSecretFile, writeVaultFile } from "./write-vault-file.ts";

const TOKEN_BYTES = 32;
const TOKEN_FILE = "admin.token";
const OTHERS_MAY_ACCESS = 0o077;

export interface ProvideKeysOptions {
  /**
   * True if all nodes of the vault are on this machine; a missing private key is then replaced. Otherwise a missing key
   * may be on the node's own machine, and only nodes without a public key in the vault's file get one.
   */
  readonly areAllHere: boolean;
}

/**
 * Creates missing keys and a missing token of the admin pages, and adds them to the vault's file. Existing ones are
 * kept. After an interruption, the next call continues. Throws a VaultFileError if the file is invalid.
 */
export function provideKeys(path: string, { areAllHere }: ProvideKeysOptions): VaultFile {
  const file = loadVaultFile(path);
  // The raw file, so that its paths stay relative.
  const asItStands = JSON.parse(readFileSync(path, "utf8")) as VaultFile;
  const nodes = asItStands.nodes.map((node, at) => {
    const publicKey = file.nodes[at]?.publicKey;
    if (publicKey !== undefined && !areAllHere) return node;
    return { ...node, publicKey: publicKeyText(provideKey(file.nodes[at] as VaultNode)) };
  });
  const { admin: present } = asItStands;
  const admin =
    present === undefined || areAllHere ? provideAdmin(path, present?.tokenFile ?? TOKEN_FILE) : present;
  const provided = { ...asItStands, admin, nodes };
  if (JSON.stringify(provided) !== JSON.stringify(asItStands)) writeVaultFile(path, provided);
  return loadVaultFile(path);
}

/**
 * Returns the public key of a node that is to join; its private key is in its state folder, where it is created if
 * necessary. Throws a VaultFileError if the epoch with the node is invalid.
 */
export function provideNodeKey(path: string, next: VaultEpoch, { id }: Pick<VaultNode, "id">): string {
  const file = inEpoch(readRawVaultFile(path), next, path);
  const node = parseVaultFile(JSON.stringify(file), path).nodes.find((other) => other.id === id) as VaultNode;
  return publicKeyText(provideKey(node));
}

function provideKey(node: VaultNode) {
  const path = nodeKeyPath(node);
  if (!existsSync(path)) writeSecretFile(path, createNodeKey());
  return readKeyFile(path, node);
}

function provideAdmin(path: string, tokenFile: string): NonNullable<VaultFile["admin"]> {
  const absolute = resolve(dirname(path), tokenFile);
  if (!existsSync(absolute)) {
    writeSecretFile(absolute, `sla_${randomBytes(TOKEN_BYTES).toString("base64url")}\n`);
  }
  const tokenSha256 = hashAdminToken(readFileSync(absolute, "utf8").trim()).toString("hex");
  return { tokenSha256, tokenFile };
}

export function nodeKeyPath({ stateFolder }: Pick<VaultNode, "stateFolder">): string {
  return join(stateFolder, "node.key");
}

/** Reads the keys with which this node communicates. Throws a VaultFileError if it cannot prove its identity. */
export function readNodeKeys(file: VaultFile, node: VaultNode): NodeKeys {
  const path = nodeKeyPath(node);
  const vouched = node.publicKey ?? readCertifiedKey(file, node);
  if (vouched === null) throw new VaultFileError(keysMissing(`no public key of the node ${node.id}`));
  const own = readKeyFile(path, node);
  if (publicKeyText(own) !== vouched) {
    const where = node.publicKey === undefined ? "its certificate has" : "the vault's file names";
    throw new VaultFileError(
      `The key in ${path} is not the one that ${where} for the node ${node.id}; one of the two belongs to another vault or is outdated.`,
    );
  }
  const publicKeys = new Map(
    file.nodes.map(({ id, publicKey }) => [id, publicKey === undefined ? null : readPublicKey(publicKey)]),
  );
  return {
    own,
    publicKeyOf: (nodeId, certificate) => {
      const named = publicKeys.get(nodeId);
      return named === null ? nodeKeyIn(certificate) : (named ?? null);
    },
  };
}

/** Returns the key that this node's certificate vouches for, as text; null in a vault whose file must contain it. */
function readCertifiedKey({ ca }: VaultFile, { id, tls }: VaultNode): string | null {
  if (ca === undefined || tls === undefined) return null;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(tls.cert));
  } catch (error) {
    throw new VaultFileError(
      `The certificate ${tls.cert} of the node ${id} cannot be used: ${(error as Error).message}.`,
    );
  }
  const key = nodeKeyIn(certificate);
  return key === null ? null : publicKeyText(key);
}

/** Returns null for a certificate with another kind of key, which vouches only for a name. */
function nodeKeyIn(certificate: X509Certificate | null): KeyObject | null {
  const key = certificate?.publicKey;
  return key?.asymmetricKeyType === "ed25519" ? key : null;
}

export function keysMissing(what: string): string {
  return `The vault's file has ${what}; npm run stashlight -- vault keys --config FILE creates what is missing.`;
}

function readKeyFile(path: string, { id }: VaultNode) {
  try {
    if ((statSync(path).mode & OTHERS_MAY_ACCESS) !== 0) {
      throw new Error("users other than its owner can read it; run chmod 600 on it");
    }
    return readNodeKey(readFileSync(path, "utf8"));
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, "");
    throw new VaultFileError(`The private key ${path} of the node ${id} cannot be used: ${reason}.`);
  }
}

/** Credentials for requests to admin pages, and for serving them. */
import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { type VaultFile, VaultFileError, type VaultNode } from "../config/index.ts";
import { keysMissing } from "../config/node-keys.ts";
import type { NodeCredentials } from "../credentials/credentials.ts";

/** Token that a client of the admin pages sends, and the authority that it trusts. */
export interface AdminAccess {
  readonly token: string;
  /** PEM of the authority that signed the certificates of all nodes; null for a vault without certificates. */
  readonly ca: string | null;
}

/** Address at which a node serves its admin pages, and the credentials that it requires. */
export interface AdminDoor {
  readonly nodeId: string;
  /** The node's private key, which proves that a page comes from it. */
  readonly key: KeyObject;
  readonly host: string;
  readonly port: number;
  readonly tokenSha256: string;
  /** PEM texts; null for plain HTTP on a loopback address. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Registers a listener that is called with each pair that replaces `tls`. */
  readonly onChange?: (listener: (tls: { readonly cert: string; readonly key: string }) => void) => void;
}

/** Reads the credentials of a client. Throws a VaultFileError if the token is not on this machine. */
export function readAdminAccess({ admin, ca }: VaultFile): AdminAccess {
  if (admin === undefined) throw new VaultFileError(keysMissing("no token of the admin pages"));
  try {
    const token = readFileSync(admin.tokenFile, "utf8").trim();
    return { token, ca: ca === undefined ? null : readFileSync(ca, "utf8") };
  } catch (error) {
    throw new VaultFileError(`The admin pages of the vault cannot be used: ${(error as Error).message}.`);
  }
}

/** Returns the credentials of a server. Throws a VaultFileError if the vault has no token. */
export function adminDoor(file: VaultFile, node: VaultNode, credentials: NodeCredentials): AdminDoor {
  const { admin } = file;
  const { id: nodeId, host, adminPort: port } = node;
  if (admin === undefined) throw new VaultFileError(keysMissing("no token of the admin pages"));
  const { keys, tls } = credentials;
  return {
    nodeId,
    key: keys.own,
    host,
    port,
    tokenSha256: admin.tokenSha256,
    tls: tls && { cert: tls.cert, key: tls.key },
    onChange: (listener) =>
      credentials.onChange(() => {
        const { tls: next } = credentials;
        if (next !== null) listener({ cert: next.cert, key: next.key });
      }),
  };
}

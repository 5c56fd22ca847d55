/** A vault as described by its file: its nodes, and a client with a key that may do everything. */
import { rootCertificates } from "node:tls";
import {
  type CoordinatorNode,
  type DriveConfig,
  loadVaultFile,
  type VaultFile,
  VaultFileError,
} from "@stashlight/node-runtime/config";
import { type AdminAccess, readAdminAccess } from "@stashlight/node-runtime/durability";
import { S3Client } from "@stashlight/s3/client";

export interface VaultAccess {
  readonly path: string;
  readonly file: VaultFile;
  readonly coordinator: CoordinatorNode;
  /** Credentials for the nodes' admin pages. */
  readonly admin: AdminAccess;
  readonly endpoint: string;
  createClient(connectionCountMax: number): S3Client;
}

/** Throws a VaultFileError. */
export function openVault(path: string): VaultAccess {
  const file = loadVaultFile(path);
  const coordinator = file.nodes.find((node) => node.role === "coordinator") as CoordinatorNode;
  const accessKey = file.accessKeys.find(
    ({ permission, buckets, uploadPath, isDisabled }) =>
      permission === "write" && buckets === "all" && uploadPath === "stash" && !isDisabled,
  );
  if (accessKey === undefined) {
    throw new VaultFileError(
      `${path} has no access key that may write to all buckets, which this command needs.`,
    );
  }
  const { host, port, region, tls } = coordinator.s3;
  const admin = readAdminAccess(file);
  // Also trusts the system's authorities, since the S3 endpoint may have a certificate from one of them.
  const ca =
    tls === undefined || admin.ca === null ? {} : { ca: `${admin.ca}${rootCertificates.join("\n")}` };
  const endpoint = `${tls === undefined ? "http" : "https"}://${host}:${port}`;
  return {
    path,
    file,
    coordinator,
    admin,
    endpoint,
    createClient: (connectionCountMax) =>
      new S3Client({ endpoint, region, accessKey, connectionCountMax, ...ca }),
  };
}

/** Note for every value measured on modelled drives; null for drives at their own speed. */
export function modelledNote({ nodes }: VaultFile): string | null {
  const drives = nodes.flatMap((node): readonly DriveConfig[] =>
    node.role === "coordinator" ? [] : node.drives,
  );
  const models = new Set(drives.flatMap(({ model }) => model ?? []));
  return models.size === 0 ? null : `Figures are modelled: drives behave as ${[...models].join(", ")}.`;
}

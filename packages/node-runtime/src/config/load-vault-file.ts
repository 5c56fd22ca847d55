import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isLoopbackAddress } from "@stashlight/transport";
import { quorumsOf } from "@stashlight/write-path";
import type { z } from "zod";
import { type VaultFile, type VaultNode, vaultFileSchema } from "./vault-file-schema.ts";

/** An error in a vault's file, described in one sentence that names the place. */
export class VaultFileError extends Error {
  override readonly name = "VaultFileError";
}

/** Reads, checks and completes a vault's file; paths in it are relative to its folder. Throws a VaultFileError. */
export function loadVaultFile(file: string): VaultFile {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new VaultFileError(`The vault file ${file} cannot be read: ${(error as Error).message}.`);
  }
  return parseVaultFile(text, file);
}

export function parseVaultFile(text: string, file: string): VaultFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new VaultFileError(`The vault file ${file} is not JSON: ${(error as Error).message}.`);
  }
  const parsed = vaultFileSchema.safeParse(value);
  if (!parsed.success) throw new VaultFileError(`${file}: ${describe(parsed.error)}`);
  const complaint = complaintAbout(parsed.data);
  if (complaint !== null) throw new VaultFileError(`${file}: ${complaint}`);
  return withAbsolutePaths(parsed.data, dirname(resolve(file)));
}

/** Describes only the first issue, because others are often its consequence. */
function describe(error: z.ZodError): string {
  const issue = error.issues[0] as z.core.$ZodIssue;
  const place = issue.path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
  const text = issue.message.replace(/\.$/, "");
  return place === "" ? `${text}.` : `${place}: ${text}.`;
}

/** Checks rules that span several fields. */
function complaintAbout(file: VaultFile): string | null {
  const { nodes, scheme, accessKeys } = file;
  let shardCount: number;
  try {
    shardCount = quorumsOf(scheme).shardCount;
  } catch (error) {
    return `scheme: ${(error as Error).message}`;
  }
  const pods = nodes.flatMap((node) => (node.role === "pod" ? node.drives : []));
  const devices = nodes.flatMap((node) => (node.role === "stash" ? node.drives : []));
  const drives = [...pods, ...devices];
  const missing = Array.from({ length: shardCount }, (_, i) => i).find(
    (i) => !pods.some(({ pod }) => pod === i),
  );
  if (missing !== undefined)
    return `pod ${missing} has no drive; a vault of ${shardCount} shards has as many pods.`;
  if (!nodes.some(({ role }) => role === "coordinator")) return "there is no node with the role coordinator.";
  if (!nodes.some(({ role }) => role === "stash")) return "there is no node with the role stash.";
  return (
    repeated(
      "node id",
      nodes.map(({ id }) => id),
    ) ??
    repeated(
      "pod",
      pods.map(({ pod }) => pod),
    ) ??
    repeated(
      "stash device",
      devices.map(({ device }) => device),
    ) ??
    repeated(
      "drive id",
      drives.map(({ driveId }) => driveId),
    ) ??
    repeated(
      "drive folder",
      nodes.flatMap((node) =>
        node.role === "coordinator" ? [] : node.drives.map(({ path }) => folderOnMachine(node, path)),
      ),
    ) ??
    repeated(
      "access key",
      accessKeys.map(({ id }) => id),
    ) ??
    repeated(
      "address",
      nodes.flatMap(({ host, port, adminPort }) => [`${host}:${port}`, `${host}:${adminPort}`]),
    ) ??
    repeated(
      "public key",
      nodes.flatMap(({ publicKey }) => publicKey ?? []),
    ) ??
    certificatesMissing(file) ??
    plainBeyondLoopback(file)
  );
}

/** Qualifies a folder by its machine, because different machines may use equal paths. */
function folderOnMachine({ machine }: VaultNode, path: string): string {
  return machine === undefined ? resolve("/", path) : `${resolve("/", path)} of ${machine}`;
}

function repeated(what: string, values: readonly (string | number)[]): string | null {
  const twice = values.find((value, at) => values.indexOf(value) !== at);
  return twice === undefined ? null : `the ${what} ${twice} is given twice.`;
}

function certificatesMissing({ ca, nodes }: VaultFile): string | null {
  const without = nodes.find(({ tls }) => (tls === undefined) === (ca !== undefined));
  if (without === undefined) return null;
  return ca === undefined
    ? `node ${without.id} has a certificate, but the vault names no authority in "ca".`
    : `node ${without.id} has no certificate, which the authority in "ca" requires of every node.`;
}

/**
 * Finds plain TCP beyond loopback addresses: without TLS, messages after the handshake are unprotected from attackers
 * on the path.
 */
function plainBeyondLoopback({ ca, nodes }: VaultFile): string | null {
  const node = nodes.find(({ host }) => !isLoopbackAddress(host));
  if (ca !== undefined || node === undefined) return null;
  return `node ${node.id} has the host ${node.host}, which is not a loopback address such as 127.0.0.1. Across machines, all nodes need certificates, and "ca" must name their authority.`;
}

function withAbsolutePaths(file: VaultFile, folder: string): VaultFile {
  const at = (path: string): string => resolve(folder, path);
  const ca = file.ca === undefined ? {} : { ca: at(file.ca) };
  const { telemetry } = file;
  const report = telemetry?.ca === undefined ? {} : { telemetry: { ...telemetry, ca: at(telemetry.ca) } };
  const { admin } = file;
  const pages = admin === undefined ? {} : { admin: { ...admin, tokenFile: at(admin.tokenFile) } };
  const { encryption } = file;
  const keys = encryption && { encryption: { ...encryption, keyFile: at(encryption.keyFile) } };
  return {
    ...file,
    ...ca,
    ...report,
    ...pages,
    ...keys,
    nodes: file.nodes.map((node) => nodeWithAbsolutePaths(node, at)),
  };
}

function nodeWithAbsolutePaths(node: VaultNode, at: (path: string) => string): VaultNode {
  const pair = (tls: { cert: string; key: string } | undefined) =>
    tls === undefined ? {} : { tls: { cert: at(tls.cert), key: at(tls.key) } };
  const common = { stateFolder: at(node.stateFolder), ...pair(node.tls) };
  if (node.role === "coordinator") return { ...node, ...common, s3: { ...node.s3, ...pair(node.s3.tls) } };
  if (node.role === "pod") {
    return { ...node, ...common, drives: node.drives.map((drive) => ({ ...drive, path: at(drive.path) })) };
  }
  return { ...node, ...common, drives: node.drives.map((drive) => ({ ...drive, path: at(drive.path) })) };
}

/**
 * The file of this machine's vault: made at the first start, afterwards only told what may change: its ports, and
 * whether its drives are modelled.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  createAccessKey,
  createLocalVault,
  findFreePorts,
  loadVaultFile,
  portCountOf,
  type VaultFile,
} from "@stashlight/agent/config";
import { driveModels, localVault } from "./geometry.ts";

export interface VaultPorts {
  readonly s3: number;
  /** Of the ingest, which takes what the nodes measure. */
  readonly ingest: number;
}

export interface VaultWanted extends VaultPorts {
  /** Every drive behaves as one of the catalogue; otherwise none does. */
  readonly isModelled: boolean;
}

/** Half of what agents elsewhere take, so that a newcomer soon sees something move. */
const WINDOW_SECONDS = 5;

/** Throws a VaultFileError when the file that is there is not right. */
export async function prepareVaultFile(path: string, wanted: VaultWanted): Promise<VaultFile> {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // The last one is for S3.
    const ports = await findFreePorts(portCountOf(localVault) - 1, Math.random);
    const file = createLocalVault({ ...localVault, name: "local", ports: [...ports, wanted.s3] });
    write(path, withPorts(file, wanted));
  }
  const file = loadVaultFile(path);
  const hasPorts =
    coordinatorOf(file).s3.port === wanted.s3 && file.telemetry?.ingest === ingestUrl(wanted.ingest);
  if (hasPorts && hasDirectKey(file) && hasModels(file, wanted)) return file;
  const asItStands = JSON.parse(readFileSync(path, "utf8")) as VaultFile;
  write(path, withModels(withDirectKey(withPorts(asItStands, wanted)), wanted));
  return loadVaultFile(path);
}

const hasDirectKey = ({ accessKeys }: Pick<VaultFile, "accessKeys">): boolean =>
  accessKeys.some(({ uploadPath }) => uploadPath === "direct");

/** With a key whose uploads leave the stash out, so that a benchmark can compare both paths. */
function withDirectKey(file: VaultFile): VaultFile {
  if (hasDirectKey(file)) return file;
  return { ...file, accessKeys: [...file.accessKeys, createAccessKey("direct")] };
}

const modelOf = (role: "pod" | "stash", { isModelled }: VaultWanted) =>
  isModelled ? driveModels[role] : undefined;

function hasModels({ nodes }: VaultFile, wanted: VaultWanted): boolean {
  return nodes.every(
    (node) =>
      node.role === "coordinator" || node.drives.every(({ model }) => model === modelOf(node.role, wanted)),
  );
}

/** An undefined model is left out where the file is written. */
function withModels(file: VaultFile, wanted: VaultWanted): VaultFile {
  const nodes = file.nodes.map((node) => {
    if (node.role === "coordinator") return node;
    const model = modelOf(node.role, wanted);
    return { ...node, drives: node.drives.map((drive) => ({ ...drive, model })) } as typeof node;
  });
  return { ...file, nodes };
}

const ingestUrl = (port: number): string => `http://127.0.0.1:${port}`;

export function coordinatorOf({ nodes }: VaultFile) {
  const coordinator = nodes.find((node) => node.role === "coordinator");
  if (coordinator === undefined) throw new TypeError("A vault without a coordinator is no vault.");
  return coordinator;
}

/** Where its first coordinator takes uploads. */
export function s3Of(file: VaultFile): { endpoint: string; region: string } {
  const { host, port, region, tls } = coordinatorOf(file).s3;
  return { endpoint: `${tls === undefined ? "http" : "https"}://${host}:${port}`, region };
}

/** Of the file as it stands there, so that its paths stay relative. */
function withPorts(file: VaultFile, { s3, ingest }: VaultPorts): VaultFile {
  const first = coordinatorOf(file);
  const nodes = file.nodes.map((node) =>
    node === first ? { ...first, s3: { ...first.s3, port: s3 } } : node,
  );
  const telemetry = { windowSeconds: WINDOW_SECONDS, ...file.telemetry, ingest: ingestUrl(ingest) };
  return { ...file, telemetry, nodes };
}

/** It holds a secret, and is whole or not there. */
function write(path: string, file: VaultFile): void {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(partial, path);
}

/**
 * The file of a vault of this machine, created at the first start. Later starts change only its ports, whether its
 * drives are modelled, missing keys (in files of earlier versions), and the number of its pods' segments, which never
 * falls.
 */
import { existsSync, readFileSync } from "node:fs";
import { localVaultName } from "@stashlight/contracts/vault";
import {
  countPorts,
  createAccessKey,
  createLocalVault,
  findFreePorts,
  loadVaultFile,
  provideKeys,
  type VaultFile,
  VaultFileError,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { shapeOfFile } from "./existing-shape.ts";
import {
  driveModels,
  geometryLike,
  grownPodVolume,
  newVault,
  ShapeRefused,
  type ShapeWanted,
} from "./vault-size.ts";

export interface VaultPorts {
  /** Null for a vault behind the endpoint of another, which has no S3 address of its own. */
  readonly s3: number | null;
  /** Port of the ingest, which receives the nodes' measurements. */
  readonly ingest: number;
}

export interface VaultWanted extends VaultPorts, ShapeWanted {
  /** True if every drive is modelled as one of the catalogue; otherwise none is. */
  readonly isModelled: boolean;
  /** Files of the earlier vaults behind the endpoint; a further vault becomes like the first. */
  readonly earlier?: readonly VaultFile[] | undefined;
}

/** "local", "local-2" and so on. */
function numberedVaultName(number: number): string {
  return number === 1 ? localVaultName : `${localVaultName}-${number}`;
}

/** Half of the interval of agents elsewhere, so that a new user soon sees changes. */
const WINDOW_SECONDS = 5;

/** Throws a VaultFileError if the existing file is invalid or the vault cannot get the wanted shape. */
export async function prepareVaultFile(path: string, wanted: VaultWanted): Promise<VaultFile> {
  try {
    if (!existsSync(path)) await makeVaultFile(path, wanted);
    return updateVaultFile(path, wanted);
  } catch (error) {
    throw error instanceof ShapeRefused ? new VaultFileError(error.message) : error;
  }
}

async function makeVaultFile(path: string, wanted: VaultWanted): Promise<void> {
  const { earlier = [], s3 } = wanted;
  const [first] = earlier;
  const geometry = first === undefined ? newVault(wanted) : geometryLike(first);
  const ports = await findPortsBeside(earlier, countPorts(geometry));
  const file = createLocalVault({
    ...geometry,
    name: numberedVaultName(earlier.length + 1),
    // The last port is for S3.
    ports: s3 === null ? ports : ports.with(-1, s3),
  });
  writeVaultFile(path, withPorts(file, wanted));
}

/** Excludes the other vaults' ports, which look free while nothing runs. */
async function findPortsBeside(others: readonly VaultFile[], count: number): Promise<number[]> {
  const taken = new Set(others.flatMap(({ nodes }) => nodes.flatMap(nodePorts)));
  const free = await findFreePorts(count + taken.size, Math.random);
  return free.filter((port) => !taken.has(port)).slice(0, count);
}

function nodePorts(node: VaultFile["nodes"][number]): number[] {
  return [node.port, node.adminPort, ...(node.role === "coordinator" ? [node.s3.port] : [])];
}

function updateVaultFile(path: string, wanted: VaultWanted): VaultFile {
  const file = provideKeys(path, { areAllHere: true });
  const podVolume = grownPodVolume(shapeOfFile(file), wanted);
  const isLargeEnough = podVolume.segmentCount === file.podVolume.segmentCount;
  const s3 = wanted.s3 ?? findCoordinator(file).s3.port;
  const hasPorts =
    findCoordinator(file).s3.port === s3 && file.telemetry?.ingest === ingestUrl(wanted.ingest);
  if (hasPorts && isLargeEnough && hasDirectKey(file) && hasModels(file, wanted)) return file;
  const asItStands = JSON.parse(readFileSync(path, "utf8")) as VaultFile;
  writeVaultFile(path, { ...withModels(withDirectKey(withPorts(asItStands, wanted)), wanted), podVolume });
  return loadVaultFile(path);
}

const hasDirectKey = ({ accessKeys }: Pick<VaultFile, "accessKeys">): boolean =>
  accessKeys.some(({ uploadPath }) => uploadPath === "direct");

/** Includes a key whose uploads bypass the stash, so that a benchmark can compare both paths. */
function withDirectKey(file: VaultFile): VaultFile {
  if (hasDirectKey(file)) return file;
  return { ...file, accessKeys: [...file.accessKeys, createAccessKey("direct")] };
}

const driveModel = (role: "pod" | "stash", { isModelled }: VaultWanted) =>
  isModelled ? driveModels[role] : undefined;

function hasModels({ nodes }: VaultFile, wanted: VaultWanted): boolean {
  return nodes.every(
    (node) =>
      node.role === "coordinator" ||
      node.drives.every(({ model }) => model === driveModel(node.role, wanted)),
  );
}

/** Sets each drive's model; an undefined model is left out of the written file. */
function withModels(file: VaultFile, wanted: VaultWanted): VaultFile {
  const nodes = file.nodes.map((node) => {
    if (node.role === "coordinator") return node;
    const model = driveModel(node.role, wanted);
    return { ...node, drives: node.drives.map((drive) => ({ ...drive, model })) } as typeof node;
  });
  return { ...file, nodes };
}

const ingestUrl = (port: number): string => `http://127.0.0.1:${port}`;

export function findCoordinator({ nodes }: VaultFile) {
  const coordinator = nodes.find((node) => node.role === "coordinator");
  if (coordinator === undefined) throw new TypeError("The vault has no coordinator.");
  return coordinator;
}

/** S3 address of its first coordinator. */
export function s3Address(file: VaultFile): { endpoint: string; region: string } {
  const { host, port, region, tls } = findCoordinator(file).s3;
  return { endpoint: `${tls === undefined ? "http" : "https"}://${host}:${port}`, region };
}

/** Changes only the ports, so that the file's paths stay relative. */
function withPorts(file: VaultFile, { s3, ingest }: VaultPorts): VaultFile {
  const first = findCoordinator(file);
  const nodes = file.nodes.map((node) =>
    node === first && s3 !== null ? { ...first, s3: { ...first.s3, port: s3 } } : node,
  );
  const telemetry = { windowSeconds: WINDOW_SECONDS, ...file.telemetry, ingest: ingestUrl(ingest) };
  return { ...file, telemetry, nodes };
}

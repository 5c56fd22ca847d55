/** Builds the vault file from a layout, and each machine's copy of it. */
import { randomBytes } from "node:crypto";
import { stashMarks } from "@stashlight/contracts/thresholds";
import {
  type CoordinatorNode,
  createAccessKey,
  type StashNode,
  type VaultFile,
  type VaultNode,
} from "@stashlight/node-runtime/config";
import { SetupError } from "../setup-error.ts";
import type { Layout, Machine } from "./schema.ts";
import { planVolume } from "./volume.ts";

export const CA_FILE = "ca.pem";
export const TOKEN_FILE = "admin.token";

/** Paths of a node's files, relative to the folder of the vault file on the node's machine. */
export function filesOfNode(nodeId: string) {
  const stateFolder = `nodes/${nodeId}`;
  return {
    stateFolder,
    key: `${stateFolder}/node.key`,
    certificate: `${stateFolder}/node.pem`,
    s3Key: `${stateFolder}/s3.key`,
    s3Certificate: `${stateFolder}/s3.pem`,
  };
}

const S3_PORT = 4690;
const PIECE_BYTES = 8_388_608;
const SMALL_UPLOAD_BYTES_MAX = 1_048_576;

/** Creates the nodes of all machines, with random ids and one random access key. */
export function buildVaultFile(layout: Layout, tokenSha256: string): VaultFile {
  const { vault, scheme, size, machines } = layout;
  const counters = { pod: 0, device: 0 };
  return {
    formatVersion: 1,
    clusterId: newId(),
    name: vault,
    scheme,
    epoch: 1,
    isStashEnabled: true,
    smallUploadBytesMax: SMALL_UPLOAD_BYTES_MAX,
    pieceBytes: PIECE_BYTES,
    ca: CA_FILE,
    podVolume: planVolume("pod", size.pod),
    stashVolume: planVolume("stash", size.stash),
    stashFullAtShare: stashMarks.fullShare,
    ...(layout.console && { telemetry: { ingest: layout.console.ingest, windowSeconds: 10 } }),
    admin: { tokenSha256, tokenFile: TOKEN_FILE },
    nodes: machines.flatMap((machine) => machineNodes(machine, layout, counters)),
    accessKeys: [createAccessKey("stash")],
  };
}

function machineNodes(
  machine: Machine,
  layout: Layout,
  counters: { pod: number; device: number },
): VaultNode[] {
  const { name, address, coordinator, pods, stash } = machine;
  const place = (role: VaultNode["role"], offset: number) =>
    placeNode(machine, role, (machine.port ?? layout.port) + offset);
  const nodes: VaultNode[] = [];
  if (coordinator) {
    const { s3Key, s3Certificate } = filesOfNode(`${name}.coordinator`);
    const isTls = layout.s3.tls ?? true;
    const s3 = {
      host: address,
      port: layout.s3.port ?? S3_PORT,
      region: "us-east-1",
      ...(layout.s3.domains && { domains: layout.s3.domains }),
      ...(isTls && { tls: { cert: s3Certificate, key: s3Key } }),
    };
    nodes.push({ ...place("coordinator", 0), role: "coordinator", s3 });
  }
  if (pods.length > 0) {
    const drives = pods.map((path) => ({ pod: counters.pod++, driveId: newId(), path }));
    nodes.push({ ...place("pod", 2), role: "pod", drives });
  }
  if (stash.length > 0) {
    const drives = stash.map((path) => ({ device: counters.device++, driveId: newId(), path }));
    nodes.push({ ...place("stash", 4), role: "stash", drives });
  }
  return nodes;
}

/** The part of a node's entry that its machine determines; the admin page uses the next port. */
function placeNode(
  {
    name,
    address,
    zone,
  }: { readonly name: string; readonly address: string; readonly zone?: string | undefined },
  role: VaultNode["role"],
  port: number,
) {
  const id = `${name}.${role}`;
  const { stateFolder, certificate, key } = filesOfNode(id);
  return {
    id,
    machine: name,
    ...(zone !== undefined && { zone }),
    host: address,
    port,
    adminPort: port + 1,
    stateFolder,
    tls: { cert: certificate, key },
  };
}

export interface StashMachine {
  readonly name: string;
  readonly address: string;
  readonly zone?: string | undefined;
  /** First of the stash node's two ports; defaults to that of the vault's other stash nodes. */
  readonly port?: number | undefined;
  /** Folders of its drives. */
  readonly drives: readonly string[];
}

/** Entry of a machine that joins the vault later, whose devices are numbered from the given index. */
export function buildStashNode(
  { nodes }: Pick<VaultFile, "nodes">,
  machine: StashMachine,
  firstDevice: number,
): StashNode {
  const port = machine.port ?? nodes.find(({ role }) => role === "stash")?.port;
  if (port === undefined) throw new SetupError(`The machine ${machine.name} needs a port.`);
  const drives = machine.drives.map((path, at) => ({ device: firstDevice + at, driveId: newId(), path }));
  return { ...placeNode(machine, "stash", port), role: "stash", drives };
}

export interface CoordinatorMachine {
  readonly name: string;
  readonly address: string;
  readonly zone?: string | undefined;
  /** First of the coordinator's two ports; defaults to that of the vault's first coordinator. */
  readonly port?: number | undefined;
}

/** Entry of a coordinator that joins the vault later, with the S3 settings of the first coordinator. */
export function buildCoordinatorNode(
  { nodes }: Pick<VaultFile, "nodes">,
  machine: CoordinatorMachine,
): CoordinatorNode {
  const first = nodes.find((node) => node.role === "coordinator");
  if (first === undefined) throw new SetupError("The vault has no coordinator.");
  const { s3Key, s3Certificate } = filesOfNode(`${machine.name}.coordinator`);
  const { tls, ...shared } = first.s3;
  const s3 = {
    ...shared,
    host: machine.address,
    ...(tls !== undefined && { tls: { cert: s3Certificate, key: s3Key } }),
  };
  return { ...placeNode(machine, "coordinator", machine.port ?? first.port), role: "coordinator", s3 };
}

/** Leaves out the secrets of clients, which only coordinators check. */
export function fileForMachine(file: VaultFile, machine: string): VaultFile {
  const isCoordinator = nodesOfMachine(file, machine).some(({ role }) => role === "coordinator");
  return isCoordinator ? file : { ...file, accessKeys: [] };
}

export function nodesOfMachine({ nodes }: VaultFile, machine: string): VaultNode[] {
  return nodes.filter((node) => node.machine === machine);
}

export function machineNames({ nodes }: VaultFile): string[] {
  return [...new Set(nodes.flatMap(({ machine }) => machine ?? []))];
}

const newId = (): string => randomBytes(16).toString("hex");

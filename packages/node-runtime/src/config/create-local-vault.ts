import { randomBytes } from "node:crypto";
import { stashMarks } from "@stashlight/contracts/thresholds";
import { quorumsOf, type Scheme } from "@stashlight/write-path";
import type { DriveConfig, VaultFile } from "./vault-file-schema.ts";

export interface LocalVaultOptions {
  readonly name: string;
  readonly scheme: Scheme;
  /** Number of nodes among which the pods are distributed; each node is a process, or shares one. */
  readonly podNodeCount: number;
  readonly stashNodeCount: number;
  readonly drivesPerStashNode: number;
  readonly podVolume: VaultFile["podVolume"];
  readonly stashVolume: VaultFile["stashVolume"];
  readonly pieceBytes: number;
  /** Drive of the catalogue whose speed the pods' drives imitate; their own speed if not given. */
  readonly podModel?: DriveConfig["model"];
  /** Kind of disk of all drives: `drill` loses unsynced data when its process ends. */
  readonly disk?: DriveConfig["disk"];
  /** Free loopback ports, as many as `countPorts` returns. */
  readonly ports: readonly number[];
}

/** Two ports per node, and one for S3. */
export function countPorts({
  podNodeCount,
  stashNodeCount,
}: Pick<LocalVaultOptions, "podNodeCount" | "stashNodeCount">): number {
  return 2 * (podNodeCount + stashNodeCount + 1) + 1;
}

/**
 * Creates the file of a new vault with all its nodes on this machine, random ids and one random access key. Paths are
 * relative to the file's folder.
 */
export function createLocalVault(options: LocalVaultOptions): VaultFile {
  const { name, scheme, podNodeCount, stashNodeCount, drivesPerStashNode, podModel, disk } = options;
  const ports = [...options.ports];
  const place = (id: string) => {
    const [port, adminPort] = [ports.shift(), ports.shift()] as [number, number];
    return { id, host: "127.0.0.1", port, adminPort, stateFolder: `${id}/state` };
  };
  const podCount = quorumsOf(scheme).shardCount;
  const pods = Array.from({ length: podCount }, (_, pod) => pod);
  const model = podModel === undefined ? {} : { model: podModel };
  const drill = disk === undefined ? {} : { disk };
  const podNodes = Array.from({ length: podNodeCount }, (_, at) => {
    const id = `pod-${at + 1}`;
    const own = pods.filter((pod) => pod % podNodeCount === at);
    const drives = own.map((pod) => ({
      pod,
      driveId: newId(),
      path: `${id}/drive-${pod}`,
      ...model,
      ...drill,
    }));
    return { ...place(id), role: "pod" as const, drives };
  });
  const stashNodes = Array.from({ length: stashNodeCount }, (_, at) => {
    const id = `stash-${at + 1}`;
    const drives = Array.from({ length: drivesPerStashNode }, (_, i) => at * drivesPerStashNode + i).map(
      (device) => ({ device, driveId: newId(), path: `${id}/drive-${device}`, ...drill }),
    );
    return { ...place(id), role: "stash" as const, drives };
  });
  const coordinator = {
    ...place("coordinator-1"),
    role: "coordinator" as const,
    s3: { host: "127.0.0.1", port: ports.shift() as number, region: "us-east-1" },
  };
  return {
    formatVersion: 1,
    clusterId: newId(),
    name,
    scheme,
    epoch: 1,
    isStashEnabled: true,
    smallUploadBytesMax: 1_048_576,
    pieceBytes: options.pieceBytes,
    podVolume: options.podVolume,
    stashVolume: options.stashVolume,
    stashFullAtShare: stashMarks.fullShare,
    nodes: [coordinator, ...podNodes, ...stashNodes],
    accessKeys: [createAccessKey("stash")],
  };
}

/** Creates a random access key that may write to all buckets. */
export function createAccessKey(
  uploadPath: VaultFile["accessKeys"][number]["uploadPath"],
): VaultFile["accessKeys"][number] {
  return {
    id: `SL${randomBytes(9).toString("hex").toUpperCase()}`,
    secret: randomBytes(30).toString("base64url"),
    permission: "write",
    owner: "stashlight",
    buckets: "all",
    isDisabled: false,
    uploadPath,
  };
}

const newId = (): string => randomBytes(16).toString("hex");

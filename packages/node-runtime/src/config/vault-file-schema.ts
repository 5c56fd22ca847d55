/**
 * The file that describes a vault to all of its nodes. Every node reads the same file and finds its own entry by name.
 */

import { stashMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";
import { type DriveId, driveCatalogue } from "@stashlight/devices";
import { z } from "zod";

const name = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/, "must be lower-case letters, digits, dots and dashes");
const hexId = z.string().regex(/^[0-9a-f]{32}$/, "must be 32 hexadecimal digits in lower case");
const publicKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, "must be 43 characters of a public key");
const port = z.int().min(1).max(65_535);
const path = z.string().min(1);

/** Addresses at which other nodes reach a node and its admin pages. */
const place = {
  id: name,
  /**
   * Machine that the node runs on; if absent, all nodes are on one. Drive folders of different machines may have equal
   * paths.
   */
  machine: name.optional(),
  /** Failure domain, such as a room or a power feed. */
  zone: name.optional(),
  /** Public key with which other nodes verify this node (node-keys.ts). The private key is in the state folder. */
  publicKey: publicKey.optional(),
  host: z.string().min(1),
  port,
  adminPort: port,
  /** Folder of the node's own state, which no other node shares. */
  stateFolder: path,
  /** PEM files of this node, if the vault has an authority. */
  tls: z.strictObject({ cert: path, key: path }).optional(),
};

const volume = z.strictObject({
  segmentBytes: z.int().min(262_144).max(68_719_476_736),
  segmentCount: z.int().min(4).max(65_536),
});

const drive = {
  /**
   * Also the id of the volume in the folder. A new or reformatted drive gets another id, and the vault another epoch.
   */
  driveId: hexId,
  path,
  /** Set if an epoch after the first has added the drive; its node then formats it when it first opens it. */
  isNew: z.literal(true).optional(),
  /** Imitates the speed of this drive of the catalogue; every figure measured on it is labelled "modelled". */
  model: z.enum(driveCatalogue.map(({ id }) => id) as [DriveId, ...DriveId[]]).optional(),
  /** `drill`: unsynced data is lost with the process. For drills only: it is slow, and takes memory. */
  disk: z.literal("drill").optional(),
};

/** Domain that bucket names may precede as labels, so it has no port and is not an IP address. */
const domain = z
  .string()
  .max(253)
  .regex(
    /^(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    "must be a domain such as s3.example.org, in lower case and without a port",
  );

const coordinator = z.strictObject({
  ...place,
  role: z.literal("coordinator"),
  s3: z.strictObject({
    host: z.string().min(1),
    port,
    region: z.string().min(1).default("us-east-1"),
    /** With "s3.example.org", photos.s3.example.org is the bucket photos; all other hosts are path-style. */
    domains: z.array(domain).optional(),
    tls: z.strictObject({ cert: path, key: path }).optional(),
  }),
});

const podNode = z.strictObject({
  ...place,
  role: z.literal("pod"),
  drives: z.array(z.strictObject({ pod: z.int().min(0).max(255), ...drive })).min(1),
});

/** A slow stash device gets no new shards until an operator releases it. */
const quarantine = z.strictObject({
  sinceMs: z.int().min(0),
  /** The operator and the machine that the command ran on. */
  by: z.string().min(1).max(128),
});

const stashNode = z.strictObject({
  ...place,
  role: z.literal("stash"),
  /** True if the node's devices get no new shards, so that they can leave the vault once they are empty. */
  isDraining: z.boolean().optional(),
  drives: z
    .array(
      z.strictObject({
        device: z.int().min(0).max(65_535),
        ...drive,
        quarantine: quarantine.optional(),
      }),
    )
    .min(1),
});

const accessKey = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9]{16,128}$/, "must be 16 to 128 letters and digits"),
  secret: z.string().min(32).max(128),
  permission: z.enum(["read", "write"]).default("write"),
  /** The owner of the key: a bucket belongs to the owner whose key created it, and other owners cannot access it. */
  owner: name.default("stashlight"),
  buckets: z.union([z.literal("all"), z.array(z.string().min(3)).min(1)]).default("all"),
  isDisabled: z.boolean().default(false),
  /** `direct`: all uploads with this key bypass the stash, even small ones, so that both paths can be compared. */
  uploadPath: z.enum(["stash", "direct"]).default("stash"),
});

const telemetry = z.strictObject({
  /** The console's ingest, without a path. */
  ingest: z
    .url({ protocol: /^https?$/, error: "must be http:// or https:// with a host" })
    .refine((url) => new URL(url).pathname === "/", "must have no path"),
  /** PEM file of the authority that signed the ingest's certificate; defaults to those that the system trusts. */
  ca: path.optional(),
  windowSeconds: z.int().min(1).max(60).default(10),
});

const admin = z.strictObject({
  /** Hash of the token that admin pages require, so that a node need not know the token itself. */
  tokenSha256: z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits in lower case"),
  /** File with the token, for clients of the admin pages: coordinators, the command line, Prometheus. */
  tokenFile: path,
});

const encryption = z.strictObject({
  /** File with the vault's key (encryption-keys.ts). Only coordinators read it. */
  keyFile: path,
  /** `AES256`: objects of newly created buckets are encrypted unless a bucket is configured otherwise. */
  newBuckets: z.enum(["AES256", "none"]).default("AES256"),
});

/** Time for which coordinators keep unreferenced pieces of large objects (agents/coordinator/src/space/timing.ts). */
const collection = z.strictObject({
  graceMs: z.int().min(100).max(HOUR_MS).optional(),
  sweepGraceMs: z.int().min(1000).max(DAY_MS).optional(),
});

/** Interval at which coordinators carry out lifecycle rules (agents/coordinator/src/lifecycle/lifecycle.ts). */
const lifecycle = z.strictObject({ everyMs: z.int().min(1000).max(DAY_MS).optional() });

/** Timing of several vaults that share the keys of one endpoint (agents/coordinator/src/several-vaults/timing.ts). */
const spread = z.strictObject({
  /** Retention of versions that another vault has replaced. */
  graceMs: z.int().min(100).max(DAY_MS).optional(),
  /** Time after which an unreachable vault is skipped. */
  closeAfterMs: z.int().min(100).max(HOUR_MS).optional(),
  /** Minimum time between two epochs that are not urgent; each epoch within the last hour doubles it. */
  restMs: z.int().min(10).max(HOUR_MS).optional(),
});

export const vaultFileSchema = z.strictObject({
  formatVersion: z.literal(1),
  clusterId: hexId,
  name,
  scheme: z.strictObject({ dataShardCount: z.int().min(2), parityShardCount: z.int().min(1) }),
  /** Rises by one with every change of drives or devices. */
  epoch: z.int().min(1),
  isStashEnabled: z.boolean().default(true),
  smallUploadBytesMax: z.int().min(0).max(8_388_608).default(1_048_576),
  /** Objects larger than this are stored in pieces of this size. */
  pieceBytes: z.int().min(1_048_576).max(67_108_864).default(8_388_608),
  collection: collection.optional(),
  lifecycle: lifecycle.optional(),
  spread: spread.optional(),
  /** Rate at which each pod receives the shards that it lacks, for example after its drive was replaced. */
  rebuildBytesPerSecond: z.int().min(100_000).max(10_000_000_000).optional(),
  /** Days within which everything on a drive is read back once and compared with its checksums. */
  scrubDays: z.int().min(1).max(365).optional(),
  /** Longest pause between two attempts to open a drive that failed (../drive/reopening.ts). */
  reopenAfterMsMax: z.int().min(1000).max(HOUR_MS).optional(),
  /**
   * PEM file of the authority that signs the certificates of all nodes; without it, nodes use plain TCP on one machine.
   */
  ca: path.optional(),
  podVolume: volume,
  stashVolume: volume,
  /** Fill level of a stash device from which uploads take the direct path. */
  stashFullAtShare: z.number().min(0.1).max(0.95).default(stashMarks.fullShare),
  /** Destination of the nodes' metrics. Without it, nodes show them only on their own pages. */
  telemetry: telemetry.optional(),
  admin: admin.optional(),
  /** If absent, the vault encrypts only with keys that clients send. */
  encryption: encryption.optional(),
  nodes: z.array(z.discriminatedUnion("role", [coordinator, podNode, stashNode])).min(3),
  accessKeys: z.array(accessKey).default([]),
});

export type VaultFile = z.infer<typeof vaultFileSchema>;
export type VaultNode = VaultFile["nodes"][number];
export type CoordinatorNode = Extract<VaultNode, { role: "coordinator" }>;
export type PodNode = Extract<VaultNode, { role: "pod" }>;
export type StashNode = Extract<VaultNode, { role: "stash" }>;
export type Quarantine = z.infer<typeof quarantine>;
export type DriveConfig = PodNode["drives"][number] | StashNode["drives"][number];

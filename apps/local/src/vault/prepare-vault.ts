/**
 * A short-lived process that runs before the vault's: `prepare-vault.ts FILE INGEST-PORT [--s3-port PORT] [--behind
 * FILE ...] [--benchmark] [--modelled] [--scheme NAME] [--size BYTES]` creates or checks the vault's file, and returns
 * the nodes to start. A vault without a port for S3 is behind the endpoint of the others, whose files are named in
 * order. Separate, so that the supervisor stays small.
 */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { reportFailed } from "@stashlight/contracts/process";
import { readAdminAccess } from "@stashlight/node-runtime";
import { loadVaultFile, type VaultFile, VaultFileError } from "@stashlight/node-runtime/config";
import { nodeIdsByRole } from "@stashlight/node-runtime/launch";
import { prepareBenchmark } from "./benchmark.ts";
import {
  type EnrolmentTokenFiles,
  hasKey,
  type InstallationAccess,
  type LocalEnrolment,
  prepareEnrolment,
} from "./enrolment.ts";
import { shapeOfFile } from "./existing-shape.ts";
import { findTakenPlace } from "./ports.ts";
import { type LocalProbe, localProbe } from "./probe-drives.ts";
import { findCoordinator, prepareVaultFile, s3Address } from "./vault-file.ts";
import { isFormatted } from "./vault-folders.ts";
import { countPods, type SchemeName, vaultCapacityBytes } from "./vault-size.ts";

export interface VaultPrepared {
  type: "vault prepared";
  name: string;
  /** Ids of the nodes of each role, in file order. */
  nodeIds: { pod: string[]; stash: string[]; coordinator: string[] };
  podCount: number;
  stashDeviceCount: number;
  /** Bytes that the segments of all drives take on the disk. */
  bytes: number;
  s3: { endpoint: string; region: string; accessKeyId: string; secret: string };
  /** Token files, for roles with nodes that still have to enrol. */
  enrolmentTokenFiles: EnrolmentTokenFiles;
  /** Null if it has nothing to measure or an admin revoked it. */
  probe: LocalProbe | null;
  /** Address at which the coordinator reports whether the vault is ready, and the token for it. */
  admin: { host: string; port: number; token: string };
}

/** Agents take up to 15 s to end after a killed start. */
const portsFreeWithinMs = 20_000;

/** The supervisor has already checked the user's input. */
const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: {
    benchmark: { type: "boolean", default: false },
    modelled: { type: "boolean", default: false },
    scheme: { type: "string" },
    size: { type: "string" },
    "s3-port": { type: "string" },
    behind: { type: "string", multiple: true, default: [] },
  },
});
const [path = "", ingestPort = ""] = positionals;
const s3Port = flags["s3-port"] === undefined ? null : Number(flags["s3-port"]);

/** As passed by the supervisor to each process that uses the database. */
interface Environment {
  DATABASE_URL: string;
  STASHLIGHT_SECRET: string;
  STASHLIGHT_PUBLIC_URL: string;
}

async function prepare(): Promise<VaultPrepared> {
  const file = await prepareVaultFile(path, {
    s3: s3Port,
    ingest: Number(ingestPort),
    isModelled: flags.modelled,
    scheme: flags.scheme as SchemeName | undefined,
    sizeBytes: flags.size === undefined ? undefined : Number(flags.size),
    earlier: flags.behind.map(loadVaultFile),
  });
  const shape = shapeOfFile(file);
  const coordinator = findCoordinator(file);
  const key = file.accessKeys.find(
    ({ permission, buckets, uploadPath }) =>
      permission === "write" && buckets === "all" && uploadPath === "stash",
  );
  if (key === undefined) {
    throw new VaultFileError(
      `${path}: there is no access key that may write to all buckets, which npm start needs.`,
    );
  }
  const places = file.nodes.flatMap((node) => {
    const { id, host, port, adminPort } = node;
    const own = [port, adminPort].map((port) => ({ id, host, port }));
    const hasDoor = node.role === "coordinator" && s3Port !== null;
    return hasDoor ? [...own, { id, host: node.s3.host, port: node.s3.port }] : own;
  });
  const taken = await findTakenPlace(places, portsFreeWithinMs);
  if (taken !== undefined) {
    throw new VaultFileError(
      `Port ${taken.port}, which the vault's node ${taken.id} has, is taken by another program; stop it, or change the port in ${path}.`,
    );
  }
  const probe = localProbe(path, file, { offersDisk: s3Port !== null });
  const { tokenFiles, mayProbe } = await prepareConsole(file, probe);
  return {
    type: "vault prepared",
    name: file.name,
    nodeIds: nodeIdsByRole(file.nodes),
    podCount: countPods(shape),
    stashDeviceCount: shape.stashDeviceCount,
    bytes: vaultCapacityBytes(shape),
    s3: { ...s3Address(file), accessKeyId: key.id, secret: key.secret },
    enrolmentTokenFiles: tokenFiles,
    probe: mayProbe && probe.drives.length > 0 ? probe : null,
    admin: { host: coordinator.host, port: coordinator.adminPort, token: readAdminAccess(file).token },
  };
}

async function prepareConsole(file: VaultFile, probe: LocalProbe): Promise<LocalEnrolment> {
  const unknown = { tokenFiles: {}, mayProbe: hasKey(probe) };
  const enrolment = await orWithoutConsole(unknown, () => prepareEnrolment(path, file, probe, readAccess()));
  if (flags.benchmark) await orWithoutConsole(undefined, () => prepareBenchmark(path, file, readAccess()));
  return enrolment;
}

/**
 * Starts an existing vault without the console's database: its nodes have their keys, and those that lack one enrol at
 * the next start.
 */
async function orWithoutConsole<Result>(without: Result, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VaultFileError || !isFormatted(dirname(path))) throw error;
    console.error("The vault starts without the console's database.", error);
    return without;
  }
}

function readAccess(): InstallationAccess {
  const env = process.env as unknown as Partial<Environment>;
  const { DATABASE_URL: databaseUrl, STASHLIGHT_SECRET: secret, STASHLIGHT_PUBLIC_URL: publicUrl } = env;
  if (!databaseUrl || !secret || !publicUrl) throw new Error("the database has not been opened");
  return { databaseUrl, secret, publicUrl };
}

try {
  const prepared = await prepare();
  process.send?.(prepared, () => process.exit());
} catch (error) {
  console.error(error);
  const { message } = error as Error;
  reportFailed(error instanceof VaultFileError ? message : `The vault could not be prepared: ${message}`);
}

/**
 * A short-lived process before the vault's: `prepare-vault.ts FILE S3-PORT INGEST-PORT [--benchmark] [--modelled]` makes
 * the vault's file or checks it, and says what there is to start. A process of its own, so that the supervisor stays small.
 */
import { VaultFileError } from "@stashlight/agent/config";
import { reportFailed } from "@stashlight/contracts/process";
import { prepareBenchmark } from "./benchmark.ts";
import { type EnrolmentTokenFiles, prepareEnrolment } from "./enrolment.ts";
import { findTakenPlace } from "./ports.ts";
import { type LocalProbe, localProbeOf } from "./probe-drives.ts";
import { coordinatorOf, prepareVaultFile, s3Of } from "./vault-file.ts";

export interface VaultPrepared {
  type: "vault prepared";
  /** Of each role, in the order of the file. */
  nodeIds: { pod: string[]; stash: string[]; coordinator: string[] };
  s3: { endpoint: string; region: string; accessKeyId: string; secret: string };
  /** Of roles with nodes that have to enrol first. */
  enrolmentTokenFiles: EnrolmentTokenFiles;
  /** Null where there is nothing for it to measure, or an admin revoked it. */
  probe: LocalProbe | null;
  /** Where the coordinator says whether the vault is ready. */
  admin: { host: string; port: number };
}

/** After a start that was killed, agents take up to 15 s to end. */
const portsFreeWithinMs = 20_000;

const [path = "", s3Port = "", ingestPort = "", ...flags] = process.argv.slice(2);

/** As the supervisor gives it to each process that works with the database. */
interface Environment {
  DATABASE_URL: string;
  STASHLIGHT_SECRET: string;
  STASHLIGHT_PUBLIC_URL: string;
}

async function prepare(): Promise<VaultPrepared> {
  const ports = { s3: Number(s3Port), ingest: Number(ingestPort) };
  const file = await prepareVaultFile(path, { ...ports, isModelled: flags.includes("--modelled") });
  const coordinator = coordinatorOf(file);
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
    return node.role === "coordinator" ? [...own, { id, host: node.s3.host, port: node.s3.port }] : own;
  });
  const taken = await findTakenPlace(places, portsFreeWithinMs);
  if (taken !== undefined) {
    throw new VaultFileError(
      `Port ${taken.port}, which the vault's node ${taken.id} has, is taken by another program; stop it, or change the port in ${path}.`,
    );
  }
  const idsOf = (role: string) => file.nodes.filter((node) => node.role === role).map(({ id }) => id);
  const env = process.env as unknown as Environment;
  const access = {
    databaseUrl: env.DATABASE_URL,
    secret: env.STASHLIGHT_SECRET,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
  };
  const probe = localProbeOf(path, file);
  const { tokenFiles, mayProbe } = await prepareEnrolment(path, file, probe, access);
  if (flags.includes("--benchmark")) await prepareBenchmark(path, file, access);
  return {
    type: "vault prepared",
    nodeIds: { pod: idsOf("pod"), stash: idsOf("stash"), coordinator: idsOf("coordinator") },
    s3: { ...s3Of(file), accessKeyId: key.id, secret: key.secret },
    enrolmentTokenFiles: tokenFiles,
    probe: mayProbe && probe.drives.length > 0 ? probe : null,
    admin: { host: coordinator.host, port: coordinator.adminPort },
  };
}

try {
  const prepared = await prepare();
  process.send?.(prepared, () => process.exit());
} catch (error) {
  console.error(error);
  const { message } = error as Error;
  reportFailed(error instanceof VaultFileError ? message : `The vault could not be prepared: ${message}`);
}

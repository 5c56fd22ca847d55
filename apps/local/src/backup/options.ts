/** Arguments of `npm run backup` and `npm run restore`. A Failure describes the mistake. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { StorageProfile } from "@stashlight/db/migrate";
import { Failure } from "../failure.ts";
import { parseDatabaseUrl, parseStorageProfile } from "../option-values.ts";

export const help = `What a console needs, in one file: users, nodes and their keys, access keys, plans with their results, rules, channels,
schedules, the audit log, and secrets as they are stored, encrypted. It excludes sessions, and metrics unless
--with-metrics is given.

  npm run backup -- FILE [--with-metrics] [--data DIR | --database-url URL] [--secret-file FILE]
      Writes FILE while everything runs. DIR is the folder of npm start (.stashlight), whose Postgres must run. With
      metrics it has all that charts show, and may be many times as large.

  npm run restore -- FILE --database-url URL [--storage-profile plain|timescale|citus] [--secret-file FILE]
      Verifies all of FILE, and then restores it into a database that is empty, or that has only been migrated. Any
      other database is refused.

      --other-installation SECRET_FILE  FILE was written with another secret, which is in SECRET_FILE. It is verified
                                        with that one: anyone who has it could have written FILE.
      --unverified                      Nothing can verify FILE: its secret is lost, or it has no MAC. Anyone could have
                                        written it, with an admin of their own. The audit log records it.

URL is that of the role that owns the schema; DATABASE_URL is taken where it is not given. A backup is authenticated with the
installation's secret, which is that of --secret-file, or STASHLIGHT_SECRET, or, with --data, the file secret in DIR.`;

/** The installation's secret or the file that holds it, if given. */
export interface GivenSecret {
  readonly secret: string | undefined;
  readonly secretFile: string | undefined;
}

export type BackupCommand =
  | { readonly verb: "help" }
  | (GivenSecret & {
      readonly verb: "backup";
      readonly path: string;
      readonly from: BackupSource;
      readonly hasMetrics: boolean;
    })
  | (GivenSecret & {
      readonly verb: "restore";
      readonly path: string;
      readonly databaseUrl: string;
      readonly profile: StorageProfile | undefined;
      /** The file with the secret of the installation that wrote the backup. */
      readonly otherInstallation: string | undefined;
      readonly isUnverified: boolean;
    });

export type BackupSource =
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "folder"; readonly directory: string };

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly currentDirectory: string;
}

export function parseBackup(args: readonly string[], { env, currentDirectory }: Surroundings): BackupCommand {
  const { values, positionals } = parse(args);
  if (values.help) return { verb: "help" };
  const [verb, file, ...more] = positionals;
  if (verb !== "backup" && verb !== "restore") throw new Failure("Choose backup or restore.");
  if (file === undefined || more.length > 0) throw new Failure(`npm run ${verb} needs one FILE.`);
  const at = (path: string) => resolve(currentDirectory, path);
  const common = {
    path: at(file),
    secret: env.STASHLIGHT_SECRET || undefined,
    secretFile: values["secret-file"] === undefined ? undefined : at(values["secret-file"]),
  };
  const url = parseDatabaseUrl("--database-url", values["database-url"], "DATABASE_URL", env);
  if (verb === "restore") {
    const databaseUrl = checkRestore(values, url);
    const writer = values["other-installation"];
    return {
      verb,
      ...common,
      databaseUrl,
      profile: parseStorageProfile(values["storage-profile"], env),
      otherInstallation: writer === undefined ? undefined : at(writer),
      isUnverified: values.unverified,
    };
  }
  for (const name of ["storage-profile", "other-installation", "unverified"] as const)
    if (values[name] !== undefined && values[name] !== false)
      throw new Failure(`Only restore has --${name}.`);
  if (values.data !== undefined && values["database-url"] !== undefined)
    throw new Failure("--data and --database-url cannot be combined; give one.");
  const hasMetrics = values["with-metrics"];
  if (url !== undefined && values.data === undefined)
    return { verb, ...common, hasMetrics, from: { type: "url", url } };
  const directory = at(values.data ?? env.STASHLIGHT_DATA_DIR ?? ".stashlight");
  return { verb, ...common, hasMetrics, from: { type: "folder", directory } };
}

function checkRestore(values: ReturnType<typeof parse>["values"], url: string | undefined): string {
  if (values["with-metrics"])
    throw new Failure("Restore has no --with-metrics: it restores everything in the file.");
  if (values.data !== undefined)
    throw new Failure("Restore has no --data: name the new database with --database-url.");
  if (url === undefined)
    throw new Failure("Restore needs --database-url, the owner's address of an empty database.");
  if (values["other-installation"] !== undefined && values.unverified)
    throw new Failure(
      "--other-installation verifies the file and --unverified does not; give the first if you have the secret.",
    );
  if (values["other-installation"] !== undefined && values["secret-file"] !== undefined)
    throw new Failure(
      "--other-installation and --secret-file are two secrets; give the one that the backup was written with.",
    );
  return url;
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    help: { type: "boolean", short: "h", default: false },
    data: text,
    "with-metrics": { type: "boolean", default: false },
    "database-url": text,
    "storage-profile": text,
    "secret-file": text,
    "other-installation": text,
    unverified: { type: "boolean", default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}

/** The arguments of `npm run backup` and `npm run restore`. A Failure says what is wrong with them. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { StorageProfile } from "@stashlight/db/migrate";
import { Failure } from "../failure.ts";
import { parseDatabaseUrl, parseStorageProfile } from "../option-values.ts";

export const help = `What a console needs, in one file: users, nodes and their keys, access keys, plans with their results, rules, channels,
schedules, the audit log, and secrets as they are stored, encrypted. Not in it: who is signed in, and metrics unless asked.

  npm run backup -- FILE [--with-metrics] [--data DIR | --database-url URL]
      Writes FILE, while everything runs. DIR is the folder of npm start (.stashlight), whose Postgres must run. With
      metrics it has all that charts show, and may be many times as large.

  npm run restore -- FILE --database-url URL [--storage-profile plain|timescale|citus]
      Brings FILE into a database that is empty, or that has only been migrated, and refuses any other.

URL is that of the role that owns the schema; DATABASE_URL is taken where it is not given. With STASHLIGHT_SECRET in the
environment restore checks that it is the secret of the backup.`;

export type BackupCommand =
  | { readonly verb: "help" }
  | {
      readonly verb: "backup";
      readonly path: string;
      readonly from: BackupSource;
      readonly hasMetrics: boolean;
    }
  | {
      readonly verb: "restore";
      readonly path: string;
      readonly databaseUrl: string;
      readonly profile: StorageProfile | undefined;
      readonly secret: string | undefined;
    };

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
  if (verb !== "backup" && verb !== "restore") throw new Failure("Say backup or restore.");
  if (file === undefined || more.length > 0) throw new Failure(`npm run ${verb} needs one FILE.`);
  const path = resolve(currentDirectory, file);
  const url = parseDatabaseUrl("--database-url", values["database-url"], "DATABASE_URL", env);
  const hasMetrics = values["with-metrics"];
  if (verb === "restore") {
    if (hasMetrics)
      throw new Failure("Restore has no --with-metrics: it brings back whatever is in the file.");
    if (values.data !== undefined)
      throw new Failure("Restore has no --data: name the new database with --database-url.");
    if (url === undefined)
      throw new Failure("Restore needs --database-url, the owner's address of an empty database.");
    const profile = parseStorageProfile(values["storage-profile"], env);
    return { verb, path, databaseUrl: url, profile, secret: env.STASHLIGHT_SECRET || undefined };
  }
  if (values["storage-profile"] !== undefined) throw new Failure("Only restore has --storage-profile.");
  if (values.data !== undefined && values["database-url"] !== undefined)
    throw new Failure("--data and --database-url are two places; give one.");
  if (url !== undefined && values.data === undefined)
    return { verb, path, hasMetrics, from: { type: "url", url } };
  const directory = resolve(currentDirectory, values.data ?? env.STASHLIGHT_DATA_DIR ?? ".stashlight");
  return { verb, path, hasMetrics, from: { type: "folder", directory } };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    help: { type: "boolean", short: "h", default: false },
    data: text,
    "with-metrics": { type: "boolean", default: false },
    "database-url": text,
    "storage-profile": text,
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Failure(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}

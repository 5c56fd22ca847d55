/**
 * `npm start -- --role NAME`: one part of an installation alone, on a shared database. Each option has a variable, so
 * that all processes of an installation can share an environment.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { StorageProfile } from "@stashlight/db/migrate";
import { NODE_COUNT_MAX } from "@stashlight/fleet/plan";
import { explainFileError, Failure } from "../failure.ts";
import {
  parseCount,
  parseDatabaseUrl,
  parsePort,
  parsePublicUrl,
  parseStorageProfile,
} from "../option-values.ts";
import { defaultIngestUrl, fleetDayCountMax, type SimulatedFleetOptions } from "../options.ts";
import { checkSecretLength, readSecret } from "../secret.ts";

/** Roles that answer over HTTP, with the variable and the default of their port. */
export const servingRoles = {
  console: { portVariable: "STASHLIGHT_PORT", usualPort: 4680 },
  ingest: { portVariable: "STASHLIGHT_INGEST_PORT", usualPort: 4685 },
  worker: { portVariable: "STASHLIGHT_WORKER_PORT", usualPort: 4686 },
} as const;
export type ServingRole = keyof typeof servingRoles;

const roles = ["migrate", "console", "ingest", "worker", "fleet"] as const;
export type Role = (typeof roles)[number];

interface Shared {
  /** Login of the running product. */
  databaseUrl: string;
  /** Undefined to accept any profile of the database. */
  storageProfile: StorageProfile | undefined;
  publicUrl: string;
  secret: string;
  dataDirectory: string | undefined;
}

export interface ServingOptions extends Shared {
  role: ServingRole;
  host: string;
  port: number;
  /** Ingest address that the console shows for agents. */
  ingestUrl: string;
}

export interface MigrateOptions extends Shared {
  role: "migrate";
  /** Login for migrations. */
  ownerUrl: string;
  recoverEmail: string | undefined;
  isNewSecretAccepted: boolean;
}

export interface FleetOptions extends Shared {
  role: "fleet";
  dataDirectory: string;
  ingestUrls: string[];
  fleet: SimulatedFleetOptions;
}

export type RoleOptions = ServingOptions | MigrateOptions | FleetOptions;

export const roleHelp = `Stashlight: one part of an installation on several machines.

  npm start -- --role ROLE [options]

Roles
  migrate               Applies the migrations of this version, prints the set-up link while there is no admin, and ends
  console               Pages and sign-in (port 4680)
  ingest                Receives agents' measurements (port 4685)
  worker                Processes jobs; its port (4686) has /healthz and /readyz only
  fleet                 Simulated nodes that post like agents

Run migrate once for each version, and then as many of the others as you like, on any machines. /healthz answers while
a process lives, /readyz while it can do its work.

Options, each with its variable; an option comes first
  --database-url URL          DATABASE_URL: the Postgres that all share; for migrate the login that owns the tables
  --runtime-database-url URL  DATABASE_RUNTIME_URL: the login with which the product runs, if it is another one
  --storage-profile NAME      STASHLIGHT_STORAGE_PROFILE: for migrate plain, timescale or citus (plain); other roles
                              refuse a database whose profile is not the one named here
  --public-url URL            STASHLIGHT_PUBLIC_URL: address that people type into the browser, the balancer's
  --ingest-url URL            STASHLIGHT_INGEST_URL: address of the ingests for agents, the balancer's; for
                              fleet one or several, separated by commas
  --host ADDRESS              STASHLIGHT_HOST: address to listen on (127.0.0.1); 0.0.0.0 lets other machines in
  --port NUMBER               STASHLIGHT_PORT, STASHLIGHT_INGEST_PORT or STASHLIGHT_WORKER_PORT
  --data FOLDER               STASHLIGHT_DATA_DIR: where worker and console keep seals of the audit log, and fleet its
                              nodes' keys; without it a worker writes no seals
  --recover EMAIL             With migrate: print a link that sets a new password for this user
  --accept-new-secret         With migrate: continue with another secret, because the database's is lost
  --simulated-fleet NUMBER    With fleet: how many nodes, up to ${NODE_COUNT_MAX}
  --simulated-days NUMBER     With fleet: days of history to write for its nodes, up to ${fleetDayCountMax} (3)
  --help                      Show this text

Environment besides
  STASHLIGHT_ROLE             The same as --role
  STASHLIGHT_SECRET           The installation's secret, 32 characters or more and the same for all of its processes
  STASHLIGHT_SECRET_FILE      A file with it; without both, the file "secret" in --data
  STASHLIGHT_OIDC_*           Single sign-on, for console
  STASHLIGHT_TRUSTED_PROXIES  Balancers whose X-Forwarded-For is trusted, for console and ingest
  STASHLIGHT_TIME_ZONE        Time zone of the weekly report, the same for every worker (the machine's)`;

const declared = {
  role: { type: "string" },
  host: { type: "string" },
  port: { type: "string" },
  data: { type: "string" },
  "database-url": { type: "string" },
  "runtime-database-url": { type: "string" },
  "storage-profile": { type: "string" },
  "public-url": { type: "string" },
  "ingest-url": { type: "string" },
  recover: { type: "string" },
  "accept-new-secret": { type: "boolean" },
  "simulated-fleet": { type: "string" },
  "simulated-days": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Undefined to run all parts together. */
export function parseRole(args: string[], env: NodeJS.ProcessEnv): string | undefined {
  const { values } = parseArgs({ args, options: { role: { type: "string" } }, strict: false });
  return typeof values.role === "string" ? values.role : env.STASHLIGHT_ROLE || undefined;
}

interface Surroundings {
  env: NodeJS.ProcessEnv;
  currentDirectory: string;
}

export function parseRoleOptions(
  name: string,
  args: string[],
  { env, currentDirectory }: Surroundings,
): RoleOptions | "help" {
  const values = parseStrictly(args);
  if (values.help) return "help";
  const role = roles.find((each) => each === name);
  if (role === undefined) throw new Failure(`--role must be one of ${roles.join(", ")}; got "${name}".`);
  rejectMisplaced(role, values);
  const given = values.data ?? (env.STASHLIGHT_DATA_DIR || undefined);
  const dataDirectory = given === undefined ? undefined : resolve(currentDirectory, given);
  const { ownerUrl, databaseUrl } = parseDatabases(role, values, env);
  const shared = {
    databaseUrl,
    storageProfile: parseStorageProfile(values["storage-profile"], env),
    publicUrl: parsePublic(role, values["public-url"], env),
    secret: findSecret(role, env, dataDirectory),
    dataDirectory,
  };
  if (role === "migrate") {
    return {
      role,
      ...shared,
      ownerUrl: ownerUrl ?? databaseUrl,
      recoverEmail: values.recover,
      isNewSecretAccepted: values["accept-new-secret"] ?? false,
    };
  }
  if (role === "fleet") return { role, ...shared, ...parseFleet(values, env, dataDirectory) };
  const { portVariable, usualPort } = servingRoles[role];
  const port =
    values.port === undefined
      ? parsePort(portVariable, env[portVariable] || String(usualPort))
      : parsePort("--port", values.port);
  const host = values.host ?? (env.STASHLIGHT_HOST || "127.0.0.1");
  const [ingestUrl] = ingestUrls(values, env);
  const usual = { publicUrl: shared.publicUrl, ingestPort: servingRoles.ingest.usualPort };
  return { role, ...shared, host, port, ingestUrl: ingestUrl ?? defaultIngestUrl(usual) };
}

type Values = ReturnType<typeof parseStrictly>;

function parseStrictly(args: string[]) {
  try {
    return parseArgs({ args, options: declared, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    const [sentence] = (cause as Error).message.split(/\. |\n/);
    throw new Failure(
      `${sentence?.replace(/\.$/, "")}; npm start -- --role ROLE --help lists the options of a role.`,
      { cause },
    );
  }
}

const optionsOfOne: Readonly<Record<string, readonly Role[]>> = {
  recover: ["migrate"],
  "accept-new-secret": ["migrate"],
  "simulated-fleet": ["fleet"],
  "simulated-days": ["fleet"],
  host: ["console", "ingest", "worker"],
  port: ["console", "ingest", "worker"],
  "ingest-url": ["console", "fleet"],
};

function rejectMisplaced(role: Role, values: Values): void {
  for (const [name, of] of Object.entries(optionsOfOne)) {
    if (values[name as keyof Values] === undefined || of.includes(role)) continue;
    throw new Failure(`--${name} is an option of --role ${of.join(" and ")}, not of ${role}.`);
  }
}

function parseDatabases(
  role: Role,
  values: Values,
  env: NodeJS.ProcessEnv,
): { ownerUrl: string | undefined; databaseUrl: string } {
  const ownerUrl = parseDatabaseUrl("--database-url", values["database-url"], "DATABASE_URL", env);
  const runtimeOption = values["runtime-database-url"];
  const runtimeUrl = parseDatabaseUrl("--runtime-database-url", runtimeOption, "DATABASE_RUNTIME_URL", env);
  if (role === "migrate" && ownerUrl === undefined) {
    throw new Failure(
      "--role migrate needs --database-url (or DATABASE_URL) with the login that owns the tables, because it changes them.",
    );
  }
  const databaseUrl = runtimeUrl ?? ownerUrl;
  if (databaseUrl === undefined) {
    throw new Failure(
      `--role ${role} needs the address of the database that all processes share; give --database-url (or DATABASE_URL).`,
    );
  }
  return { ownerUrl, databaseUrl };
}

function parsePublic(role: Role, option: string | undefined, env: NodeJS.ProcessEnv): string {
  if (option !== undefined) return parsePublicUrl(option);
  const variable = env.STASHLIGHT_PUBLIC_URL;
  if (variable) return parsePublicUrl(variable, "STASHLIGHT_PUBLIC_URL");
  throw new Failure(
    `--role ${role} needs --public-url (or STASHLIGHT_PUBLIC_URL): the address people type into the browser, such as https://stashlight.example.org.`,
  );
}

/** Never created here, because every process of an installation must have the same secret. */
function findSecret(role: Role, env: NodeJS.ProcessEnv, dataDirectory: string | undefined): string {
  if (env.STASHLIGHT_SECRET) return checkSecretLength("STASHLIGHT_SECRET", env.STASHLIGHT_SECRET);
  const file = env.STASHLIGHT_SECRET_FILE;
  if (file) {
    try {
      return checkSecretLength(`The secret in ${file}`, readFileSync(file, "utf8").trim());
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure(`The secret cannot be read from ${file}: ${(error as Error).message}.`, {
        cause: error,
      });
    }
  }
  const kept = dataDirectory === undefined ? undefined : readKeptSecret(join(dataDirectory, "secret"));
  if (kept !== undefined) return kept;
  throw new Failure(
    `--role ${role} needs the installation's secret, the same for all of its processes: set STASHLIGHT_SECRET or STASHLIGHT_SECRET_FILE; "openssl rand -base64 48" makes one for a new installation.`,
  );
}

function readKeptSecret(path: string): string | undefined {
  try {
    return readSecret(path);
  } catch (error) {
    throw explainFileError(error, path);
  }
}

function ingestUrls(values: Values, env: NodeJS.ProcessEnv): string[] {
  const option = values["ingest-url"];
  const name = option === undefined ? "STASHLIGHT_INGEST_URL" : "--ingest-url";
  const texts = (option ?? env.STASHLIGHT_INGEST_URL ?? "").split(",").flatMap((text) => text.trim() || []);
  return texts.map((text) => parsePublicUrl(text, name));
}

function parseFleet(
  values: Values,
  env: NodeJS.ProcessEnv,
  dataDirectory: string | undefined,
): Pick<FleetOptions, "dataDirectory" | "ingestUrls" | "fleet"> {
  if (dataDirectory === undefined) {
    throw new Failure("--role fleet needs --data: the folder in which it keeps the keys of its nodes.");
  }
  const urls = ingestUrls(values, env);
  if (urls.length === 0) {
    throw new Failure(
      "--role fleet needs --ingest-url (or STASHLIGHT_INGEST_URL): the address of a balancer or of each ingest.",
    );
  }
  const count = values["simulated-fleet"];
  if (count === undefined)
    throw new Failure("--role fleet needs --simulated-fleet, the number of its nodes.");
  return {
    dataDirectory,
    ingestUrls: urls,
    fleet: {
      nodeCount: parseCount("--simulated-fleet", count, 1, NODE_COUNT_MAX),
      dayCount: parseCount("--simulated-days", values["simulated-days"] ?? "3", 1, fleetDayCountMax),
    },
  };
}

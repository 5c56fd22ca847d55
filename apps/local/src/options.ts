import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { StorageProfile } from "@stashlight/db/migrate";
import { NODE_COUNT_MAX } from "@stashlight/fleet/plan";
import { Failure } from "./failure.ts";
import {
  parseCount,
  parseDatabaseUrl,
  parsePort,
  parsePublicUrl,
  parseStorageProfile,
} from "./option-values.ts";
import { vaultCountMax } from "./vault/vault-count.ts";
import { type SchemeName, type ShapeWanted, schemeNames } from "./vault/vault-size.ts";

export interface Options {
  port: number;
  host: string;
  /** Address for agents' measurements, on the same host as the console. */
  ingestPort: number;
  dataDirectory: string;
  /** Address of an external Postgres; undefined for the embedded one. */
  databaseUrl: string | undefined;
  /** Another login of that Postgres, for console and worker. */
  runtimeDatabaseUrl: string | undefined;
  /** Storage profile of the metric store's tables in that Postgres. */
  storageProfile: StorageProfile;
  publicUrl: string;
  /** User whose access is restored by this run. */
  recoverEmail: string | undefined;
  /** True to start although the secret is not the database's. */
  isNewSecretAccepted: boolean;
  /** Undefined if no vault is started. */
  vault: VaultOptions | undefined;
  /** Undefined to leave the fleet unchanged. */
  simulatedFleet: SimulatedFleetOptions | undefined;
}

export interface SimulatedFleetOptions {
  /** 0 removes the fleet of earlier runs. */
  nodeCount: number;
  /** Days of history to write for new nodes. */
  dayCount: number;
}

export interface VaultOptions {
  s3Port: number;
  hasDemoLoad: boolean;
  /** Makes its drives behave like catalogue drives in this run. */
  isModelled: boolean;
  /** Shared by all vaults of the data folder. */
  shape: ShapeWanted;
  /** Number of vaults behind the S3 endpoint; if undefined, the existing ones or one. */
  count: number | undefined;
}

export const help = `Stashlight: everything on one machine.

  npm start -- [options]
  npm start -- --role ROLE [options]   Run one part alone, for several machines; --role ROLE --help has its options

Options, with their defaults in brackets
  --port NUMBER         Port of the console (4680)
  --host ADDRESS        Address the console and the ingest listen on (127.0.0.1); 0.0.0.0 lets other machines in
  --public-url URL      Address that people type into the browser (http://localhost:PORT); links are made from it
  --data FOLDER         Folder of the database, the vault, the secret and the logs (.stashlight)
  --ingest-port NUMBER  Port to which agents send their measurements (4685), on the console's address
  --s3-port NUMBER      Port of the vault's S3 endpoint (4690)
  --vault-size SIZE     Disk space of each vault's drives, such as 20GB or 1.5TB (3.8GB at the first start). A larger size
                        at a later start grows the vault and keeps its objects; a smaller one is refused
  --scheme NAME         How a new vault stores objects: 16+4, 17+3 or 15+5 data and parity shards (16+4). A vault keeps
                        its scheme
  --vaults NUMBER       Number of vaults behind the S3 endpoint, up to ${vaultCountMax} (1 at the first start). A larger number at a
                        later start adds vaults like the first; a smaller one is refused
  --no-vault            Start no vault
  --no-demo             Start no demo load, which writes to the vault's bucket "demo" and deletes again, and create no
                        benchmark plan for the vault
  --modelled            Give the vault's drives the sync times of HDDs and SSDs of the catalogue, for this start only.
                        Measurements on them are labelled "modelled", and a power cut of this machine may lose the last
                        seconds of what they hold
  --simulated-fleet NUMBER
                        Run this many simulated nodes (up to ${NODE_COUNT_MAX}) beside the real ones, each labelled as simulated;
                        0 removes the nodes of earlier starts and their measurements
  --simulated-days NUMBER
                        Days of history to write for the simulated nodes, up to 90 (3)
  --database-url URL    Use this Postgres, version 16 or later, instead of the bundled one
  --runtime-database-url URL
                        A second login for --database-url. Console and worker run with it, and the first login only
                        migrates. Create it once: CREATE ROLE stashlight_runtime LOGIN PASSWORD '...' IN ROLE stashlight_app;
  --storage-profile NAME
                        How --database-url stores metrics: plain, timescale or citus (plain). The last two need their
                        extension. A database keeps the profile it was created with
  --recover EMAIL       Print a link that sets a new password for this user. Enables the user, turns two-factor sign-in
                        off and ends the user's sessions
  --accept-new-secret   Start with another secret because this database's secret is lost. Sessions end; two-factor codes
                        and the stored credentials of endpoints, channels and access keys no longer work
  --help                Show this text

Environment; an option takes precedence over its variable
  DATABASE_URL                --database-url
  DATABASE_RUNTIME_URL        --runtime-database-url
  STASHLIGHT_STORAGE_PROFILE  --storage-profile
  STASHLIGHT_ROLE             --role
  STASHLIGHT_SECRET           Signs sessions and encrypts stored credentials, at least 32 characters. By default the first
                              start creates one and keeps it in FOLDER/secret
  STASHLIGHT_OIDC_*           Single sign-on; docs/deploy.md lists the variables
  STASHLIGHT_TRUSTED_PROXIES  Reverse proxies whose X-Forwarded-For is trusted by console and ingest: addresses or blocks,
                              separated by commas
  STASHLIGHT_TIME_ZONE        Time zone of the weekly report, which is sent on Monday at 8 (this machine's)
  STASHLIGHT_INGEST_URL       Address at which agents on other machines reach the ingest
                              (http://HOST-OF-PUBLIC-URL:INGEST-PORT); commands that the console shows contain it
  NO_COLOR                    No colours in the terminal

The first start prints a link that creates the first admin; it works once. Ctrl-C stops everything, and the data stays.`;

const declared = {
  port: { type: "string", default: "4680" },
  host: { type: "string", default: "127.0.0.1" },
  data: { type: "string" },
  "database-url": { type: "string" },
  "runtime-database-url": { type: "string" },
  "storage-profile": { type: "string" },
  "public-url": { type: "string" },
  recover: { type: "string" },
  "accept-new-secret": { type: "boolean", default: false },
  "ingest-port": { type: "string", default: "4685" },
  "s3-port": { type: "string", default: "4690" },
  "no-vault": { type: "boolean", default: false },
  "no-demo": { type: "boolean", default: false },
  modelled: { type: "boolean", default: false },
  "vault-size": { type: "string" },
  vaults: { type: "string" },
  scheme: { type: "string" },
  "simulated-fleet": { type: "string" },
  "simulated-days": { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

interface Surroundings {
  env: NodeJS.ProcessEnv;
  projectDirectory: string;
  currentDirectory: string;
}

export function parseOptions(args: string[], surroundings: Surroundings): Options | "help" {
  const values = parseStrictly(args);
  if (values.help) return "help";
  const { env, projectDirectory, currentDirectory } = surroundings;
  const port = parsePort("--port", values.port);
  const ingestPort = parsePort("--ingest-port", values["ingest-port"]);
  const s3Port = parsePort("--s3-port", values["s3-port"]);
  const hasVault = !values["no-vault"];
  rejectSharedPorts({
    "--port": port,
    "--ingest-port": ingestPort,
    ...(hasVault && { "--s3-port": s3Port }),
  });
  if (values.host.trim() === "")
    throw new Failure("--host must be an address, such as 127.0.0.1 or 0.0.0.0.");
  const ofVault = (["modelled", "vault-size", "scheme", "vaults"] as const).find((name) => values[name]);
  if (ofVault !== undefined && !hasVault)
    throw new Failure(`--${ofVault} is an option of the vault, which --no-vault leaves out.`);
  if (values.recover?.trim() === "") throw new Failure("--recover must be the e-mail address of a user.");
  if (values.data?.trim() === "") throw new Failure("--data must be a folder.");
  return {
    port,
    host: values.host,
    ingestPort,
    dataDirectory: values.data
      ? resolve(currentDirectory, values.data)
      : resolve(projectDirectory, ".stashlight"),
    ...parseDatabase(values, env),
    publicUrl: parsePublicUrl(values["public-url"] ?? `http://localhost:${port}`),
    recoverEmail: values.recover,
    isNewSecretAccepted: values["accept-new-secret"],
    vault: hasVault ? parseVault(values, s3Port) : undefined,
    simulatedFleet: parseSimulatedFleet(values["simulated-fleet"], values["simulated-days"]),
  };
}

function parseStrictly(args: string[]) {
  try {
    return parseArgs({ args, options: declared, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    const [sentence] = (cause as Error).message.split(/\. |\n/);
    throw new Failure(`${sentence?.replace(/\.$/, "")}; npm start -- --help lists the options.`, { cause });
  }
}

export const fleetDayCountMax = 90;
const fleetDayCountDefault = "3";

function parseSimulatedFleet(
  nodes: string | undefined,
  days: string | undefined,
): SimulatedFleetOptions | undefined {
  if (nodes === undefined) {
    if (days === undefined) return undefined;
    throw new Failure("--simulated-days needs --simulated-fleet too, which gives the number of nodes.");
  }
  return {
    nodeCount: parseCount("--simulated-fleet", nodes, 0, NODE_COUNT_MAX),
    dayCount: parseCount("--simulated-days", days ?? fleetDayCountDefault, 1, fleetDayCountMax),
  };
}

function parseVault(
  values: Parameters<typeof parseShape>[0] & { "no-demo": boolean; modelled: boolean; vaults?: string },
  s3Port: number,
): VaultOptions {
  const { vaults, modelled: isModelled, "no-demo": isDemoLeftOut } = values;
  const count = vaults === undefined ? undefined : parseCount("--vaults", vaults, 1, vaultCountMax);
  return { s3Port, hasDemoLoad: !isDemoLeftOut, isModelled, shape: parseShape(values), count };
}

function parseShape(values: { scheme?: string | undefined; "vault-size"?: string | undefined }): ShapeWanted {
  const { scheme, "vault-size": size } = values;
  if (scheme !== undefined && !schemeNames.includes(scheme as SchemeName)) {
    throw new Failure(`--scheme must be one of ${schemeNames.join(", ")}; got "${scheme}".`);
  }
  return {
    scheme: scheme as SchemeName | undefined,
    sizeBytes: size === undefined ? undefined : parseSize("--vault-size", size),
  };
}

const unitBytes: Readonly<Record<string, number>> = { GB: 1e9, TB: 1e12, GiB: 2 ** 30, TiB: 2 ** 40 };

function parseSize(name: string, text: string): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?) ?([A-Za-z]+)$/.exec(text.trim()) ?? [];
  const bytes = Number(number) * (unitBytes[unit] ?? Number.NaN);
  if (number !== "" && Number.isFinite(bytes)) return Math.floor(bytes);
  throw new Failure(
    `${name} must be a number with ${Object.keys(unitBytes).join(", ")}, such as 20GB; got "${text}".`,
  );
}

function rejectSharedPorts(ports: Readonly<Record<string, number>>): void {
  const byPort = Map.groupBy(Object.entries(ports), ([, port]) => port);
  for (const [port, options] of byPort) {
    if (options.length === 1) continue;
    const names = options.map(([name]) => name).join(" and ");
    throw new Failure(`${names} are both ${port}; each needs its own.`);
  }
}

function parseDatabase(
  values: Parameters<typeof parseDatabaseUrls>[0] & { "storage-profile"?: string | undefined },
  env: NodeJS.ProcessEnv,
): Pick<Options, "databaseUrl" | "runtimeDatabaseUrl" | "storageProfile"> {
  const urls = parseDatabaseUrls(values, env);
  const storageProfile = parseStorageProfile(values["storage-profile"], env) ?? "plain";
  if (storageProfile !== "plain" && urls.databaseUrl === undefined) {
    throw new Failure(
      `The storage profile ${storageProfile} needs --database-url too: the bundled Postgres has no such extension.`,
    );
  }
  return { ...urls, storageProfile };
}

function parseDatabaseUrls(
  values: { "database-url"?: string | undefined; "runtime-database-url"?: string | undefined },
  env: NodeJS.ProcessEnv,
): Pick<Options, "databaseUrl" | "runtimeDatabaseUrl"> {
  const databaseUrl = parseDatabaseUrl("--database-url", values["database-url"], "DATABASE_URL", env);
  const runtimeName = "--runtime-database-url";
  const runtimeOption = values["runtime-database-url"];
  const runtimeDatabaseUrl = parseDatabaseUrl(runtimeName, runtimeOption, "DATABASE_RUNTIME_URL", env);
  if (runtimeDatabaseUrl !== undefined && databaseUrl === undefined) {
    throw new Failure(`${runtimeName} needs --database-url too, whose login runs the migrations.`);
  }
  if (runtimeDatabaseUrl !== undefined && runtimeDatabaseUrl === databaseUrl) {
    throw new Failure(`${runtimeName} must name a login of its own, not the one of --database-url.`);
  }
  return { databaseUrl, runtimeDatabaseUrl };
}

/** Default ingest address for agents: the console's host, on the ingest's port. */
export function defaultIngestUrl({
  publicUrl,
  ingestPort,
}: Pick<Options, "publicUrl" | "ingestPort">): string {
  const { hostname } = new URL(publicUrl);
  return `http://${hostname === "localhost" ? "127.0.0.1" : hostname}:${ingestPort}`;
}

/** Starts one role. Refuses invalid input before it replaces this process with the role's program. */
import { join } from "node:path";
import { StashlightError } from "@stashlight/contracts/errors";
import { describeLinks } from "../announcement.ts";
import { buildIfNeeded } from "../build.ts";
import { baseEnvironment } from "../environment.ts";
import { Failure } from "../failure.ts";
import { checkPort } from "../preflight.ts";
import {
  type FleetOptions,
  type MigrateOptions,
  type RoleOptions,
  type ServingOptions,
  type ServingRole,
  servingRoles,
} from "./options.ts";

export interface RoleContext {
  projectDirectory: string;
  env: NodeJS.ProcessEnv;
  say(line: string): void;
}

interface Program {
  entry: string;
  args: readonly string[];
  nodeFlags: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Relative to the folder of the repository. */
export const programs: Readonly<
  Record<ServingRole | "fleet", { entry: string; nodeFlags: readonly string[] }>
> = {
  /** Needs space for rolling up a thousand nodes at once each minute. */
  worker: { entry: "apps/worker/src/main.ts", nodeFlags: ["--max-semi-space-size=16"] },
  /** A small young generation saves tens of megabytes in a process that mostly waits. */
  ingest: { entry: "apps/ingest/src/main.ts", nodeFlags: ["--max-semi-space-size=2"] },
  /**
   * Needs space for answers over a thousand nodes, which create much short-lived garbage; with less, collecting it took
   * a third of the time.
   */
  console: { entry: "apps/console/src/server.ts", nodeFlags: ["--max-semi-space-size=32"] },
  fleet: { entry: "apps/local/src/fleet/main.ts", nodeFlags: [] },
};

/** Resolves when the role is done, which only migrate ever is. */
export async function startRole(options: RoleOptions, context: RoleContext): Promise<void> {
  const { role } = options;
  if (role !== "migrate" && role !== "fleet") {
    await checkPort(
      { option: `--role ${role} --port`, usual: servingRoles[role].usualPort },
      options.host,
      options.port,
    );
  }
  await buildPrograms(context);
  try {
    if (role === "migrate") return await migrate(options, context);
    await checkDatabase(options);
  } catch (error) {
    throw error instanceof StashlightError ? new Failure(error.message, { cause: error }) : error;
  }
  context.say(role === "fleet" ? announceFleet(options) : announceServing(options));
  become(roleProgram(options, context), context);
}

/** Builds if sources have changed. */
export function buildPrograms({
  projectDirectory,
  say,
}: Pick<RoleContext, "projectDirectory" | "say">): Promise<string> {
  return buildIfNeeded({
    projectDirectory,
    logFile: join(projectDirectory, "node_modules/.cache/stashlight-build.log"),
    show: (detail) => say(`Program: ${detail}`),
    entries: Object.values(programs).map(({ entry }) => join(projectDirectory, entry)),
    onSpawn: () => {},
  });
}

async function migrate(options: MigrateOptions, { say }: RoleContext): Promise<void> {
  const { prepareInstallation } = await import("../prepare-installation.ts");
  const prepared = await prepareInstallation({ ...options, log: say });
  const { appliedCount } = prepared;
  say(appliedCount === 0 ? "Migrations: up to date." : `Migrations: ${appliedCount} applied.`);
  for (const line of describeLinks(prepared, options.recoverEmail)) say(line);
}

async function checkDatabase(options: ServingOptions | FleetOptions): Promise<void> {
  const { databaseUrl, storageProfile, secret } = options;
  const { readPendingMigrations } = await import("@stashlight/db/migrate");
  const pending = await readPendingMigrations({ url: databaseUrl, profile: storageProfile });
  if (pending.length === 0) {
    const { assertInstallationSecret } = await import("@stashlight/services/secret");
    return assertInstallationSecret({ databaseUrl, secret });
  }
  const lacks = pending.length === 1 ? "a migration" : `${pending.length} migrations`;
  throw new Failure(
    `The database lacks ${lacks} of this version (${pending[0]}); run npm start -- --role migrate with the owner's address once, and then start this again.`,
  );
}

function announceServing({ role, host, port, publicUrl }: ServingOptions): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `Stashlight's ${role} of ${publicUrl} starts on http://${name}:${port}.`;
}

const announceFleet = ({ fleet, ingestUrls }: FleetOptions): string =>
  `${fleet.nodeCount} simulated nodes start to post to ${ingestUrls.join(", ")}.`;

function roleProgram(
  options: ServingOptions | FleetOptions,
  { projectDirectory, env }: RoleContext,
): Program {
  const { entry, nodeFlags } = programs[options.role];
  const { databaseUrl, secret, publicUrl, dataDirectory } = options;
  const shared = {
    ...baseEnvironment(env),
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: databaseUrl,
    STASHLIGHT_SECRET: secret,
    STASHLIGHT_PUBLIC_URL: publicUrl,
    ...(dataDirectory !== undefined && { STASHLIGHT_DATA_DIR: dataDirectory }),
  };
  const program = { entry: join(projectDirectory, entry), nodeFlags };
  if (options.role === "fleet") {
    const { nodeCount, dayCount } = options.fleet;
    return { ...program, args: [String(nodeCount), String(dayCount), ...options.ingestUrls], env: shared };
  }
  return { ...program, args: [], env: { ...shared, ...servingEnvironment(options) } };
}

function servingEnvironment({ role, host, port, ingestUrl }: ServingOptions): NodeJS.ProcessEnv {
  if (role === "ingest") return { STASHLIGHT_INGEST_HOST: host, STASHLIGHT_INGEST_PORT: String(port) };
  if (role === "worker") return { STASHLIGHT_WORKER_HOST: host, STASHLIGHT_WORKER_PORT: String(port) };
  return { STASHLIGHT_HOST: host, STASHLIGHT_PORT: String(port), STASHLIGHT_INGEST_URL: ingestUrl };
}

/** Replaces this process, so that any supervisor sees the signals, exit code and memory of the program itself. */
function become({ entry, args, nodeFlags, env }: Program, context: RoleContext): void {
  const { projectDirectory, env: own } = context;
  if (process.execve === undefined) {
    throw new Failure(
      "--role needs Node 24 on Linux or macOS; this Node cannot replace its process with a program.",
    );
  }
  // Under npm the program has to end when npm does; npm's own variable leads to its process.
  const npmEvent = own.npm_lifecycle_event;
  const watch = npmEvent === undefined ? [] : ["--import", join(projectDirectory, "tools/end-with-npm.mjs")];
  process.chdir(projectDirectory);
  process.execve(process.execPath, [process.execPath, ...nodeFlags, ...watch, entry, ...args], {
    ...env,
    ...(npmEvent !== undefined && { npm_lifecycle_event: npmEvent }),
  });
}

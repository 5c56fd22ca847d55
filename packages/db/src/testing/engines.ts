/**
 * The servers for database tests. Plain Postgres is always available. TimescaleDB and Citus need an administrator's
 * connection string; on Citus, its database must know the workers. The tests themselves act as an owner without
 * superuser rights, as in an installation.
 */
import { randomBytes } from "node:crypto";
import { runtimeRole } from "../migrate/runtime-role.ts";
import type { StorageProfile } from "../migrate/storage-profile.ts";
import { urlOfDatabase, withClient } from "./databases.ts";

export type ExtensionProfile = Exclude<StorageProfile, "plain">;

export const engineVariables: Readonly<Record<ExtensionProfile, string>> = {
  timescale: "STASHLIGHT_TEST_TIMESCALE_URL",
  citus: "STASHLIGHT_TEST_CITUS_URL",
};

/** Few, because every test's database gets this many tables per partition. */
const TEST_SHARD_COUNT = 2;

/** Same as in metrics/views.ts, which this folder does not import. */
const READER_ROLE = "stashlight_reader";

export interface Engine {
  readonly profile: StorageProfile;
  /** Logins that may create databases, one per machine; the first receives queries, the others are its workers. */
  readonly nodeUrls: readonly string[];
  /** Owner of the tests' databases. */
  readonly ownerUrl: string;
  readonly runtimeUrl: string;
  /** Prepares a new database as an administrator, before its owner migrates it. */
  prepare(name: string): Promise<void>;
  /** Removes the logins. */
  close(): Promise<void>;
}

/** Creates an owner and a runtime login on every machine; both names begin with `prefix`. */
export async function openEngine(
  profile: ExtensionProfile,
  adminUrl: string,
  prefix: string,
): Promise<Engine> {
  const nodeUrls = profile === "citus" ? await listCitusNodes(adminUrl) : [adminUrl];
  const owner = `${prefix}_owner`;
  const login = `${prefix}_runtime`;
  const password = randomBytes(24).toString("base64url");
  for (const url of nodeUrls) {
    await onOneNode(url, [
      `CREATE ROLE ${owner} LOGIN CREATEDB CREATEROLE PASSWORD '${password}'`,
      `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${runtimeRole}') THEN
         CREATE ROLE ${runtimeRole} LOGIN; END IF; END $$`,
      ...(profile === "citus" ? [`ALTER ROLE ${runtimeRole} LOGIN`] : []),
      `GRANT ${runtimeRole} TO ${owner}`,
      // Roles belong to the server, so an earlier run may have created this one.
      `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${READER_ROLE}') THEN
         CREATE ROLE ${READER_ROLE} NOLOGIN; END IF; END $$`,
      `GRANT ${READER_ROLE} TO ${owner} WITH ADMIN OPTION`,
      `CREATE ROLE ${login} LOGIN PASSWORD '${password}' IN ROLE ${runtimeRole}`,
    ]);
  }
  return {
    profile,
    nodeUrls,
    ownerUrl: asLogin(adminUrl, owner, password),
    runtimeUrl: asLogin(adminUrl, login, password),
    prepare: (name) =>
      profile === "citus" ? joinWorkers(nodeUrls, name) : addExtension(adminUrl, name, "timescaledb"),
    close: async () => {
      for (const url of nodeUrls) await onOneNode(url, [`DROP ROLE IF EXISTS ${login}, ${owner}`]);
    },
  };
}

/** Replaces the login in a node's address. */
export function asLogin(url: string, role: string, password: string): string {
  const copy = new URL(url);
  copy.username = role;
  copy.password = password;
  return copy.href;
}

/** Finds the coordinator and its workers through the administrator's database. */
async function listCitusNodes(adminUrl: string): Promise<string[]> {
  const { rows } = await withClient(adminUrl, (client) =>
    client.query<{ name: string; port: number }>(
      "SELECT nodename AS name, nodeport AS port FROM pg_dist_node WHERE groupid > 0 AND isactive ORDER BY groupid",
    ),
  );
  if (rows.length < 2) {
    throw new Error(
      `${engineVariables.citus} names a Citus with ${rows.length} workers; the tests need two.`,
    );
  }
  const workers = rows.map(({ name, port }) => {
    const url = new URL(adminUrl);
    url.hostname = name;
    url.port = `${port}`;
    return url.href;
  });
  return [adminUrl, ...workers];
}

/** Keeps Citus from propagating the statements, because each node gets them separately. */
async function onOneNode(url: string, statements: readonly string[]): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("SET citus.enable_ddl_propagation = off");
    for (const statement of statements) await client.query(statement);
  });
}

async function addExtension(url: string, name: string, extension: string): Promise<void> {
  await withClient(urlOfDatabase(url, name), (client) => client.query(`CREATE EXTENSION ${extension}`));
}

async function joinWorkers(nodeUrls: readonly string[], name: string): Promise<void> {
  for (const url of nodeUrls) await addExtension(url, name, "citus");
  const [coordinator = "", ...workers] = nodeUrls;
  await withClient(urlOfDatabase(coordinator, name), async (client) => {
    const { hostname, port } = new URL(coordinator);
    await client.query("SELECT citus_set_coordinator_host($1, $2)", [hostname, Number(port)]);
    for (const worker of workers) {
      const { hostname, port } = new URL(worker);
      await client.query("SELECT citus_add_node($1, $2)", [hostname, Number(port)]);
    }
    await client.query(`ALTER DATABASE ${name} SET citus.shard_count = ${TEST_SHARD_COUNT}`);
  });
}

/**
 * Runs once per run of the database tests: one engine, and one migrated database that is copied for every test file.
 * The project's name selects the engine: "db" is plain Postgres, "db-timescale" and "db-citus" are the other profiles.
 */
import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "../migrate/index.ts";
import { runtimeRole } from "../migrate/runtime-role.ts";
import type { StorageProfile } from "../migrate/storage-profile.ts";
import { createDatabase, dropDatabase, randomName, urlOfDatabase, withClient } from "./databases.ts";
import { asLogin, type Engine, type ExtensionProfile, engineVariables, openEngine } from "./engines.ts";
import { openThrowAwayServer } from "./server.ts";

export interface ProvidedDatabase {
  ownerUrl: string;
  runtimeUrl: string;
  /** Logins that may create databases, one per machine; the first is that of the two addresses above. */
  nodeUrls: readonly string[];
  profile: StorageProfile;
  /** Prefix of every database of this run. */
  namePrefix: string;
  templateName: string;
}

declare module "vitest" {
  interface ProvidedContext {
    stashlightDatabase: ProvidedDatabase;
  }
}

const engineNames = { timescale: "TimescaleDB", citus: "Citus" } as const;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const profile = (["timescale", "citus"] as const).find((each) => project.name === `db-${each}`);
  if (profile === undefined) reportSkippedTests();
  const namePrefix = randomName("stashlight_test");
  const engine = await (profile === undefined ? openPlain(namePrefix) : openGiven(profile, namePrefix));
  const templateName = `${namePrefix}_template`;
  const owner = new URL(engine.ownerUrl).username;
  const teardown = async () => {
    for (const url of engine.nodeUrls) await removeDatabases(url, namePrefix);
    await engine.close();
  };
  try {
    for (const url of engine.nodeUrls) await createDatabase(url, templateName, { owner });
    await engine.prepare(templateName);
    await migrateDatabase({
      ownerUrl: urlOfDatabase(engine.ownerUrl, templateName),
      profile: engine.profile,
    });
    for (const url of engine.nodeUrls) {
      await withClient(url, (client) =>
        client.query(`ALTER DATABASE ${templateName} ALLOW_CONNECTIONS false`),
      );
    }
    const { ownerUrl, runtimeUrl, nodeUrls } = engine;
    const provided = { ownerUrl, runtimeUrl, nodeUrls, profile: engine.profile, namePrefix, templateName };
    project.provide("stashlightDatabase", provided);
    return teardown;
  } catch (error) {
    await teardown();
    throw error;
  }
}

function reportSkippedTests(): void {
  for (const profile of ["timescale", "citus"] as const) {
    const variable = engineVariables[profile];
    if (process.env[variable]) continue;
    console.warn(
      `SKIPPED: ${variable} names no server; give one with ${engineNames[profile]} to run the tests of metrics, alerts and traces on it.`,
    );
  }
}

const openGiven = (profile: ExtensionProfile, namePrefix: string): Promise<Engine> =>
  openEngine(profile, process.env[engineVariables[profile]] ?? "", namePrefix);

async function openPlain(namePrefix: string): Promise<Engine> {
  const server = await openThrowAwayServer();
  const { ownerUrl } = server;
  const loginRole = `${namePrefix}_runtime`;
  const makeLogin = async () => {
    const password = randomBytes(24).toString("base64url");
    await withClient(ownerUrl, async (client) => {
      await client.query(
        `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${runtimeRole}') THEN
           CREATE ROLE ${runtimeRole} NOLOGIN; END IF; END $$`,
      );
      await client.query(`CREATE ROLE ${loginRole} LOGIN PASSWORD '${password}' IN ROLE ${runtimeRole}`);
    });
    return asLogin(ownerUrl, loginRole, password);
  };
  return {
    profile: "plain",
    nodeUrls: [ownerUrl],
    ownerUrl,
    runtimeUrl: server.runtimeUrl ?? (await makeLogin()),
    prepare: async () => {},
    close: async () => {
      // Leaves a server that is not ours as it was found.
      if (server.runtimeUrl === undefined) {
        await withClient(ownerUrl, (client) => client.query(`DROP ROLE IF EXISTS ${loginRole}`));
      }
      await server.close();
    },
  };
}

async function removeDatabases(url: string, namePrefix: string): Promise<void> {
  const names = await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)",
      [namePrefix],
    );
    return rows.map(({ name }) => name);
  });
  for (const name of names) await dropDatabase(url, name);
}

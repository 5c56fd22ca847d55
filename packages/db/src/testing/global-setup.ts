/** Once a run of the database tests: one server, and one migrated database that every test file gets a copy of. */
import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "../migrate/index.ts";
import { runtimeRole } from "../migrate/runtime-role.ts";
import { createDatabase, dropDatabaseBy, randomName, urlOfDatabase, withClient } from "./databases.ts";
import { openThrowAwayServer } from "./server.ts";

export interface ProvidedDatabase {
  ownerUrl: string;
  runtimeUrl: string;
  /** Every database of this run begins with it. */
  namePrefix: string;
  templateName: string;
}

declare module "vitest" {
  interface ProvidedContext {
    stashlightDatabase: ProvidedDatabase;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openThrowAwayServer();
  const namePrefix = randomName("stashlight_test");
  const loginRole = `${namePrefix}_runtime`;
  const teardown = async () => {
    if (server.runtimeUrl === undefined) await removeTraces(server.ownerUrl, namePrefix, loginRole);
    await server.close();
  };
  try {
    const templateName = `${namePrefix}_template`;
    await createDatabase(server.ownerUrl, templateName);
    await migrateDatabase({ ownerUrl: urlOfDatabase(server.ownerUrl, templateName) });
    await withClient(server.ownerUrl, (client) =>
      client.query(`ALTER DATABASE ${templateName} ALLOW_CONNECTIONS false`),
    );
    const runtimeUrl = server.runtimeUrl ?? (await createLogin(server.ownerUrl, loginRole));
    const { ownerUrl } = server;
    project.provide("stashlightDatabase", { ownerUrl, runtimeUrl, namePrefix, templateName });
    return teardown;
  } catch (error) {
    await teardown();
    throw error;
  }
}

async function createLogin(ownerUrl: string, role: string): Promise<string> {
  const password = randomBytes(24).toString("base64url");
  await withClient(ownerUrl, (client) =>
    client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}' IN ROLE ${runtimeRole}`),
  );
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = password;
  return url.href;
}

/** A server that is not ours is left as it was found. */
async function removeTraces(ownerUrl: string, namePrefix: string, loginRole: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)",
      [namePrefix],
    );
    for (const { name } of rows) await dropDatabaseBy(client, name);
    await client.query(`DROP ROLE IF EXISTS ${loginRole}`);
  });
}

/** Databases for `*.db.test.ts` files of any package, on the server that this test run started. */
import { inject } from "vitest";
import type { StorageProfile } from "../migrate/storage-profile.ts";
import { createDatabase, dropDatabase, randomName, urlOfDatabase } from "./databases.ts";
import type {} from "./global-setup.ts";

export interface TestDatabase {
  name: string;
  /** Connection string of the role that owns the schema. */
  ownerUrl: string;
  /** Connection string of a login role with exactly the rights of console and worker. */
  runtimeUrl: string;
  /** Ends remaining connections and removes the database. */
  drop(): Promise<void>;
}

/** Creates a database with all migrations applied and no rows, by copying the run's template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(inject("stashlightDatabase").templateName);
}

/** Creates an empty database. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create(undefined);
}

/** Storage profile of these databases. */
export const testProfile = (): StorageProfile => inject("stashlightDatabase").profile;

async function create(template: string | undefined): Promise<TestDatabase> {
  const { ownerUrl, runtimeUrl, nodeUrls, namePrefix } = inject("stashlightDatabase");
  const name = randomName(namePrefix);
  const owner = new URL(ownerUrl).username;
  for (const url of nodeUrls) await createDatabase(url, name, { template, owner });
  return {
    name,
    ownerUrl: urlOfDatabase(ownerUrl, name),
    runtimeUrl: urlOfDatabase(runtimeUrl, name),
    drop: async () => {
      for (const url of nodeUrls) await dropDatabase(url, name);
    },
  };
}

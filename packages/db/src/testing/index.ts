/** For `*.db.test.ts` files of any package: databases on the server that this run of the tests started. */
import { inject } from "vitest";
import type { StorageProfile } from "../migrate/storage-profile.ts";
import { createDatabase, dropDatabase, randomName, urlOfDatabase } from "./databases.ts";
import type {} from "./global-setup.ts";

export interface TestDatabase {
  name: string;
  /** Connection string of the role that owns the schema. */
  ownerUrl: string;
  /** Connection string of a login role with the rights of console and worker, no others. */
  runtimeUrl: string;
  /** Ends whoever is still connected and removes the database. */
  drop(): Promise<void>;
}

/** A database with all migrations applied and no rows: a copy of the run's template. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(inject("stashlightDatabase").templateName);
}

/** A database with nothing in it. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create(undefined);
}

/** How the metric store of these databases is kept. */
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

/** For `*.db.test.ts` files of any package: databases on the server that this run of the tests started. */
import { inject } from "vitest";
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

async function create(template: string | undefined): Promise<TestDatabase> {
  const { ownerUrl, runtimeUrl, namePrefix } = inject("stashlightDatabase");
  const name = randomName(namePrefix);
  await createDatabase(ownerUrl, name, template);
  return {
    name,
    ownerUrl: urlOfDatabase(ownerUrl, name),
    runtimeUrl: urlOfDatabase(runtimeUrl, name),
    drop: () => dropDatabase(ownerUrl, name),
  };
}

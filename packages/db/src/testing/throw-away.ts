import { createDatabase, dropDatabase, randomName, urlOfDatabase } from "./databases.ts";
import { openThrowAwayServer } from "./server.ts";

/** Gives `use` the owner's connection string of an empty database, which is removed afterwards. */
export async function withThrowAwayDatabase<T>(use: (ownerUrl: string) => Promise<T>): Promise<T> {
  const server = await openThrowAwayServer();
  try {
    const name = randomName("stashlight_throw_away");
    await createDatabase(server.ownerUrl, name);
    try {
      return await use(urlOfDatabase(server.ownerUrl, name));
    } finally {
      await dropDatabase(server.ownerUrl, name);
    }
  } finally {
    await server.close();
  }
}

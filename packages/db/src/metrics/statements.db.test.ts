import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/index.ts";
import { inTransaction, type MetricClient, openMetricClient } from "./client.ts";
import { calls } from "./testing/calls.ts";

let database: TestDatabase;
let client: MetricClient;
beforeAll(async () => {
  database = await createTestDatabase();
  client = openMetricClient({
    url: database.runtimeUrl,
    purpose: "tool",
    applicationName: "statements",
    connectionsMax: 2,
  });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test.each(Object.entries(calls))(
  "the statement %s is accepted by this engine inside a transaction",
  async (_, call) => {
    await expect(inTransaction(client, call)).resolves.not.toThrow();
  },
);

test("all statements are accepted by this engine in one transaction, and a rollback leaves nothing behind", async () => {
  const everything = inTransaction(client, async (connection) => {
    for (const call of Object.values(calls)) await call(connection);
    throw new Error("Enough.");
  });
  await expect(everything).rejects.toThrow("Enough.");
});

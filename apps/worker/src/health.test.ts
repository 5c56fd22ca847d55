import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createHealthServer, type HealthSource } from "./health.ts";

async function serve(unreadiness: HealthSource["unreadiness"]): Promise<string> {
  const server = createHealthServer({ unreadiness });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each<[string, HealthSource["unreadiness"], number, object]>([
  ["processes jobs", async () => null, 200, { status: "ready" }],
  ["is stopping", async () => "The worker is stopping.", 503, { message: "The worker is stopping." }],
  [
    "has no database",
    () => Promise.reject(new Error("ECONNREFUSED 10.0.0.1")),
    503,
    { message: "The database does not answer." },
  ],
])("/readyz reports a worker that %s", async (_, unreadiness, status, body) => {
  const origin = await serve(unreadiness);
  const answer = await fetch(`${origin}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([status, body]);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
});

test("the health port answers other paths with 404", async () => {
  const origin = await serve(async () => null);
  expect((await fetch(`${origin}/metrics`)).status).toBe(404);
});

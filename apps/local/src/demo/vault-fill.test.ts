import { countPorts, createLocalVault } from "@stashlight/node-runtime/config";
import type { AdminAnswer } from "@stashlight/node-runtime/durability";
import { expect, test } from "vitest";
import { readFillShare } from "./vault-fill.ts";

const shape = {
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  podNodeCount: 3,
  stashNodeCount: 1,
  drivesPerStashNode: 1,
};
const volume = { segmentBytes: 1 << 20, segmentCount: 4 };
const file = createLocalVault({
  ...shape,
  name: "local",
  podVolume: volume,
  stashVolume: volume,
  pieceBytes: 1 << 20,
  ports: Array.from({ length: countPorts(shape) }, (_, at) => 20_000 + at),
});

const answered = (body: unknown, status = 200): AdminAnswer => ({ type: "answered", status, body });
const health = (takenBytes: number | null) => answered({ space: { takenBytes, capacityBytes: 100 } });

const ask = (answer: AdminAnswer) =>
  readFillShare({ file, access: { token: "", ca: null }, ask: async () => answer });

test("the fill is read from the coordinator's health report", async () => {
  expect(await ask(health(50))).toBe(0.5);
  expect(await ask(health(100))).toBe(1);
});

test.each<[string, AdminAnswer]>([
  ["is silent", { type: "silent", reason: "ECONNREFUSED" }],
  ["refuses to answer", answered({ error: "token" }, 401)],
  ["is another program", answered({ hello: "world" })],
  ["answers null", answered(null)],
  ["has no report from the pods", health(null)],
])("the fill is unknown while the coordinator %s", async (_, answer) => {
  expect(await ask(answer)).toBeNull();
});

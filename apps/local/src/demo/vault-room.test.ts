import { createLocalVault, portCountOf } from "@stashlight/node-runtime/config";
import type { AdminAnswer } from "@stashlight/node-runtime/durability";
import { expect, test } from "vitest";
import { readFullness } from "./vault-room.ts";

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
  ports: Array.from({ length: portCountOf(shape) }, (_, at) => 20_000 + at),
});

const answered = (body: unknown, status = 200): AdminAnswer => ({ type: "answered", status, body });
const health = (takenBytes: number) =>
  answered({ drives: [{ log: { dataBytesFree: 100 - takenBytes, dataBytesMax: 100 } }] });

/** The answers of the three pods, in order; no other node is asked. */
function ask(answers: readonly AdminAnswer[]) {
  const left = [...answers];
  return readFullness({
    file,
    access: { token: "", ca: null },
    ask: async () => left.shift() ?? { type: "silent", reason: "asked too often" },
  });
}

test("fullness counts the pods together", async () => {
  expect(await ask([health(10), health(50), health(90)])).toBe(0.5);
});

test("an unavailable drive does not count", async () => {
  expect(await ask([health(10), health(50), answered({ drives: [{ log: null }] })])).toBeCloseTo(0.3);
});

test.each<[string, AdminAnswer]>([
  ["is silent", { type: "silent", reason: "ECONNREFUSED" }],
  ["refuses to answer", answered({ error: "token" }, 401)],
  ["is another program", answered({ hello: "world" })],
  ["answers null", answered(null)],
])("fullness is unknown while a pod node %s", async (_, third) => {
  expect(await ask([health(10), health(50), third])).toBeNull();
});

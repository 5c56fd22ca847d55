import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { buildRunPrefix } from "../run/keys.ts";
import {
  startTruthServer,
  TEST_CREDENTIALS,
  type TruthServer,
  type TruthServerOptions,
  testTarget,
} from "../testing/index.ts";
import { cleanUp } from "./clean-up.ts";

let server: TruthServer;
afterEach(() => server.close());

const runPrefix = buildRunPrefix("tests", randomUUID());
const others = [`${buildRunPrefix("tests", randomUUID())}a`, "tests/file", runPrefix.slice(0, -1), "zzz"];

/** Eleven keys of the run, which fill four pages of this server's lists, and four other keys. */
async function start(isVersioned: boolean, more: TruthServerOptions = {}) {
  server = await startTruthServer({ isVersioned, ...more });
  const keys = Array.from({ length: 11 }, (_, number) => `${runPrefix}0/a b+ü-${number}`);
  for (const key of [...keys, ...others, ...(isVersioned ? keys : [])]) {
    server.store.handle("PUT", `/bench/${encodeURIComponent(key)}`, Buffer.from("x"));
  }
  return { endpoint: testTarget(server.url), credentials: TEST_CREDENTIALS, runPrefix };
}

test("all objects of a run are removed, page by page, and nothing else", async () => {
  const input = await start(false);
  expect(await cleanUp(input)).toEqual({ deletedCount: 11 });
  expect([...server.store.keys].sort()).toEqual([...others].sort());
  expect(await cleanUp(input)).toEqual({ deletedCount: 0 });
});

test("versions and delete markers are deleted too, with one delete per request", async () => {
  const input = await start(true);
  server.store.handle("DELETE", `/bench/${encodeURIComponent(`${runPrefix}0/a b+ü-3`)}`, Buffer.alloc(0));
  expect(await cleanUp(input)).toEqual({ deletedCount: 23 });
  expect(server.store.versionCount).toBe(others.length);
  const deletes = server.records.filter(({ method }) => method === "DELETE");
  expect(deletes).toHaveLength(23);
  expect(deletes.every(({ target }) => target.includes("versionId="))).toBe(true);
});

test("an aborted clean-up can be continued", async () => {
  const input = await start(false);
  const aborting = new AbortController();
  const onDeleted = (count: number) => count === 4 && aborting.abort(new Error("lost"));
  await expect(cleanUp({ ...input, signal: aborting.signal, onDeleted })).rejects.toThrow("lost");
  const left = server.store.keys.length - others.length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(7);
  await cleanUp(input);
  expect(server.store.keys).toHaveLength(others.length);
});

test.each(["", "tests/", `${runPrefix}0/`, runPrefix.slice(0, -1)])(
  "nothing is deleted below %j",
  async (prefix) => {
    const input = await start(false);
    await expect(cleanUp({ ...input, runPrefix: prefix })).rejects.toMatchObject({ code: "invalid_input" });
    expect(server.records).toHaveLength(0);
  },
);

test.each<[string, boolean, TruthServerOptions, RegExp]>([
  [
    "a key that may not delete",
    false,
    { refusesDelete: [403, "AccessDenied"] },
    /^11 objects or versions remain in "bench" at 127\.0\.0\.1 below tests\/stashlight-.*: the deletion was refused \(403 AccessDenied\); give the key the right to delete .*, or wait until the bucket's object lock/,
  ],
  [
    "a key that may not delete versions",
    true,
    { refusesDelete: [403, "AccessDenied"] },
    /^22 objects or versions remain .* and their versions, or wait/,
  ],
  [
    "an object lock",
    true,
    { refusesDelete: [403, "ObjectLocked"] },
    /^22 objects or versions remain .*: A legal hold or a retention policy on "bench" forbids deletion/,
  ],
  [
    "deletions that are answered and not done",
    false,
    { keepsDeleted: (number) => number === 0 },
    /^1 object or version remains .*: the endpoint answered their deletion with success and still lists them/,
  ],
])(
  "after %s the message counts the remaining objects, and gives their location and the reason",
  async (_, isVersioned, more, sentence) => {
    const input = await start(isVersioned, more);
    await expect(cleanUp(input)).rejects.toThrow(sentence);
    expect(server.records.filter(({ method }) => method === "DELETE").length).toBeLessThanOrEqual(28);
  },
);

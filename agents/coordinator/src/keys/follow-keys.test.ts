import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServedAccessKey } from "@stashlight/contracts/access-key";
import { useTestFolder } from "@stashlight/contracts/testing";
import { createAccessKey } from "@stashlight/node-runtime/config";
import type { AccessKeysAnswer } from "@stashlight/telemetry";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AccessKeys } from "./access-keys.ts";
import { KeyFollower, type KeyFollowerOptions } from "./follow-keys.ts";
import { readKeyCache, writeKeyCache } from "./key-cache.ts";

const EVERY_MS = 3000;
const fileKey = createAccessKey("stash");
const folder = useTestFolder();
const path = join(folder, "access-keys.json");
let follower: KeyFollower | null;

beforeEach(() => {
  follower = null;
});
afterEach(() => {
  follower?.stop();
  vi.useRealTimers();
});

const keyOf = (id: string, more: Partial<ServedAccessKey> = {}): ServedAccessKey => ({
  id,
  secret: `secret of ${id}`,
  owner: "ada",
  permission: "write",
  buckets: "all",
  isDisabled: false,
  ...more,
});
const listOf = (digit: string, ...keys: ServedAccessKey[]): AccessKeysAnswer => ({
  type: "list",
  list: { revision: digit.repeat(64), keys },
});

/** Starts a follower whose ingest gives these answers in order, repeating the last one. */
function start(answers: readonly AccessKeysAnswer[], cache: Partial<KeyFollowerOptions["cache"]> = {}) {
  const keys = new AccessKeys({ accessKeys: [fileKey] });
  const asked: (string | null)[] = [];
  const lines: string[] = [];
  const started = KeyFollower.start({
    keys,
    cache: { read: () => readKeyCache(path), write: (list) => writeKeyCache(path, list), ...cache },
    ask: async (revision) => {
      asked.push(revision);
      return answers[Math.min(asked.length, answers.length) - 1] as AccessKeysAnswer;
    },
    everyMs: EVERY_MS,
    logger: pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
  }).then((running) => {
    follower = running;
  });
  return { keys, asked, lines, started };
}

const away: AccessKeysAnswer = { type: "unreachable", reason: "The ingest cannot be reached." };

test("the console's keys take effect, and are stored readable only by the node's owner", async () => {
  const { keys, started } = start([listOf("1", keyOf("SLA"), keyOf("SLB"))]);
  await started;
  await vi.waitFor(async () => expect((await readKeyCache(path))?.keys).toHaveLength(2));
  expect(keys.find("SLA")).toMatchObject({ secret: "secret of SLA", owner: "ada" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a node that starts without the ingest uses its stored keys, including disabled ones", async () => {
  const list = { revision: "1".repeat(64), keys: [keyOf("SLA"), keyOf("SLB", { isDisabled: true })] };
  await writeKeyCache(path, list);
  const { keys, asked, started } = start([away]);
  await started;
  expect(keys.find("SLA")?.isDisabled).toBe(false);
  expect(keys.find("SLB")?.isDisabled).toBe(true);
  expect(asked).toEqual([list.revision]);
});

test("a key deleted or changed in the console is updated by the next request", async () => {
  vi.useFakeTimers();
  const write = async () => {};
  const answers = [
    listOf("1", keyOf("SLA"), keyOf("SLB")),
    { type: "unchanged" } as const,
    listOf("2", keyOf("SLB", { isDisabled: true, secret: "another" })),
  ];
  const { keys, asked, started } = start(answers, { write });
  await started;
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(keys.find("SLA")).not.toBeNull();
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(keys.find("SLA")).toBeNull();
  expect(keys.find("SLB")).toMatchObject({ isDisabled: true, secret: "another" });
  expect(asked).toEqual([null, "1".repeat(64), "1".repeat(64)]);
});

test("while the ingest is unreachable, the last list stays valid, and one warning is logged", async () => {
  vi.useFakeTimers();
  const write = async () => {};
  const { keys, lines, started } = start([listOf("1", keyOf("SLA")), away, away, away], { write });
  await started;
  await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
  expect(keys.find("SLA")).not.toBeNull();
  expect(lines).toEqual([
    "access keys updated from the console",
    "the access keys of the console are not up to date",
  ]);
});

test("a list that cannot be stored takes effect, and is requested again until it is stored", async () => {
  vi.useFakeTimers();
  let writeCount = 0;
  const write = async () => {
    writeCount += 1;
    if (writeCount < 3) throw new Error("The disk is full.");
  };
  const { keys, asked, started } = start([listOf("1", keyOf("SLA"))], { write });
  await started;
  await vi.advanceTimersByTimeAsync(0);
  expect(keys.find("SLA")).not.toBeNull();
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect(asked.slice(0, 4)).toEqual([null, null, null, "1".repeat(64)]);
});

test("a node with a malformed key file starts", async () => {
  writeFileSync(path, '{"revision": "1", "keys": "none"}');
  const { keys, started, lines } = start([away]);
  await started;
  expect(lines[0]).toMatch(/cannot be read/);
  expect(keys.find(fileKey.id)).toMatchObject({ secret: fileKey.secret });
});

test("a key in the vault's file takes precedence over one with the same id, and an unknown key is null", async () => {
  const { keys, started } = start([listOf("1", keyOf(fileKey.id))], { write: async () => {} });
  await started;
  expect(keys.find(fileKey.id)?.secret).toBe(fileKey.secret);
  expect(keys.find("SLNONE")).toBeNull();
});

test("a stopped node sends no more requests, and ignores an answer in transit", async () => {
  vi.useFakeTimers();
  const answer = Promise.withResolvers<AccessKeysAnswer>();
  const keys = new AccessKeys({ accessKeys: [] });
  let askedCount = 0;
  const running = await KeyFollower.start({
    keys,
    cache: { read: async () => null, write: async () => {} },
    ask: () => {
      askedCount += 1;
      return answer.promise;
    },
    everyMs: EVERY_MS,
    logger: pino({ enabled: false }),
  });
  running.stop();
  answer.resolve(listOf("1", keyOf("SLA")));
  await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
  expect([askedCount, keys.find("SLA")]).toEqual([1, null]);
});

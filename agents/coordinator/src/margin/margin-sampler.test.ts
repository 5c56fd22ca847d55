import type { VaultNode } from "@stashlight/node-runtime/config";
import type { AdminAnswer, ReportedShard } from "@stashlight/node-runtime/durability";
import { expect, test } from "vitest";
import type { AcknowledgedUpload } from "./acknowledged-sample.ts";
import { MarginSampler, type MarginSamplerOptions } from "./margin-sampler.ts";

const node = (role: "pod" | "stash" | "coordinator", id: string) => ({ role, id }) as unknown as VaultNode;
const nodes = [node("coordinator", "c"), node("pod", "p"), node("stash", "s")];

const upload = (key: string, bucket = "b"): AcknowledgedUpload => ({
  uploadId: `id-${key}`,
  kind: "object",
  bucket,
  key,
  order: "5",
});

const shard = (key: string, shardIndex: number, rest: Partial<ReportedShard> = {}): ReportedShard => ({
  address: "p0",
  key,
  uploadId: `id-${key}`,
  kind: "object",
  order: "5",
  etag: "e",
  sizeBytes: 1,
  shardIndex,
  isDurable: true,
  ...rest,
});

/** A read needs two shards. */
const marginOf = (leastCount: number | null): number | null => (leastCount === null ? null : leastCount - 2);

const shards = (key: string, count: number) => Array.from({ length: count }, (_, index) => shard(key, index));

/** Shards on each node; "silent" for a node that does not answer. */
type Held = Readonly<Record<"p" | "s", readonly ReportedShard[] | "silent">>;

function createSampler(
  uploads: readonly AcknowledgedUpload[],
  held: Held,
  waits: Partial<MarginSamplerOptions> = {},
) {
  const values: (number | null)[] = [];
  const asked: string[] = [];
  const sampler = new MarginSampler({
    nodes: () => nodes,
    access: { token: "sla_test", ca: null },
    everyMs: 1,
    guaranteedCount: 0,
    ...waits,
    sample: { draw: (count) => uploads.slice(0, count) },
    onRound: (leastCount) => void values.push(marginOf(leastCount)),
    ask: async (of, path): Promise<AdminAnswer> => {
      const { id } = of as VaultNode;
      asked.push(`${id} ${path}`);
      const answer = held[id as "p" | "s"];
      if (answer === "silent") return { type: "silent", reason: "ECONNREFUSED" };
      const keys = new URLSearchParams(path.split("?")[1]).getAll("key");
      return {
        type: "answered",
        status: 200,
        body: { shards: answer.filter(({ key }) => keys.includes(key)) },
      };
    },
  });
  return { sampler, values, asked };
}

test.each<[string, readonly AcknowledgedUpload[], Held, number | null]>([
  [
    "all shards of all uploads",
    [upload("a"), upload("z")],
    { p: [...shards("a", 4), ...shards("z", 4)], s: [] },
    2,
  ],
  [
    "the upload with the fewest",
    [upload("a"), upload("z")],
    { p: [...shards("a", 4), ...shards("z", 3)], s: [] },
    1,
  ],
  ["a shard on its pod and on the stash once", [upload("a")], { p: shards("a", 2), s: shards("a", 3) }, 1],
  [
    "shards on the stash that no pod has flushed",
    [upload("a")],
    { p: [shard("a", 0), shard("a", 1, { isDurable: false })], s: [shard("a", 1), shard("a", 2)] },
    1,
  ],
  [
    "no shard of another attempt",
    [upload("a")],
    { p: [...shards("a", 2), shard("a", 2, { uploadId: "x", order: "4" })], s: [] },
    0,
  ],
  ["no shard of a silent node", [upload("a")], { p: shards("a", 1), s: "silent" }, -1],
  ["no shard of a missing object", [upload("a")], { p: [], s: [] }, -2],
  [
    "no upload that a newer version has replaced",
    [upload("a")],
    { p: [shard("a", 0, { uploadId: "x", order: "6" })], s: [] },
    null,
  ],
  [
    "no upload that was deleted",
    [upload("a"), upload("z")],
    { p: [shard("a", 0, { uploadId: "x", order: "6", kind: "tombstone" }), ...shards("z", 4)], s: [] },
    2,
  ],
  ["nothing when no node answers", [upload("a")], { p: "silent", s: "silent" }, null],
  ["nothing when nothing was uploaded", [], { p: [], s: [] }, null],
])("the margin counts %s", async (_, uploads, held, margin) => {
  const { sampler, values } = createSampler(uploads, held);
  await sampler.round();
  expect(values).toEqual([margin]);
});

test("stash nodes are queried before pods, coordinators never, and few uploads at a time", async () => {
  const many = Array.from({ length: 100 }, (_, i) => upload(`k${i}`));
  const { sampler, asked } = createSampler(many, { p: [], s: [] });
  await sampler.round();
  expect(asked.map((question) => question[0])).toEqual(["s", "p"]);
  expect(new URLSearchParams(asked[0]?.split("?")[1]).getAll("key")).toHaveLength(8);
});

test("a silent node is queried once per round", async () => {
  const { sampler, asked } = createSampler([upload("a", "b1"), upload("z", "b2")], {
    p: shards("a", 4),
    s: "silent",
  });
  await sampler.round();
  expect(asked.map((question) => question[0])).toEqual(["s", "p", "p"]);
});

test("rounds repeat until the sampler is stopped, which clears the figure", async () => {
  const { sampler, values } = createSampler([upload("a")], { p: shards("a", 4), s: [] });
  sampler.start();
  await expect.poll(() => values.length).toBeGreaterThan(2);
  sampler.stop();
  expect(new Set(values.slice(0, -1))).toEqual(new Set([2]));
  expect(values.at(-1)).toBeNull();
});

test("a round in progress when the sampler is stopped leaves no figure", async () => {
  const values: (number | null)[] = [];
  const sampler: MarginSampler = new MarginSampler({
    nodes: () => [node("pod", "p")],
    access: { token: "sla_test", ca: null },
    sample: { draw: () => [upload("a")] },
    guaranteedCount: 0,
    onRound: (leastCount) => void values.push(marginOf(leastCount)),
    ask: async (_node, _path, options) => {
      sampler.stop();
      expect(options?.signal?.aborted).toBe(true);
      return { type: "answered", status: 200, body: { shards: shards("a", 4) } };
    },
  });
  await sampler.round();
  expect(values).toEqual([null, null]);
});

test("a round that found too few durable shards is repeated without the usual wait", async () => {
  const held: Held = { p: [shard("k", 0)], s: [] };
  const { sampler, values } = createSampler([upload("k")], held, {
    everyMs: 60_000,
    whileShortEveryMs: 1,
    guaranteedCount: 2,
  });
  await sampler.round();
  sampler.start();
  await expect.poll(() => values.length).toBeGreaterThan(3);
  sampler.stop();
});

import { expect, test } from "vitest";
import type { AskAdmin } from "../admin/ask-admin.ts";
import type { VaultNode } from "../config/index.ts";
import { askHeldShards } from "./ask-held-shards.ts";

const nodes = [
  { role: "coordinator", id: "c" },
  { role: "pod", id: "p" },
  { role: "stash", id: "s" },
] as unknown as readonly VaultNode[];

const shard = {
  address: "p0",
  uploadId: "u",
  kind: "object",
  order: "1",
  etag: "",
  sizeBytes: 1,
  shardIndex: 0,
  isDurable: true,
};

const access = { token: "sla_test", ca: null };

/** Returns a client to which every node answers that it holds one shard of each key. */
function createAsk(changed: (id: string, body: object) => unknown = (_, body) => body) {
  const questions: { readonly id: string; readonly bucket: string | null; readonly keys: string[] }[] = [];
  const ask: AskAdmin = async (node, path) => {
    expect(path.length).toBeLessThan(8000);
    const query = new URLSearchParams(path.replace("/uploads?", ""));
    const { id } = node as VaultNode;
    const keys = query.getAll("key");
    questions.push({ id, bucket: query.get("bucket"), keys });
    return {
      type: "answered",
      status: 200,
      body: changed(id, { shards: keys.map((key) => ({ ...shard, key })) }),
    };
  };
  return { ask, questions };
}

test("nodes are queried for every key, including special characters, and the stash before the pods", async () => {
  const keys = ["a b&key=c", "ü/%2F", ...Array.from({ length: 50 }, (_, i) => `${i}`.padEnd(1000, "é"))];
  const { ask, questions } = createAsk();
  const silentNodeIds = new Set<string>();
  const shards = await askHeldShards({ nodes, bucket: "b", keys, silentNodeIds, access, ask });
  expect(shards.map(({ key }) => key).sort()).toEqual([...keys, ...keys].sort());
  expect(questions.filter(({ id }) => id === "p").flatMap((question) => question.keys)).toEqual(keys);
  expect(questions.map(({ id }) => id).join("")).toMatch(/^(sp)+$/);
  expect(new Set(questions.map(({ bucket }) => bucket))).toEqual(new Set(["b"]));
  expect(silentNodeIds.size).toBe(0);
});

test("a node whose answer has an unknown form counts as silent", async () => {
  const { ask } = createAsk((id, body) => (id === "p" ? { shards: [{ key: "k" }] } : body));
  const silentNodeIds = new Set<string>();
  const shards = await askHeldShards({ nodes, bucket: "b", keys: ["k"], silentNodeIds, access, ask });
  expect(shards).toHaveLength(1);
  expect([...silentNodeIds]).toEqual(["p"]);
});

test("no node is queried if there are no keys", async () => {
  const { ask, questions } = createAsk();
  expect(
    await askHeldShards({ nodes, bucket: "b", keys: [], silentNodeIds: new Set(), access, ask }),
  ).toEqual([]);
  expect(questions).toEqual([]);
});

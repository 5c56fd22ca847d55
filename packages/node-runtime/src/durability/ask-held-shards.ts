/** Asks all nodes of a vault which shards of some objects they hold. */
import { type AskAdmin, type AskOptions, askAdmin } from "../admin/ask-admin.ts";
import type { VaultNode } from "../config/index.ts";
import { type ReportedShard, uploadsPageSchema } from "../uploads-page.ts";

export interface AskHeldShardsOptions extends AskOptions {
  readonly nodes: readonly VaultNode[];
  readonly bucket: string;
  readonly keys: readonly string[];
  /** Set to which nodes that do not answer are added. */
  readonly silentNodeIds: Set<string>;
  /** Sends requests; defaults to HTTP. */
  readonly ask?: AskAdmin;
}

/** Limit on the length of a query; Node's HTTP server accepts 16 KiB of headers. */
const QUERY_LENGTH_MAX = 6000;

/** Returns the shards of all versions of these objects, from all nodes that answer. Never rejects. */
export async function askHeldShards({
  nodes,
  bucket,
  keys,
  silentNodeIds,
  ask = askAdmin,
  ...options
}: AskHeldShardsOptions): Promise<readonly ReportedShard[]> {
  const askNode = async (node: VaultNode, query: string): Promise<readonly ReportedShard[]> => {
    const answer = await ask(node, `/uploads?${query}`, options);
    const parsed = answer.type === "answered" ? uploadsPageSchema.safeParse(answer.body) : undefined;
    if (parsed?.success) return parsed.data.shards;
    silentNodeIds.add(node.id);
    return [];
  };
  const shards: ReportedShard[] = [];
  for (const query of splitQueries(bucket, keys)) {
    // Asks the stash first: a pod purges a shard there only after it has made it durable, so none is missed in between.
    for (const role of ["stash", "pod"] as const) {
      const asked = nodes.filter((node) => node.role === role);
      for (const held of await Promise.all(asked.map((node) => askNode(node, query)))) shards.push(...held);
    }
  }
  return shards;
}

function* splitQueries(bucket: string, keys: readonly string[]): Generator<string> {
  const start = new URLSearchParams({ bucket }).toString();
  let query = start;
  for (const key of keys) {
    const parameter = `&${new URLSearchParams({ key })}`;
    if (query !== start && query.length + parameter.length > QUERY_LENGTH_MAX) {
      yield query;
      query = start;
    }
    query += parameter;
  }
  if (query !== start) yield query;
}

import { newId } from "../ids.ts";
import type { Statements } from "../statements.ts";
import { newNodeKey } from "./secrets.ts";

/** Adds a key to a node, beside its existing ones. */
export async function giveKey(
  tx: Statements,
  nodeId: string,
  now: Date,
): Promise<{ key: string; lastCharacters: string }> {
  const { secret, hash, lastCharacters } = newNodeKey();
  await tx.query(
    `INSERT INTO node_key (id, node_id, key_hash, last_characters, created_at)
     VALUES ($1::uuid, $2::uuid, $3::bpchar, $4::bpchar, $5::timestamptz)`,
    [newId(), nodeId, hash, lastCharacters, now.toISOString()],
  );
  return { key: secret, lastCharacters };
}

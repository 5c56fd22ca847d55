import { createHash, randomBytes, randomUUID } from "node:crypto";

export const createNodeKey = (): string => `slk_${randomBytes(32).toString("base64url")}`;

/** Row of the table `node_key`. */
export const nodeKeyRow = (nodeId: string, key: string) => ({
  id: randomUUID(),
  nodeId,
  keyHash: createHash("sha256").update(key).digest("hex"),
  lastCharacters: key.slice(-4),
});

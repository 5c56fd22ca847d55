/** Finds groups of a rule that will not report again. */
import type { AlertQuery } from "@stashlight/contracts/alert";
import type { Transaction } from "@stashlight/db";
import type { GroupState } from "./evaluate.ts";

export type IsGone = (labels: GroupState["labels"]) => boolean;

/** True for revoked nodes, vaults whose nodes are all revoked, and groups from before the rule was grouped by vault. */
export async function findGone(tx: Transaction, { groupBy }: Pick<AlertQuery, "groupBy">): Promise<IsGone> {
  if (!groupBy.includes("node") && !groupBy.includes("vault")) return () => false;
  const nodes = await tx.node.findMany({ select: { name: true, vault: true, status: true } });
  const revoked = new Set(nodes.flatMap(({ name, status }) => (status === "revoked" ? [name] : [])));
  const vaults = new Set(nodes.flatMap(({ vault, status }) => (status === "revoked" ? [] : [vault])));
  return ({ node, vault }) =>
    (node !== undefined && revoked.has(node)) ||
    (vault === undefined ? groupBy.includes("vault") : !vaults.has(vault));
}

/** Finds the vault of a rule's group, by which notifications are grouped, so that many drives cause one message. */
import type { Transaction } from "@stashlight/db";
import type { Core } from "../core.ts";

type Labels = Readonly<Record<string, string>>;

/** Returns the name of the vault; "" if the labels name neither a vault nor a known node. */
export type VaultOf = (labels: Labels) => string;

export async function findVaults(db: Core["db"] | Transaction, all: readonly Labels[]): Promise<VaultOf> {
  const names = new Set(all.flatMap(({ vault, node }) => (vault === undefined && node ? [node] : [])));
  const nodes =
    names.size === 0
      ? []
      : await db.node.findMany({ where: { name: { in: [...names] } }, select: { name: true, vault: true } });
  const byNode = new Map(nodes.map(({ name, vault }) => [name, vault]));
  return ({ vault, node = "" }) => vault ?? byNode.get(node) ?? "";
}

/** Counts the groups of these rules by "ruleId vault", with the vaults that `findVaults` finds. */
export async function countGroups(db: Core["db"], ruleIds: readonly string[]): Promise<Map<string, number>> {
  if (ruleIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ ruleId: string; vault: string; count: number }[]>`
    SELECT s.rule_id AS "ruleId", coalesce(s.labels->>'vault', n.vault, '') AS vault, count(*)::int AS count
      FROM alert_state AS s LEFT JOIN node AS n ON n.name = s.labels->>'node'
     WHERE s.rule_id = ANY(${ruleIds}::uuid[])
     GROUP BY 1, 2`;
  return new Map(rows.map(({ ruleId, vault, count }) => [`${ruleId} ${vault}`, count]));
}

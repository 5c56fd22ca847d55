/** The vault that a group of a rule is about, by which alerts are told together: many drives, one message. */
import type { Transaction } from "@stashlight/db";
import type { Core } from "../core.ts";

type Labels = Readonly<Record<string, string>>;

/** The name of the vault; "" where the labels name neither a vault nor a node that is known. */
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

/** A group's labels with its vault among them, as silences see them. */
export function withVault(labels: Labels, vaultOf: VaultOf): Labels {
  const vault = vaultOf(labels);
  return vault === "" ? labels : { vault, ...labels };
}

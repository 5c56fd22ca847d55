import type { Base } from "../base.ts";

/** Special networks that admins have allowed. */
export async function allowedNetworks({ metrics }: Pick<Base, "metrics">): Promise<string[]> {
  const { rows } = await metrics.query<{ cidr: string }>("SELECT cidr FROM outbound_network");
  return rows.map(({ cidr }) => cidr);
}

import type { Database } from "@stashlight/db";

/** The special networks that admins have allowed. */
export async function allowedNetworks({ db }: { db: Database }): Promise<string[]> {
  const rows = await db.outboundNetwork.findMany({ select: { cidr: true } });
  return rows.map(({ cidr }) => cidr);
}

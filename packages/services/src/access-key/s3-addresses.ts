import type { S3Address } from "@stashlight/contracts/node";
import type { Transaction } from "@stashlight/db";

/**
 * Returns the addresses that the vault's active coordinators report, without duplicates, in the order of their names.
 */
export async function readS3Addresses(tx: Transaction, vault: string): Promise<S3Address[]> {
  const coordinators = await tx.node.findMany({
    where: { vault, role: "coordinator", status: "active", s3Url: { not: null } },
    orderBy: { name: "asc" },
    select: { s3Url: true, s3Region: true },
  });
  const byUrl = new Map<string, S3Address>();
  for (const { s3Url: url, s3Region: region } of coordinators) {
    if (url !== null && region !== null && !byUrl.has(url)) byUrl.set(url, { url, region });
  }
  return [...byUrl.values()];
}

import { targetHostname } from "@stashlight/benchmark/endpoint-target";
import type { DeniedDestination } from "@stashlight/contracts/alert";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { type Context, requireRole } from "../context.ts";
import { allowedNetworks } from "../outbound/allowed.ts";
import { findDenied } from "../outbound/denied.ts";

/**
 * Lists endpoints that are not measured because their network is not allowed. The vault's own endpoint is always
 * allowed.
 */
export async function listDeniedEndpoints({ ctx }: { ctx: Context }): Promise<DeniedDestination[]> {
  requireRole(ctx, "operator");
  const { platform } = ctx;
  const endpoints = await platform.db.endpoint.findMany({
    where: { builtInKey: null, kind: { not: "drive" } },
    orderBy: { name: "asc" },
    select: { id: true, name: true, kind: true, url: true, bucket: true, addressing: true },
  });
  const destinations = endpoints.map(({ id, name, url, bucket, ...stored }) => {
    const kind = endpointColumns.storeKind.read(stored.kind, id);
    const addressing = endpointColumns.addressing.read(stored.addressing, id);
    return { id, name, host: targetHostname({ kind, url, bucket, addressing }) };
  });
  return findDenied(destinations, await allowedNetworks(platform));
}

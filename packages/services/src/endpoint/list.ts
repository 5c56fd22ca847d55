import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { roleIncludes } from "@stashlight/contracts/user";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { type Context, requireRole } from "../context.ts";
import type { StoredEndpoint } from "./target.ts";

/** Lists every object store by name. Only users who may test an endpoint see its access key ID. */
export async function listEndpoints({ ctx }: { ctx: Context }): Promise<EndpointRow[]> {
  const { role } = requireRole(ctx, "viewer");
  const knowsKey = roleIncludes(role, "operator");
  const endpoints = await ctx.platform.db.endpoint.findMany({
    where: { kind: { not: "drive" } },
    orderBy: { name: "asc" },
    include: {
      _count: { select: { plans: true } },
      runs: {
        where: { state: "succeeded" },
        orderBy: { slotAt: "desc" },
        take: 1,
        select: { finishedAt: true },
      },
    },
  });
  return endpoints.map(({ _count, runs, ...endpoint }) => ({
    ...toEndpointRow(endpoint, knowsKey),
    lastMeasuredAt: measuredSince(endpoint.updatedAt, runs[0]?.finishedAt ?? null),
    planCount: _count.plans,
  }));
}

/** A run before the endpoint's last change is no evidence about its current address and key. */
const measuredSince = (changedAt: Date, measuredAt: Date | null): Date | null =>
  measuredAt !== null && measuredAt > changedAt ? measuredAt : null;

type OwnFields = Omit<EndpointRow, "lastMeasuredAt" | "planCount">;

function toEndpointRow(endpoint: StoredEndpoint, knowsKey: boolean): OwnFields {
  const { id, name, url, region, bucket, prefix, caPem, createdAt, updatedAt } = endpoint;
  return {
    id,
    name,
    kind: endpointColumns.storeKind.read(endpoint.kind, id),
    url,
    region,
    bucket,
    prefix,
    addressing: endpointColumns.addressing.read(endpoint.addressing, id),
    caPem,
    priceList: endpointColumns.priceList.readOrNull(endpoint.priceList, id),
    accessKeyId: knowsKey ? endpoint.accessKeyId : null,
    secretHint: knowsKey ? endpoint.secretHint : null,
    isBuiltIn: endpoint.builtInKey !== null,
    label: endpointColumns.label.read(endpoint.label, id),
    lastCheck: endpointColumns.lastCheck.readOrNull(endpoint.lastCheck, id),
    createdAt,
    updatedAt,
  };
}

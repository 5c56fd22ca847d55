import {
  type EndpointAddressing,
  type EndpointCheck,
  type EndpointKind,
  type EndpointRow,
  type PriceList,
  roleIncludes,
} from "@stashlight/contracts";
import { type Context, requireRole } from "../context.ts";
import type { StoredEndpoint } from "./target.ts";

/** Every endpoint by name. Which access key it is used with is for those who may test it. */
export async function listEndpoints({ ctx }: { ctx: Context }): Promise<EndpointRow[]> {
  const { role } = requireRole(ctx, "viewer");
  const knowsKey = roleIncludes(role, "operator");
  const endpoints = await ctx.platform.db.endpoint.findMany({
    orderBy: { name: "asc" },
    include: { _count: { select: { plans: true } } },
  });
  return endpoints.map(({ _count, ...endpoint }) => toEndpointRow(endpoint, _count.plans, knowsKey));
}

function toEndpointRow(endpoint: StoredEndpoint, planCount: number, knowsKey: boolean): EndpointRow {
  const { id, name, url, region, bucket, prefix, caPem, createdAt, updatedAt } = endpoint;
  return {
    id,
    name,
    kind: endpoint.kind as EndpointKind,
    url,
    region,
    bucket,
    prefix,
    addressing: endpoint.addressing as EndpointAddressing,
    caPem,
    priceList: endpoint.priceList as PriceList | null,
    accessKeyId: knowsKey ? endpoint.accessKeyId : null,
    secretHint: knowsKey ? endpoint.secretHint : null,
    isBuiltIn: endpoint.builtInKey !== null,
    label: endpoint.label as EndpointRow["label"],
    lastCheck: checkOf(endpoint.lastCheck),
    planCount,
    createdAt,
    updatedAt,
  };
}

function checkOf(stored: unknown): EndpointCheck | null {
  if (stored === null) return null;
  const check = stored as Omit<EndpointCheck, "checkedAt"> & { checkedAt: string };
  return { ...check, checkedAt: new Date(check.checkedAt) };
}

import type { ListTraces, UploadTraceList } from "@stashlight/contracts/upload";
import { findTraces, newestTrace } from "@stashlight/db/metrics";
import { requireRole, type Verb } from "../context.ts";
import { toTraceRow } from "./trace-row.ts";

/** Lists the slowest of the sampled uploads that began in a range. */
export async function listTraces({ ctx, input }: Verb<ListTraces>): Promise<UploadTraceList> {
  requireRole(ctx, "viewer");
  const { metrics } = ctx.platform;
  const { result, path = null, vaults = null, ...rest } = input;
  const isStored = result === undefined ? null : result === "stored";
  const [{ traces, totalCount }, newestAt] = await Promise.all([
    findTraces(metrics, { ...rest, path, vaults, isStored }),
    newestTrace(metrics, vaults),
  ]);
  return {
    traces: traces.map((found) => toTraceRow(found)),
    totalCount,
    newestAt,
  };
}

import type { FsyncProbeRow } from "@stashlight/contracts/probe";
import { requireRole, type Verb } from "../context.ts";
import { toFsyncProbeRow } from "./fsync-probe-row.ts";

/** Returns the newest result of each measured drive of a vault, newest first. */
export async function latestFsyncProbe({ ctx, input }: Verb<{ vault: string }>): Promise<FsyncProbeRow[]> {
  requireRole(ctx, "viewer");
  const newest = await ctx.platform.db.fsyncProbe.findMany({
    where: { vault: input.vault, state: "succeeded" },
    orderBy: [{ nodeName: "asc" }, { device: "asc" }, { requestedAt: "desc" }],
    distinct: ["nodeName", "device"],
  });
  return newest.map(toFsyncProbeRow).sort((a, b) => b.requestedAt.getTime() - a.requestedAt.getTime());
}

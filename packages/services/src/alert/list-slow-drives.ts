/** Lists the drives for which the built-in rule on drives slower than their peers fires, with the alert's sentence. */

import { type Context, requireRole } from "../context.ts";
import { findVaults } from "./group-vaults.ts";
import { toGroupState } from "./rule-rows.ts";

export interface SlowDrive {
  readonly vault: string;
  readonly node: string;
  readonly drive: string;
  readonly sentence: string;
  readonly since: Date;
}

export async function listSlowDrives({ ctx }: { ctx: Context }): Promise<SlowDrive[]> {
  requireRole(ctx, "viewer");
  const { db } = ctx.platform;
  const rows = await db.alertState.findMany({
    where: { status: "firing", rule: { builtInKey: "drive-slow", isEnabled: true } },
  });
  const states = rows.map(toGroupState);
  const vaultOf = await findVaults(
    db,
    states.map(({ labels }) => labels),
  );
  return states.map(({ labels, evidence, sinceMs }) => {
    const { node = "", device = "" } = labels;
    const sentence = evidence?.sentence ?? `${device} is slower than its peers.`;
    return { vault: vaultOf(labels), node, drive: device, sentence, since: new Date(sinceMs) };
  });
}

import type { VaultDurability } from "@stashlight/contracts/vault-state";
import { type Context, requireRole } from "../context.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { judgeVaults } from "./judge-vaults.ts";

/** Lists the durability of every vault with an active node, by name, without simulated ones. */
export async function listDurability({ ctx }: { ctx: Context<WithMerger> }): Promise<VaultDurability[]> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const vaults = await platform.db.node.groupBy({
    by: ["vault"],
    where: { status: "active", isSimulated: false, role: { in: ["pod", "stash", "coordinator"] } },
    orderBy: { vault: "asc" },
  });
  return judgeVaults(
    platform,
    vaults.map(({ vault }) => vault),
    platform.now().getTime(),
  );
}

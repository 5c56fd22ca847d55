import type { AccessKeyRow } from "@stashlight/contracts/access-key";
import { type Context, requireRole } from "../context.ts";
import { toAccessKeyRow } from "./stored.ts";

export interface AccessKeyList {
  keys: AccessKeyRow[];
  /** Vaults with a coordinator, for which keys can be created. */
  vaults: string[];
}

/** Keys created in the console, by vault and owner; the keys of a vault's key file are known only to the vault. */
export async function listAccessKeys({ ctx }: { ctx: Context }): Promise<AccessKeyList> {
  requireRole(ctx, "admin");
  const { db } = ctx.platform;
  const [keys, coordinators] = await Promise.all([
    db.accessKey.findMany({ orderBy: [{ vault: "asc" }, { owner: "asc" }, { name: "asc" }, { id: "asc" }] }),
    db.node.findMany({
      where: { role: "coordinator", status: { not: "revoked" }, isSimulated: false },
      distinct: ["vault"],
      orderBy: { vault: "asc" },
      select: { vault: true },
    }),
  ]);
  return { keys: keys.map(toAccessKeyRow), vaults: coordinators.map(({ vault }) => vault) };
}

import type { NodeRow } from "@stashlight/contracts/node";
import { type Context, requireRole } from "../context.ts";
import { toNodeRow } from "./node-rows.ts";
import { readListeningSpan } from "./silence.ts";

/** Lists every node by name, including revoked ones. */
export async function listNodes({ ctx }: { ctx: Context }): Promise<NodeRow[]> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const listening = await readListeningSpan(platform);
  const nodes = await platform.db.node.findMany({ orderBy: { name: "asc" } });
  return nodes.map((node) => toNodeRow(node, listening));
}

import type { BenchmarkVantage } from "@stashlight/contracts/benchmark";
import { type Context, requireRole } from "../context.ts";
import type { Statements } from "../statements.ts";
import { workerVantageName } from "./stored-plan.ts";

/** Returns the reason why benchmarks cannot run at a vantage point; null if they can. */
export async function whyVantageIsUnusable(
  statements: Statements,
  nodeId: string | null,
): Promise<string | null> {
  if (nodeId === null) return null;
  const [node] = await statements.query<{ name: string; role: string; status: string }>(
    "SELECT name, role, status FROM node WHERE id = $1::uuid",
    [nodeId],
  );
  if (node === undefined) return "There is no such vantage point.";
  return whyUnusable(node);
}

function whyUnusable({ name, role, status }: { name: string; role: string; status: string }): string | null {
  if (role !== "probe") return `The node ${name} is not a probe, so no benchmark runs on it.`;
  if (status === "active") return null;
  return status === "pending"
    ? `The vantage point ${name} waits for an admin's approval.`
    : `The vantage point ${name} was revoked.`;
}

/** Lists the places where a plan may run, the worker beside the console first. */
export async function listVantages({ ctx }: { ctx: Context }): Promise<BenchmarkVantage[]> {
  requireRole(ctx, "viewer");
  const probes = await ctx.platform.db.node.findMany({
    where: { role: "probe" },
    orderBy: { name: "asc" },
    select: { id: true, name: true, role: true, status: true },
  });
  const own = { nodeId: null, name: workerVantageName, isUsable: true, reason: null };
  return [
    own,
    ...probes.map((node) => {
      const reason = whyUnusable(node);
      return { nodeId: node.id, name: node.name, isUsable: reason === null, reason };
    }),
  ];
}

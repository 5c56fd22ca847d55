import { storedChoice } from "@stashlight/benchmark/methods";
import type { BenchmarkMethodChoice } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Prisma, Transaction } from "@stashlight/db";
import { benchmarkPlanColumns, benchmarkRunColumns } from "@stashlight/db/columns/benchmark";

export const planInclude = {
  schedule: true,
  vantageNode: { select: { name: true } },
  endpoints: {
    orderBy: { position: "asc" },
    include: { endpoint: { select: { id: true, name: true, kind: true } } },
  },
} satisfies Prisma.BenchmarkPlanInclude;
export type StoredPlan = Prisma.BenchmarkPlanGetPayload<{ include: typeof planInclude }>;

interface Stored {
  id: string;
  method: unknown;
}

export const workerVantageName = "This worker";
export const planMethod = ({ id, method }: Stored): BenchmarkMethodChoice =>
  storedChoice(benchmarkPlanColumns.method.read(method, id));
export const runMethod = ({ id, method }: Stored): BenchmarkMethodChoice =>
  storedChoice(benchmarkRunColumns.method.read(method, id));
export const planScheduleName = (planName: string): string => `Benchmark: ${planName}`;

/** Reads the plan and locks its schedule until the transaction ends, so that planning and edits are serialised. */
export async function lockPlan(tx: Transaction, planId: string): Promise<StoredPlan> {
  await tx.$queryRaw`
    SELECT schedule.id FROM schedule JOIN benchmark_plan ON benchmark_plan.schedule_id = schedule.id
     WHERE benchmark_plan.id = ${planId}::uuid FOR UPDATE OF schedule`;
  return findPlan(tx, planId);
}

type PlanReader = Pick<Transaction, "benchmarkPlan" | "benchmarkPlanEndpoint" | "node" | "schedule">;

/** Reads table by table: Prisma would query in parallel, which a transaction's single connection does not support. */
export async function findPlan(tx: PlanReader, planId: string): Promise<StoredPlan> {
  const plan = await tx.benchmarkPlan.findUnique({ where: { id: planId } });
  if (plan === null) throw new StashlightError("not_found", "There is no such benchmark schedule.");
  const schedule = await tx.schedule.findUniqueOrThrow({ where: { id: plan.scheduleId } });
  const vantageNode =
    plan.vantageNodeId === null
      ? null
      : await tx.node.findUnique({ where: { id: plan.vantageNodeId }, ...planInclude.vantageNode });
  const endpoints = await tx.benchmarkPlanEndpoint.findMany({ where: { planId }, ...planInclude.endpoints });
  return { ...plan, schedule, vantageNode, endpoints };
}

/** Fields of a plan that may be logged. */
export function planAudit(plan: StoredPlan) {
  return {
    name: plan.name,
    description: plan.description,
    endpoints: plan.endpoints.map(({ endpoint }) => endpoint.name),
    method: JSON.parse(JSON.stringify(plan.method)),
    cron: plan.schedule.cron,
    timeZone: plan.schedule.timeZone,
    jitterSeconds: plan.schedule.jitterSeconds,
    missedPolicy: plan.schedule.missedPolicy,
    vantage: plan.vantageNode?.name ?? workerVantageName,
    budgetPerMonth: plan.budgetPerMonth,
    costPerSlotMax: plan.costPerSlotMax,
    writtenBytesPerMonth: plan.writtenBytesPerMonth,
    paused: plan.schedule.pausedAt !== null,
  };
}

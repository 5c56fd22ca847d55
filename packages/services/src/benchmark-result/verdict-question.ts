/** Builds the default question of a plan: its first two endpoints, over the days before its newest slot. */
import {
  type BenchmarkComparisonQuestion,
  type BenchmarkSubjectChoice,
  verdictPeriod,
} from "@stashlight/contracts/benchmark";
import type { Context } from "../context.ts";
import type { Core } from "../core.ts";
import { listBenchmarkSubjects } from "./list-subjects.ts";

export type Pair = readonly [endpointAId: string, endpointBId: string];
type Subject = Pick<BenchmarkSubjectChoice, "operation" | "sizeBytes" | "connectionCount" | "lastAt">;

/** Null for a plan of one endpoint. */
export async function pairOfPlan({ db }: Pick<Core, "db">, planId: string): Promise<Pair | null> {
  const [a, b] = await db.benchmarkPlanEndpoint.findMany({
    where: { planId },
    orderBy: { position: "asc" },
    take: 2,
    select: { endpointId: true },
  });
  return a === undefined || b === undefined ? null : [a.endpointId, b.endpointId];
}

/** Lists the operations and sizes with figures in a plan, without pings. */
export async function timedSubjects(ctx: Context, planId: string): Promise<BenchmarkSubjectChoice[]> {
  const subjects = await listBenchmarkSubjects({ ctx, input: { planId } });
  return subjects.filter(({ operation }) => operation !== "TCP_CONNECT");
}

/** Returns the question of a plan's verdict. It changes only with a new slot, so until then its answer is cached. */
export function questionOfVerdict(
  planId: string,
  { operation, sizeBytes, connectionCount, lastAt }: Subject,
  [endpointAId, endpointBId]: Pair,
): BenchmarkComparisonQuestion {
  return {
    planId,
    operation,
    sizeBytes,
    connectionCount,
    endpointAId,
    endpointBId,
    ...verdictPeriod(lastAt),
    minimumEffect: { kind: "share", share: 0.05 },
  };
}

/** Returns the question of a plan's verdict with a range that includes this moment. */
export function questionUntilNow(
  now: Date,
  planId: string,
  subject: Subject,
  pair: Pair,
): BenchmarkComparisonQuestion {
  const question = questionOfVerdict(planId, subject, pair);
  return { ...question, toMs: Math.max(question.toMs, now.getTime() + 1) };
}

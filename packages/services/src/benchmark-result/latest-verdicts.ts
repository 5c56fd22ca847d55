import type { BenchmarkLatestVerdict, BenchmarkSubjectChoice } from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { type Context, requireRole } from "../context.ts";
import type { WithCalculator } from "./calculator.ts";
import { compareFigures } from "./compare.ts";
import { type Pair, questionOfVerdict, timedSubjects } from "./verdict-question.ts";

const planCountMax = 4;
const subjectCountMax = 3;

/**
 * Returns the verdicts of the newest two weeks on each plan's first two endpoints; leaves out plans without two
 * comparable ones.
 */
export async function listLatestVerdicts({
  ctx,
}: {
  ctx: Context<WithCalculator>;
}): Promise<BenchmarkLatestVerdict[]> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const plans = await platform.db.benchmarkPlan.findMany({
    orderBy: { name: "asc" },
    select: {
      id: true,
      name: true,
      endpoints: { orderBy: { position: "asc" }, take: 2, select: { endpointId: true } },
    },
  });
  const paired = plans
    .flatMap(({ id, name, endpoints: [a, b] }) =>
      a === undefined || b === undefined ? [] : [{ id, name, pair: [a.endpointId, b.endpointId] as const }],
    )
    .slice(0, planCountMax);
  const verdicts = await Promise.all(
    paired.map(async ({ id, name, pair }) => {
      const subjects = (await timedSubjects(ctx, id)).slice(0, subjectCountMax);
      return Promise.all(subjects.map((subject) => readLatestVerdict(platform, { id, name }, subject, pair)));
    }),
  );
  return verdicts.flat().filter((verdict) => verdict !== null);
}

/** Null if the two share no slot. */
export async function readLatestVerdict(
  platform: WithCalculator,
  plan: { id: string; name: string },
  subject: BenchmarkSubjectChoice,
  pair: Pair,
): Promise<BenchmarkLatestVerdict | null> {
  const { operation, sizeBytes, connectionCount, lastAt, lastRunAt } = subject;
  try {
    const answer = await compareFigures(platform, questionOfVerdict(plan.id, subject, pair));
    const { sentence, verdict, faster, a, b, success, slots, contamination, caveats } = answer;
    const { pairCount, ratio, differenceMs, pValue } = answer;
    return {
      planId: plan.id,
      planName: plan.name,
      operation,
      sizeBytes,
      connectionCount,
      lastAt,
      lastRunAt,
      sentence,
      verdict,
      faster,
      a,
      b,
      success,
      slots,
      pairCount,
      ratio,
      differenceMs,
      pValue,
      contamination,
      caveats,
    };
  } catch (error) {
    if (error instanceof StashlightError && error.code === "precondition_failed") return null;
    throw error;
  }
}

import type { BenchmarkLatestVerdict, BenchmarkSubjectChoice } from "@stashlight/contracts/benchmark/result";
import { StashlightError } from "@stashlight/contracts/errors";
import { DAY_MS } from "@stashlight/contracts/time/duration";
import { type Context, requireRole } from "../context.ts";
import type { WithCalculator } from "./calculator.ts";
import { compareFigures } from "./compare.ts";
import { listBenchmarkSubjects } from "./list-subjects.ts";

/** The period of verdicts: long enough for a pattern of days and weeks, short enough to be about these days. */
const periodMs = 14 * DAY_MS;
const planCountMax = 4;
const subjectCountMax = 3;

/** What the newest two weeks say of each plan's first two endpoints; plans without two that can be compared are left out. */
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
      const subjects = await listBenchmarkSubjects({ ctx, input: { planId: id } });
      const timed = subjects.filter(({ operation }) => operation !== "TCP_CONNECT").slice(0, subjectCountMax);
      return Promise.all(timed.map((subject) => verdictOf(platform, { id, name }, subject, pair)));
    }),
  );
  return verdicts.flat().filter((verdict) => verdict !== null);
}

async function verdictOf(
  platform: WithCalculator,
  plan: { id: string; name: string },
  { operation, sizeBytes, connectionCount, lastAt }: BenchmarkSubjectChoice,
  [endpointAId, endpointBId]: readonly [string, string],
): Promise<BenchmarkLatestVerdict | null> {
  const subject = { operation, sizeBytes, connectionCount };
  try {
    const { sentence, verdict, faster, a, b, pairCount, contamination } = await compareFigures(platform, {
      ...subject,
      planId: plan.id,
      endpointAId,
      endpointBId,
      // To the newest slot rather than to this moment, so that it is computed again only when there is another one.
      fromMs: Math.max(0, lastAt.getTime() - periodMs),
      toMs: lastAt.getTime() + 1,
      minimumEffect: { kind: "share", share: 0.05 },
    });
    return {
      ...subject,
      planId: plan.id,
      planName: plan.name,
      sentence,
      verdict,
      faster,
      a,
      b,
      pairCount,
      contamination,
      lastAt,
    };
  } catch (error) {
    if (error instanceof StashlightError && error.code === "precondition_failed") return null;
    throw error;
  }
}

import type { BenchmarkSlotRow, listBenchmarkSlotsInput } from "@stashlight/contracts/benchmark";
import { requireRole, type Verb } from "../context.ts";
import { type StoredRun, toSlotRow } from "./plan-rows.ts";

/** Lists slots planned in a time range, newest first, including missed and skipped ones. */
export async function listBenchmarkSlots({
  ctx,
  input,
}: Verb<typeof listBenchmarkSlotsInput>): Promise<BenchmarkSlotRow[]> {
  requireRole(ctx, "viewer");
  const { db } = ctx.platform;
  const slots = await db.scheduleRun.findMany({
    where: {
      plannedAt: { gte: new Date(input.fromMs), lt: new Date(input.toMs) },
      schedule: { kind: "benchmark", ...(input.planId === undefined ? {} : { plan: { id: input.planId } }) },
    },
    include: { schedule: { select: { plan: { select: { id: true } } } } },
    orderBy: [{ plannedAt: "desc" }, { scheduleId: "asc" }],
    take: input.pageSize,
  });
  const named = slots.flatMap(({ schedule, ...slot }) =>
    schedule.plan === null ? [] : [{ planId: schedule.plan.id, slot }],
  );
  const runs = await db.benchmarkRun.findMany({
    where: {
      planId: { in: [...new Set(named.map(({ planId }) => planId))] },
      slotAt: { in: named.map(({ slot }) => slot.plannedAt) },
    },
    orderBy: [{ attempt: "asc" }, { position: "asc" }],
  });
  const slotKey = (planId: string | null, slotAt: Date) => `${planId} ${slotAt.getTime()}`;
  const bySlot = new Map<string, StoredRun[]>();
  for (const run of runs) {
    const name = slotKey(run.planId, run.slotAt);
    bySlot.set(name, [...(bySlot.get(name) ?? []), run]);
  }
  return named.map(({ planId, slot }) =>
    toSlotRow(planId, slot, bySlot.get(slotKey(planId, slot.plannedAt)) ?? []),
  );
}

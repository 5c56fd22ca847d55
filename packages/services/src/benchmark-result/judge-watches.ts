/**
 * Judges each watch once per slot. A worker locks the watch until its events are written, and others skip it. A
 * slowdown is sent to the default channels like an alert: once when it begins, and once when it ends.
 */

import type { BenchmarkRegression, BenchmarkSubject } from "@stashlight/contracts/benchmark";
import { DAY_MS } from "@stashlight/contracts/time";
import type { Prisma, Transaction } from "@stashlight/db";
import { alertEventColumns } from "@stashlight/db/columns/alert";
import { benchmarkWatchColumns } from "@stashlight/db/columns/benchmark-result";
import { nOfM } from "@stashlight/stats";
import { hasEarlierLatency } from "../benchmark/figures-edition.ts";
import { newId } from "../ids.ts";
import type { WithCalculator } from "./calculator.ts";
import { computeChanges } from "./find-changes.ts";
import { type EndpointJudgement, judge } from "./judge-endpoint.ts";
import { type EndpointFigures, readFigures } from "./run-columns.ts";
import { withoutContaminated } from "./undisturbed-slots.ts";

type StoredWatch = Prisma.BenchmarkWatchGetPayload<{ include: { plan: { select: { name: true } } } }>;

/** Length of history that is enough to distinguish two levels. */
const periodMs = 90 * DAY_MS;
const transactionMs = 30_000;

interface DueRow {
  id: string;
  newest: Date;
}

/** Returns the number of watches that were judged. */
export async function judgeBenchmarkWatches(platform: WithCalculator): Promise<number> {
  // A history that is partly recomputed would show steps without a cause.
  const { rows: due } = await platform.metrics.query<DueRow>(`
    SELECT watch.id, newest.slot_at AS newest FROM benchmark_watch watch
     CROSS JOIN LATERAL (
       SELECT max(g.slot_at) AS slot_at FROM benchmark_group g
        WHERE g.plan_id = watch.plan_id AND g.operation = watch.operation AND g.size_bytes = watch.size_bytes
          AND g.connection_count = watch.connection_count) newest
     WHERE newest.slot_at > coalesce(watch.judged_slot_at, '-infinity')
       AND NOT EXISTS (
         SELECT FROM benchmark_group g JOIN benchmark_run run ON run.id = g.run_id
          WHERE g.plan_id = watch.plan_id AND ${hasEarlierLatency("g", "run")})`);
  let count = 0;
  for (const { id, newest } of due) if (await judgeWatch(platform, id, newest)) count += 1;
  return count;
}

async function judgeWatch(platform: WithCalculator, watchId: string, newest: Date): Promise<boolean> {
  return platform.db.$transaction(
    async (tx) => {
      const held = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM benchmark_watch WHERE id = ${watchId}::uuid
           AND coalesce(judged_slot_at, '-infinity') < ${newest} FOR UPDATE SKIP LOCKED`;
      if (held.length === 0) return false;
      const watch = await tx.benchmarkWatch.findUniqueOrThrow({ where: { id: watchId } });
      const plan = await tx.benchmarkPlan.findUniqueOrThrow({
        where: { id: watch.planId },
        select: { name: true },
      });
      const judgements = await judgeEndpoints(platform, watch, newest);
      const firing = await record(tx, { ...watch, plan }, judgements, platform.now());
      await tx.benchmarkWatch.update({
        where: { id: watchId },
        data: { judgedSlotAt: newest, firing: benchmarkWatchColumns.firing.write(firing) },
      });
      return true;
    },
    { timeout: transactionMs },
  );
}

async function judgeEndpoints(
  platform: WithCalculator,
  watch: Omit<StoredWatch, "plan">,
  newest: Date,
): Promise<EndpointJudgement[]> {
  const subject: BenchmarkSubject = {
    planId: watch.planId,
    operation: benchmarkWatchColumns.operation.read(watch.operation, watch.id),
    sizeBytes: Number(watch.sizeBytes),
    connectionCount: watch.connectionCount,
    fromMs: Math.max(0, newest.getTime() - periodMs),
    toMs: newest.getTime() + 1,
  };
  const figures = (await readFigures(platform, subject)).map(withoutContaminated);
  const regression = benchmarkWatchColumns.regression.read(watch.regression, watch.id);
  if (regression.kind === "n-of-m") return figures.map((each) => overThreshold(each, regression));
  const changes = await computeChanges(platform, figures);
  return figures.map(({ endpoint }) => judge(endpoint, changes));
}

/** A run whose median is a failure exceeds any threshold. */
function overThreshold(
  { endpoint, runs }: EndpointFigures,
  { thresholdMs, n, m }: Extract<BenchmarkRegression, { kind: "n-of-m" }>,
): EndpointJudgement {
  const values = Array.from(runs.medianMs, (value) => (Number.isNaN(value) ? Number.MAX_VALUE : value));
  const isFiring = nOfM(values, { threshold: thresholdMs, direction: "above", n, m }).at(-1) ?? false;
  const value = values.at(-1) ?? null;
  return {
    endpoint,
    isFiring,
    value,
    sentence: isFiring
      ? `at least ${n} of the last ${m} runs had a median over ${thresholdMs} ms`
      : `fewer than ${n} of the last ${m} runs had a median over ${thresholdMs} ms`,
  };
}

/** Returns the subjects that fire from now on. */
async function record(
  tx: Transaction,
  watch: StoredWatch,
  judgements: readonly EndpointJudgement[],
  now: Date,
): Promise<Record<string, string>> {
  const before = benchmarkWatchColumns.firing.read(watch.firing, watch.id);
  const firing: Record<string, string> = { ...before };
  for (const judgement of judgements) {
    const { id: endpointId } = judgement.endpoint;
    const firingEventId = before[endpointId];
    if (judgement.isFiring === (firingEventId !== undefined)) continue;
    const eventId = newId();
    await writeEvent(tx, watch, judgement, { id: eventId, firingEventId: firingEventId ?? eventId, now });
    if (judgement.isFiring) firing[endpointId] = eventId;
    else delete firing[endpointId];
  }
  return firing;
}

async function writeEvent(
  tx: Transaction,
  watch: StoredWatch,
  { endpoint, isFiring, value, sentence }: EndpointJudgement,
  { id, firingEventId, now }: { id: string; firingEventId: string; now: Date },
): Promise<void> {
  const what = `${watch.operation} of ${watch.sizeBytes} B to ${endpoint.name}`;
  const named = { ruleName: `Benchmark: ${watch.plan.name}`, severity: watch.severity };
  const summary = `${watch.plan.name}, ${what}: ${isFiring ? "" : "resolved, "}${sentence}.`;
  const incident = { ...named, id, endpointId: endpoint.id, value, summary };
  const incidentId = isFiring
    ? await openIncident(tx, incident, now)
    : await endIncident(tx, firingEventId, now);
  await tx.alertEvent.create({
    data: {
      id,
      firingEventId,
      incidentId,
      ...named,
      kind: isFiring ? "firing" : "resolved",
      group: endpoint.id,
      labels: alertEventColumns.labels.write({ plan: watch.plan.name, endpoint: endpoint.name }),
      value,
      summary,
      occurredAt: now,
    },
  });
  const channels = await tx.alertChannel.findMany({
    where: { isEnabled: true, isDefault: true },
    select: { id: true },
  });
  await tx.alertDelivery.createMany({
    data: channels.map((channel) => ({
      eventId: id,
      channelId: channel.id,
      state: "waiting",
      nextAttemptAt: now,
    })),
  });
}

interface OpenedIncident {
  readonly id: string;
  readonly ruleName: string;
  readonly severity: string;
  readonly endpointId: string;
  readonly value: number | null;
  readonly summary: string;
}

async function openIncident(
  tx: Transaction,
  { endpointId, value, ...opened }: OpenedIncident,
  now: Date,
): Promise<string> {
  const groups = { groups: [endpointId], worstGroup: endpointId, worst: "", worstValue: value };
  await tx.alertIncident.create({ data: { ...opened, ...groups, vault: "", openedAt: now } });
  return opened.id;
}

/** Ends the incident of a firing event and returns its id; null if retention has deleted the event. */
async function endIncident(tx: Transaction, firingEventId: string, now: Date): Promise<string | null> {
  const begun = await tx.alertEvent.findUnique({
    where: { id: firingEventId },
    select: { incidentId: true },
  });
  const id = begun?.incidentId ?? null;
  if (id !== null) await tx.alertIncident.update({ where: { id }, data: { endedAt: now } });
  return id;
}

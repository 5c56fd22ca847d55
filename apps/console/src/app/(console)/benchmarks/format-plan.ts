import type {
  BenchmarkCost,
  BenchmarkPlanPreview,
  BenchmarkPlanRow,
  BenchmarkRunRow,
  BenchmarkRunState,
  BenchmarkSlotCount,
  BenchmarkSlotRow,
} from "@stashlight/contracts/benchmark";
import type { Status } from "@stashlight/ui";
import { formatDuration } from "../../../client/duration.ts";
import { runStatus } from "../../../client/runs.ts";

/**
 * Space reserved for a verdict in a table: three lines, truncated beyond them, and one line of details; four and two on a
 * phone, where a row's actions cover the rest of its width.
 */
export const verdictSpace = "h-21 w-88 max-sm:h-32 max-sm:w-56";

/** Appearance of the state of a slot or run, shared by all pages. */
export const benchmarkStatus: Record<BenchmarkRunState, Status> = {
  ...runStatus,
  cancelled: "warning",
  interrupted: "warning",
  imported: "unknown",
};

export const isUnderWay = (slot: Pick<BenchmarkSlotRow, "state"> | null | undefined): boolean =>
  slot?.state === "queued" || slot?.state === "running";

/** Formats dollars with two decimals; below a cent, with two significant digits. */
export function formatDollars(amount: number): string {
  if (amount === 0 || amount >= 0.01) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toPrecision(2))}`;
}

/** "host-1/data: at most 0.3 % of its endurance per month", for each drive. */
export const formatWear = (wear: BenchmarkPlanPreview["wear"]): string =>
  wear
    .map(
      ({ endpointName, enduranceSharePerMonth }) =>
        `${endpointName}: at most ${Number((100 * enduranceSharePerMonth).toPrecision(2))} % of its endurance per month`,
    )
    .join("; ");

/** Total cost of all endpoints; unknown, rather than zero, if a price is missing. */
export function formatTogether(costs: readonly BenchmarkCost[]): string {
  const known = costs.flatMap(({ perRun, perMonth }) =>
    perRun === null || perMonth === null ? [] : [{ perRun, perMonth }],
  );
  if (known.length === 0) return "unknown";
  const slot = formatDollars(known.reduce((total, { perRun }) => total + perRun, 0));
  const month = formatDollars(known.reduce((total, { perMonth }) => total + perMonth, 0));
  const sum = `${slot} per slot, ${month} per month`;
  const unknownCount = costs.length - known.length;
  return unknownCount === 0
    ? sum
    : `at least ${sum}; the price of ${unknownCount} ${unknownCount === 1 ? "endpoint" : "endpoints"} is unknown`;
}

/** Estimated cost of a slot and its limit, for the plan's page. */
export function formatSlotCost({
  costPerSlot,
  costPerSlotMax,
}: Pick<BenchmarkPlanRow, "costPerSlot" | "costPerSlotMax">): string {
  if (costPerSlot === null) {
    const unknown = "unknown without a price list for every endpoint";
    return costPerSlotMax === null
      ? unknown
      : `${unknown}, so that the limit of ${formatDollars(costPerSlotMax)} cannot be checked`;
  }
  const cost = `about ${formatDollars(costPerSlot)}`;
  if (costPerSlotMax === null) return `${cost}, no limit`;
  const limit = formatDollars(costPerSlotMax);
  return costPerSlot <= costPerSlotMax
    ? `${cost} of at most ${limit}`
    : `${cost}, more than the limit of ${limit}: slots are skipped`;
}

/** Reason that the limit per slot would refuse the plan; null if the plan is within the limit or has none. */
export function slotLimitProblem(
  costs: BenchmarkPlanPreview["costs"],
  costPerSlotMax: number | null,
): string | null {
  if (costPerSlotMax === null) return null;
  const limit = formatDollars(costPerSlotMax);
  const unpriced = costs.find(({ perRun }) => perRun === null);
  if (unpriced !== undefined) {
    return `The limit of ${limit} cannot be checked for ${unpriced.endpointName}, which has no price list.`;
  }
  const cost = costs.reduce((sum, { perRun }) => sum + (perRun ?? 0), 0);
  return cost <= costPerSlotMax
    ? null
    : `One slot is estimated to cost ${formatDollars(cost)}, and at most ${limit} is allowed.`;
}

/** "about 40 s left"; empty without an estimate. */
export function formatTimeLeft(
  { estimatedEndAt }: Pick<BenchmarkRunRow, "estimatedEndAt">,
  nowMs: number,
): string {
  if (estimatedEndAt === null) return "";
  const leftMs = estimatedEndAt.getTime() - nowMs;
  return leftMs < 1_000 ? "about to end" : `about ${formatDuration(leftMs)} left`;
}

/**
 * "1 running, 2 queued" and "at least 4 min left"; the wait until the first slot begins is part of the time left. Slots of
 * other schedules may run in between.
 */
export function formatSlotsLeft(
  {
    underWayCount,
    slotSeconds,
    beginsAt,
    runsSince,
  }: Pick<BenchmarkSlotCount, "underWayCount" | "slotSeconds" | "beginsAt" | "runsSince">,
  nowMs: number | null,
): { readonly count: string; readonly left: string } {
  const waitMs = beginsAt === null || nowMs === null ? 0 : Math.max(0, beginsAt.getTime() - nowMs);
  const slotMs = slotSeconds * 1000;
  const ranMs = runsSince === null || nowMs === null ? 0 : Math.max(0, nowMs - runsSince.getTime());
  const leftMs = waitMs + underWayCount * slotMs - Math.min(ranMs, slotMs);
  // Slots of a schedule run one after the other.
  const queuedCount = beginsAt === null ? underWayCount - 1 : underWayCount;
  return {
    count: [
      ...(beginsAt === null ? ["1 running"] : []),
      ...(queuedCount > 0 ? [`${queuedCount} queued`] : []),
    ].join(", "),
    left: leftMs < 1_000 ? "about to end" : `at least ${formatDuration(leftMs)} left`,
  };
}

/** Names the endpoint that a slot is measuring, with its progress; null between endpoints. */
export function formatProgress({ runs }: Pick<BenchmarkSlotRow, "runs">): string | null {
  const index = runs.findIndex(({ state }) => state === "running");
  const run = runs[index];
  if (run === undefined) return null;
  return `Endpoint ${index + 1} of ${runs.length}, ${run.endpointName}: ${Math.round(run.progress * 100)} %`;
}

/** One-line result of a slot's run. */
export function formatRun({ state, sampleCount, failureCount, attempt }: BenchmarkRunRow): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const failures = failureCount === 0 ? "" : `, ${failureCount} failed`;
  const samples = sampleCount === 0 ? "" : `: ${sampleCount} samples${failures}`;
  return `${state}${samples}${again}`;
}

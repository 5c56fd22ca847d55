import type {
  BenchmarkCost,
  BenchmarkRunRow,
  BenchmarkRunState,
  BenchmarkSlotRow,
} from "@stashlight/contracts/benchmark/plan";
import type { Status } from "@stashlight/ui";
import { formatDuration } from "../../../client/duration.ts";
import { runStatus } from "../../../client/runs.ts";

/** How the state of a slot or a run looks, everywhere the same. */
export const benchmarkStatus: Record<BenchmarkRunState, Status> = {
  ...runStatus,
  cancelled: "warning",
  interrupted: "warning",
  imported: "unknown",
};

export const isUnderWay = (slot: Pick<BenchmarkSlotRow, "state"> | null | undefined): boolean =>
  slot?.state === "queued" || slot?.state === "running";

/** Dollars with two places; below a cent as many as show two figures. */
export function formatDollars(amount: number): string {
  if (amount === 0 || amount >= 0.01) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toPrecision(2))}`;
}

/** The cost of all endpoints; it is unknown, rather than nothing, where no price is known. */
export function formatTogether(costs: readonly BenchmarkCost[]): string {
  const known = costs.flatMap(({ perMonth }) => (perMonth === null ? [] : [perMonth]));
  if (known.length === 0) return "unknown";
  const sum = formatDollars(known.reduce((total, perMonth) => total + perMonth, 0));
  const unknownCount = costs.length - known.length;
  return unknownCount === 0
    ? `${sum} a month`
    : `at least ${sum} a month; the price of ${unknownCount} ${unknownCount === 1 ? "endpoint" : "endpoints"} is unknown`;
}

/** "about 40 s left"; nothing before anybody knows. */
export function formatTimeLeft(
  { estimatedEndAt }: Pick<BenchmarkRunRow, "estimatedEndAt">,
  nowMs: number,
): string {
  if (estimatedEndAt === null) return "";
  const leftMs = estimatedEndAt.getTime() - nowMs;
  return leftMs < 1_000 ? "about to end" : `about ${formatDuration(leftMs)} left`;
}

/** Names the endpoint that a slot is measuring, and how far it is; null while it measures none. */
export function formatProgress({ runs }: Pick<BenchmarkSlotRow, "runs">): string | null {
  const index = runs.findIndex(({ state }) => state === "running");
  const run = runs[index];
  if (run === undefined) return null;
  return `Endpoint ${index + 1} of ${runs.length}, ${run.endpointName}: ${Math.round(run.progress * 100)} %`;
}

/** What a run of a slot came to, in a line. */
export function formatRun({ state, sampleCount, failureCount, attempt }: BenchmarkRunRow): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const failures = failureCount === 0 ? "" : `, ${failureCount} failed`;
  const samples = sampleCount === 0 ? "" : `: ${sampleCount} samples${failures}`;
  return `${state}${samples}${again}`;
}

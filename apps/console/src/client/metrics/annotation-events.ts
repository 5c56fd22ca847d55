/** Marks of annotations and maintenance windows on charts, drawn over their whole height. */
import type { MaintenanceSpan } from "@stashlight/contracts/alert";
import type { AnnotationRow } from "@stashlight/contracts/annotation";
import type { ChartEvent } from "@stashlight/ui/chart";

const href = "/alerts";

/** Keeps annotations of the given vaults and those for all vaults; null keeps all. */
export function annotationsToEvents(
  annotations: readonly AnnotationRow[],
  shown: readonly string[] | null,
): ChartEvent[] {
  return annotations
    .filter(({ vault }) => shown === null || vault === null || shown.includes(vault))
    .map(({ text, startsAt, endsAt }) => ({
      timeMs: startsAt.getTime(),
      label: text,
      status: "info",
      isAnnotation: true,
      ...(endsAt === null ? {} : { span: { endMs: endsAt.getTime(), href } }),
    }));
}

export function maintenanceToEvents(
  spans: readonly MaintenanceSpan[],
  shown: readonly string[] | null,
): ChartEvent[] {
  return spans
    .filter(
      ({ vaults }) => shown === null || vaults === null || vaults.some((vault) => shown.includes(vault)),
    )
    .map(({ startMs, endMs, reason }) => ({
      timeMs: startMs,
      label: `Maintenance: ${reason}`,
      status: "info",
      isAnnotation: true,
      span: { endMs, href },
    }));
}

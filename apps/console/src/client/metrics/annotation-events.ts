/** Annotations and maintenance windows as marks of charts, over their whole height. */
import type { MaintenanceSpan } from "@stashlight/contracts/alert";
import type { AnnotationRow } from "@stashlight/contracts/annotation";
import type { ChartEvent } from "@stashlight/ui/chart";

const href = "/alerts";

/** Keeps those of the vault in view and those of all vaults; without one in view, all of them. */
export function annotationsToEvents(
  annotations: readonly AnnotationRow[],
  vaultInView: string | null,
): ChartEvent[] {
  return annotations
    .filter(({ vault }) => vaultInView === null || vault === null || vault === vaultInView)
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
  vaultInView: string | null,
): ChartEvent[] {
  return spans
    .filter(({ vaults }) => vaultInView === null || vaults === null || vaults.includes(vaultInView))
    .map(({ startMs, endMs, reason }) => ({
      timeMs: startMs,
      label: `Maintenance: ${reason}`,
      status: "info",
      isAnnotation: true,
      span: { endMs, href },
    }));
}

/** Marks of incidents on charts: where each opened and where it ended. */
import type { AlertIncidentRow } from "@stashlight/contracts/alert";
import type { ChartEvent } from "@stashlight/ui/chart";
import { severityStatus } from "../firing-count.ts";

type Incident = Pick<
  AlertIncidentRow,
  "severity" | "ruleName" | "summary" | "openedAt" | "endedAt" | "vault"
>;

/** Keeps incidents of the given vaults and those without a vault; null keeps all. */
export function alertsToEvents(
  incidents: readonly Incident[],
  shown: readonly string[] | null,
): ChartEvent[] {
  return incidents
    .filter(({ vault }) => shown === null || vault === "" || shown.includes(vault))
    .flatMap(({ summary, ruleName, severity, openedAt, endedAt }): ChartEvent[] => [
      { timeMs: openedAt.getTime(), label: `Alert: ${summary}`, status: severityStatus[severity] },
      ...(endedAt === null
        ? []
        : [{ timeMs: endedAt.getTime(), label: `Alert resolved: ${ruleName}`, status: "good" as const }]),
    ]);
}

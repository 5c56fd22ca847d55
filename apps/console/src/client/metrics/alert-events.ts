/** Alerts that fired, were acknowledged or were resolved, as marks of charts. */
import type { AlertEventRow } from "@stashlight/contracts/alert/event";
import type { ChartEvent } from "@stashlight/ui/chart";
import { eventStatus } from "../firing-count.ts";

type Alert = Pick<AlertEventRow, "kind" | "severity" | "summary" | "occurredAt" | "vault">;

/** Keeps those of the vaults that are shown and those that are about none; null shows any. */
export function alertsToEvents(alerts: readonly Alert[], shown: readonly string[] | null): ChartEvent[] {
  return alerts
    .filter(({ vault }) => shown === null || vault === "" || shown.includes(vault))
    .map((alert) => ({
      timeMs: alert.occurredAt.getTime(),
      label: `Alert: ${alert.summary}`,
      status: eventStatus(alert),
    }));
}

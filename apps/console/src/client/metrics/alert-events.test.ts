import { expect, test } from "vitest";
import { alertsToEvents } from "./alert-events.ts";

const alert = (summary: string, vault: string) => ({
  ...{ summary, vault, occurredAt: new Date(5_000) },
  kind: "firing" as const,
  severity: "critical" as const,
});

test("charts show the alerts of their vaults and those that are about none", () => {
  const all = [alert("a", "photos"), alert("b", "films"), alert("c", "")];
  const labels = (shown: readonly string[] | null) => alertsToEvents(all, shown).map(({ label }) => label);
  expect(labels(["photos"])).toEqual(["Alert: a", "Alert: c"]);
  expect(labels(null)).toEqual(["Alert: a", "Alert: b", "Alert: c"]);
  expect(alertsToEvents([alert("a", "photos")], null)).toEqual([
    { timeMs: 5_000, label: "Alert: a", status: "bad" },
  ]);
});

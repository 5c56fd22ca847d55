import { expect, test } from "vitest";
import { alertsToEvents } from "./alert-events.ts";

const incident = (summary: string, vault: string, endedAt: Date | null = null) => ({
  summary,
  vault,
  endedAt,
  ruleName: "Vault full",
  openedAt: new Date(5_000),
  severity: "critical" as const,
});

test("charts show alerts of their vaults and those without a vault", () => {
  const all = [incident("a", "photos"), incident("b", "films"), incident("c", "")];
  const labels = (shown: readonly string[] | null) => alertsToEvents(all, shown).map(({ label }) => label);
  expect(labels(["photos"])).toEqual(["Alert: a", "Alert: c"]);
  expect(labels(null)).toEqual(["Alert: a", "Alert: b", "Alert: c"]);
});

test("an incident has a mark where it opened and one where it ended", () => {
  expect(alertsToEvents([incident("a", "photos", new Date(9_000))], null)).toEqual([
    { timeMs: 5_000, label: "Alert: a", status: "bad" },
    { timeMs: 9_000, label: "Alert resolved: Vault full", status: "good" },
  ]);
});

const BEFORE_MS = 30 * 60_000;
const AFTER_MS = 15 * 60_000;

/**
 * Returns the address of a rule's page for one group, over a range around an event that extends at least to `untilMs`,
 * such as now for an alert that still fires. Returns the list of rules if the rule no longer exists.
 */
export function alertPath(ruleId: string | null, group: string, atMs: number, untilMs = atMs): string {
  if (ruleId === null) return "/alerts";
  const query = new URLSearchParams({
    from: new Date(atMs - BEFORE_MS).toISOString(),
    to: new Date(Math.max(atMs + AFTER_MS, untilMs)).toISOString(),
    group,
  });
  return `/alerts/${ruleId}?${query}`;
}

const BEFORE_MS = 30 * 60_000;
const AFTER_MS = 15 * 60_000;

/** Links to the page of a rule, for the event's time and group; to the list of rules if the rule no longer exists. */
export function alertPath(ruleId: string | null, group: string, atMs: number): string {
  if (ruleId === null) return "/alerts";
  const query = new URLSearchParams({
    from: new Date(atMs - BEFORE_MS).toISOString(),
    to: new Date(atMs + AFTER_MS).toISOString(),
    group,
  });
  return `/alerts/${ruleId}?${query}`;
}

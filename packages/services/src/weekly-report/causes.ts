/** Counts the alerts of a week by cause, which is a rule in a vault: a stall of any number of drives is one. */
import type { Week } from "./week.ts";

export interface FiredEvent {
  readonly kind: "firing" | "resolved";
  readonly ruleName: string;
  readonly severity: string;
  readonly vault: string;
  /** The group of the rule, unique in it. */
  readonly group: string;
  readonly atMs: number;
  /** True if it follows from another alert, which is the cause. */
  readonly isInhibited: boolean;
}

export interface Cause {
  readonly ruleName: string;
  readonly severity: string;
  readonly vault: string;
  /** Number of times that a group began to fire when no other did. */
  readonly spanCount: number;
  readonly groupCount: number;
  /** Time in the week during which any group fired. */
  readonly totalMs: number;
  readonly longestMs: number;
  readonly isFiringAtEnd: boolean;
}

const severityRank = ["critical", "warning", "info"];

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** `events` are those of the week, oldest first; an alert that only resolves in the week began before it. */
export function weekCauses(
  events: readonly FiredEvent[],
  { fromMs, toMs }: Pick<Week, "fromMs" | "toMs">,
): Cause[] {
  const byCause = Map.groupBy(
    events.filter(({ isInhibited }) => !isInhibited),
    ({ ruleName, vault }) => `${ruleName}\0${vault}`,
  );
  return [...byCause.values()]
    .flatMap((ofCause) => findCause(ofCause, { fromMs, toMs }) ?? [])
    .sort(
      (a, b) => severityRank.indexOf(a.severity) - severityRank.indexOf(b.severity) || b.totalMs - a.totalMs,
    );
}

function findCause(events: readonly FiredEvent[], week: Span): Cause | null {
  const groups = Map.groupBy(events, ({ group }) => group);
  const spans = joined([...groups.values()].flatMap((ofGroup) => firingSpans(ofGroup, week)));
  const [first] = events;
  if (first === undefined || spans.length === 0) return null;
  const lengths = spans.map(({ fromMs, toMs }) => toMs - fromMs);
  return {
    ruleName: first.ruleName,
    severity: first.severity,
    vault: first.vault,
    spanCount: spans.length,
    groupCount: groups.size,
    totalMs: lengths.reduce((sum, ms) => sum + ms, 0),
    longestMs: Math.max(...lengths),
    isFiringAtEnd: [...groups.values()].some((ofGroup) => ofGroup.at(-1)?.kind === "firing"),
  };
}

/** Returns the spans of the week in which one group fired. */
function firingSpans(events: readonly FiredEvent[], week: Span): Span[] {
  const spans: Span[] = [];
  let openMs = events[0]?.kind === "resolved" ? week.fromMs : null;
  for (const { kind, atMs } of events) {
    if (kind === "firing") openMs ??= atMs;
    else if (openMs !== null) {
      spans.push({ fromMs: openMs, toMs: atMs });
      openMs = null;
    }
  }
  if (openMs !== null) spans.push({ fromMs: openMs, toMs: week.toMs });
  return spans;
}

/** Merges spans that overlap or touch. */
function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = whole.at(-1);
    if (last === undefined || span.fromMs > last.toMs) whole.push(span);
    else whole[whole.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
  }
  return whole;
}

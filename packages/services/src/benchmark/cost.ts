import { nextOccurrences, type Recurrence } from "../schedule/occurrences.ts";

const daysPerMonth = 30;
const dayMs = 86_400_000;
const occurrenceCountMax = 500;

/** How often a schedule is due in 30 days, by its next occurrences. */
export function occurrencesPerMonth(recurrence: Recurrence, now: Date): number {
  const next = nextOccurrences(recurrence, now, occurrenceCountMax);
  const within = next.filter((instant) => instant.getTime() - now.getTime() <= daysPerMonth * dayMs);
  if (within.length < next.length) return within.length;
  const [first, last] = [next[0], next.at(-1)];
  if (first === undefined || last === undefined || last <= first) return within.length;
  return ((next.length - 1) * daysPerMonth * dayMs) / (last.getTime() - first.getTime());
}

/** The calendar month (UTC) of an instant: its first moment and that of the next one. */
export function monthOf(instant: Date): { from: Date; to: Date } {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) };
}

/** Two places, more where it is less than a cent. */
export function dollars(amount: number): string {
  return `$${amount >= 0.01 || amount === 0 ? amount.toFixed(2) : amount.toPrecision(2)}`;
}

import { DAY_MS } from "@stashlight/contracts/time";
import { nextOccurrences, type Recurrence } from "../schedule/occurrences.ts";

const daysPerMonth = 30;
const occurrenceCountMax = 500;

/** Estimates how many times a schedule is due in 30 days from its next occurrences. */
export function occurrencesPerMonth(recurrence: Recurrence, now: Date): number {
  const next = nextOccurrences(recurrence, now, occurrenceCountMax);
  const within = next.filter((instant) => instant.getTime() - now.getTime() <= daysPerMonth * DAY_MS);
  if (within.length < next.length) return within.length;
  const [first, last] = [next[0], next.at(-1)];
  if (first === undefined || last === undefined || last <= first) return within.length;
  return ((next.length - 1) * daysPerMonth * DAY_MS) / (last.getTime() - first.getTime());
}

/** Sums up what rules would delete now. */
import type { LifecyclePreview } from "@stashlight/node-runtime/durability";
import type { LifecycleRule } from "@stashlight/s3/lifecycle";

export type Tally = LifecyclePreview["rules"][number]["objects"];

export interface DueQuestion {
  readonly bucket: string;
  readonly rules: readonly LifecycleRule[];
  /** Time at which the rules are evaluated. */
  readonly timeMs: number;
  /** Deadline for counting. */
  readonly untilMs: number;
}

export interface DueCount {
  /** Keyed by rule id. */
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly isWhole: boolean;
}

export const NOTHING: Tally = { count: 0, bytes: 0, oldestMs: null };

export function addTo(
  { count, bytes, oldestMs }: Tally,
  found: { readonly bytes: number; readonly atMs: number },
): Tally {
  const { atMs } = found;
  return { count: count + 1, bytes: bytes + found.bytes, oldestMs: Math.min(oldestMs ?? atMs, atMs) };
}

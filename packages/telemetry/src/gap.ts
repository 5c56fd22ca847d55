/** Time range of a node whose data is lost for good. Moments are milliseconds since 1970. */
export interface Gap {
  readonly startMs: number;
  readonly endMs: number;
  readonly reason: GapReason;
}

/**
 * `spool_full`, `too_old`: dropped for space or age during an outage. `disk_full`: the disk of the spool was full.
 * `damaged`: the spool's content could not be read. `refused`: the receiver will never accept it.
 */
const GAP_REASONS = ["spool_full", "too_old", "disk_full", "damaged", "refused"] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** Limit on gaps that are kept, and that a batch reports; the oldest are dropped. */
export const GAP_COUNT_MAX = 1000;

const reasons: ReadonlySet<string> = new Set(GAP_REASONS);

export const isGapReason = (text: string): text is GapReason => reasons.has(text);

export function isGap(value: unknown): value is Gap {
  const { startMs, endMs, reason } = (value ?? {}) as Record<keyof Gap, unknown>;
  const isSpan = Number.isSafeInteger(startMs) && Number.isSafeInteger(endMs);
  return (
    isSpan && (startMs as number) <= (endMs as number) && typeof reason === "string" && isGapReason(reason)
  );
}

/**
 * Defines how long garbage waits, and argues why nothing that is needed is collected.
 *
 * **Readers.** A reader that needs a deleted version requested it before the deletion. It has its list of pieces within
 * READ_DEADLINE_MS (10 s), and from then on a hold, which the collector of the same coordinator sees at once. Once the
 * hold is `leaseAfterMs` (5 s) old, the coordinator's next turn (1 s) names it in the lease, which waits for admission
 * for SERVE_WITHIN_MS (2 s) and is stored within PUT_DEADLINE_MS (10 s) more. So a lease names the reader no later than
 * 10 + 5 + 1 + 2 + 10 = 28 s after the deletion, and collectors read the leases `graceMs` (30 s) after it; a reader
 * without a lease has ended by then. Coordinators need not agree on the time: a collector considers a lease stale when
 * it has seen it unchanged for `leaseStaleMs`, which is four times `leaseRefreshMs`. A replaced version is protected in
 * the same way.
 *
 * **Writers.** Pieces are stored before the list that names them, and until then their writer holds them in the same
 * two ways. The sweep takes only bodies that were unreferenced, unheld and unchanged for `sweepGraceMs`. A writer
 * stores its list only if, when the list's turn comes, it has stored a piece or its lease within `writerPauseMsMax`,
 * which is half of that; the other half is left for writing the list. A coordinator that stalled for longer refuses the
 * upload.
 *
 * **Completions.** The parts of a multipart upload are held until its completion has ended, so a repeated completion
 * that is still running finds its parts even when the object of the first one was deleted meanwhile.
 */
export interface SpaceTiming {
  /** Time from the end of a body's last reference, or from its failed upload, until its pieces may be deleted. */
  readonly graceMs: number;
  readonly leaseAfterMs: number;
  readonly leaseRefreshMs: number;
  readonly leaseStaleMs: number;
  /** Interval between rounds of the collector, and between checks of the lease. */
  readonly turnEveryMs: number;
  /** Pause between two passes of the sweep, or as long as the previous pass if that took longer. */
  readonly sweepEveryMs: number;
  readonly sweepGraceMs: number;
  readonly writerPauseMsMax: number;
}

const GRACE_MS = 30_000;
const SWEEP_GRACE_MS = 600_000;

/** Derives all other times from the two grace periods, so that a test can shorten them without changing their order. */
export function spaceTiming({
  graceMs = GRACE_MS,
  sweepGraceMs = SWEEP_GRACE_MS,
}: {
  readonly graceMs?: number;
  readonly sweepGraceMs?: number;
} = {}): SpaceTiming {
  return {
    graceMs,
    leaseAfterMs: graceMs / 6,
    leaseRefreshMs: graceMs / 3,
    leaseStaleMs: (graceMs * 4) / 3,
    turnEveryMs: graceMs / 30,
    sweepEveryMs: graceMs * 2,
    sweepGraceMs,
    writerPauseMsMax: sweepGraceMs / 2,
  };
}

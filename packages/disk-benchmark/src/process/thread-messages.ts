/** Memory shared by the measuring process and its threads, and their messages. */
import type { DiskCell } from "@stashlight/contracts/disk";
import type { HistogramContent } from "@stashlight/telemetry/histogram";

/**
 * Indexes in the shared control block: nonzero to stop; the next sequential block; the number of writes still allowed;
 * nonzero once a request was issued.
 */
export const STOP = 0;
export const CURSOR = 1;
export const BLOCKS_LEFT = 2;
export const ASKED = 3;
export const CONTROL_LENGTH = 4;

/** Indexes in a thread's part of the shared tallies, which only that thread writes. */
export const TALLY = { reads: 0, writes: 1, us: 2, length: 3 } as const;

export interface ThreadWork {
  readonly cell: DiskCell;
  readonly descriptor: number;
  readonly offsetBytes: number;
  readonly fileBytes: number;
  readonly seed: number;
}

export type ToThread =
  | { readonly type: "prepare"; readonly blockBytes: number }
  | { readonly type: "run"; readonly work: ThreadWork };

export type FromThread =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly read: HistogramContent; readonly write: HistogramContent }
  | { readonly type: "failed"; readonly message: string; readonly code: string | null };

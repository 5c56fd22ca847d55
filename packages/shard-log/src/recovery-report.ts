/** Input and report of recovery. */
import type { ChainEnd } from "./committer.ts";
import type { ReadFrame } from "./format.ts";
import type { Segment } from "./segment.ts";

export type DamageKind =
  | "header_copy_lost"
  | "segment_lost"
  | "frame_lost"
  | "tail_lost"
  | "record_lost"
  /** The record's header is correct, but its payload is not, or is known to be lost. */
  | "payload_lost"
  /** The device gave no answer, but may give one later. */
  | "page_unreadable"
  | "purge_list_lost"
  | "checkpoint_lost";

/** Durable data that cannot be read back, or that only has its spare copy left. */
export interface Damage {
  readonly kind: DamageKind;
  readonly slot: number;
  readonly generation: number;
  readonly offset: number;
}

/** A segment with a complete header, and the content of its first pages. */
export interface Candidate {
  readonly segment: Segment;
  /** Generation in the header. */
  readonly generation: number;
  readonly firstFrame: ReadFrame | null;
  readonly checkpointOffset: number;
}

export interface Recovered {
  readonly damage: Damage[];
  readonly framesAccepted: number;
  /** Number of complete frames found after the end of the log, which do not count. */
  readonly framesDiscarded: number;
  readonly chainEnd: ChainEnd;
  readonly resume: { readonly segment: Segment; readonly offset: number } | null;
  readonly unused: readonly Segment[];
  /** Keys of saved records that were killed, replaced or moved since they were saved. */
  readonly displacedKeys: readonly string[];
}

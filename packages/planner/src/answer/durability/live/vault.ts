/** State of a vault at a moment, as its agents reported it: the input of its live durability. */
import type { ModelEvidence } from "../model-rate.ts";

/** Provenance of a figure: the number of its values, and the age of the newest. */
export interface Provenance {
  readonly count: number;
  readonly ageSeconds: number;
}

export interface LivePod {
  readonly pod: number;
  /** `away` pods do not serve their shards: silent, failed, or not settled yet. */
  readonly state: "whole" | "rebuilding" | "away";
  /** Bytes that the pod lacks while it is rebuilding. */
  readonly missingBytes: number;
  /** The pod's own estimate; null if it has none. */
  readonly secondsLeft: number | null;
  /** Model by which failures are counted; null if the machine does not report it. */
  readonly model: string | null;
  /** SMART predicts that the drive will fail, or counts errors that it could not correct. */
  readonly isSuspect: boolean;
}

export interface LiveVault {
  /** Null if no coordinator reports the scheme. */
  readonly scheme: { readonly dataShards: number; readonly parityShards: number } | null;
  readonly pods: readonly LivePod[];
  /** Bytes of live records on the fullest pod, which a replacement drive receives; null if no pod reports them. */
  readonly podBytes: (Provenance & { readonly bytes: number }) | null;
  /** Rebuild rate of one pod in bytes per second: median, tenth and ninetieth percentile of the measurements. */
  readonly rebuild: RebuildRates | null;
  /** Configured maximum rebuild rate per pod; null if no agent reports it. */
  readonly rebuildLimit: number | null;
  /** Counted failures of the pods' models; pods without a known model are not included. */
  readonly models: readonly ModelEvidence[];
  /** Drives that lost all their data, and the time for which drives were observed, for pods whose model is unknown. */
  readonly seen: { readonly failures: number; readonly driveYears: number };
  /** Age of the pods' data that was verified longest ago. */
  readonly scrub: (Provenance & { readonly oldestSeconds: number }) | null;
  /** Shards on the stash that their pods have not flushed. */
  readonly stash: (Provenance & { readonly bytes: number; readonly oldestSeconds: number }) | null;
  /** Mean size of an object; null if no pod reports it. */
  readonly objectBytes: number | null;
}

export interface RebuildRates extends Provenance {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

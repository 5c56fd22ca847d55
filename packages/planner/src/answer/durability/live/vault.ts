/** A vault at a moment, as its agents reported it: the input of its live durability. */
import type { ModelEvidence } from "../model-rate.ts";

/** Source of a figure: the number of its values, and the age of the newest. */
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
  /** The pod's own estimate; null while it has none. */
  readonly secondsLeft: number | null;
  /** The model by which failures are counted; null where the machine does not report it. */
  readonly model: string | null;
  /** SMART expects the drive to fail, or counts errors that it could not correct. */
  readonly isSuspect: boolean;
}

export interface LiveVault {
  /** Null while no coordinator reports the scheme. */
  readonly scheme: { readonly dataShards: number; readonly parityShards: number } | null;
  readonly pods: readonly LivePod[];
  /** Bytes of live records on the fullest pod, which a replaced drive gets back; null while no pod reports them. */
  readonly podBytes: (Provenance & { readonly bytes: number }) | null;
  /** Bytes a second of one pod's rebuild: median, tenth and ninetieth percentile of what was measured. */
  readonly rebuild: RebuildRates | null;
  /** The most that each pod may get back a second, as the vault is configured; null where no agent reports it. */
  readonly rebuildLimit: number | null;
  /** Counted failures of the pods' models; pods without a model have none here. */
  readonly models: readonly ModelEvidence[];
  /** Drives that lost all they held, and the time for which drives were watched: for pods whose model is not known. */
  readonly seen: { readonly failures: number; readonly driveYears: number };
  /** Age of the data of any pod that was verified longest ago. */
  readonly scrub: (Provenance & { readonly oldestSeconds: number }) | null;
  /** Shards on the stash that their pods have not flushed. */
  readonly stash: (Provenance & { readonly bytes: number; readonly oldestSeconds: number }) | null;
  /** Mean size of an object; null while no pod reports it. */
  readonly objectBytes: number | null;
}

export interface RebuildRates extends Provenance {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

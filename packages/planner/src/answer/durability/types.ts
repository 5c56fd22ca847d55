/** Durability in a plan's answer. */
import type { SchemeDurability } from "./schemes.ts";
import type { DurabilityTargets } from "./target.ts";

/** An annual probability of loss, as nines. */
export interface Nines {
  readonly annualLoss: number;
  readonly nines: number;
  /** 95 % interval, which follows from that of the failure rate. */
  readonly interval: { readonly low: number; readonly high: number };
}

export const lossCauses = [
  "Independent failures",
  "Common causes",
  "Unreadable sectors",
  "Stash window",
] as const;
export type LossCause = (typeof lossCauses)[number];

export interface CauseOfLoss {
  readonly cause: LossCause;
  /** Annual probability that this cause adds. */
  readonly annualLoss: number;
  /** Null if the whole loss is too small to represent. */
  readonly share: number | null;
}

export interface Durability {
  readonly rebuildDays: number;
  /** Nines from independent failures only, as published: optimistic. */
  readonly window: Nines;
  /** Nines from independent failures only, by the exact chain. */
  readonly chain: Nines;
  /** Nines from all causes, the figure to compare with the target. */
  readonly all: Nines;
  readonly targetNines: number;
  readonly meetsTarget: boolean;
  /** Causes in the order of `lossCauses`; their losses add up to that of `all`. */
  readonly causes: readonly CauseOfLoss[];
  readonly sensitivities: readonly NinesChange[];
  /** Probability of loss before all shards are whole again, with 1 to m shards missing. */
  readonly lossWhileMissing: readonly number[];
  readonly targets: DurabilityTargets;
  readonly schemes: readonly SchemeDurability[];
  readonly sentences: readonly string[];
  /** Cost of the quarantine of a slow stash device, and of a pod, in sentences. */
  readonly quarantine: readonly string[];
}

/** Change of nines caused by one input. */
export interface NinesChange {
  readonly label: string;
  readonly nines: number;
}

export type DurabilityAnswer =
  | { readonly durability: Durability; readonly unknown: null }
  | { readonly durability: null; readonly unknown: string };

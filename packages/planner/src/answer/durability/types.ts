/** Durability in a plan's answer. */
import type { SchemeDurability } from "./schemes.ts";
import type { DurabilityTargets } from "./target.ts";

/** A probability of loss within a year, as nines. */
export interface Nines {
  readonly annualLoss: number;
  readonly nines: number;
  /** 95 % interval of the failure rate; null where the count behind the rate is not known. */
  readonly interval: { readonly low: number; readonly high: number } | null;
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
  /** Probability a year that it adds. */
  readonly annualLoss: number;
  /** Null where the whole loss is too small for a number. */
  readonly share: number | null;
}

export interface Durability {
  readonly rebuildDays: number;
  /** Independent failures alone, as published: optimistic. */
  readonly window: Nines;
  /** Independent failures alone, by the exact chain. */
  readonly chain: Nines;
  /** All causes: the figure to hold against the target. */
  readonly all: Nines;
  readonly targetNines: number;
  readonly meetsTarget: boolean;
  /** In the order of `lossCauses`; their losses add up to that of `all`. */
  readonly causes: readonly CauseOfLoss[];
  readonly sensitivities: readonly NinesChange[];
  /** Probability of loss before all shards are whole again, with 1 to m shards missing. */
  readonly lossWhileMissing: readonly number[];
  readonly targets: DurabilityTargets;
  readonly schemes: readonly SchemeDurability[];
  readonly sentences: readonly string[];
}

/** The change of nines that one input makes. */
export interface NinesChange {
  readonly label: string;
  readonly nines: number;
}

export type DurabilityAnswer =
  | { readonly durability: Durability; readonly unknown: null }
  | { readonly durability: null; readonly unknown: string };

/** The durability of a vault now, as pages, the API and alerts show it. The sentences are made in one place, the planner. */
export interface VaultDurability {
  readonly vault: string;
  /** One sentence with the result, or with the reason why there is none. */
  readonly sentence: string;
  /** Action that would shorten the time until all is whole; null if there is none. */
  readonly remedy: string | null;
  /** Nines of the next year with their interval; null while they are unknown. */
  readonly nines: { readonly value: number; readonly low: number; readonly high: number } | null;
  /** Pods that are away or lack shards; null while unknown. */
  readonly missingCount: number | null;
  readonly podCount: number | null;
  /** Shards that may still be lost, as a share of the parity shards; null while unknown. */
  readonly spareShare: number | null;
  readonly figures: readonly DurabilityFigure[];
  /** The first one moves the figures most. */
  readonly assumptions: readonly string[];
  /** When the newest report came that all of it rests on; null while unknown. */
  readonly reportedAt: Date | null;
}

export interface DurabilityFigure {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  /** Values behind the figure; null where it is no count's. */
  readonly count: number | null;
  readonly ageSeconds: number | null;
}

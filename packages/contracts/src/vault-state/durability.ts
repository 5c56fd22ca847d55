/** A vault's current durability, as shown on pages, in the API and in alerts. The planner alone forms the sentences. */
export interface VaultDurability {
  readonly vault: string;
  /** One sentence with the result, or with the reason why there is none. */
  readonly sentence: string;
  /** Action that would shorten the time until everything is whole; null if there is none. */
  readonly remedy: string | null;
  /** Nines of the next year with their interval; null while they are unknown. */
  readonly nines: { readonly value: number; readonly low: number; readonly high: number } | null;
  /** Number of pods that are down or lack shards; null while unknown. */
  readonly missingCount: number | null;
  readonly podCount: number | null;
  /** Shards that may still be lost, as a share of the parity shards; null while unknown. */
  readonly spareShare: number | null;
  readonly figures: readonly DurabilityFigure[];
  /** Ordered by influence, the largest first. */
  readonly assumptions: readonly string[];
  /** Time of the newest report that all of it is based on; null while unknown. */
  readonly reportedAt: Date | null;
}

export interface DurabilityFigure {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  /** Values behind the figure; null if it is not counted. */
  readonly count: number | null;
  readonly ageSeconds: number | null;
}

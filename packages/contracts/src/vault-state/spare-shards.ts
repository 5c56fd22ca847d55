/** Describes the durable margin: the durable shards beyond what a read needs of the upload that has the fewest. */

/** Rounds in which a coordinator samples the margin. Its gauge keeps the value of the last round. */
export const marginRounds = {
  everyMs: 10_000,
  /** Deadline of a round; later answers are ignored. */
  withinMs: 8_000,
} as const;

/** Dates a sentence about the margin, which a coordinator reports until its next round ends. */
export const describeMarginSample = (sentence: string): string =>
  `By the last sample, up to ${(marginRounds.everyMs + marginRounds.withinMs) / 1_000} s earlier, ${sentence}.`;

/** Formats "uploads can spare at least 4 shards", without a full stop. */
export function describeSpareShards(marginShards: number): string {
  if (marginShards < 0) return describeThinUpload(marginShards);
  if (marginShards === 0) return "an upload can spare no shard";
  return `uploads can spare at least ${marginShards} ${marginShards === 1 ? "shard" : "shards"}`;
}

/** Formats "an upload has only 1 durable shard more within reach than a read needs", without a full stop. */
export function describeThinUpload(marginShards: number): string {
  if (marginShards === 0) return "an upload has no more durable shards within reach than a read needs";
  const count = Math.abs(marginShards);
  const shards = `${count} durable ${count === 1 ? "shard" : "shards"}`;
  return `an upload has ${marginShards < 0 ? `${shards} fewer` : `only ${shards} more`} within reach than a read needs`;
}

/** Reason that a coordinator reports no margin: it forgets samples after five minutes, and when it ends. */
export const noSampledUpload =
  "no upload was sampled in the last five minutes or since the coordinator started";

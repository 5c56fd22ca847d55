export type ErasureErrorCode =
  | "scheme_out_of_range"
  | "wrong_shard_count"
  | "unequal_shard_lengths"
  | "length_out_of_range"
  | "shard_index_out_of_range"
  | "too_many_missing"
  | "arena_size_out_of_range"
  | "arena_exhausted"
  | "stripe_released"
  | "engine_unavailable";

/**
 * Refusal of an invalid call. The message names the given and the valid values; callers distinguish errors by the code.
 */
export class ErasureError extends Error {
  override readonly name = "ErasureError";
  readonly code: ErasureErrorCode;

  constructor(code: ErasureErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Formats "1 shard", "2 shards". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

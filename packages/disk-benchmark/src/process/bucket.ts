/**
 * Limit in front of the drive that behaves like a volume's token bucket, for trials of the code that finds such limits.
 */
export interface BucketModel {
  /** Requests per second while there are tokens. */
  readonly burst: number;
  /** Requests per second without tokens, which is also the refill rate. */
  readonly base: number;
  /** Number of requests that a full bucket allows beyond the refill. */
  readonly tokens: number;
}

/** Returns when the next request may begin. Times are milliseconds of one monotonic clock. */
export class Bucket {
  readonly #model: BucketModel;
  #tokens: number;
  #nextMs: number;

  constructor(model: BucketModel, nowMs: number) {
    this.#model = model;
    this.#tokens = model.tokens;
    this.#nextMs = nowMs;
  }

  /** Spaces requests evenly; each costs one token, minus the refill until the next. */
  admitAtMs(nowMs: number): number {
    const { burst, base, tokens } = this.#model;
    if (nowMs > this.#nextMs) {
      this.#tokens = Math.min(tokens, this.#tokens + ((nowMs - this.#nextMs) * base) / 1_000);
      this.#nextMs = nowMs;
    }
    const at = this.#nextMs;
    const rate = this.#tokens > 0 ? burst : base;
    this.#tokens = Math.max(0, this.#tokens - (1 - base / rate));
    this.#nextMs += 1_000 / rate;
    return at;
  }
}

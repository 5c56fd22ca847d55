/** Progress of a run, and its estimated end. */
export interface RunProgress {
  /** 0 to 1. */
  readonly share: number;
  readonly text: string;
  /** Estimated milliseconds left; null while unknown. */
  readonly leftMs: number | null;
}

export class ProgressCount {
  #text = "Starting";
  #expected: { readonly kind: "samples" | "milliseconds"; readonly most: number } | null = null;
  #doneCount = 0;
  #startedAt: number | null = null;

  expectCount(sampleCount: number): void {
    this.#expected = { kind: "samples", most: sampleCount };
  }

  expectSeconds(seconds: number): void {
    this.#expected = { kind: "milliseconds", most: seconds * 1000 };
  }

  say(text: string): void {
    this.#text = text;
  }

  sampleDone(): void {
    this.#startedAt ??= performance.now();
    this.#doneCount += 1;
  }

  get now(): RunProgress {
    const elapsedMs = this.#startedAt === null ? 0 : performance.now() - this.#startedAt;
    const expected = this.#expected;
    const done = expected?.kind === "samples" ? this.#doneCount : elapsedMs;
    const share = expected === null || expected.most === 0 ? 0 : Math.min(1, done / expected.most);
    const leftMs = share === 0 ? null : Math.round((elapsedMs * (1 - share)) / share);
    return { share, text: this.#text, leftMs };
  }
}

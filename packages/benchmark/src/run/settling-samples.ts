/** Holds samples until the disturbances during them are known, and then passes them on in the order of completion. */
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { DisturbanceMonitor } from "./disturbance.ts";
import { type UntaggedSample, withDisturbances } from "./sample.ts";

/** Delay after which garbage collections during a sample have been reported. */
const SETTLED_AFTER_MS = 10;

export class SettlingSamples {
  readonly #monitor = new DisturbanceMonitor();
  readonly #give: (sample: BenchmarkSample) => void;
  #pending: { readonly sample: UntaggedSample; readonly from: number; readonly to: number }[] = [];

  constructor(give: (sample: BenchmarkSample) => void) {
    this.#give = give;
    this.#monitor.start();
  }

  /** Called after an operation; earlier samples are passed on in its pause. */
  add(sample: UntaggedSample, moments: { readonly t0: number; readonly t7: number }): void {
    this.hold(sample, moments);
    this.releaseSettled();
  }

  /** Like `add`, but at the end of a pause, when passing samples on would take too long. */
  hold(sample: UntaggedSample, { t0: from, t7: to }: { readonly t0: number; readonly t7: number }): void {
    this.#pending.push({ sample, from, to });
  }

  releaseSettled(): void {
    this.#release(performance.now() - SETTLED_AFTER_MS);
  }

  /** Resolves when every sample has been passed on. */
  async end(): Promise<void> {
    await this.#monitor.settled();
    this.#release(Number.POSITIVE_INFINITY);
    this.#monitor.stop();
  }

  #release(endedBefore: number): void {
    const settled = this.#pending.filter(({ to }) => to <= endedBefore);
    if (settled.length === 0) return;
    this.#pending = this.#pending.filter(({ to }) => to > endedBefore);
    for (const { sample, from, to } of settled) {
      this.#give(withDisturbances(sample, this.#monitor.during(from, to)));
    }
    this.#monitor.forgetBefore(Math.min(...this.#pending.map(({ from }) => from), endedBefore));
  }
}

import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";

/** Counts the connections that samples of each leg name, for files that do not say over how many a leg went. */
export class SeenConnections {
  readonly #byLeg = new Map<number, Set<number>>();

  add({ leg = 0, connection = 0 }: BenchmarkSample): void {
    const seen = this.#byLeg.get(leg);
    if (seen === undefined) this.#byLeg.set(leg, new Set([connection]));
    else seen.add(connection);
  }

  count(leg: number): number {
    return this.#byLeg.get(leg)?.size ?? 1;
  }
}

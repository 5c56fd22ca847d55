import type { BenchmarkSample } from "@stashlight/contracts/sample";

/** Counts the connections named by each leg's samples, for files that lack the number. */
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

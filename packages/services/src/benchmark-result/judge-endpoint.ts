import type { BenchmarkChange, BenchmarkEndpointRef } from "@stashlight/contracts/benchmark";

export interface EndpointJudgement {
  readonly endpoint: BenchmarkEndpointRef;
  readonly isFiring: boolean;
  /** The newest level or median, in milliseconds. */
  readonly value: number | null;
  /** Without a capital letter and full stop, because it follows its subject. */
  readonly sentence: string;
}

/**
 * Judges by the newest level change: slower fires, faster resolves. A level that lasts for the whole period has no
 * change in it, so it counts as usual and raises no alert.
 */
export function judge(
  endpoint: BenchmarkEndpointRef,
  changes: readonly BenchmarkChange[],
): EndpointJudgement {
  const newest = changes.filter(({ endpointId }) => endpointId === endpoint.id).at(-1);
  if (newest === undefined) {
    return { endpoint, isFiring: false, value: null, sentence: "the level has not changed for weeks" };
  }
  const { beforeMs, afterMs, changeShare, atMs } = newest;
  const percent = Math.round(100 * Math.abs(changeShare));
  return {
    endpoint,
    isFiring: afterMs > beforeMs,
    value: afterMs,
    sentence: `the median went from ${short(beforeMs)} to ${short(afterMs)} ms (${afterMs > beforeMs ? "+" : "−"}${percent} %) at ${new Date(atMs).toISOString().slice(0, 16)}Z`,
  };
}

const short = (ms: number): string => Number(ms.toPrecision(3)).toString();

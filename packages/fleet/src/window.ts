/** Measurements of a simulated agent in a span of time, of ten seconds or of an hour. */
import type { Measures } from "./measure.ts";
import type { FleetNode } from "./plan.ts";
import { type DrawnHistogram, drawHistogram } from "./shapes.ts";
import { vaultMoment } from "./vault-moment.ts";

export interface FleetWindow {
  /** An element for each series; undefined for one without a sample. */
  readonly histograms: readonly (DrawnHistogram | undefined)[];
  readonly gauges: readonly number[];
  readonly increases: readonly number[];
}

/** The middle of the span represents all of it. */
export function fleetWindow(node: FleetNode, measures: Measures, endMs: number, spanMs: number): FleetWindow {
  const atMs = endMs - spanMs / 2;
  const moment = vaultMoment(node.vaultIndex, atMs);
  const spanSeconds = spanMs / 1000;
  const at = Math.floor(endMs / 1000);
  return {
    histograms: measures.histograms.map(({ at: flowAt }, i) => {
      const { shape, perSecond } = flowAt(moment, atMs);
      const count = perSecond * spanSeconds;
      return count < 0.5 ? undefined : drawHistogram(shape, count, at, node.index * 64 + i);
    }),
    gauges: measures.gauges.map((gauge) => gauge.at(moment, atMs)),
    increases: measures.counters.map((counter) => roundedIncrease(counter.at(moment, atMs) * spanSeconds)),
  };
}

/** Counts are whole numbers; seconds of a processor are not, and are small. */
const roundedIncrease = (increase: number): number => (increase < 1 ? increase : Math.round(increase));

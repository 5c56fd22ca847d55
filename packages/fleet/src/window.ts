/** Measurements of a simulated agent over ten seconds or an hour. */
import type { Measures } from "./measure.ts";
import type { FleetNode } from "./plan.ts";
import { type DrawnHistogram, drawHistogram } from "./shapes.ts";
import { vaultMoment } from "./vault-moment.ts";

export interface FleetWindow {
  /** One element per series; undefined for a series without samples. */
  readonly histograms: readonly (DrawnHistogram | undefined)[];
  readonly gauges: readonly number[];
  readonly increases: readonly number[];
}

/** Uses the state at the middle of the span for all of it. */
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

/** Counts are integers; CPU seconds are small fractions. */
const roundedIncrease = (increase: number): number => (increase < 1 ? increase : Math.round(increase));

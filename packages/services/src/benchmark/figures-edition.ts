/**
 * Editions of the rules by which figures are computed from samples. Figures of the first count latency from when a request
 * was written, also where a rate was asked for, and take the samples of a run for independent in the interval of its
 * median. The worker computes them again (`recompute-figures.ts`); until then nothing rests on them.
 */

export const FIGURES_EDITION = 2;

/** SQL: the group was computed by an earlier edition. */
export const isOfEarlierEdition = (group: string): string => `${group}.figures_edition < ${FIGURES_EDITION}`;

/** SQL: the group's latencies were counted from another moment than today. Imported files may have had a rate too. */
export const hasEarlierLatency = (group: string, run: string): string =>
  `(${isOfEarlierEdition(group)}
     AND (coalesce(${run}.method -> 'parameters' ->> 'mode', '') = 'constant-rate' OR ${run}.state = 'imported'))`;

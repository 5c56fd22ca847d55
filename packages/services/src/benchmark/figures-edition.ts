/**
 * Editions of the rules by which figures are computed from samples. Figures of the first edition count latency from the
 * time of writing, even for runs with a target rate, and treat a run's samples as independent for the interval of its
 * median. The worker recomputes them (`recompute-figures.ts`); until then they are not used for verdicts.
 */

export const FIGURES_EDITION = 2;

/** SQL condition: the group was computed by an earlier edition. */
export const isOfEarlierEdition = (group: string): string => `${group}.figures_edition < ${FIGURES_EDITION}`;

/**
 * SQL condition: the group's latencies were counted from a different moment than today. Imported files may have had a
 * target rate too.
 */
export const hasEarlierLatency = (group: string, run: string): string =>
  `(${isOfEarlierEdition(group)}
     AND (coalesce(${run}.method -> 'parameters' ->> 'mode', '') = 'constant-rate' OR ${run}.state = 'imported'))`;

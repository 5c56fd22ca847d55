/** Finds slowdowns: the p99 of a whole week against that of the week before, both with their samples. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";

export interface Tail {
  readonly p99: number | null;
  readonly n: number;
}

export interface ComparedTail {
  readonly name: string;
  readonly now: Tail;
  readonly before: Tail;
  /** Null if one of the weeks has too few samples for a p99. */
  readonly ratio: number | null;
}

/** Load differs between weeks, so a p99 that is less than a fifth higher needs no attention. */
export const slowerRatioMin = 1.2;

type Named = (labels: MetricAnswer["series"][number]["labels"]) => string;

const seriesTails = ({ series }: MetricAnswer, nameOf: Named): Map<string, Tail> =>
  new Map(
    series.flatMap(({ labels, summary }) =>
      summary === undefined ? [] : [[nameOf(labels), { p99: summary.whole.p99, n: summary.whole.n }]],
    ),
  );

/** Returns all measurements of the week, greatest rise first and incomparable ones last. */
export function compareTails(now: MetricAnswer, before: MetricAnswer, nameOf: Named): ComparedTail[] {
  const earlier = seriesTails(before, nameOf);
  return [...seriesTails(now, nameOf)]
    .map(([name, tail]) => {
      const was = earlier.get(name) ?? { p99: null, n: 0 };
      const isKnown = tail.p99 !== null && was.p99 !== null && was.p99 > 0;
      return { name, now: tail, before: was, ratio: isKnown ? Number(tail.p99) / Number(was.p99) : null };
    })
    .sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
}

export interface Midranks {
  /** Rank from 1 of each value in the given order; equal values share the mean of theirs. */
  readonly ranks: Float64Array;
  /** Sum over groups of equal values of t^3 - t, where t is the size of the group. */
  readonly tieTerm: number;
}

/** Ranks of finite values, where ties share their mean rank (M. G. Kendall 1945). */
export function midranks(values: ArrayLike<number>): Midranks {
  const count = values.length;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => (values[a] as number) - (values[b] as number));
  const ranks = new Float64Array(count);
  let tieTerm = 0;
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && values[order[to] as number] === values[order[from] as number]) to += 1;
    for (let i = from; i < to; i += 1) ranks[order[i] as number] = (from + 1 + to) / 2;
    const tied = to - from;
    tieTerm += tied ** 3 - tied;
    from = to;
  }
  return { ranks, tieTerm };
}

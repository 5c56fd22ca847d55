/**
 * Computes which percentile of one node an acknowledgement waits for. It needs q of n nodes, whose times are assumed to
 * be independent and identically distributed; if by time t a node has answered with probability p, at least q of them
 * have with
 *
 *     P(p) = sum over j = q..n of C(n, j) p^j (1 - p)^(n - j)                    (binomial; order statistics)
 *
 * The acknowledgement's percentile a is the node's p with P(p) = a. An upload through the stash waits for two such
 * sets, pods and stash devices; if they are independent, both have answered with P(p)^2, so each must have with
 * sqrt(a).
 */
export interface AckPercentile {
  /** Percentile of the acknowledgement, such as 0.99. */
  readonly ack: number;
  /** Percentile of one node when the acknowledgement waits for one set. */
  readonly nodeOfOneSet: number;
  /** Percentile of one node when the acknowledgement waits for two sets. */
  readonly nodeOfTwoSets: number;
}

export interface AckTail {
  readonly quorum: number;
  readonly nodes: number;
  readonly percentiles: readonly AckPercentile[];
}

const ACK_PERCENTILES = [0.5, 0.9, 0.99];

export function ackTail(quorum: number, nodes: number): AckTail {
  const percentiles = ACK_PERCENTILES.map((ack) => ({
    ack,
    nodeOfOneSet: nodePercentile(quorum, nodes, ack),
    nodeOfTwoSets: nodePercentile(quorum, nodes, Math.sqrt(ack)),
  }));
  return { quorum, nodes, percentiles };
}

/** Share of a node's answers that must have arrived so that `quorum` of `nodes` have with probability `ack`. */
function nodePercentile(quorum: number, nodes: number, ack: number): number {
  let low = 0;
  let high = 1;
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (low + high) / 2;
    if (quorumProbability(quorum, nodes, middle) < ack) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Probability that at least `quorum` of `nodes` have answered when each has with probability `each`, above 0 and below
 * 1.
 */
function quorumProbability(quorum: number, nodes: number, each: number): number {
  // Counts down from j = n, so that a quorum near n needs few terms and each follows from the previous one.
  let term = each ** nodes;
  let sum = term;
  for (let answered = nodes; answered > quorum; answered -= 1) {
    term *= (answered / (nodes - answered + 1)) * ((1 - each) / each);
    sum += term;
  }
  return sum;
}

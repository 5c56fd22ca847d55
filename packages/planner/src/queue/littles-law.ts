/**
 * L = lambda W: the mean number inside equals the arrival rate times the mean stay (J. D. C. Little 1961). Valid only
 * in a steady state.
 */
export function littlesLaw(arrivalsPerSecond: number, meanStaySeconds: number): number {
  return arrivalsPerSecond * meanStaySeconds;
}

/** L = lambda W: on average as many are inside as arrive while one stays (J. D. C. Little 1961). In a steady state only. */
export function littlesLaw(arrivalsPerSecond: number, meanStaySeconds: number): number {
  return arrivalsPerSecond * meanStaySeconds;
}

/** Returns the nines of an annual loss probability: 1e-11 has 11. Null for 0, which has no number of nines. */
export function nines(annualLoss: number): number | null {
  return annualLoss > 0 ? -Math.log10(annualLoss) : null;
}

/** Probability of at least one event within a year at a constant rate, given the mean years to the first event. */
export function annualProbability(meanYears: number): number {
  return -Math.expm1(-1 / meanYears);
}

/**
 * M/D/1: arrivals at random (Poisson), one server, the same service time s for each, first come first served. The mean
 * wait before service is rho s / (2 (1 - rho)) with rho = lambda s (F. Pollaczek 1930; A. Y. Khinchin 1932), half of
 * the wait with exponential service times. Null at rho >= 1, where the queue grows without end.
 */
export function md1WaitSeconds(arrivalsPerSecond: number, serviceSeconds: number): number | null {
  const rho = arrivalsPerSecond * serviceSeconds;
  return rho < 1 ? (rho * serviceSeconds) / (2 * (1 - rho)) : null;
}

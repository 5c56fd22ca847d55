/** Refetch intervals of pages, by how soon what they show can change. */
export const refetchMs = {
  /** Jobs and slots that are under way. */
  underWay: 1_000,
  /** Measurements that are under way. */
  measuring: 2_000,
  /** Alerts, silences and nodes, equal to the interval of the tiles beside them. */
  live: 5_000,
  /** States of vaults, channels and keys. */
  states: 10_000,
  /** Lists and results that change when a job ends. */
  results: 15_000,
  /** Objects and probes that change on request. */
  onRequest: 30_000,
  /** Figures of hours, such as forecasts. */
  hours: 60_000,
  /** Figures of days, such as comparisons of drives. */
  days: 300_000,
} as const;

export type HealthState = "good" | "warning" | "bad" | "unknown";

/** One line of the health page: what was looked at, what was found, and what to do about it. */
export interface HealthCheck {
  id: "database" | "migrations" | "worker" | "jobs" | "disk" | "audit" | "supervision";
  title: string;
  state: HealthState;
  sentence: string;
  /** Figures behind the sentence, in the order to show them. */
  figures: { name: string; value: number | string; unit?: "bytes" | "seconds" | "milliseconds" | "count" }[];
  checkedAt: Date;
}

/** The most important figure of each check, which its tile on the overview shows. */
export const headlineFigures = {
  database: "Round trip",
  migrations: "Applied",
  worker: "Last heartbeat",
  jobs: "Succeeded, 24 h",
  disk: "Free",
  supervision: "Processes",
  audit: "Events",
} as const satisfies Record<HealthCheck["id"], string>;

export interface SystemVersions {
  stashlight: string;
  node: string;
  /** "unknown" when the database did not tell. */
  postgres: string;
  schema: string;
}

export interface SystemHealth {
  checks: HealthCheck[];
  versions: SystemVersions;
  /** Null when they could not be read, which is not the same as none. */
  processes: { name: string; version: string; startedAt: Date; seenAt: Date; rssBytes: number }[] | null;
}

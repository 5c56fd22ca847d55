export type HealthState = "good" | "warning" | "bad" | "unknown";

/** `seconds-ago` is the age of an event. */
type FigureUnit = "bytes" | "seconds" | "seconds-ago" | "milliseconds" | "count";

/** Time without a heartbeat after which a process counts as gone, in seconds. */
export const processStaleSeconds = 30;

/** A line of the health page: the check, its finding, and advice. */
export interface HealthCheck {
  id: "database" | "migrations" | "worker" | "jobs" | "disk" | "audit" | "supervision";
  title: string;
  state: HealthState;
  sentence: string;
  /** Figures behind the sentence, in the order to show them. */
  figures: { name: string; value: number | string; unit?: FigureUnit }[];
  checkedAt: Date;
}

/** Most important figure of each check, which its tile on the overview shows. */
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
  /** "unknown" if the database did not report it. */
  postgres: string;
  schema: string;
}

export interface SystemHealth {
  checks: HealthCheck[];
  versions: SystemVersions;
  /** Null if they could not be read, as opposed to an empty list. */
  processes: { name: string; version: string; startedAt: Date; seenAt: Date; rssBytes: number }[] | null;
}

/** Resources of every process of the product: the metric store, the clock and its configuration. */
import { type MetricClient, openMetricClient } from "@stashlight/db/metrics";

export interface BaseOptions {
  kind: "console" | "worker" | "ingest" | "tool" | "bench";
  /** Connection string of the runtime role. */
  databaseUrl: string;
  /**
   * At least 32 random bytes as text. Signs cookies and audit seals, and encrypts two-factor secrets and stored
   * credentials.
   */
  secret: string;
  /** Address of the console for browsers, without a path. */
  publicUrl: string;
  /** Address of the ingest for agents, without a path; by default below the public address. */
  ingestUrl?: string;
  /** Folder whose free space the health page watches; null if the process stores nothing on disk. */
  dataDirectory: string | null;
  now?: () => Date;
}

export interface Base {
  readonly options: BaseOptions;
  readonly metrics: MetricClient;
  readonly now: () => Date;
  readonly startedAt: Date;
  close(): Promise<void>;
}

const connectionsMax = { console: 4, worker: 4, ingest: 6, tool: 2, bench: 4 };

/** Loads neither the ORM, which takes 50 MB, nor any verbs, because an ingest needs neither. */
export function openBase(options: BaseOptions): Base {
  const now = options.now ?? (() => new Date());
  const metrics = openMetricClient({
    url: options.databaseUrl,
    purpose: options.kind,
    applicationName: `stashlight-${options.kind}-metrics`,
    connectionsMax: connectionsMax[options.kind],
  });
  return { options, metrics, now, startedAt: now(), close: () => metrics.end() };
}

/** What every process of the product holds while it runs: the metric store, the clock and its configuration. */
import { type MetricClient, openMetricClient } from "@stashlight/db/metrics";

export interface BaseOptions {
  kind: "console" | "worker" | "ingest" | "tool" | "bench";
  /** Connection string of the runtime role. */
  databaseUrl: string;
  /** At least 32 random bytes as text: signs cookies and encrypts two-factor secrets. */
  secret: string;
  /** Where browsers reach the console, without a path. */
  publicUrl: string;
  /** Where agents reach the ingest, without a path; without it, under the public address. */
  ingestUrl?: string;
  /** The folder whose free space the health page watches; null when the process keeps nothing on disk. */
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

/** Loads neither the ORM, which takes 50 MB, nor a verb: an ingest needs no more. */
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

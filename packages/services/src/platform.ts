/** What a process of the product holds while it runs: the database, sign-in, the clock and its configuration. */
import { type Database, openDatabase } from "@stashlight/db";
import { type MetricClient, openMetricClient } from "@stashlight/db/metrics";
import type { Auth } from "./auth/auth.ts";
import { type Discovery, openDiscovery } from "./auth/oidc-discovery.ts";
import type { OidcOptions } from "./auth/options.ts";
import { Calculator } from "./benchmark-result/calculator.ts";
import { Merger } from "./metrics/merger.ts";

export interface PlatformOptions {
  kind: "console" | "worker" | "ingest" | "tool";
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
  oidc: OidcOptions | null;
  now?: () => Date;
}

export interface Platform {
  readonly options: PlatformOptions;
  readonly db: Database;
  readonly metrics: MetricClient;
  /** Merges the answers of the metric store. */
  readonly merger: Merger;
  /** Computes what benchmarks say, and reads imported files. */
  readonly calculator: Calculator;
  /** Loaded when first asked for: a worker signs nobody in, and better-auth is 50 MB of memory. */
  auth(): Promise<Auth>;
  /** The identity provider's endpoints, once it has told them; null when the installation has no provider. */
  readonly discovery: Discovery | null;
  readonly now: () => Date;
  readonly startedAt: Date;
  close(): Promise<void>;
}

const connectionsMax = { console: 6, worker: 4, ingest: 6, tool: 2 };
const metricConnectionsMax = { console: 4, worker: 2, ingest: 4, tool: 2 };

export function openPlatform(options: PlatformOptions): Platform {
  const now = options.now ?? (() => new Date());
  const db = openDatabase({
    url: options.databaseUrl,
    applicationName: `stashlight-${options.kind}`,
    connectionsMax: connectionsMax[options.kind],
  });
  const metrics = openMetricClient({
    url: options.databaseUrl,
    applicationName: `stashlight-${options.kind}-metrics`,
    connectionsMax: metricConnectionsMax[options.kind],
  });
  const { secret, publicUrl, oidc } = options;
  const discovery = oidc === null ? null : openDiscovery(oidc.issuer, now);
  let loading: Promise<Auth> | undefined;
  const load = async () => {
    try {
      const { createAuth } = await import("./auth/auth.ts");
      return createAuth({ db, secret, publicUrl, oidc, discovery, now });
    } catch (error) {
      // The next caller tries again.
      loading = undefined;
      throw error;
    }
  };
  const auth = () => {
    loading ??= load();
    return loading;
  };
  const merger = new Merger();
  const calculator = new Calculator();
  const close = async () => {
    await Promise.all([db.$disconnect(), metrics.end(), merger.close(), calculator.close()]);
  };
  return { options, db, metrics, merger, calculator, auth, discovery, now, startedAt: now(), close };
}

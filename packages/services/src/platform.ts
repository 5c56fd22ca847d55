/** What a process of the product holds while it runs: the database, sign-in, the clock and its configuration. */
import { type Database, openDatabase } from "@stashlight/db";
import type { Auth } from "./auth/auth.ts";
import type { OidcOptions } from "./auth/options.ts";

export interface PlatformOptions {
  kind: "console" | "worker" | "tool";
  /** Connection string of the runtime role. */
  databaseUrl: string;
  /** At least 32 random bytes as text: signs cookies and encrypts two-factor secrets. */
  secret: string;
  /** Where browsers reach the console, without a path. */
  publicUrl: string;
  /** The folder whose free space the health page watches; null when the process keeps nothing on disk. */
  dataDirectory: string | null;
  oidc: OidcOptions | null;
  now?: () => Date;
}

export interface Platform {
  readonly options: PlatformOptions;
  readonly db: Database;
  /** Loaded when first asked for: a worker signs nobody in, and better-auth is 50 MB of memory. */
  auth(): Promise<Auth>;
  readonly now: () => Date;
  readonly startedAt: Date;
  close(): Promise<void>;
}

const connectionsMax = { console: 6, worker: 4, tool: 2 };

export function openPlatform(options: PlatformOptions): Platform {
  const now = options.now ?? (() => new Date());
  const db = openDatabase({
    url: options.databaseUrl,
    applicationName: `stashlight-${options.kind}`,
    connectionsMax: connectionsMax[options.kind],
  });
  const { secret, publicUrl, oidc } = options;
  let loading: Promise<Auth> | undefined;
  const auth = () => {
    loading ??= import("./auth/auth.ts").then(({ createAuth }) =>
      createAuth({ db, secret, publicUrl, oidc, now }),
    );
    return loading;
  };
  return { options, db, auth, now, startedAt: now(), close: () => db.$disconnect() };
}

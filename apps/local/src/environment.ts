/** Environments of the installation's processes. */
import type { DatabaseAddress } from "./database.ts";
import { defaultIngestUrl, type Options } from "./options.ts";
import type { VaultPrepared } from "./vault/prepare-vault.ts";

/**
 * The user's own variables (single sign-on, proxies, time zone), without those that npm adds and those that the caller
 * sets.
 */
export function baseEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([name]) => !/^(npm_|INIT_CWD$)/.test(name));
  return {
    // Limits the C library's memory pools, of which it would keep one per thread; that costs more than threads waiting
    // for each other.
    MALLOC_ARENA_MAX: "2",
    ...Object.fromEntries(inherited),
    NODE_ENV: "production",
  };
}

/** Environment of the installation's own processes. */
export function childEnvironment(
  options: Options,
  env: NodeJS.ProcessEnv,
  database: DatabaseAddress,
  secret: string,
): NodeJS.ProcessEnv {
  return {
    ...baseEnvironment(env),
    NEXT_TELEMETRY_DISABLED: "1",
    DATABASE_URL: database.runtimeUrl,
    STASHLIGHT_SECRET: secret,
    STASHLIGHT_PUBLIC_URL: options.publicUrl,
    STASHLIGHT_HOST: options.host,
    STASHLIGHT_PORT: String(options.port),
    STASHLIGHT_INGEST_HOST: options.host,
    STASHLIGHT_INGEST_PORT: String(options.ingestPort),
    STASHLIGHT_INGEST_URL: env.STASHLIGHT_INGEST_URL ?? defaultIngestUrl(options),
    STASHLIGHT_DATA_DIR: options.dataDirectory,
  };
}

/** Environment of the demo load, which writes to the vault. */
export function demoEnvironment({ s3 }: VaultPrepared): NodeJS.ProcessEnv {
  return {
    STASHLIGHT_S3_ENDPOINT: s3.endpoint,
    STASHLIGHT_S3_REGION: s3.region,
    STASHLIGHT_S3_ACCESS_KEY_ID: s3.accessKeyId,
    STASHLIGHT_S3_SECRET: s3.secret,
  };
}

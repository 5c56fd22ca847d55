/** The console's one platform: opened at the first request and kept for the life of the process. */
import { type ApiOptions, openPlatform, type Platform, startHeartbeat } from "@stashlight/api";
import { pino } from "pino";
import { oidcOptions, parseEnv } from "./env.ts";

const log = pino({ name: "console" });
const holder = globalThis as typeof globalThis & { stashlightPlatform?: Platform };

export function getPlatform(): Platform {
  holder.stashlightPlatform ??= open();
  return holder.stashlightPlatform;
}

export const apiOptions: () => ApiOptions = () => ({
  platform: getPlatform(),
  reportError: (error, requestId) => log.error({ err: error, requestId }, "a request failed"),
});

function open(): Platform {
  const env = parseEnv(process.env);
  const platform = openPlatform({
    kind: "console",
    databaseUrl: env.DATABASE_URL,
    secret: env.STASHLIGHT_SECRET,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
    dataDirectory: env.STASHLIGHT_DATA_DIR ?? null,
    oidc: oidcOptions(env),
  });
  const onError = (error: unknown) => log.warn({ err: error }, "heartbeat failed");
  startHeartbeat(platform, onError).catch(onError);
  return platform;
}

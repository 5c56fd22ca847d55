/** The console's one platform: opened as the server starts, closed as it stops, shared by server and pages. */
import {
  type ApiOptions,
  type Heartbeat,
  openPlatform,
  type Platform,
  startHeartbeat,
} from "@stashlight/api";
import { pino } from "pino";
import { oidcOptions, parseEnv } from "./env.ts";

const log = pino({ name: "console" });
/** On globalThis, because Next bundles this file apart from the server that Node runs. */
const holder = globalThis as typeof globalThis & {
  stashlight?: { platform: Platform; heartbeat: Heartbeat };
};

export function getPlatform(): Platform {
  holder.stashlight ??= open();
  return holder.stashlight.platform;
}

export async function closePlatform(): Promise<void> {
  const opened = holder.stashlight;
  if (opened === undefined) return;
  await opened.heartbeat.stop();
  await opened.platform.close();
}

export const apiOptions: () => ApiOptions = () => ({
  platform: getPlatform(),
  reportError: (error, requestId) => log.error({ err: error, requestId }, "a request failed"),
});

function open(): { platform: Platform; heartbeat: Heartbeat } {
  const env = parseEnv(process.env);
  const platform = openPlatform({
    kind: "console",
    databaseUrl: env.DATABASE_URL,
    secret: env.STASHLIGHT_SECRET,
    publicUrl: env.STASHLIGHT_PUBLIC_URL,
    dataDirectory: env.STASHLIGHT_DATA_DIR ?? null,
    oidc: oidcOptions(env),
  });
  const heartbeat = startHeartbeat(platform, (error) => log.warn({ err: error }, "heartbeat failed"));
  return { platform, heartbeat };
}

/** The console's environment, parsed once; a bad value is one sentence that names the variable. */
import { trustedProxies } from "@stashlight/api";
import { commonEnvironment, parseEnvironment, portNumber } from "@stashlight/contracts/environment";
import { z } from "zod";

const oidcNames = [
  "STASHLIGHT_OIDC_ISSUER",
  "STASHLIGHT_OIDC_CLIENT_ID",
  "STASHLIGHT_OIDC_CLIENT_SECRET",
] as const;

const schema = z.object({
  ...commonEnvironment,
  STASHLIGHT_HOST: z.string().default("127.0.0.1"),
  STASHLIGHT_PORT: portNumber.default(4680),
  STASHLIGHT_DATA_DIR: z.string().optional(),
  STASHLIGHT_INGEST_URL: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://ingest.example.org" })
    .transform((text) => new URL(text).origin)
    .default("http://127.0.0.1:4685"),
  STASHLIGHT_OIDC_ISSUER: z.url("must be the issuer's address, such as https://login.example.org").optional(),
  STASHLIGHT_OIDC_CLIENT_ID: z.string().min(1).optional(),
  STASHLIGHT_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  STASHLIGHT_OIDC_NAME: z.string().min(1).max(40).default("single sign-on"),
  STASHLIGHT_OIDC_NEW_USERS: z
    .enum(["invited", "viewer"], 'must be "invited" or "viewer"')
    .default("invited"),
  STASHLIGHT_TRUSTED_PROXIES: trustedProxies,
});

export type ConsoleEnv = z.output<typeof schema>;

export function parseEnv(env: Record<string, string | undefined>): ConsoleEnv {
  const parsed = parseEnvironment(schema, env);
  const given = oidcNames.filter((name) => parsed[name] !== undefined);
  const missing = oidcNames.find((name) => parsed[name] === undefined);
  if (given.length > 0 && missing !== undefined) {
    throw new Error(
      `${missing} is not set, but ${given[0]} is; single sign-on needs all of ${oidcNames.join(", ")}.`,
    );
  }
  return parsed;
}

export function oidcOptions(env: ConsoleEnv) {
  if (
    env.STASHLIGHT_OIDC_ISSUER === undefined ||
    env.STASHLIGHT_OIDC_CLIENT_ID === undefined ||
    env.STASHLIGHT_OIDC_CLIENT_SECRET === undefined
  ) {
    return null;
  }
  return {
    issuer: env.STASHLIGHT_OIDC_ISSUER,
    clientId: env.STASHLIGHT_OIDC_CLIENT_ID,
    clientSecret: env.STASHLIGHT_OIDC_CLIENT_SECRET,
    name: env.STASHLIGHT_OIDC_NAME,
    newUsers: env.STASHLIGHT_OIDC_NEW_USERS,
  };
}

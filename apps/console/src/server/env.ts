/** The console's environment, parsed once; a bad value is one sentence that names the variable. */
import { parseTrustedProxies } from "@stashlight/api";
import { z } from "zod";

const oidcNames = [
  "STASHLIGHT_OIDC_ISSUER",
  "STASHLIGHT_OIDC_CLIENT_ID",
  "STASHLIGHT_OIDC_CLIENT_SECRET",
] as const;

const schema = z.object({
  DATABASE_URL: z.string().min(1),
  STASHLIGHT_SECRET: z.string().min(32, "must have at least 32 characters"),
  STASHLIGHT_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://stashlight.example.org" })
    .transform((text) => new URL(text).origin),
  STASHLIGHT_HOST: z.string().default("127.0.0.1"),
  STASHLIGHT_PORT: z.coerce.number("must be a port number").int().min(1).max(65_535).default(4680),
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
  STASHLIGHT_TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text, context) => {
      try {
        return parseTrustedProxies(text);
      } catch (error) {
        context.addIssue({ code: "custom", message: `is wrong: ${(error as Error).message}` });
        return z.NEVER;
      }
    }),
});

export type ConsoleEnv = z.output<typeof schema>;

export function parseEnv(env: Record<string, string | undefined>): ConsoleEnv {
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    throw new Error(`${name} ${env[name] === undefined ? "is not set" : issue?.message}.`);
  }
  const given = oidcNames.filter((name) => parsed.data[name] !== undefined);
  const missing = oidcNames.find((name) => parsed.data[name] === undefined);
  if (given.length > 0 && missing !== undefined) {
    throw new Error(
      `${missing} is not set, but ${given[0]} is; single sign-on needs all of ${oidcNames.join(", ")}.`,
    );
  }
  return parsed.data;
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

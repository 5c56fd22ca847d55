/**
 * Parses the console's environment once. An invalid value throws an error that names the variable.
 */
import { trustedProxies } from "@stashlight/api";
import { outboundNetworkInput } from "@stashlight/contracts/alert";
import { commonEnvironment, parseEnvironment, portNumber } from "@stashlight/contracts/environment";
import { z } from "zod";

const oidcNames = [
  "STASHLIGHT_OIDC_ISSUER",
  "STASHLIGHT_OIDC_CLIENT_ID",
  "STASHLIGHT_OIDC_CLIENT_SECRET",
] as const;

/** Address ranges, separated by commas. */
const networkList = z
  .string()
  .default("")
  .transform((text, context) => {
    const cidrs = text.split(",").flatMap((part) => part.trim() || []);
    const wrong = cidrs.find((cidr) => !outboundNetworkInput.safeParse({ cidr }).success);
    if (wrong === undefined) return cidrs;
    const message = `is wrong: "${wrong}" is not a network such as 10.0.0.0/8`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

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
  STASHLIGHT_OIDC_NETWORKS: networkList,
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
    allowedNetworks: env.STASHLIGHT_OIDC_NETWORKS,
    name: env.STASHLIGHT_OIDC_NAME,
    newUsers: env.STASHLIGHT_OIDC_NEW_USERS,
  };
}

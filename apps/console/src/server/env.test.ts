import { expect, test } from "vitest";
import { oidcOptions, parseEnv } from "./env.ts";

const good = {
  DATABASE_URL: "postgres://localhost/stashlight",
  STASHLIGHT_SECRET: "x".repeat(43),
  STASHLIGHT_PUBLIC_URL: "https://stashlight.example.org/",
};

test("a valid environment is read with its defaults", () => {
  const env = parseEnv(good);
  expect(env.STASHLIGHT_PUBLIC_URL).toBe("https://stashlight.example.org");
  expect(env.STASHLIGHT_PORT).toBe(4680);
  expect(oidcOptions(env)).toBeNull();
});

test("only STASHLIGHT_OIDC_NETWORKS allows the provider's network, and its address does not", () => {
  const provider = {
    STASHLIGHT_OIDC_ISSUER: "https://10.1.2.3",
    STASHLIGHT_OIDC_CLIENT_ID: "id",
    STASHLIGHT_OIDC_CLIENT_SECRET: "secret",
  };
  const parsedNetworks = (more: object) =>
    oidcOptions(parseEnv({ ...good, ...provider, ...more }))?.allowedNetworks;
  expect(parsedNetworks({})).toEqual([]);
  expect(parsedNetworks({ STASHLIGHT_OIDC_NETWORKS: "10.1.2.3/32, fd12::/16" })).toEqual([
    "10.1.2.3/32",
    "fd12::/16",
  ]);
});

test.each([
  [{ DATABASE_URL: undefined }, "DATABASE_URL is not set."],
  [{ STASHLIGHT_SECRET: "short" }, "STASHLIGHT_SECRET must have at least 32 characters."],
  [{ STASHLIGHT_PUBLIC_URL: "stashlight" }, "STASHLIGHT_PUBLIC_URL must be an address"],
  [{ STASHLIGHT_PORT: "many" }, "STASHLIGHT_PORT must be a port number."],
  [{ STASHLIGHT_OIDC_NEW_USERS: "all" }, 'STASHLIGHT_OIDC_NEW_USERS must be "invited" or "viewer".'],
  [{ STASHLIGHT_TRUSTED_PROXIES: "10.0.0.0/40" }, 'STASHLIGHT_TRUSTED_PROXIES is wrong: "10.0.0.0/40"'],
  [{ STASHLIGHT_OIDC_NETWORKS: "10.0.0.0/40" }, 'STASHLIGHT_OIDC_NETWORKS is wrong: "10.0.0.0/40" is not'],
  [{ STASHLIGHT_OIDC_NETWORKS: "10.0.0.0" }, 'STASHLIGHT_OIDC_NETWORKS is wrong: "10.0.0.0" is not'],
  [{ STASHLIGHT_OIDC_ISSUER: "https://login.example.org" }, "STASHLIGHT_OIDC_CLIENT_ID is not set, but"],
])("the environment %o is refused, and the error names the variable", (wrong, sentence) => {
  expect(() => parseEnv({ ...good, ...wrong })).toThrow(sentence);
});

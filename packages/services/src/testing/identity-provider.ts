/// <reference path="./oidc-provider.d.ts" />
/** An OpenID Connect provider on a loopback port that signs in every visitor as `person` without asking. */
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import type { OidcOptions } from "../auth/options.ts";
import type { Platform } from "../platform.ts";
import { callAuth, type TestBrowser } from "./browser.ts";

export interface ProviderPerson {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
}

export interface TestIdentityProvider {
  oidc: OidcOptions;
  /** The person at the browser. */
  person: ProviderPerson;
  /** Awaited before a code is exchanged. */
  beforeTokens: () => Promise<void>;
  close(): Promise<void>;
}

/** Uses a free port, or the port at which a provider is expected that has not started yet. */
export async function openTestIdentityProvider(publicUrl: string, port = 0): Promise<TestIdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oidc: OidcOptions = {
    issuer,
    clientId: "stashlight",
    clientSecret: "a client secret of the tests",
    allowedNetworks: ["127.0.0.1/32"],
    name: "Test",
    newUsers: "invited",
  };
  const handle: TestIdentityProvider = {
    oidc,
    person: { sub: "nobody", email: "nobody@example.org", email_verified: true, name: "Nobody" },
    beforeTokens: async () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on("request", createProvider(handle, publicUrl).callback());
  return handle;
}

function createProvider(handle: TestIdentityProvider, publicUrl: string): Provider {
  const { issuer, clientId, clientSecret } = handle.oidc;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/api/auth/callback/oidc`],
      },
    ],
    cookies: { keys: ["tests"] },
    jwks: { keys: [signingKey()] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => {
      const { person } = handle;
      return { accountId, claims: () => ({ ...person, sub: accountId }) };
    },
    loadExistingGrant: async ({ oidc: { client, session } }) => {
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    if (ctx.path === "/token") await handle.beforeTokens();
    if (!ctx.path.startsWith("/interaction/")) return next();
    ctx.respond = false;
    await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: handle.person.sub } });
  });
  return provider;
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" };
}

/** Goes the whole way of a browser: the button, the provider, and back; returns the last answer. */
export async function signInByProvider(platform: Platform, browser: TestBrowser): Promise<Response> {
  return callAuth(platform, browser, await passProvider(platform, browser), undefined, "GET");
}

/** Goes all but the last step; returns the path to which the provider redirects the browser. */
export async function passProvider(platform: Platform, browser: TestBrowser): Promise<string> {
  const begun = await callAuth(platform, browser, "/sign-in/social", { provider: "oidc", callbackURL: "/" });
  const { url } = (await begun.json()) as { url: string };
  return followRedirects(url, `${platform.options.publicUrl}/api/auth`);
}

async function followRedirects(url: string, until: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = url;
  while (!next.startsWith(until)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null)
      throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    next = new URL(location, next).href;
  }
  return next.slice(until.length);
}

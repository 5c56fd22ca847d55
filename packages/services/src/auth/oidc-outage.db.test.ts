import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { allowOutboundNetwork, removeOutboundNetwork } from "../outbound/networks.ts";
import type { Platform } from "../platform.ts";
import { openTestIdentityProvider, signInByProvider } from "../testing/identity-provider.ts";
import {
  browserContext,
  callAuth,
  openTestBrowser,
  openTestInstallation,
  type Person,
  type TestBrowser,
  type TestInstallation,
  testPassword,
} from "../testing/index.ts";
import { inviteUser } from "../user/invite.ts";
import type { OidcOptions } from "./options.ts";

const publicUrl = "http://console.test";
const refusal = {
  code: "provider_unavailable",
  message: "The identity provider does not answer; sign in with a password, or try again in a moment.",
};
let installation: TestInstallation;
let admin: Person;
let browser: TestBrowser;
let browserCount = 0;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  installation = await openTestInstallation({ publicUrl });
  admin = await installation.person("admin");
});
afterAll(() => installation.close());
beforeEach(() => {
  browser = openTestBrowser(publicUrl, `198.51.100.${++browserCount}`);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** Accepts connections and never answers. */
async function openSilentServer() {
  const connections: { destroy(): void }[] = [];
  const port = await listen(
    createTcpServer((socket) => connections.push(socket.on("error", () => undefined))),
  );
  const hangUp = () => connections.splice(0).forEach((socket) => void socket.destroy());
  closing.unshift(async () => hangUp());
  return { port, connections, hangUp };
}

/** Returns a port without a listener. */
async function unusedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listen(server);
  await closing.pop()?.();
  return port;
}

function openPlatformWith(issuer: string, allowedNetworks = ["127.0.0.1/32"]): Platform {
  const oidc: OidcOptions = {
    issuer,
    clientId: "stashlight",
    clientSecret: "a client secret of the tests",
    allowedNetworks,
    name: "Test",
    newUsers: "invited",
  };
  return installation.anotherPlatform({ oidc });
}
const issuerAt = (port: number) => `http://127.0.0.1:${port}`;
const startSingleSignOn = (platform: Platform) =>
  callAuth(platform, browser, "/sign-in/social", { provider: "oidc", callbackURL: "/" });
const principal = async (platform: Platform) => (await browserContext(platform, browser)).principal;

async function expectRefusal(response: Response) {
  expect(response.status).toBe(424);
  expect(await response.json()).toEqual(refusal);
}

async function expectPasswordSignIn(platform: Platform) {
  const { email, userId } = await installation.person("viewer");
  const response = await callAuth(platform, browser, "/sign-in/email", { email, password: testPassword });
  expect(response.status).toBe(200);
  expect(await principal(platform)).toMatchObject({ userId });
}

test("a silent provider does not delay sign-ins with a password", async () => {
  const silent = await openSilentServer();
  const platform = openPlatformWith(issuerAt(silent.port));
  expect(await principal(platform)).toBeNull();
  const begun = vi.fn();
  const waiting = startSingleSignOn(platform).finally(begun);
  await vi.waitFor(() => expect(silent.connections).toHaveLength(1), { timeout: 10_000 });
  const other = browser;
  browser = openTestBrowser(publicUrl, "198.51.100.200");
  await expectPasswordSignIn(platform);
  expect(begun).not.toHaveBeenCalled();
  browser = other;
  silent.hangUp();
  await expectRefusal(await waiting);
});

test("single sign-on begins to work when the provider comes up, without a restart", async () => {
  const port = await unusedPort();
  const platform = openPlatformWith(issuerAt(port));
  await expectRefusal(await startSingleSignOn(platform));
  await expectPasswordSignIn(platform);

  const provider = await openTestIdentityProvider(publicUrl, port);
  closing.push(provider.close);
  const email = "late@example.org";
  provider.person = { sub: "late", email, email_verified: true, name: "Late" };
  await inviteUser({ ctx: admin.ctx, input: { email, role: "operator" } });
  await expectRefusal(await startSingleSignOn(platform));
  installation.clock.advance(10_000);
  const response = await signInByProvider(platform, browser);
  expect(response.headers.get("location")).toBe("/");
  expect(await principal(platform)).toMatchObject({ email, role: "operator" });
});

test("a provider that is down is requested once for all waiting sign-ins, and not again for ten seconds", async () => {
  let requestCount = 0;
  const platform = await openPlatformAt((_, response) => {
    requestCount += 1;
    response.writeHead(503).end();
  });
  const answers = await Promise.all([startSingleSignOn(platform), startSingleSignOn(platform)]);
  for (const answer of answers) await expectRefusal(answer);
  await expectRefusal(await startSingleSignOn(platform));
  expect(requestCount).toBe(1);
  installation.clock.advance(10_000);
  await expectRefusal(await startSingleSignOn(platform));
  expect(requestCount).toBe(2);
});

test("a callback leads back to the sign-in page if the provider has gone down", async () => {
  const provider = await openTestIdentityProvider(publicUrl);
  const begun = await startSingleSignOn(openPlatformWith(provider.oidc.issuer));
  const state = new URL(((await begun.json()) as { url: string }).url).searchParams.get("state");
  await provider.close();
  const platform = openPlatformWith(provider.oidc.issuer);
  const response = await callAuth(
    platform,
    browser,
    `/callback/oidc?code=a&state=${state}`,
    undefined,
    "GET",
  );
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe("/sign-in?error=invalid_code");
  expect(await principal(platform)).toBeNull();
});

test.each([
  ["names another issuer", { issuer: "https://elsewhere.example.org" }],
  ["names no key set", { jwks_uri: undefined }],
])("a discovery document that %s is rejected", async (_, change) => {
  const platform = await openPlatformAt(({ headers }, response) => {
    const issuer = `http://${headers.host}`;
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...change,
    };
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  });
  await expectRefusal(await startSingleSignOn(platform));
  expect(console.error).toHaveBeenCalledOnce();
});

test("a provider in a network that is not allowed is not connected to, until an admin allows it", async () => {
  const server = await openSilentServer();
  const issuer = issuerAt(server.port);
  const platform = openPlatformWith(issuer, []);
  await expectRefusal(await startSingleSignOn(platform));
  expect(server.connections).toHaveLength(0);
  expect(console.error).toHaveBeenCalledWith(
    expect.stringMatching(
      /127\.0\.0\.1 belongs to this machine .* Name its network in STASHLIGHT_OIDC_NETWORKS/,
    ),
  );
  await allowOutboundNetwork({ ctx: admin.ctx, input: { cidr: "127.0.0.1/32" } });
  installation.clock.advance(10_000);
  const waiting = startSingleSignOn(platform);
  await vi.waitFor(() => expect(server.connections).toHaveLength(1), { timeout: 10_000 });
  server.hangUp();
  await expectRefusal(await waiting);
  await removeOutboundNetwork({ ctx: admin.ctx, input: { cidr: "127.0.0.1/32" } });
});

test("a redirect of the discovery document is not followed", async () => {
  const elsewhere = await openSilentServer();
  const platform = await openPlatformAt((_, response) => {
    response
      .writeHead(302, { location: `${issuerAt(elsewhere.port)}/.well-known/openid-configuration` })
      .end();
  });
  await expectRefusal(await startSingleSignOn(platform));
  expect(elsewhere.connections).toHaveLength(0);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining("redirect 302, which is not followed"));
});

async function openPlatformAt(answer: RequestListener): Promise<Platform> {
  const server = createServer(answer);
  const port = await listen(server);
  closing.unshift(async () => server.closeAllConnections());
  return openPlatformWith(issuerAt(port));
}
